/* Every check fires on a run that really has its fault, and a good run is trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "../sample.h"
#include "check/check.h"

#define SET(key, value) rtb_run_fact(r, PROV_##key, ORIGIN_READ, value)
#define D0 (&r->records[0])

static void forget(struct rtb_run *r, enum rtb_prov_key k)
{
	for (size_t i = 0; i < r->fact_count; i++)
		if (r->facts[i].key == (int)k) {
			free(r->facts[i].value);
			r->facts[i] = r->facts[--r->fact_count];
			return;
		}
}

static void complete_(struct rtb_run *r) { forget(r, PROV_CC_VERSION); }
static void counter_moves_(struct rtb_run *r) { SET(SELFTEST, "1073741824 1073741824"); }
static void no_selftest_(struct rtb_run *r) { forget(r, PROV_SELFTEST); }
static void counter_runs_(struct rtb_run *r) 
{
	D0->cycles = 10800000;
	D0->timer = 64000000;
	D0->ticks = 593; /* the tick woke the core each time */
}
static void counter_wrap_(struct rtb_run *r)
{
	rtb_hist_add(&D0->hist, INT64_C(4294967000), INT64_C(4294967000), 1);
	sample_settle(D0);
}
static void read_cost_(struct rtb_run *r) { SET(READ_COST, "0"); }
static void read_cost_high_(struct rtb_run *r) { SET(READ_COST, "65"); }
static void below_cost_(struct rtb_run *r)
{
	rtb_hist_add(&D0->hist, 2, 2, 1);
	sample_settle(D0);
}
static void calls_present_(struct rtb_run *r) { SET(MEASURED_CALLS, "task_jitter: x; sem_wake_end: nothing is called before the read"); }
static void all_ticks(struct rtb_run *r, uint64_t ticks)
{
	for (size_t i = 0; i < r->record_count; i++)
		r->records[i].ticks = ticks;
}
static void clock_set_(struct rtb_run *r)
{
	SET(CLOCK_SET, "72000000");
	SET(CLOCK_MEASURED, "72000000");
	all_ticks(r, 45); /* 1 kHz of that clock */
}
static void clock_measured_(struct rtb_run *r) { SET(CLOCK_MEASURED, "104900000"); }
static void clock_is_another_(struct rtb_run *r) { SET(CLOCK_MEASURED, "8000000"); }
static void tick_rate_(struct rtb_run *r) 
{
	SET(TICK_SET, "1500");
	all_ticks(r, 45);
}
static void tickless_(struct rtb_run *r) { SET(TICKLESS, "yes"); }
static void debugger_(struct rtb_run *r) { SET(DEBUG_REGS, "0x00030001 0x01000000 0x00000000"); }
static void leftovers_(struct rtb_run *r) { SET(DEBUG_REGS, "0x00030000 0x01000000 0x00000007"); }
static void catches_(struct rtb_run *r) { SET(DEBUG_REGS, "0x00030000 0x01000401 0x00000000"); }
static void build_id_(struct rtb_run *r) { SET(BUILD_ID_BOARD, "00"); }
static void identity_(struct rtb_run *r) { SET(INSTRUMENTED, "yes"); }
static void opt_level_(struct rtb_run *r) { SET(CC_ELF_FLAGS, "-mthumb -O2 -g -Os"); }
static void one_object_(struct rtb_run *r) { SET(CC_ELF_FLAGS, "-mthumb -O2 -g\n-mthumb -O2 -Os"); }
static void no_level_(struct rtb_run *r) { SET(CC_ELF_FLAGS, "-mthumb -fno-Og"); }
static void ticks_lost_(struct rtb_run *r) { D0->ticks = 27; }
static void line_(struct rtb_run *r) { SET(LINE_ERRORS, "3"); }
static void min_above_avg_(struct rtb_run *r) { D0->min = 500; }
static void digit_lost_(struct rtb_run *r) { D0->max = 45; }
static void sum_off_(struct rtb_run *r) { D0->sum += 1; }
static void sumsq_off_(struct rtb_run *r) { D0->sumsq += 100000; }
static void n_off_(struct rtb_run *r) { D0->n++; }
static void imax_off_(struct rtb_run *r) { D0->imax = 10000; }
static void few_samples_(struct rtb_run *r)
{
	for (size_t i = 0; i < D0->hist.count; i++)
		D0->hist.bin[i].count = 20;
	sample_settle(D0);
}
static void discarded_(struct rtb_run *r) { D0->discarded = 102; }
static void tick_phase_(struct rtb_run *r)
{
	rtb_hist_add(&D0->hist, 107950, 107950, 200);
	sample_settle(D0);
}
static void outlier_(struct rtb_run *r)
{
	rtb_hist_add(&D0->hist, 20000, 20000, 1);
	sample_settle(D0);
}
static void stack_(struct rtb_run *r) { r->stacks[0].touched = true; }

