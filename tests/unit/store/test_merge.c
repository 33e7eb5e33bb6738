/* Databases become one: by identity, once, whole or not at all; and older ones get identities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../sample.h"
#include "place.h"
#include "store/db.h"

static struct rtb_store *must_open(const char *path)
{
	struct rtb_store *s = NULL;
	struct rtb_error e = {0};
	rtb_store_open(path, STORE_WRITE, &s, &e);
	assert_string_equal(e.text, "");
	return s;
}

static struct rtb_sweep begin(struct rtb_store *s, const char *uid, uint64_t started)
{
	struct rtb_error e = {0};
	struct rtb_sweep w = {.started_ns = started, .command = rtb_strdup("rtbench run --matrix"), .host = rtb_strdup("bench"),
			      .planned = 2, .uid = rtb_strdup(uid)};
	assert_int_equal(rtb_store_begin_sweep(s, &w, &e), RTB_OK);
	return w;
}

static void end(struct rtb_store *s, struct rtb_sweep *w, enum rtb_status how, uint64_t at)
{
	struct rtb_error e = {0};
	w->status = how;
	w->ended_ns = at;
	assert_int_equal(rtb_store_end_sweep(s, w, &e), RTB_OK);
	rtb_sweep_free(w);
}

static int64_t put(struct rtb_store *s, int64_t sweep, const char *kernel, unsigned repeat)
{
	struct rtb_error e = {0};
	struct rtb_run r = {.sweep_id = sweep, .repeat = repeat, .attempt = 1, .started_ns = 1000 + repeat, .ended_ns = 2000};
	r.cell = (struct rtb_cell){rtb_strdup("board"), rtb_strdup(kernel), rtb_strdup("O2"), false};
	sample_facts(&r);
	rtb_run_fact(&r, PROV_KERNEL, ORIGIN_READ, kernel);
	sample_record(&r, "yield", 2, 300);
	rtb_run_find(&r, "noise", VERDICT_SUSPECT, NULL, NULL, "made up");
	r.verdict = VERDICT_SUSPECT;
	r.serial_log = rtb_strdup("bytes");
	r.serial_log_len = 5;
	rtb_store_put_run(s, &r, &e);
	assert_string_equal(e.text, "");
	int64_t id = r.id;
	rtb_run_free(&r);
	return id;
}

static int64_t number(struct rtb_store *s, const char *sql)
{
	int64_t n = -1;
	struct rtb_error e = {0};
	rtb_db_number(s->db, s->path, sql, &n, &e);
	assert_string_equal(e.text, "");
	return n;
}

static struct rtb_merged must_merge(struct rtb_store *s, const char *path)
{
	struct rtb_merged m;
	struct rtb_error e = {0};
	rtb_store_merge(s, path, &m, &e);
	assert_string_equal(e.text, "");
	return m;
}

static void two_shards(struct place *p)
{
	struct rtb_store *s = must_open(p->a);
	struct rtb_sweep w = begin(s, "key:night", 100);
	put(s, w.id, "bare", 1);
	put(s, w.id, "bare", 2);
	end(s, &w, RTB_OK, 500);
	rtb_store_close(s);
	s = must_open(p->b);
	w = begin(s, "key:night", 90);
	put(s, w.id, "mini", 1);
	put(s, w.id, "mini", 2);
	end(s, &w, RTB_HANG, 700);
	rtb_store_close(s);
}

static void shards_become_one_sweep_and_nothing_comes_twice(void **state)
{
	struct place *p = *state;
	two_shards(p);
	struct rtb_store *s = must_open(p->c);
	struct rtb_merged m = must_merge(s, p->a);
	assert_true(m.sweeps == 1 && m.runs == 2 && m.runs_there == 0);
	m = must_merge(s, p->b);
	assert_true(m.sweeps == 1 && m.runs == 2 && m.runs_there == 0);
	int64_t changes = sqlite3_total_changes64(s->db);
	m = must_merge(s, p->a);
	assert_true(m.sweeps == 0 && m.runs == 0 && m.runs_there == 2 && m.judged == 0);
	assert_int_equal(number(s, "SELECT count(*) FROM sweep"), 1);
	assert_int_equal(number(s, "SELECT count(*) FROM run WHERE sweep_id = 1"), 4);
	assert_int_equal(number(s, "SELECT count(*) FROM record"), 4);
	assert_int_equal(number(s, "SELECT count(*) FROM log"), 4);
	assert_int_equal(number(s, "SELECT count(*) FROM finding"), 4);
	/* what the shards say of themselves, summed up */
	assert_int_equal(number(s, "SELECT started_ns = 90 AND ended_ns = 700 AND planned = 4 AND status = 'board hung'"
				   " FROM sweep"), 1);
	/* runs with the same facts share them here too */
	assert_int_equal(number(s, "SELECT count(DISTINCT clock_set) FROM run"), 1);
	assert_int_equal(number(s, "SELECT count(DISTINCT version_set) FROM run"), 2);
	assert_int_equal(sqlite3_total_changes64(s->db) - changes, 1); /* the sum, which is what it was */
	struct rtb_error e = {0};
	assert_int_equal(rtb_store_verify(s, &e), RTB_OK);
	rtb_store_close(s);
}

