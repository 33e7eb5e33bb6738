/* What goes wrong around a database: full, locked, killed, copied, read-only, newer, foreign. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../sample.h"
#include "base/log.h"
#include "place.h"
#include "store/db.h"

static struct rtb_store *must_open(const char *path, const struct rtb_store_env *env)
{
	struct rtb_store *s = NULL;
	struct rtb_error e = {0};
	rtb_store_open_env(path, STORE_WRITE, env ? env : &rtb_store_env_real, &s, &e);
	assert_string_equal(e.text, "");
	return s;
}

static int64_t must_sweep(struct rtb_store *s)
{
	struct rtb_error e = {0};
	struct rtb_sweep w = {.started_ns = 1, .command = (char *)"x"};
	assert_int_equal(rtb_store_begin_sweep(s, &w, &e), RTB_OK);
	free(w.uid);
	free(w.part);
	return w.id;
}

/* Puts runs until one fails or limit is reached; returns how many went in. */
static unsigned put_runs(struct rtb_store *s, int64_t sweep, unsigned limit, struct rtb_error *e)
{
	for (unsigned i = 0; i < limit; i++) {
		struct rtb_run r = sample_run();
		r.sweep_id = sweep;
		rtb_run_factf(&r, PROV_CLOCK_MEASURED, ORIGIN_MEASURED, "%u", i);
		enum rtb_status st = rtb_store_put_run(s, &r, e);
		rtb_run_free(&r);
		if (st != RTB_OK)
			return i;
	}
	return limit;
}

static int64_t number(const char *db, const char *sql)
{
	sqlite3 *h;
	int64_t out = -1;
	struct rtb_error e = {0};
	assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
	rtb_db_number(h, db, sql, &out, &e);
	assert_string_equal(e.text, "");
	sqlite3_close(h);
	return out;
}

