/* Looking after the file: an upgrade that is killed at each of its statements, copies, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../sample.h"
#include "base/log.h"
#include "place.h"
#include "store/db.h"

static void must_run(const char *fmt, const char *a, const char *b)
{
	char *cmd = rtb_sprintf("%s %s %s", fmt, a, b);
	assert_int_equal(system(cmd), 0);
	free(cmd);
}

static void copy_file(const char *from, const char *to)
{
	struct rtb_buf b = {0};
	assert_int_equal(rtb_buf_read_file(&b, from, 1 << 24), 0);
	FILE *f = fopen(to, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(b.data, 1, b.len, f), b.len);
	fclose(f);
	rtb_buf_free(&b);
}

static struct rtb_store *must_open(const char *path, enum rtb_store_mode mode)
{
	struct rtb_store *s = NULL;
	struct rtb_error e = {0};
	rtb_store_open(path, mode, &s, &e);
	assert_string_equal(e.text, "");
	return s;
}

/* A database of so many runs, open. */
static struct rtb_store *filled(const char *path, unsigned runs)
{
	struct rtb_store *s = must_open(path, STORE_WRITE);
	struct rtb_error e = {0};
	struct rtb_sweep w = {.started_ns = 1, .command = (char *)"x"};
	assert_int_equal(rtb_store_begin_sweep(s, &w, &e), RTB_OK);
	for (unsigned i = 0; i < runs; i++) {
		struct rtb_run r = sample_run();
		r.sweep_id = w.id;
		assert_int_equal(rtb_store_put_run(s, &r, &e), RTB_OK);
		rtb_run_free(&r);
	}
	free(w.uid);
	free(w.part);
	return s;
}

static void must_exec(const char *path, const char *sql)
{
	sqlite3 *db;
	struct rtb_error e = {0};
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	rtb_db_exec(db, path, sql, &e);
	assert_string_equal(e.text, "");
	sqlite3_close(db);
}

/* The one text that a query gives. Free it. */
static char *text_of(const char *path, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	char *text = rtb_col_dup(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return text ? text : rtb_strdup("");
}

static void assert_text(const char *path, const char *sql, const char *want)
{
	char *text = text_of(path, sql);
	assert_string_equal(text, want);
	free(text);
}

/* A file as the first rtbench wrote it, with two runs. */
static void make_old(const char *path)
{
	size_t count;
	const struct rtb_migration *steps = rtb_migrations(&count);
	struct rtb_error e = {0};
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(rtb_migrate(db, path, steps, 1, &e), RTB_OK);
	sqlite3_close(db);
	must_exec(path, "INSERT INTO sweep (started_ns, command, host, planned) VALUES (5, 'x', 'h', 2);"
		  "INSERT INTO cell VALUES (1, 't', 'k', 'O2', 0); INSERT INTO fact_set VALUES (1, 'version', 0);"
		  "INSERT INTO run VALUES (1, 1, 1, 1, 1, 7, 8, 'ok', NULL, 'trusted', 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1),"
		  "(2, 1, 1, 2, 1, 7, 8, 'ok', NULL, 'trusted', 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1);"
		  "INSERT INTO record (run_id, case_name, series, case_version, unit, div, supported, n, min, max, sum)"
		  " VALUES (1, 'yield', '', 1, 'cycles', 2, 1, 0, 0, 0, 0)");
}

static unsigned statements_left;

static int die_in_time(unsigned what, void *ctx, void *statement, void *text)
{
	(void)what, (void)ctx, (void)statement, (void)text;
	if (--statements_left == 0)
		kill(getpid(), SIGKILL);
	return 0;
}

static int watch(sqlite3 *db, char **why, const void *api)
{
	(void)why, (void)api;
	return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, die_in_time, NULL);
}

/* Opens to write, which upgrades, and is killed at the nth statement of it all, on whichever
 * connection. Whether it came to that. */
