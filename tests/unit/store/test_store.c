/* A run goes in and comes out again the same; sweeps; the latest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../sample.h"
#include "place.h"
#include "store/db.h"

static struct rtb_store *must_open(const char *path, enum rtb_store_mode mode)
{
	struct rtb_store *s = NULL;
	struct rtb_error e = {0};
	rtb_store_open(path, mode, &s, &e);
	assert_string_equal(e.text, "");
	assert_non_null(s);
	return s;
}

static int64_t must_sweep(struct rtb_store *s)
{
	struct rtb_error e = {0};
	struct rtb_sweep w = {.started_ns = 1700000000000000000u, .command = (char *)"rtbench run",
			      .host = (char *)"bench", .planned = 2};
	assert_int_equal(rtb_store_begin_sweep(s, &w, &e), RTB_OK);
	free(w.uid);
	free(w.part);
	return w.id;
}

static int64_t must_put(struct rtb_store *s, int64_t sweep, struct rtb_run *r)
{
	struct rtb_error e = {0};
	r->sweep_id = sweep;
	rtb_store_put_run(s, r, &e);
	assert_string_equal(e.text, "");
	return r->id;
}

static void same_record(const struct rtb_record *a, const struct rtb_record *b)
{
	assert_string_equal(a->case_name, b->case_name);
	assert_string_equal(a->series, b->series);
	assert_string_equal(a->unit, b->unit);
	assert_int_equal(a->case_version, b->case_version);
	assert_int_equal(a->div, b->div);
	assert_int_equal(a->supported, b->supported);
	assert_true(a->n == b->n && a->min == b->min && a->max == b->max && a->sum == b->sum);
	assert_true(a->sumsq == b->sumsq && a->imax == b->imax && a->cold == b->cold);
	assert_true(a->warmup == b->warmup && a->ticks == b->ticks && a->discarded == b->discarded);
	assert_true(a->check == b->check && a->cycles == b->cycles && a->timer == b->timer);
	assert_int_equal(a->hist.count, b->hist.count);
	for (size_t i = 0; i < a->hist.count; i++)
		assert_memory_equal(&a->hist.bin[i], &b->hist.bin[i], sizeof a->hist.bin[i]);
	assert_int_equal(a->raw_count, b->raw_count);
	if (a->raw_count)
		assert_memory_equal(a->raw, b->raw, a->raw_count * sizeof *a->raw);
}

static enum rtb_status compare_row(void *ctx, struct rtb_run *b, struct rtb_error *e)
{
	const struct rtb_run *a = ctx;
	(void)e;
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->sweep_id, b->sweep_id);
	assert_string_equal(a->cell.target, b->cell.target);
	assert_string_equal(a->cell.kernel, b->cell.kernel);
	assert_string_equal(a->cell.opt, b->cell.opt);
	assert_int_equal(a->cell.instrumented, b->cell.instrumented);
	assert_int_equal(a->status, b->status);
	assert_int_equal(a->verdict, b->verdict);
	assert_true(a->started_ns == b->started_ns && a->ended_ns == b->ended_ns);
	assert_memory_equal(&a->phases, &b->phases, sizeof a->phases);
	assert_int_equal(a->fact_count, b->fact_count);
	for (size_t i = 0; i < a->fact_count; i++) {
		enum rtb_prov_key k = (enum rtb_prov_key)a->facts[i].key;
		assert_string_equal(a->facts[i].value, rtb_run_get(b, k));
	}
	assert_int_equal(a->record_count, b->record_count);
	for (size_t i = 0; i < a->record_count; i++)
		same_record(&a->records[i], &b->records[i]);
	assert_int_equal(a->stack_count, b->stack_count);
	assert_string_equal(a->stacks[0].task, b->stacks[0].task);
	assert_int_equal(a->stacks[0].used, b->stacks[0].used);
	assert_int_equal(b->footprint[0].flash, a->footprint[0].flash);
	assert_int_equal(a->finding_count, b->finding_count);
	assert_string_equal(a->findings[0].reason, b->findings[0].reason);
	assert_null(b->findings[0].case_name);
	assert_string_equal(a->openocd_log, b->openocd_log);
	assert_int_equal(a->serial_log_len, b->serial_log_len);
	assert_memory_equal(a->serial_log, b->serial_log, a->serial_log_len);
	assert_null(b->build_log);
	return RTB_OK;
}

static void a_run_comes_back_as_it_went_in(void **state)
{
	struct place *p = *state;
	struct rtb_run r = sample_run();
	static const int32_t raw[] = {412, -7, INT32_MAX, INT32_MIN, 0};
	r.records[0].raw = rtb_alloc(sizeof raw);
	memcpy(r.records[0].raw, raw, sizeof raw);
	r.records[0].raw_count = 5;
	r.records[1].sumsq = UINT64_MAX;
	rtb_hist_add(&r.records[1].hist, 262144, INT64_MAX, 3);
	struct rtb_record *none = rtb_run_add_record(&r);
	none->case_name = rtb_strdup("queue_wake");
	none->series = rtb_strdup("");
	none->unit = rtb_strdup("cycles");
	none->case_version = 1;
	none->div = 1;
	rtb_run_find(&r, "debugger", VERDICT_SUSPECT, NULL, NULL, "a debugger, \"attached\"");
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	must_put(s, must_sweep(s), &r);
	/* what was not supported has no figures, and NULL reads back as overflow or zero */
	none = &r.records[2];
	struct rtb_error e = {0};
	struct rtb_run_query q = {.instrumented = -1, .with_logs = true, .with_records = true};
	assert_int_equal(rtb_store_runs(s, &q, compare_row, &r, &e), RTB_OK);
	rtb_store_close(s);
	s = must_open(p->db, STORE_READ);
	assert_int_equal(rtb_store_runs(s, &q, compare_row, &r, &e), RTB_OK);
	rtb_store_close(s);
	rtb_run_free(&r);
}