static void assert_whole(const char *db, unsigned runs)
{
	assert_int_equal(number(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
	assert_int_equal(number(db, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	assert_int_equal(number(db, "SELECT count(*) FROM run"), runs);
	assert_int_equal(number(db, "SELECT count(*) FROM record"), 2 * runs);
}

static void full_says_full_and_keeps_what_is_there(void **state)
{
	struct place *p = *state;
	struct rtb_store_env env = rtb_store_env_real;
	env.max_pages = 60;
	struct rtb_store *s = must_open(p->db, &env);
	struct rtb_error e = {0};
	unsigned n = put_runs(s, must_sweep(s), 10000, &e);
	assert_int_equal(e.status, RTB_STORE_FULL);
	assert_non_null(strstr(e.text, "full"));
	assert_true(sqlite3_get_autocommit(s->db));
	assert_true(n > 0 && n < 10000);
	rtb_store_close(s);
	assert_whole(p->db, n);
	/* and it goes on where there is room again */
	s = must_open(p->db, NULL);
	e = (struct rtb_error){0};
	assert_int_equal(put_runs(s, 1, 1, &e), 1);
	rtb_store_close(s);
	assert_whole(p->db, n + 1);
}

/* A real full file system, where the system lets us make one. */
static void a_full_file_system(void **state)
{
	struct place *p = *state;
	char *mnt = rtb_sprintf("%s/mnt", p->dir), *db = rtb_sprintf("%s/mnt/r.db", p->dir);
	assert_int_equal(mkdir(mnt, 0755), 0);
	if (mount("rtb-test", mnt, "tmpfs", 0, "size=512k") != 0) {
		print_message("tmpfs cannot be mounted here; PRAGMA max_page_count stands in above\n");
		free(mnt);
		free(db);
		return;
	}
	struct rtb_store *s = must_open(db, NULL);
	struct rtb_error e = {0};
	unsigned n = put_runs(s, must_sweep(s), 10000, &e);
	enum rtb_status status = e.status;
	bool idle = sqlite3_get_autocommit(s->db);
	rtb_store_close(s);
	int64_t whole = number(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'");
	int64_t stored = number(db, "SELECT count(*) FROM run");
	umount2(mnt, MNT_DETACH);
	free(mnt);
	free(db);
	assert_int_equal(status, RTB_STORE_FULL);
	assert_true(idle && n > 0);
	assert_int_equal(whole, 1);
	assert_int_equal(stored, n);
}

static void locked_waits_then_says_so(void **state)
{
	struct place *p = *state;
	struct rtb_store_env env = rtb_store_env_real;
	env.busy_ms = 20;
	struct rtb_store *a = must_open(p->db, &env), *b = must_open(p->db, &env);
	struct rtb_error e = {0};
	int64_t sweep = must_sweep(a);
	assert_int_equal(rtb_db_begin(a, &e), RTB_OK);
	assert_int_equal(put_runs(b, sweep, 1, &e), 0);
	assert_int_equal(e.status, RTB_STORE_LOCKED);
	rtb_db_rollback(a->db);
	e = (struct rtb_error){0};
	assert_int_equal(put_runs(b, sweep, 1, &e), 1);
	rtb_store_close(a);
	rtb_store_close(b);
}

struct holder { struct rtb_store *s; int said; };

static void let_go(void *ctx, enum rtb_log_level level, const char *line)
{
	struct holder *h = ctx;
	(void)level;
	assert_non_null(strstr(line, "waiting for another program"));
	h->said++;
	rtb_db_rollback(h->s->db);
}

/* A program that holds the database for longer than the usual wait: opening and storing go on when
 * it lets go, which it does here once it hears that somebody waits. */
static void a_long_lock_is_waited_for(void **state)
{
	struct place *p = *state;
	struct rtb_store_env env = rtb_store_env_real;
	struct rtb_error e = {0};
	struct holder h = {.s = must_open(p->db, &env)};
	int64_t sweep = must_sweep(h.s);
	env.busy_ms = 600000;
	env.say_ms = 0;
	rtb_log_to(let_go, &h, RTB_LOG_WARN);
	assert_int_equal(rtb_db_begin(h.s, &e), RTB_OK);
	struct rtb_store *late = must_open(p->db, &env);
	assert_int_equal(h.said, 1);
	assert_int_equal(rtb_db_begin(h.s, &e), RTB_OK);
	assert_int_equal(put_runs(late, sweep, 1, &e), 1);
	assert_int_equal(h.said, 2);
	rtb_log_to(NULL, NULL, RTB_LOG_WARN);
	rtb_store_close(late);
	rtb_store_close(h.s);
}

static void newer_and_foreign_files_are_left_alone(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, NULL);
	struct rtb_error e = {0};
	rtb_db_exec(s->db, p->db, "PRAGMA user_version = 99", &e);
	rtb_store_close(s);
	for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
		e = (struct rtb_error){0};
		assert_int_equal(rtb_store_open(p->db, (enum rtb_store_mode)mode, &s, &e), RTB_STORE_NEWER);
		assert_non_null(strstr(e.text, "99"));
		assert_null(s);
	}
	assert_int_equal(number(p->db, "PRAGMA user_version"), 99);
	char *other = rtb_sprintf("%s/other.db", p->dir);
	sqlite3 *db;
	assert_int_equal(sqlite3_open(other, &db), SQLITE_OK);
	sqlite3_exec(db, "CREATE TABLE t (x); INSERT INTO t VALUES (5)", NULL, NULL, NULL);
	sqlite3_close(db);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_store_open(other, STORE_WRITE, &s, &e), RTB_STORE_FOREIGN);
	assert_int_equal(number(other, "SELECT x FROM t"), 5);
	assert_int_equal(number(other, "SELECT count(*) FROM sqlite_master"), 1);
	free(other);
}

static long on_nfs(const char *path)
{
	(void)path;
	return 0x6969;
}

static void a_network_file_system_is_refused(void **state)
{
	struct place *p = *state;
	struct rtb_store_env env = rtb_store_env_real;
	env.fs_type = on_nfs;
	struct rtb_store *s;
	struct rtb_error e = {0};
	assert_int_equal(rtb_store_open_env(p->db, STORE_WRITE, &env, &s, &e), RTB_STORE);
	assert_non_null(strstr(e.text, "network file system (NFS)"));
	assert_int_not_equal(access(p->db, F_OK), 0);
	/* a finished one may be read there */
	rtb_store_close(must_open(p->db, NULL));
	e = (struct rtb_error){0};
	assert_int_equal(rtb_store_open_env(p->db, STORE_READ, &env, &s, &e), RTB_OK);
	rtb_store_close(s);
}

static void a_network_behind_fuse_is_told_from_a_local_one(void **state)
{
	(void)state;
	char text[] = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
		      "40 22 0:50 / /mnt/lab rw,nosuid shared:7 - fuse.sshfs bench:/srv rw,user_id=0\n"
		      "41 22 0:51 / /mnt/usb rw - fuseblk /dev/sdb1 rw\n"
		      "42 22 0:52 / /mnt/crypt rw - fuse.gocryptfs /home/x rw\n";
	const struct { unsigned minor; bool network; } devices[] = {{50, true}, {51, false}, {52, false}, {53, false}};
	for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
		FILE *f = fmemopen(text, sizeof text - 1, "r");
		assert_int_equal(rtb_fuse_is_network(f, 0, devices[i].minor), devices[i].network);
		fclose(f);
	}
	assert_non_null(rtb_network_fs(RTB_FUSE_NETWORK));
	assert_null(rtb_network_fs(0x65735546));
	assert_null(rtb_network_fs(rtb_fs_type("/dev/shm/not/there")));
}

static void a_copy_between_runs_is_whole(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, NULL);
	struct rtb_error e = {0};
	assert_int_equal(put_runs(s, must_sweep(s), 5, &e), 5);
	char *copy = rtb_sprintf("%s/copy.db", p->dir), *cmd = rtb_sprintf("cp %s %s", p->db, copy);
	assert_int_equal(system(cmd), 0);
	free(cmd);
	assert_whole(copy, 5);
	/* and a backup is whole even in the middle of somebody's transaction */
	struct rtb_store *other = must_open(p->db, NULL);
	assert_int_equal(rtb_db_begin(other, &e), RTB_OK);
	assert_int_equal(rtb_db_exec(other->db, p->db, "DELETE FROM finding", &e), RTB_OK);
	assert_int_equal(rtb_store_backup(s, copy, &e), RTB_OK);
	rtb_db_rollback(other->db);
	rtb_store_close(other);
	rtb_store_close(s);
	assert_whole(copy, 5);
	free(copy);
}