struct seen { struct rtb_run run; };

static enum rtb_status take(void *ctx, struct rtb_run *run, struct rtb_error *e)
{
	(void)e;
	struct seen *s = ctx;
	rtb_run_free(&s->run);
	s->run = *run;
	*run = (struct rtb_run){0};
	return RTB_OK;
}

static struct rtb_run only_run(struct rtb_store *s, int64_t id)
{
	struct seen seen = {0};
	struct rtb_error e = {0};
	struct rtb_run_query q = {.run_id = id, .instrumented = -1, .with_logs = true, .with_records = true};
	assert_int_equal(rtb_store_runs(s, &q, take, &seen, &e), RTB_OK);
	return seen.run;
}

static void a_run_is_the_same_after_it_was_merged(void **state)
{
	struct place *p = *state;
	two_shards(p);
	struct rtb_store *from = must_open(p->b), *to = must_open(p->c);
	must_merge(to, p->a);
	must_merge(to, p->b);
	struct rtb_run x = only_run(from, 2), y = only_run(to, 4);
	assert_string_equal(x.cell.kernel, y.cell.kernel);
	assert_int_equal(x.repeat, y.repeat);
	assert_int_equal(x.fact_count, y.fact_count);
	for (size_t i = 0; i < x.fact_count; i++) {
		assert_string_equal(x.facts[i].value, rtb_run_get(&y, (enum rtb_prov_key)x.facts[i].key));
		assert_int_equal(x.facts[i].origin, y.facts[i].origin);
	}
	assert_int_equal(y.record_count, 1);
	assert_true(x.records[0].sum == y.records[0].sum && x.records[0].sumsq == y.records[0].sumsq &&
		    x.records[0].check == y.records[0].check && x.records[0].hist.count == y.records[0].hist.count);
	assert_string_equal(x.findings[0].reason, y.findings[0].reason);
	assert_int_equal(y.serial_log_len, 5);
	rtb_run_free(&x);
	rtb_run_free(&y);
	rtb_store_close(from);
	rtb_store_close(to);
}

static void what_was_found_later_comes_along(void **state)
{
	struct place *p = *state;
	struct rtb_store *from = must_open(p->a), *to = must_open(p->c);
	struct rtb_sweep w = begin(from, NULL, 100);
	int64_t id = put(from, w.id, "mini", 1);
	must_merge(to, p->a);
	assert_int_equal(number(to, "SELECT ended_ns IS NULL FROM sweep"), 1);
	struct rtb_error e = {0};
	struct rtb_run r = {.id = id, .verdict = VERDICT_REJECTED};
	rtb_run_find(&r, "spread", VERDICT_REJECTED, NULL, NULL, "over the whole sweep");
	assert_int_equal(rtb_store_judge(from, &r, &e), RTB_OK);
	rtb_run_free(&r);
	end(from, &w, RTB_OK, 600);
	struct rtb_merged m = must_merge(to, p->a);
	assert_true(m.runs == 0 && m.judged == 1);
	assert_int_equal(number(to, "SELECT verdict = 'rejected' FROM run"), 1);
	assert_int_equal(number(to, "SELECT count(*) FROM finding WHERE check_name = 'spread'"), 1);
	assert_int_equal(number(to, "SELECT ended_ns FROM sweep"), 600);
	m = must_merge(to, p->a);
	assert_true(m.runs == 0 && m.judged == 0);
	rtb_store_close(from);
	rtb_store_close(to);
}

static void which_attempt_counts_comes_along(void **state)
{
	struct place *p = *state;
	struct rtb_store *from = must_open(p->a), *to = must_open(p->c);
	struct rtb_sweep w = begin(from, NULL, 100);
	struct rtb_error e = {0};
	int64_t older = put(from, w.id, "mini", 1);
	put(from, w.id, "mini", 1);
	must_merge(to, p->a);
	assert_int_equal(number(to, "SELECT group_concat(run) FROM v_run WHERE counts"), 2);
	assert_int_equal(rtb_store_stand(from, older, &e), RTB_OK);
	must_merge(to, p->a);
	assert_int_equal(number(to, "SELECT group_concat(run) FROM v_run WHERE counts"), 1);
	/* a copy taken before does not undo it */
	must_merge(from, p->c);
	assert_int_equal(rtb_store_stand(to, 2, &e), RTB_OK);
	must_merge(to, p->a);
	assert_int_equal(number(to, "SELECT group_concat(run) FROM v_run WHERE counts"), 2);
	end(from, &w, RTB_OK, 600);
	rtb_store_close(from);
	rtb_store_close(to);
}