static bool killed_at(const char *path, unsigned n)
{
	pid_t pid = fork();
	if (pid == 0) {
		struct rtb_store *s;
		struct rtb_error e = {0};
		statements_left = n;
		sqlite3_auto_extension((void (*)(void))watch);
		_exit(rtb_store_open(path, STORE_WRITE, &s, &e) != RTB_OK);
	}
	int ws;
	assert_int_equal(waitpid(pid, &ws, 0), pid);
	if (WIFSIGNALED(ws))
		assert_int_equal(WTERMSIG(ws), SIGKILL);
	else
		assert_int_equal(WEXITSTATUS(ws), 0);
	return WIFSIGNALED(ws);
}

#define ALL_SCHEMA "SELECT group_concat(name || ifnull(sql, ''), char(10)) FROM (SELECT * FROM sqlite_master ORDER BY name)"
#define ALL_ROWS "SELECT (SELECT group_concat(uid || status) FROM run) || (SELECT group_concat(uid || planned) FROM sweep_part)" \
		 " || (SELECT group_concat(overhead) FROM record)"

static void an_upgrade_killed_at_any_statement_loses_nothing(void **state)
{
	struct place *p = *state;
	char *bak = rtb_sprintf("%s.v1.bak", p->db), *schema, *rows;
	make_old(p->other);
	copy_file(p->other, p->db);
	rtb_store_close(must_open(p->db, STORE_WRITE));
	schema = text_of(p->db, ALL_SCHEMA);
	rows = text_of(p->db, ALL_ROWS);
	unsigned n = 1;
	for (bool more = true; more; n++) {
		copy_file(p->other, p->db);
		unlink(bak);
		more = killed_at(p->db, n);
		/* what is there now is some version as a whole, with all that was in it */
		assert_text(p->db, "PRAGMA integrity_check", "ok");
		assert_text(p->db, "SELECT count(*) FROM run", "2");
		if (access(bak, F_OK) == 0)
			assert_text(bak, "SELECT (SELECT user_version FROM pragma_user_version) || count(*) FROM run", "12");
		rtb_store_close(must_open(p->db, STORE_WRITE));
		char *now = text_of(p->db, ALL_SCHEMA), *had = text_of(p->db, ALL_ROWS);
		assert_string_equal(now, schema);
		assert_string_equal(had, rows);
		free(now);
		free(had);
	}
	assert_true(n > 40); /* or it was not killed at all */
	free(schema);
	free(rows);
	free(bak);
}

static int64_t number_of(const char *path, const char *sql)
{
	char *text = text_of(path, sql);
	int64_t n = strtoll(text, NULL, 10);
	free(text);
	return n;
}

static const struct rtb_migration steps[] = {
	{1, "CREATE TABLE a (x)"}, {2, "CREATE TABLE b (x); INSERT INTO b VALUES (7)"},
	{3, "CREATE TABLE c (x); CREATE TABLE b (x)"}, /* fails half-way: b is there already */
};

static void a_failed_migration_leaves_the_step_before(void **state)
{
	struct place *p = *state;
	sqlite3 *db;
	struct rtb_error e = {0};
	assert_int_equal(sqlite3_open(p->db, &db), SQLITE_OK);
	assert_int_equal(rtb_migrate(db, p->db, steps, 1, &e), RTB_OK);
	char *backup = rtb_sprintf("%s.v1.bak", p->db);
	assert_int_not_equal(access(backup, F_OK), 0);
	assert_int_equal(rtb_migrate(db, p->db, steps, 3, &e), RTB_STORE);
	assert_non_null(strstr(e.text, "already exists"));
	sqlite3_close(db);
	assert_int_equal(number_of(p->db, "PRAGMA user_version"), 2);
	assert_int_equal(number_of(p->db, "SELECT count(*) FROM sqlite_master WHERE name = 'c'"), 0);
	assert_int_equal(number_of(p->db, "SELECT x FROM b"), 7);
	assert_int_equal(number_of(p->db, "PRAGMA application_id"), RTB_APPLICATION_ID);
	assert_int_equal(number_of(backup, "PRAGMA user_version"), 1);
	assert_int_equal(number_of(backup, "SELECT count(*) FROM sqlite_master WHERE name = 'b'"), 0);
	free(backup);
}