static const struct {
	const char *check;
	enum rtb_verdict verdict;
	void (*spoil)(struct rtb_run *r);
} faults[] = {
	{"complete", VERDICT_SUSPECT, complete_}, {"counter_moves", VERDICT_REJECTED, counter_moves_},
	{"counter_moves", VERDICT_REJECTED, no_selftest_}, {"counter_runs", VERDICT_SUSPECT, counter_runs_},
	{"counter_wrap", VERDICT_REJECTED, counter_wrap_}, {"read_cost", VERDICT_REJECTED, read_cost_},
	{"read_cost", VERDICT_SUSPECT, read_cost_high_}, {"below_cost", VERDICT_REJECTED, below_cost_},
	{"calls_present", VERDICT_REJECTED, calls_present_}, {"clock_set", VERDICT_REJECTED, clock_set_},
	{"clock_measured", VERDICT_SUSPECT, clock_measured_}, {"clock_measured", VERDICT_REJECTED, clock_is_another_},
	{"tick_rate", VERDICT_REJECTED, tick_rate_}, {"tickless", VERDICT_SUSPECT, tickless_},
	{"debugger", VERDICT_SUSPECT, debugger_}, {"debug_leftovers", VERDICT_SUSPECT, leftovers_},
	{"debug_leftovers", VERDICT_SUSPECT, catches_}, {"build_id", VERDICT_REJECTED, build_id_},
	{"identity", VERDICT_REJECTED, identity_}, {"opt_level", VERDICT_REJECTED, opt_level_},
	{"opt_level", VERDICT_REJECTED, no_level_}, {"opt_level", VERDICT_REJECTED, one_object_},
	{"tickless", VERDICT_SUSPECT, ticks_lost_}, {"line", VERDICT_SUSPECT, line_},
	{"order", VERDICT_REJECTED, min_above_avg_}, {"order", VERDICT_REJECTED, digit_lost_},
	{"order", VERDICT_REJECTED, sum_off_}, {"order", VERDICT_REJECTED, sumsq_off_},
	{"order", VERDICT_REJECTED, n_off_}, {"order", VERDICT_REJECTED, imax_off_},
	{"few_samples", VERDICT_SUSPECT, few_samples_}, {"discarded", VERDICT_SUSPECT, discarded_},
	{"tick_phase", VERDICT_SUSPECT, tick_phase_}, {"outlier", VERDICT_SUSPECT, outlier_},
	{"stack", VERDICT_REJECTED, stack_},
};
#define FAULTS (sizeof faults / sizeof faults[0])

static bool found(const struct rtb_run *r, const char *check)
{
	for (size_t i = 0; i < r->finding_count; i++)
		if (strcmp(r->findings[i].check, check) == 0)
			return true;
	return false;
}

/* Another case's function, one whose name merely begins like a case's, and a case that the port
 * does not have. */
static void calls_of_others(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	struct rtb_record *d = sample_record(&r, "mutex_pair", 1, 50);
	d->supported = false;
	rtb_run_fact(&r, PROV_MEASURED_CALLS, ORIGIN_READ, "sem_wake_mid: x; yiel: x; mutex_pair: x; queue_wake: x");
	rtb_check_run(&r);
	assert_false(found(&r, "calls_present"));
	rtb_run_fact(&r, PROV_MEASURED_CALLS, ORIGIN_READ, "sem_wake_mid: x; yield: y");
	rtb_check_run(&r);
	assert_int_equal(r.finding_count, 1);
	assert_string_equal(r.findings[0].case_name, "yield");
	rtb_run_free(&r);
}

/* A bare -O is -O1, what only looks like a level is none, and assembly has none. */
static void levels_that_are_right(void **state)
{
	(void)state;
	static const struct { const char *flags, *opt; } t[] = {
		{"GNU C11 -O3 -Os", "Os"}, {"GNU C11 -O", "O1"}, {"GNU AS\nGNU C11 -g -O2", "O2"},
		{"GNU C11 -fno-Oops -O2", "O2"}, {"GNU C11 -O2 -g\nGNU C11 -O0 -O2 ", "O2"}, {"GNU C11 -g", "O0"},
	};
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct rtb_run r = sample_run();
		free(r.cell.opt);
		r.cell.opt = rtb_strdup(t[i].opt);
		rtb_run_fact(&r, PROV_OPT, ORIGIN_READ, t[i].opt);
		rtb_run_fact(&r, PROV_CC_ELF_FLAGS, ORIGIN_READ, t[i].flags);
		rtb_check_run(&r);
		if (found(&r, "opt_level"))
			fail_msg("%s, asked for %s", t[i].flags, t[i].opt);
		rtb_run_free(&r);
	}
}