/* A child writes for ever; it is killed at moments that differ, and the file must stay whole
 * with exactly the runs whose put had returned, or one more whose return was not reported. */
static void killed_in_the_middle_of_writing(void **state)
{
	struct place *p = *state;
	unsigned reported = 0;
	rtb_store_close(must_open(p->db, NULL));
	for (unsigned round = 0; round < 100; round++) {
		int fd[2];
		assert_int_equal(pipe(fd), 0);
		pid_t pid = fork();
		if (pid == 0) {
			struct rtb_store *s = must_open(p->db, NULL);
			struct rtb_error e = {0};
			int64_t sweep = must_sweep(s);
			while (put_runs(s, sweep, 1, &e) == 1 && write(fd[1], "x", 1) == 1)
				;
			_exit(1);
		}
		close(fd[1]);
		char c;
		for (unsigned k = 0; k < 1 + round % 3; k++) {
			assert_int_equal(read(fd[0], &c, 1), 1);
			reported++;
		}
		for (volatile unsigned spin = 0; spin < round * 3000; spin++)
			;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		while (read(fd[0], &c, 1) == 1)
			reported++;
		close(fd[0]);
		int64_t runs = number(p->db, "SELECT count(*) FROM run");
		assert_true(runs == reported || runs == reported + 1);
		reported = (unsigned)runs;
		assert_int_equal(number(p->db, "SELECT count(*) FROM record"), 2 * runs);
	}
	assert_whole(p->db, reported);
}

/* As a user who may write nothing there, in a child so that this program stays who it is. */
static int as_nobody(const char *db, enum rtb_status *status)
{
	int fd[2];
	assert_int_equal(pipe(fd), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct passwd *nobody = getpwnam("nobody");
		if (geteuid() == 0 && (!nobody || setgid(nobody->pw_gid) || setuid(nobody->pw_uid)))
			_exit(2);
		struct rtb_store *s;
		struct rtb_error e = {0};
		int64_t id;
		enum rtb_status st = rtb_store_open(db, STORE_READ, &s, &e);
		if (st == RTB_OK)
			st = rtb_store_latest_run(s, 0, &id, &e);
		ssize_t n = write(fd[1], &st, sizeof st);
		_exit(n != sizeof st);
	}
	int ws;
	ssize_t n = read(fd[0], status, sizeof *status);
	waitpid(pid, &ws, 0);
	close(fd[0]);
	close(fd[1]);
	return n == sizeof *status && WIFEXITED(ws) ? WEXITSTATUS(ws) : -1;
}

static void a_read_only_directory_can_be_read(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, NULL);
	struct rtb_error e = {0};
	enum rtb_status status;
	assert_int_equal(put_runs(s, must_sweep(s), 2, &e), 2);
	rtb_store_close(s);
	assert_int_equal(chmod(p->db, 0444), 0);
	assert_int_equal(chmod(p->dir, 0555), 0);
	assert_int_equal(as_nobody(p->db, &status), 0);
	assert_int_equal(status, RTB_OK);
	/* with runs waiting in the log it cannot, and says which permission is missing */
	char *wal = rtb_sprintf("%s-wal", p->db);
	assert_int_equal(chmod(p->dir, 0755), 0);
	FILE *f = fopen(wal, "w");
	assert_non_null(f);
	fputs("something", f);
	fclose(f);
	assert_int_equal(chmod(p->dir, 0555), 0);
	assert_int_equal(as_nobody(p->db, &status), 0);
	assert_int_equal(status, RTB_STORE_READONLY);
	free(wal);
}

static void reading_leaves_no_files_behind(void **state)
{
	struct place *p = *state;
	struct rtb_store *s;
	struct rtb_error e = {0};
	rtb_store_close(must_open(p->db, NULL));
	assert_int_equal(rtb_store_open(p->db, STORE_READ, &s, &e), RTB_OK);
	assert_int_not_equal(rtb_db_exec(s->db, p->db, "DELETE FROM run", &e), RTB_OK);
	rtb_store_close(s);
	char *wal = rtb_sprintf("%s-wal", p->db), *shm = rtb_sprintf("%s-shm", p->db);
	assert_int_not_equal(access(wal, F_OK), 0);
	assert_int_not_equal(access(shm, F_OK), 0);
	free(wal);
	free(shm);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, make_place, drop_place)
	const struct CMUnitTest tests[] = {
		T(full_says_full_and_keeps_what_is_there), T(a_full_file_system), T(locked_waits_then_says_so), T(a_long_lock_is_waited_for),
		T(newer_and_foreign_files_are_left_alone), T(a_network_file_system_is_refused),
		T(a_network_behind_fuse_is_told_from_a_local_one),
		T(a_copy_between_runs_is_whole), T(killed_in_the_middle_of_writing),
		T(a_read_only_directory_can_be_read), T(reading_leaves_no_files_behind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