static void views_of_another_program_version_are_renewed(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	struct rtb_error e = {0};
	rtb_db_exec(s->db, p->db, "UPDATE view_text SET sql = 'old'; DROP VIEW v_export;"
		    " CREATE VIEW v_gone AS SELECT 1", &e);
	rtb_store_close(s);
	rtb_store_close(must_open(p->db, STORE_WRITE));
	assert_int_equal(number_of(p->db, "SELECT count(*) FROM sqlite_master WHERE name = 'v_export'"), 1);
	assert_int_equal(number_of(p->db, "SELECT count(*) FROM sqlite_master WHERE name = 'v_gone'"), 0);
}

static void an_older_file_is_not_read_but_the_way_out_is_said(void **state)
{
	struct place *p = *state;
	struct rtb_store *s;
	struct rtb_error e = {0};
	make_old(p->db);
	assert_int_equal(rtb_store_open(p->db, STORE_READ, &s, &e), RTB_STORE_OLDER);
	assert_non_null(strstr(e.text, "has schema version 1, this rtbench needs "));
	assert_non_null(strstr(rtb_status_advice(e.status), "rtbench db upgrade"));
	assert_text(p->db, "PRAGMA user_version", "1");
}

static void a_copy_replaces_an_older_copy_and_nothing_else(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = filled(p->db, 2);
	struct rtb_error e = {0};
	assert_int_equal(rtb_store_backup(s, p->db, &e), RTB_USAGE);
	char *link = rtb_sprintf("%s/link.db", p->dir), *text = rtb_sprintf("%s/text", p->dir),
	     *wal = rtb_sprintf("%s-wal", p->other);
	assert_int_equal(symlink(p->db, link), 0);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_store_backup(s, link, &e), RTB_USAGE);
	must_run("echo my thesis >", text, "");
	e = (struct rtb_error){0};
	assert_int_equal(rtb_store_backup(s, text, &e), RTB_STORE_FOREIGN);
	must_run("grep -q thesis", text, "");
	e = (struct rtb_error){0};
	rtb_store_close(filled(p->other, 1));
	assert_int_equal(rtb_store_backup(s, p->other, &e), RTB_OK);
	assert_text(p->other, "SELECT count(*) FROM run", "2");
	must_run("touch", wal, "");
	assert_int_equal(rtb_store_backup(s, p->other, &e), RTB_STORE_LOCKED);
	rtb_store_close(s);
	free(link);
	free(text);
	free(wal);
}

static void spoil(const char *path, long at, size_t n)
{
	FILE *f = fopen(path, "r+b");
	assert_non_null(f);
	assert_int_equal(fseek(f, at, SEEK_SET), 0);
	while (n--)
		fputc(0x5a, f);
	fclose(f);
}

static void a_damaged_file_is_said_to_be_and_not_copied(void **state)
{
	struct place *p = *state;
	struct rtb_error e = {0};
	rtb_store_close(filled(p->db, 20));
	rtb_store_close(filled(p->other, 3));
	char *page = text_of(p->db, "SELECT max(rootpage) FROM sqlite_master WHERE name IN ('record', 'finding')");
	spoil(p->db, (atol(page) - 1) * 4096, 4096);
	free(page);
	struct rtb_store *s = NULL;
	/* a sweep does not begin to measure for it */
	assert_int_equal(rtb_store_open_wait(p->db, STORE_WRITE, 100, NULL, &s, &e), RTB_STORE_DAMAGED);
	e = (struct rtb_error){0};
	s = must_open(p->db, STORE_READ);
	assert_int_equal(rtb_store_verify(s, &e), RTB_STORE_DAMAGED);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_store_backup(s, p->other, &e), RTB_STORE_DAMAGED);
	assert_non_null(strstr(e.text, p->db));
	rtb_store_close(s);
	assert_text(p->other, "SELECT count(*) FROM run", "3");
}