/* A handler that the core tail-chains into is reached in fewer cycles than the counter's two
 * reads cost unoptimised; the timer that says so has no such cost. */
static void a_timers_own_count_may_be_small(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	below_cost_(&r);
	free(r.records[0].case_name);
	r.records[0].case_name = rtb_strdup("isr_latency");
	rtb_check_run(&r);
	assert_false(found(&r, "below_cost"));
	rtb_run_free(&r);
}

static void a_good_run_is_trusted(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	rtb_check_run(&r);
	for (size_t i = 0; i < r.finding_count; i++)
		print_message("%s: %s\n", r.findings[i].check, r.findings[i].reason);
	assert_int_equal(r.finding_count, 0);
	assert_int_equal(r.verdict, VERDICT_TRUSTED);
	rtb_run_free(&r);
}

static void each_fault_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < FAULTS; i++) {
		struct rtb_run r = sample_run();
		faults[i].spoil(&r);
		rtb_check_run(&r);
		if (!found(&r, faults[i].check) || r.verdict != faults[i].verdict)
			fail_msg("fault %zu: %s did not fire as %s", i, faults[i].check,
				 rtb_verdict_word(faults[i].verdict));
		/* and says only that, unless the fault truly is two faults */
		for (size_t k = 0; k < r.finding_count; k++)
			if (strcmp(r.findings[k].check, faults[i].check) != 0)
				assert_true(strcmp(faults[i].check, "counter_moves") == 0 ||
					    strcmp(faults[i].check, "counter_wrap") == 0 ||
					    strcmp(faults[i].check, "tick_phase") == 0);
		rtb_run_free(&r);
	}
}

static void every_check_of_a_run_has_its_fault(void **state)
{
	(void)state;
	size_t n;
	const struct rtb_check_info *c = rtb_checks(&n);
	for (size_t i = 0; i < n; i++) {
		bool tried = c[i].scope == CHECK_SWEEP;
		for (size_t k = 0; k < FAULTS; k++)
			tried = tried || strcmp(faults[k].check, c[i].name) == 0;
		if (!tried)
			fail_msg("no fault tries %s", c[i].name);
	}
	assert_null(rtb_check_info("nonsense"));
}

/* All samples 0: a perfect period for a jitter case, a dead counter or timer for any other. */
static void zero_is_a_value_of_deviations_alone(void **state)
{
	(void)state;
	static const char *const name[] = {"task_jitter", "tick_jitter", "activation_20", "sem_wake"};
	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		struct rtb_run r = sample_run();
		free(r.records[0].case_name);
		r.records[0].case_name = rtb_strdup(name[i]);
		r.records[0].hist.count = 0;
		rtb_hist_add(&r.records[0].hist, 0, 0, 10000);
		sample_settle(&r.records[0]);
		rtb_check_run(&r);
		assert_int_equal(found(&r, "counter_moves"), i >= 2);
		assert_int_equal(r.verdict, i >= 2 ? VERDICT_REJECTED : VERDICT_TRUSTED);
		rtb_run_free(&r);
	}
}

static void signed_cases_may_be_early(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	free(r.records[0].case_name);
	r.records[0].case_name = rtb_strdup("task_jitter");
	rtb_hist_add(&r.records[0].hist, -40, -40, 50);
	sample_settle(&r.records[0]);
	rtb_check_run(&r);
	assert_int_equal(r.verdict, VERDICT_TRUSTED);
	rtb_run_free(&r);
}

static void virtual_time_needs_no_measured_clock(void **state)
{
	(void)state;
	struct rtb_run run = sample_run(), *r = &run;
	SET(TIME_BASE, "virtual time");
	SET(CLOCK_MEASURED, "8000000");
	rtb_check_run(r);
	assert_int_equal(r->verdict, VERDICT_TRUSTED);
	forget(r, PROV_CLOCK_MEASURED);
	rtb_check_run(r);
	assert_int_equal(r->verdict, VERDICT_TRUSTED);
	rtb_run_free(r);
}

static void a_run_that_failed_is_not_asked(void **state)
{
	(void)state;
	struct rtb_run r = {.status = RTB_HANG};
	rtb_check_run(&r);
	assert_int_equal(r.finding_count, 0);
}

static void earlier_findings_count(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	rtb_run_find(&r, "line", VERDICT_SUSPECT, NULL, NULL, "seen by the sweep");
	rtb_check_run(&r);
	assert_int_equal(r.verdict, VERDICT_SUSPECT);
	assert_int_equal(r.finding_count, 1);
	rtb_run_free(&r);
}

/* Four runs: two cells, two repeats each. */
struct sweep { struct rtb_run run[4]; struct rtb_run *p[4]; };