static void files_that_cannot_be_merged(void **state)
{
	struct place *p = *state;
	two_shards(p);
	struct rtb_store *s = must_open(p->c);
	must_merge(s, p->a);
	struct rtb_merged m;
	struct rtb_error e = {0};
	assert_int_equal(rtb_store_merge(s, p->c, &m, &e), RTB_USAGE);
	assert_non_null(strstr(e.text, "into itself"));
	e = (struct rtb_error){0};
	char *link = rtb_sprintf("%s/link.db", p->dir);
	assert_int_equal(symlink(p->c, link), 0);
	assert_int_equal(rtb_store_merge(s, link, &m, &e), RTB_USAGE);
	free(link);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_store_merge(s, "/nowhere/x.db", &m, &e), RTB_NOT_FOUND);
	struct rtb_store *b = must_open(p->b);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_db_exec(b->db, p->b, "INSERT INTO fact_key VALUES (4000, 'new', 'note', '', '')", &e), RTB_OK);
	assert_int_equal(rtb_store_merge(s, p->b, &m, &e), RTB_STORE_NEWER);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_db_exec(b->db, p->b, "DELETE FROM fact_key WHERE id = 4000; PRAGMA user_version = 1000", &e), RTB_OK);
	assert_int_equal(rtb_store_merge(s, p->b, &m, &e), RTB_STORE_NEWER);
	rtb_store_close(b);
	assert_int_equal(number(s, "SELECT count(*) FROM run"), 2);
	rtb_store_close(s);
}

/* Two copies of a file from before there were identities are known as one when both are merged. */
static void older_rows_get_the_same_identity_in_every_copy(void **state)
{
	struct place *p = *state;
	size_t count;
	const struct rtb_migration *steps = rtb_migrations(&count);
	struct rtb_error e = {0};
	for (int i = 0; i < 2; i++) {
		const char *path = i ? p->b : p->a;
		sqlite3 *db;
		assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
		assert_int_equal(rtb_migrate(db, path, steps, 1, &e), RTB_OK);
		rtb_db_exec(db, path, "INSERT INTO sweep (started_ns, command, host, planned) VALUES (5, 'x', 'h', 1), (6, 'x', NULL, 1);"
			    "INSERT INTO cell VALUES (1, 't', 'k', 'O2', 0); INSERT INTO fact_set VALUES (1, 'version', 0);"
			    "INSERT INTO run VALUES (1, 1, 1, 1, 1, 7, 8, 'ok', NULL, 'trusted', 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1),"
			    "(2, 1, 1, 2, 1, 7, 8, 'ok', NULL, 'trusted', 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1)", &e);
		assert_string_equal(e.text, "");
		sqlite3_close(db);
		rtb_store_close(must_open(path)); /* brings it up */
	}
	struct rtb_store *s = must_open(p->c);
	struct rtb_merged m = must_merge(s, p->a);
	assert_true(m.sweeps == 2 && m.runs == 2);
	m = must_merge(s, p->b);
	assert_true(m.sweeps == 0 && m.runs == 0 && m.runs_there == 2);
	rtb_store_close(s);
}

/* Shards that write to one database are one sweep there; what they left undone is a part more. */
static void parts_of_a_sweep_in_one_database(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->a);
	struct rtb_error e = {0};
	struct rtb_sweep one = begin(s, "key:k", 10), two = begin(s, "key:k", 20), other = begin(s, NULL, 30);
	assert_true(one.id == two.id && other.id != one.id);
	assert_string_not_equal(one.part, two.part);
	int64_t id = one.id;
	end(s, &one, RTB_OK, 50);
	assert_int_equal(number(s, "SELECT ended_ns IS NULL AND planned = 4 FROM sweep WHERE id = 1"), 1);
	end(s, &two, RTB_INTERRUPTED, 40);
	assert_int_equal(number(s, "SELECT ended_ns = 50 AND status = 'interrupted' FROM sweep WHERE id = 1"), 1);
	struct rtb_sweep again = {.id = id, .started_ns = 60, .planned = 6};
	assert_int_equal(rtb_store_resume_sweep(s, &again, &e), RTB_OK);
	assert_int_equal(again.planned, 2);
	end(s, &again, RTB_OK, 70);
	assert_int_equal(number(s, "SELECT planned FROM sweep WHERE id = 1"), 6);
	/* a sweep of one part goes on as that part */
	struct rtb_sweep same = {.id = other.id, .started_ns = 80, .planned = 2};
	assert_int_equal(rtb_store_resume_sweep(s, &same, &e), RTB_OK);
	assert_string_equal(same.part, other.part);
	rtb_sweep_free(&same);
	rtb_sweep_free(&other);
	rtb_store_close(s);
}

#define T(f) cmocka_unit_test_setup_teardown(f, make_place, drop_place)
int main(void)
{
	const struct CMUnitTest tests[] = {
		T(shards_become_one_sweep_and_nothing_comes_twice), T(a_run_is_the_same_after_it_was_merged),
		T(what_was_found_later_comes_along), T(which_attempt_counts_comes_along), T(files_that_cannot_be_merged),
		T(older_rows_get_the_same_identity_in_every_copy), T(parts_of_a_sweep_in_one_database),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