static int64_t number(const char *db, const char *sql)
{
	sqlite3 *h;
	int64_t out = -1;
	struct rtb_error e = {0};
	assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
	assert_int_equal(rtb_db_number(h, db, sql, &out, &e), RTB_OK);
	sqlite3_close(h);
	return out;
}

static void equal_facts_are_stored_once(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	int64_t sweep = must_sweep(s);
	for (int i = 0; i < 3; i++) {
		struct rtb_run r = sample_run();
		rtb_run_factf(&r, PROV_CLOCK_MEASURED, ORIGIN_MEASURED, "%d", 108000000 + i);
		must_put(s, sweep, &r);
		rtb_run_free(&r);
	}
	rtb_store_close(s);
	assert_int_equal(number(p->db, "SELECT count(*) FROM fact WHERE value LIKE '#define%'"), 1);
	assert_int_equal(number(p->db, "SELECT count(DISTINCT clock_set) FROM run"), 1);
	assert_int_equal(number(p->db, "SELECT count(DISTINCT note_set) FROM run"), 3);
}

/* Two sets with one digest must stay two: the digest is only where to look. */
static void a_colliding_digest_is_not_the_same_set(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	struct rtb_run r = sample_run();
	int64_t sweep = must_sweep(s);
	must_put(s, sweep, &r);
	struct rtb_error e = {0};
	assert_int_equal(rtb_db_exec(s->db, s->path, "UPDATE fact SET value = 'O3' WHERE value = 'O2'", &e), RTB_OK);
	rtb_store_close(s);
	s = must_open(p->db, STORE_WRITE);
	must_put(s, sweep, &r);
	rtb_store_close(s);
	assert_int_equal(number(p->db, "SELECT count(DISTINCT config_set) FROM run"), 2);
	assert_int_equal(number(p->db, "SELECT count(DISTINCT clock_set) FROM run"), 1);
	rtb_run_free(&r);
}

static void views_read_what_was_packed(void **state)
{
	struct place *p = *state;
	struct rtb_run r = sample_run();
	struct rtb_record *d = &r.records[0];
	rtb_hist_free(&d->hist);
	rtb_hist_add(&d->hist, -70000, -70000, 1);
	rtb_hist_add(&d->hist, -3, -1, 300);
	rtb_hist_add(&d->hist, 5, 5, 20000);
	static const int32_t raw[] = {-70000, 5, INT32_MAX, INT32_MIN};
	d->raw = rtb_alloc(sizeof raw);
	memcpy(d->raw, raw, sizeof raw);
	d->raw_count = 4;
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	must_put(s, must_sweep(s), &r);
	rtb_store_close(s);
	assert_int_equal(number(p->db, "SELECT count(*) FROM v_histogram WHERE run = 1 AND \"case\" = 'yield'"), 3);
	assert_int_equal(number(p->db, "SELECT count FROM v_histogram WHERE lo = -3 AND hi = -1"), 300);
	assert_int_equal(number(p->db, "SELECT count FROM v_histogram WHERE lo = -70000 AND hi = -70000"), 1);
	assert_int_equal(number(p->db, "SELECT count FROM v_histogram WHERE record = 1 AND lo = 5 AND hi = 5"), 20000);
	assert_int_equal(number(p->db, "SELECT sample FROM v_raw WHERE i = 2"), INT32_MAX);
	assert_int_equal(number(p->db, "SELECT sample FROM v_raw WHERE i = 3"), INT32_MIN);
	assert_int_equal(number(p->db, "SELECT count(*) FROM v_export WHERE kernel_version = '1.0'"
				" AND declared = 'probe' AND instrumented = 'no'"), 2);
	assert_int_equal(number(p->db, "SELECT count(*) FROM v_record WHERE \"case\" = 'sem_wake' AND p50 = 305"), 1);
	assert_int_equal(number(p->db, "SELECT count(*) FROM v_fact WHERE origin = 'declared'"), 1);
	assert_int_equal(number(p->db, "SELECT count(*) FROM v_provenance WHERE read_cost = '2'"), 1);
	assert_int_equal(number(p->db, "SELECT count(*) FROM v_record WHERE \"case\" = 'sem_wake' AND overhead = 2"
				       " AND net_p50 = 303 AND net_max = max - 2"), 1);
	rtb_run_free(&r);
}