/* What leaves the file sound for SQLite: another number, another byte in what is packed. */
static void numbers_that_disagree_are_found(void **state)
{
	static const char *const changes[] = {
		"UPDATE record SET n = n + 1 WHERE id = 3", "UPDATE record SET max = max + 64 WHERE id = 3",
		"UPDATE record SET min = min - 1 WHERE id = 3", "UPDATE record SET sum = sum + 4096 WHERE id = 3",
		"UPDATE record SET mean = mean + 1 WHERE id = 3", "UPDATE record SET p50 = p50 * 2 WHERE id = 3",
		"UPDATE record SET hist = substr(hist, 2) WHERE id = 3", "UPDATE log SET packed = zeroblob(9) WHERE rowid = 1",
	};
	struct place *p = *state;
	rtb_store_close(filled(p->other, 3));
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		struct rtb_error e = {0};
		copy_file(p->other, p->db);
		struct rtb_store *s = must_open(p->db, STORE_READ);
		assert_int_equal(rtb_store_verify(s, &e), RTB_OK);
		rtb_store_close(s);
		must_exec(p->db, changes[i]);
		s = must_open(p->db, STORE_READ);
		if (rtb_store_verify(s, &e) != RTB_STORE_DAMAGED)
			fail_msg("not found: %s: %s", changes[i], e.text);
		rtb_store_close(s);
	}
}

static void count_it(void *ctx, enum rtb_log_level level, const char *line)
{
	(void)level, (void)line;
	++*(int *)ctx;
}

static void closing_does_not_wait_for_a_reader(void **state)
{
	struct place *p = *state;
	struct rtb_store_env env = rtb_store_env_real;
	struct rtb_store *s;
	struct rtb_error e = {0};
	int said = 0;
	env.busy_ms = 100;
	env.say_ms = 0;
	rtb_store_close(filled(p->db, 1));
	assert_int_equal(rtb_store_open_env(p->db, STORE_WRITE, &env, &s, &e), RTB_OK);
	sqlite3 *reader;
	assert_int_equal(sqlite3_open(p->db, &reader), SQLITE_OK);
	assert_int_equal(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM run", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(rtb_db_exec(s->db, p->db, "UPDATE run SET repeat = 7", &e), RTB_OK);
	rtb_log_to(count_it, &said, RTB_LOG_WARN);
	rtb_store_close(s);
	rtb_log_to(NULL, NULL, RTB_LOG_WARN);
	assert_int_equal(said, 0);
	sqlite3_close(reader);
}

/* As a user who may write nothing there, in a child so that this program stays who it is. */
static void assert_denied(const char *db, const char *say)
{
	pid_t pid = fork();
	if (pid == 0) {
		struct passwd *nobody = getpwnam("nobody");
		struct rtb_store *s;
		struct rtb_error e = {0};
		if (geteuid() == 0 && (!nobody || setgid(nobody->pw_gid) || setuid(nobody->pw_uid)))
			_exit(2);
		bool good = rtb_store_open(db, STORE_WRITE, &s, &e) == RTB_STORE_READONLY && strstr(e.text, say);
		if (!good)
			print_message("%s: %s\n", db, e.text);
		_exit(!good);
	}
	int ws;
	assert_int_equal(waitpid(pid, &ws, 0), pid);
	assert_int_equal(ws, 0);
}

static void what_may_not_be_written_is_named(void **state)
{
	struct place *p = *state;
	struct rtb_store *s;
	struct rtb_error e = {0};
	rtb_store_close(filled(p->db, 1));
	assert_int_equal(chmod(p->dir, 0555), 0);
	assert_denied(p->other, "the directory");
	assert_int_equal(chmod(p->db, 0444), 0);
	assert_denied(p->db, "the file may not be written: Permission denied");
	assert_int_equal(chmod(p->dir, 0755), 0);
	char *nowhere = rtb_sprintf("%s/none/r.db", p->dir);
	assert_int_equal(rtb_store_open(nowhere, STORE_WRITE, &s, &e), RTB_STORE);
	assert_non_null(strstr(e.text, "/none: No such file or directory"));
	free(nowhere);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, make_place, drop_place)
	const struct CMUnitTest tests[] = {
		T(an_upgrade_killed_at_any_statement_loses_nothing), T(an_older_file_is_not_read_but_the_way_out_is_said),
		T(a_failed_migration_leaves_the_step_before), T(views_of_another_program_version_are_renewed),
		T(a_copy_replaces_an_older_copy_and_nothing_else), T(a_damaged_file_is_said_to_be_and_not_copied),
		T(numbers_that_disagree_are_found), T(closing_does_not_wait_for_a_reader), T(what_may_not_be_written_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