static void make_sweep(struct sweep *w)
{
	for (int i = 0; i < 4; i++) {
		struct rtb_run *r = w->p[i] = &w->run[i];
		*r = sample_run();
		r->repeat = (unsigned)i % 2 + 1;
		if (i >= 2) {
			strcpy(r->cell.opt, "Os");
			SET(IMAGE_HASH, "fedcba");
		}
	}
}

static void free_sweep(struct sweep *w)
{
	for (int i = 0; i < 4; i++)
		rtb_run_free(&w->run[i]);
}

static void a_good_sweep_is_silent(void **state)
{
	(void)state;
	struct sweep w;
	make_sweep(&w);
	assert_false(rtb_check_sweep(w.p, 4));
	free_sweep(&w);
}

static void unfair_conditions_are_named(void **state)
{
	(void)state;
	struct sweep w;
	make_sweep(&w);
	struct rtb_run *r = w.p[2];
	SET(STACK_BYTES, "512");
	assert_true(rtb_check_sweep(w.p, 4));
	assert_true(found(r, "fairness") && r->finding_count == 1);
	assert_string_equal(r->findings[0].reason, "stack_bytes is 512, most of the sweep has 1024");
	assert_false(found(w.p[0], "fairness"));
	free_sweep(&w);
}

static void one_image_for_two_levels(void **state)
{
	(void)state;
	struct sweep w;
	make_sweep(&w);
	struct rtb_run *r = w.p[2];
	SET(IMAGE_HASH, "0123456789abcdef");
	rtb_check_sweep(w.p, 4);
	assert_true(found(r, "same_image") && found(w.p[0], "same_image") && !found(w.p[3], "same_image"));
	free_sweep(&w);
}

static void other_work_is_rejected(void **state)
{
	(void)state;
	struct sweep w;
	make_sweep(&w);
	w.p[3]->records[1].check ^= 1;
	rtb_check_sweep(w.p, 4);
	assert_int_equal(w.p[3]->verdict, VERDICT_REJECTED);
	assert_true(found(w.p[3], "work") && !found(w.p[2], "work"));
	free_sweep(&w);
}

/* The first run is no better than the others. */
static void the_majority_says_which_work_is_right(void **state)
{
	(void)state;
	struct sweep w;
	make_sweep(&w);
	w.p[0]->records[1].check ^= 1;
	rtb_check_sweep(w.p, 4);
	assert_true(found(w.p[0], "work"));
	for (int i = 1; i < 4; i++)
		assert_false(found(w.p[i], "work"));
	free_sweep(&w);
}

static void without_a_majority_no_work_is_believed(void **state)
{
	(void)state;
	struct sweep w;
	make_sweep(&w);
	w.p[0]->records[1].check ^= 1;
	w.p[2]->records[1].check ^= 1;
	rtb_check_sweep(w.p, 4);
	for (int i = 0; i < 4; i++)
		assert_true(found(w.p[i], "work"));
	free_sweep(&w);
	/* with another number of samples the work is another, and nothing to compare with */
	make_sweep(&w);
	w.p[3]->records[1].check ^= 1;
	w.p[3]->records[1].n++;
	rtb_check_sweep(w.p, 4);
	assert_false(found(w.p[3], "work"));
	free_sweep(&w);
}

static void repeats_that_disagree(void **state)
{
	(void)state;
	struct sweep w;
	make_sweep(&w);
	struct rtb_record *d = &w.p[3]->records[0];
	for (size_t i = 0; i < d->hist.count; i++)
		d->hist.bin[i].lo = d->hist.bin[i].hi += 9;
	sample_settle(d);
	rtb_check_sweep(w.p, 4);
	assert_true(found(w.p[3], "repeats") && !found(w.p[1], "repeats"));
	free_sweep(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_that_are_right), cmocka_unit_test(calls_of_others),
		cmocka_unit_test(a_good_run_is_trusted), cmocka_unit_test(each_fault_is_found),
		cmocka_unit_test(a_timers_own_count_may_be_small),
		cmocka_unit_test(every_check_of_a_run_has_its_fault), cmocka_unit_test(zero_is_a_value_of_deviations_alone),
		cmocka_unit_test(signed_cases_may_be_early),
		cmocka_unit_test(virtual_time_needs_no_measured_clock),
		cmocka_unit_test(a_run_that_failed_is_not_asked), cmocka_unit_test(earlier_findings_count),
		cmocka_unit_test(a_good_sweep_is_silent), cmocka_unit_test(unfair_conditions_are_named),
		cmocka_unit_test(one_image_for_two_levels), cmocka_unit_test(other_work_is_rejected),
		cmocka_unit_test(the_majority_says_which_work_is_right),
		cmocka_unit_test(without_a_majority_no_work_is_believed),
		cmocka_unit_test(repeats_that_disagree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