struct seen { unsigned n, failed, retried; int64_t last; };
static enum rtb_status see(void *ctx, struct rtb_sweep *w, const struct rtb_sweep_counts *n, struct rtb_error *e)
{
	struct seen *s = ctx;
	(void)e;
	s->n += n->runs;
	s->failed += n->failed;
	s->retried += n->retried;
	s->last = w->id;
	return RTB_OK;
}

static void sweeps_and_the_latest(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	struct rtb_error e = {0};
	int64_t id = 0;
	assert_int_equal(rtb_store_latest_sweep(s, 0, &id, &e), RTB_NOT_FOUND);
	int64_t first = must_sweep(s), second = must_sweep(s);
	struct rtb_run r = sample_run();
	must_put(s, second, &r);
	r.status = RTB_HANG;
	r.repeat = 2;
	must_put(s, second, &r);
	/* failed once, then healed: one run that is good */
	r.repeat = 3;
	must_put(s, second, &r);
	r.attempt = 2;
	r.status = RTB_OK;
	must_put(s, second, &r);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_store_latest_sweep(s, 0, &id, &e), RTB_OK);
	assert_int_equal(id, second);
	assert_int_equal(rtb_store_latest_sweep(s, 1, &id, &e), RTB_OK);
	assert_int_equal(id, first);
	assert_int_equal(rtb_store_latest_sweep(s, 2, &id, &e), RTB_NOT_FOUND);
	struct seen seen = {0};
	e = (struct rtb_error){0};
	assert_int_equal(rtb_store_sweeps(s, see, &seen, &e), RTB_OK);
	assert_int_equal(seen.n, 3);
	assert_int_equal(seen.failed, 1);
	assert_int_equal(seen.retried, 1);
	assert_int_equal(seen.last, second);
	rtb_run_free(&r);
	rtb_store_close(s);
}

/* Runs that failed, of the one repeat there is, by the program and by the view. */
static unsigned failed(struct place *p, struct rtb_store *s)
{
	struct seen seen = {0};
	struct rtb_error e = {0};
	assert_int_equal(rtb_store_sweeps(s, see, &seen, &e), RTB_OK);
	assert_int_equal(seen.n, 1);
	assert_int_equal(number(p->db, "SELECT failed FROM v_sweep"), seen.failed);
	assert_int_equal(number(p->db, "SELECT count(*) FROM v_run WHERE counts"), 1);
	assert_int_equal(number(p->db, "SELECT count(*) FROM v_run WHERE counts AND status <> 'ok'"), seen.failed);
	assert_int_equal(number(p->db, "SELECT count(DISTINCT run) FROM v_export WHERE counts = 'yes' AND status <> 'ok'"),
			 seen.failed);
	return seen.failed;
}

static void an_attempt_that_was_kept_counts_before_later_ones(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	struct rtb_error e = {0};
	int64_t sweep = must_sweep(s);
	struct rtb_run r = sample_run();
	must_put(s, sweep, &r);
	int64_t first = r.id;
	r.status = RTB_HANG;
	r.attempt = 2;
	must_put(s, sweep, &r);
	assert_int_equal(failed(p, s), 1);
	assert_int_equal(rtb_store_stand(s, first, &e), RTB_OK);
	assert_int_equal(failed(p, s), 0);
	/* the next attempt counts again */
	r.attempt = 3;
	must_put(s, sweep, &r);
	assert_int_equal(failed(p, s), 1);
	rtb_run_free(&r);
	rtb_store_close(s);
}

static void a_later_verdict_replaces_the_first(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	struct rtb_run r = sample_run();
	struct rtb_error e = {0};
	rtb_run_find(&r, "line", VERDICT_SUSPECT, NULL, NULL, "first");
	must_put(s, must_sweep(s), &r);
	rtb_run_find(&r, "work", VERDICT_REJECTED, "yield", "", "second");
	assert_int_equal(rtb_store_judge(s, &r, &e), RTB_OK);
	rtb_store_close(s);
	assert_int_equal(number(p->db, "SELECT count(*) FROM finding"), 2);
	assert_int_equal(number(p->db, "SELECT count(*) FROM run WHERE verdict = 'rejected'"), 1);
	rtb_run_free(&r);
}

static void a_run_without_its_sweep_is_refused(void **state)
{
	struct place *p = *state;
	struct rtb_store *s = must_open(p->db, STORE_WRITE);
	struct rtb_run r = sample_run();
	struct rtb_error e = {0};
	r.sweep_id = 99;
	assert_int_equal(rtb_store_put_run(s, &r, &e), RTB_STORE);
	assert_int_equal(r.id, 0);
	assert_true(sqlite3_get_autocommit(s->db));
	rtb_run_free(&r);
	rtb_store_close(s);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, make_place, drop_place)
	const struct CMUnitTest tests[] = {
		T(a_run_comes_back_as_it_went_in), T(equal_facts_are_stored_once),
		T(a_colliding_digest_is_not_the_same_set), T(views_read_what_was_packed),
		T(sweeps_and_the_latest), T(a_later_verdict_replaces_the_first),
		T(an_attempt_that_was_kept_counts_before_later_ones),
		T(a_run_without_its_sweep_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
