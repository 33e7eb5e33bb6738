/* What a comparison may say: factors, pairs, judgements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "../sample.h"
#include "report/compare.h"

/* A side of n repeats whose one case is shifted by shift[i] cycles (all of a repeat's samples). */
static struct rtb_side side_of(const char *name, const int *shift, size_t n, void (*edit)(struct rtb_run *r))
{
	struct rtb_side s = {.name = name};
	struct rtb_error e = {0};
	for (size_t i = 0; i < n; i++) {
		struct rtb_run r = sample_run();
		r.repeat = (unsigned)i + 1;
		r.id = (int64_t)i + 1;
		for (size_t k = 0; k < r.record_count; k++) {
			for (size_t b = 0; b < r.records[k].hist.count; b++)
				r.records[k].hist.bin[b].lo = r.records[k].hist.bin[b].hi += shift[i];
			sample_settle(&r.records[k]);
		}
		if (edit)
			edit(&r);
		rtb_side_add(&s, &r, &e);
		rtb_run_free(&r);
	}
	return s;
}

static void other_image(struct rtb_run *r)
{
	rtb_run_fact(r, PROV_IMAGE_HASH, ORIGIN_READ, "b");
}

static void other_version(struct rtb_run *r)
{
	other_image(r);
	rtb_run_fact(r, PROV_KERNEL_VERSION, ORIGIN_READ, "2.0");
}

static const struct rtb_compare_options plain = {.alpha = 0.05, .by = -1};
static const int same[8] = {0}, one[8] = {1, 1, 1, 1, 1, 1, 1, 1};

struct outcome { struct rtb_side a, b; struct rtb_comparison c; enum rtb_status status; struct rtb_error e; };

static void compare(struct outcome *o, struct rtb_side a, struct rtb_side b, const struct rtb_compare_options *opt)
{
	*o = (struct outcome){.a = a, .b = b};
	o->status = rtb_compare(&o->a, &o->b, opt, &o->c, &o->e);
}

static void done(struct outcome *o)
{
	rtb_comparison_free(&o->c);
	rtb_side_free(&o->a);
	rtb_side_free(&o->b);
}

/* Row of a case's statistic. */
static const struct rtb_compare_row *row(const struct outcome *o, const char *name, enum rtb_stat stat)
{
	for (size_t i = 0; i < o->c.row_count; i++)
		if (strcmp(o->c.rows[i].case_name, name) == 0 && o->c.rows[i].stat == stat)
			return &o->c.rows[i];
	fail_msg("no row %s %s", name, rtb_stat_word(stat));
	return NULL;
}

static char *headline(const struct outcome *o)
{
	struct rtb_buf b = {0};
	rtb_compare_headline(&o->c, &b);
	return b.data;
}

static void assert_headline(const struct outcome *o, const char *want)
{
	char *line = headline(o);
	assert_string_equal(line, want);
	free(line);
}

static void a_repeat_is_a_repeat(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 3, NULL), side_of("B", same, 3, NULL), &plain);
	assert_int_equal(o.status, RTB_OK);
	assert_headline(&o, "repeat: all five factors are equal");
	assert_int_equal(o.c.changed, 0);
	assert_int_equal(row(&o, "yield", STAT_MEAN)->judgement, JUDGE_EQUAL);
	done(&o);
}

static void one_cycle_is_real_when_all_repeats_agree(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 5, NULL), side_of("B", one, 5, other_version), &plain);
	assert_headline(&o, "experiment on version (kernel_version)");
	const struct rtb_compare_row *r = row(&o, "yield", STAT_P50);
	assert_int_equal(r->judgement, JUDGE_EXACT);
	/* 412 and 413 a round trip, less a read cost of 2, halved */
	assert_true(r->a == 205 && r->b == 205.5);
	assert_true(isnan(r->p));
	assert_int_equal(o.c.changed, o.c.row_count);
	done(&o);
}

/* 5 x 100 against 100, 100, 100, 100, 140: one straggler is no change. */
static void one_straggler_is_no_change(void **state)
{
	(void)state;
	static const int straggler[] = {0, 0, 0, 0, 40};
	struct outcome o;
	compare(&o, side_of("A", same, 5, NULL), side_of("B", straggler, 5, other_version), &plain);
	const struct rtb_compare_row *r = row(&o, "sem_wake", STAT_MEAN);
	assert_int_equal(r->judgement, JUDGE_EQUAL);
	assert_true(r->p > 0.3);
	done(&o);
}

static void noise_is_judged_by_rank(void **state)
{
	(void)state;
	static const int low[] = {0, 3, 1, 2, 5}, high[] = {10, 13, 11, 12, 15}, mixed[] = {1, 2, 0, 4, 3};
	struct outcome o;
	compare(&o, side_of("A", low, 5, NULL), side_of("B", high, 5, other_version), &plain);
	assert_int_equal(row(&o, "sem_wake", STAT_MAX)->judgement, JUDGE_DIFFERENT);
	assert_true(fabs(row(&o, "sem_wake", STAT_MAX)->p - 2.0 / 252) < 1e-9);
	done(&o);
	compare(&o, side_of("A", low, 5, NULL), side_of("B", mixed, 5, other_version), &plain);
	assert_int_equal(row(&o, "sem_wake", STAT_MEAN)->judgement, JUDGE_EQUAL);
	done(&o);
}

static void too_few_repeats_are_said_with_how_many_would_do(void **state)
{
	(void)state;
	static const int low[] = {0, 1, 2}, high[] = {10, 11, 12};
	struct outcome o;
	compare(&o, side_of("A", same, 1, NULL), side_of("B", one, 1, other_version), &plain);
	assert_int_equal(row(&o, "yield", STAT_MEAN)->judgement, JUDGE_FEW);
	assert_string_equal(row(&o, "yield", STAT_MEAN)->why, "no verdict (n=1; 4 would do)");
	done(&o);
	/* three that differ among themselves can reach p = 0.1 at best */
	compare(&o, side_of("A", low, 3, NULL), side_of("B", high, 3, other_version), &plain);
	assert_int_equal(row(&o, "yield", STAT_MEAN)->judgement, JUDGE_FEW);
	assert_int_equal(o.c.changed, 0);
	done(&o);
}

static void virtual_time(struct rtb_run *r)
{
	rtb_run_fact(r, PROV_TIME_BASE, ORIGIN_READ, "virtual time");
}

static void virtual_time_and_version(struct rtb_run *r)
{
	virtual_time(r);
	other_version(r);
}

static void a_simulated_board_needs_one_repeat(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 1, virtual_time), side_of("B", one, 1, virtual_time_and_version), &plain);
	assert_int_equal(row(&o, "yield", STAT_MEAN)->judgement, JUDGE_EXACT);
	done(&o);
}

static void one_image_claims_no_difference(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 5, NULL), side_of("B", one, 5, NULL), &plain);
	assert_int_equal(row(&o, "yield", STAT_MEAN)->judgement, JUDGE_SPREAD);
	assert_int_equal(o.c.changed, 0);
	done(&o);
}

static void below_the_threshold_does_not_count(void **state)
{
	(void)state;
	struct rtb_compare_options opt = plain;
	struct outcome o;
	opt.threshold = 0.01;
	compare(&o, side_of("A", same, 5, NULL), side_of("B", one, 5, other_version), &opt);
	assert_int_equal(row(&o, "sem_wake", STAT_MEAN)->judgement, JUDGE_SMALL);
	assert_int_equal(o.c.changed, 0);
	done(&o);
}

static void bucketed(struct rtb_run *r)
{
	other_version(r);
	rtb_hist_free(&r->records[1].hist);
	rtb_hist_add(&r->records[1].hist, r->records[1].min, r->records[1].min + 3, 9900);
	rtb_hist_add(&r->records[1].hist, r->records[1].max, r->records[1].max, 100);
}

static void a_bucket_hides_what_is_smaller(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 5, NULL), side_of("B", same, 5, bucketed), &plain);
	const struct rtb_compare_row *r = row(&o, "sem_wake", STAT_P50);
	assert_true(r->a != r->b && r->lo_res);
	assert_int_equal(r->judgement, JUDGE_BUCKET);
	done(&o);
}

static void other_case_version(struct rtb_run *r) { r->records[0].case_version = 2; }
static void other_unit(struct rtb_run *r)
{
	free(r->records[0].unit);
	r->records[0].unit = rtb_strdup("ns");
}

static void versions_and_units_must_match(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 3, NULL), side_of("B", one, 3, other_case_version), &plain);
	assert_int_equal(row(&o, "yield", STAT_MEAN)->judgement, JUDGE_NOT_COMPARABLE);
	assert_string_equal(row(&o, "yield", STAT_MEAN)->why, "not comparable: case version 1 against 2");
	assert_int_equal(row(&o, "sem_wake", STAT_MEAN)->judgement, JUDGE_SPREAD);
	done(&o);
	compare(&o, side_of("A", same, 3, NULL), side_of("B", one, 3, other_unit), &plain);
	assert_string_equal(row(&o, "yield", STAT_MEAN)->why, "not comparable: cycles against ns");
	done(&o);
}

static void other_two(struct rtb_run *r)
{
	other_version(r);
	rtb_run_fact(r, PROV_CLOCK_SET, ORIGIN_READ, "72000000");
}

static void several_factors_confound(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 3, NULL), side_of("B", one, 3, other_two), &plain);
	assert_int_equal(o.c.different, 2);
	assert_true(o.c.clocks_differ);
	assert_headline(&o, "confounded by version (kernel_version) and clock (clock_set)");
	done(&o);
}

static void forget_compiler(struct rtb_run *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->fact_count; i++)
		if (rtb_prov_info((enum rtb_prov_key)r->facts[i].key)->factor == FACTOR_COMPILER)
			free(r->facts[i].value);
		else
			r->facts[n++] = r->facts[i];
	r->fact_count = n;
}

static void a_missing_factor_is_noise(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 3, NULL), side_of("B", same, 3, forget_compiler), &plain);
	assert_int_equal(o.c.missing, 1);
	assert_headline(&o, "noise, not data: not known on both sides: compiler (cc_version, cc_flags)");
	done(&o);
	/* unknown on both sides is just as unknown */
	compare(&o, side_of("A", same, 3, forget_compiler), side_of("B", same, 3, forget_compiler), &plain);
	assert_headline(&o, "noise, not data: not known on both sides: compiler");
	done(&o);
}

static void level(struct rtb_run *r, const char *opt)
{
	free(r->cell.opt);
	r->cell.opt = rtb_strdup(opt);
	rtb_run_fact(r, PROV_OPT, ORIGIN_READ, opt);
	rtb_run_factf(r, PROV_CC_FLAGS, ORIGIN_READ, "-mcpu=cortex-m3 -%s -Ibuild/%s -DRTB_OPT=%s", opt, opt, opt);
	rtb_run_factf(r, PROV_CC_ELF_FLAGS, ORIGIN_READ, "-%s", opt);
	rtb_run_fact(r, PROV_READ_COST, ORIGIN_MEASURED, opt[1] == '0' ? "9" : "2");
	rtb_run_fact(r, PROV_IMAGE_HASH, ORIGIN_READ, opt);
}
static void at_O0(struct rtb_run *r) { level(r, "O0"); }
static void at_O2(struct rtb_run *r) { level(r, "O2"); }

/* The level shows in flags, paths and read cost as well; it is one factor all the same. */
static void another_level_is_one_factor(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 3, at_O0), side_of("B", one, 3, at_O2), &plain);
	assert_headline(&o, "experiment on config (opt)");
	assert_int_equal(o.c.pairs, 1);
	assert_null(o.c.rows[0].coord[COORD_OPT]);
	assert_string_equal(o.c.rows[0].coord[COORD_KERNEL], "mini");
	done(&o);
}

static void other_kernel(struct rtb_run *r)
{
	rtb_run_fact(r, PROV_TICK_HZ, ORIGIN_READ, "0");
	rtb_run_fact(r, PROV_TICK_SET, ORIGIN_READ, "0");
	free(r->cell.kernel);
	r->cell.kernel = rtb_strdup("bare");
	rtb_run_fact(r, PROV_KERNEL, ORIGIN_READ, "bare");
	rtb_run_fact(r, PROV_CONFIG_TEXT, ORIGIN_READ, "#define OTHER\n");
	rtb_run_fact(r, PROV_IMAGE_HASH, ORIGIN_READ, "bare");
}

static void another_kernel_brings_its_own_header_and_may_lack_a_tick(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 3, NULL), side_of("B", one, 3, other_kernel), &plain);
	assert_headline(&o, "experiment on version (kernel)");
	done(&o);
}

static void status_bits(struct rtb_run *r)
{
	rtb_run_fact(r, PROV_DEBUG_REGS, ORIGIN_READ, "0x01010000 0x01000000 0x00000000");
}
static void debugger_on(struct rtb_run *r)
{
	rtb_run_fact(r, PROV_DEBUG_REGS, ORIGIN_READ, "0x00030001 0x01000000 0x00000000");
}

static void debug_settings_count_and_status_bits_do_not(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 3, NULL), side_of("B", same, 3, status_bits), &plain);
	assert_headline(&o, "repeat: all five factors are equal");
	done(&o);
	compare(&o, side_of("A", same, 3, NULL), side_of("B", same, 3, debugger_on), &plain);
	assert_headline(&o, "experiment on method (debug_regs)");
	done(&o);
}

static void hang_(struct rtb_run *r) { r->status = RTB_HANG; }
static void reject_(struct rtb_run *r) { r->verdict = VERDICT_REJECTED; }

static void failed_and_rejected_runs_never_count(void **state)
{
	(void)state;
	struct outcome o;
	compare(&o, side_of("A", same, 2, NULL), side_of("B", one, 2, reject_), &plain);
	assert_int_equal(o.status, RTB_NOT_COMPARABLE);
	assert_string_equal(o.e.text, "B: no usable runs: 0 failed, 2 rejected");
	done(&o);
	compare(&o, side_of("A", same, 2, hang_), side_of("B", one, 2, NULL), &plain);
	assert_int_equal(o.status, RTB_NOT_COMPARABLE);
	done(&o);
	compare(&o, side_of("A", same, 0, NULL), side_of("B", one, 2, NULL), &plain);
	assert_int_equal(o.status, RTB_NOT_FOUND);
	done(&o);
}

/* The same code in another place: told beside a difference, and only for the case it is about. */
static void code_that_moved_is_told(void **state)
{
	(void)state;
	static const char here[] = "sem_pair_give 0x08001000 16: give\nsem_pair_take 0x08001044 4: take\n"
				   "isr_to_task 0x08002000 16: give\nisr_to_task_end 0x08002040 16: take\n"
				   "isr_to_task_mid 0x08003000 16: give\n";
	static const char there[] = "isr_to_task_mid 0x08003004 4: give\nisr_to_task 0x08002100 16: give\n"
				    "isr_to_task_end 0x08002140 16: take\nsem_pair_give 0x08001008 8: give\n"
				    "sem_pair_take 0x0800104c 4: take\n";
	assert_true(rtb_compare_layout(here, there, "sem_pair", "give", NULL));
	assert_false(rtb_compare_layout(here, there, "sem_pair", "take", NULL)); /* moved, aligned as before */
	assert_false(rtb_compare_layout(here, there, "isr_to_task", "", NULL));
	assert_true(rtb_compare_layout(here, there, "isr_to_task_mid", "", NULL));
	assert_false(rtb_compare_layout(here, here, "sem_pair", "give", NULL));
	assert_false(rtb_compare_layout(NULL, there, "sem_pair", "give", NULL));
	assert_false(rtb_compare_layout(here, NULL, "sem_pair", "give", NULL));
	assert_false(rtb_compare_layout(here, "no layout at all", "sem_pair", "give", NULL));
}

static void lies_there(struct rtb_run *r) { rtb_run_fact(r, PROV_CODE_LAYOUT, ORIGIN_READ, "yield 0x08001000 16: y\n"); }
static void lies_elsewhere(struct rtb_run *r)
{
	other_version(r);
	rtb_run_fact(r, PROV_CODE_LAYOUT, ORIGIN_READ, "yield 0x08001004 4: y\n");
}

static void moved_code_is_marked_where_figures_differ(void **state)
{
	(void)state;
	struct outcome o;
	struct rtb_buf text = {0};
	compare(&o, side_of("A", same, 5, lies_there), side_of("B", one, 5, lies_elsewhere), &plain);
	rtb_compare_write(&o.c, &plain, TABLE_TEXT, false, true, &text);
	assert_non_null(strstr(text.data, "exact (@)"));
	assert_non_null(strstr(text.data, "(@) code layout changed"));
	/* once for the case, however many of its figures moved */
	const char *line = strstr(text.data, "    gd32f103cbt6 mini O2: yield 0x08001000 (16) -> 0x08001004 (4)\n");
	assert_non_null(line);
	assert_null(strstr(strstr(line, "yield 0x") + 1, "yield 0x"));
	rtb_buf_clear(&text);
	rtb_compare_write(&o.c, &plain, TABLE_JSON, false, true, &text);
	assert_non_null(strstr(text.data, "\"code_layout\": [\"gd32f103cbt6 mini O2: yield 0x08001000 (16) -> 0x08001004 (4)\"]"));
	rtb_buf_clear(&text);
	done(&o);
	compare(&o, side_of("A", same, 5, lies_there), side_of("B", same, 5, lies_elsewhere), &plain);
	rtb_compare_write(&o.c, &plain, TABLE_TEXT, false, true, &text);
	assert_null(strstr(text.data, "(@)"));
	rtb_buf_free(&text);
	done(&o);
}

/* Runs of a resumed sweep: `attempt` at repeat 1, shifted. */
static void attempt(struct rtb_side *s, unsigned number, int shift, enum rtb_status status, enum rtb_verdict verdict)
{
	struct rtb_error e = {0};
	struct rtb_run r = sample_run();
	r.attempt = number;
	r.status = status;
	r.verdict = verdict;
	r.records[0].hist.bin[0].lo = r.records[0].hist.bin[0].hi += shift;
	sample_settle(&r.records[0]);
	rtb_side_add(s, &r, &e);
	rtb_run_free(&r);
}

static void assert_says(const struct rtb_side *s, const char *want)
{
	struct rtb_buf text = {0};
	rtb_side_say(s, &text);
	assert_string_equal(rtb_buf_cstr(&text), want);
	rtb_buf_free(&text);
}

static void of_several_attempts_the_last_counts(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s"};
	/* whole, then done again because its image would be another now */
	attempt(&s, 1, 0, RTB_OK, VERDICT_TRUSTED);
	attempt(&s, 2, -10, RTB_OK, VERDICT_TRUSTED);
	assert_int_equal(s.count, 1);
	assert_true(s.runs[0].records[0].summary.f[STAT_MIN].value == 200); /* (402 - 2) / 2 */
	assert_says(&s, "s, 1 run, left out: 0 failed, 0 rejected, 1 replaced by other attempts\n");
	/* what failed after that leaves nothing: the earlier figures are of another image */
	attempt(&s, 3, 0, RTB_HANG, VERDICT_TRUSTED);
	assert_int_equal(s.count, 0);
	assert_says(&s, "s, 0 runs, left out: 1 failed, 0 rejected, 2 replaced by other attempts\n");
	attempt(&s, 4, 0, RTB_OK, VERDICT_REJECTED);
	assert_says(&s, "s, 0 runs, left out: 0 failed, 1 rejected, 3 replaced by other attempts\n");
	attempt(&s, 5, 0, RTB_OK, VERDICT_SUSPECT);
	assert_int_equal(s.count, 1);
	assert_says(&s, "s, 1 run, left out: 0 failed, 0 rejected, 4 replaced by other attempts\n");
	rtb_side_free(&s);
}

static void the_attempt_that_stands_highest_counts(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s"};
	struct rtb_error e = {0};
	static const enum rtb_status after[] = {RTB_OK, RTB_HANG};
	attempt(&s, 1, 0, RTB_HANG, VERDICT_TRUSTED);
	for (unsigned k = 0; k < 4; k++) {
		struct rtb_run r = sample_run(); /* the second attempt was kept */
		r.attempt = k + 2;
		r.standing = k == 0;
		r.status = after[k % 2];
		r.id = k + 2;
		rtb_side_add(&s, &r, &e);
		rtb_run_free(&r);
		assert_int_equal(s.count, 1);
		assert_int_equal(s.runs[0].id, 2);
	}
	assert_says(&s, "s, 1 run, left out: 0 failed, 0 rejected, 4 replaced by other attempts\n");
	rtb_side_free(&s);
	/* one that failed may be what counts, and one that stands as high and comes later beats it */
	s = (struct rtb_side){.name = "s"};
	for (unsigned k = 0; k < 3; k++) {
		struct rtb_run r = sample_run();
		r.attempt = k + 1;
		r.standing = k != 1;
		r.status = k == 0 ? RTB_HANG : RTB_OK;
		rtb_side_add(&s, &r, &e);
		rtb_run_free(&r);
		assert_int_equal(s.count, k == 2);
	}
	assert_says(&s, "s, 1 run, left out: 0 failed, 0 rejected, 2 replaced by other attempts\n");
	rtb_side_free(&s);
}

static void another_repeat_cell_or_sweep_replaces_nothing(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s"};
	struct rtb_error e = {0};
	attempt(&s, 1, 0, RTB_OK, VERDICT_TRUSTED);
	for (int k = 0; k < 3; k++) {
		struct rtb_run r = sample_run();
		r.attempt = 2;
		r.repeat = k == 0 ? 2 : 1;
		r.cell.instrumented = k == 1;
		r.sweep_id = k == 2 ? 9 : 0;
		rtb_side_add(&s, &r, &e);
		rtb_run_free(&r);
	}
	assert_int_equal(s.count, 4);
	assert_says(&s, "s, 4 runs\n");
	rtb_side_free(&s);
}

static void figures_are_net_unless_wanted_as_measured(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s", .as_measured = true};
	attempt(&s, 1, 0, RTB_OK, VERDICT_TRUSTED);
	assert_true(s.runs[0].records[0].summary.f[STAT_MIN].value == 206);
	assert_non_null(strstr(rtb_side_basis(&s), "as measured"));
	rtb_side_free(&s);
	s = (struct rtb_side){.name = "s"};
	attempt(&s, 1, 0, RTB_OK, VERDICT_TRUSTED);
	assert_true(s.runs[0].records[0].summary.f[STAT_MIN].value == 205); /* a read cost of 2, halved */
	assert_non_null(strstr(rtb_side_basis(&s), "net of"));
	rtb_side_free(&s);
}

static void jitter_now(struct rtb_run *r)
{
	other_version(r);
	free(r->records[0].case_name);
	r->records[0].case_name = rtb_strdup("task_jitter");
}

/* The middle of a jitter lies about 0: a percentage of it is of nothing. */
static void of_a_deviation_only_the_tail_has_a_percentage(void **state)
{
	(void)state;
	struct outcome o;
	struct rtb_buf text = {0};
	struct rtb_compare_options opt = plain;
	opt.case_name = "task_jitter";
	compare(&o, side_of("A", same, 5, jitter_now), side_of("B", one, 5, jitter_now), &opt);
	assert_true(row(&o, "task_jitter", STAT_P50)->balance && row(&o, "task_jitter", STAT_MEAN)->balance);
	assert_false(row(&o, "task_jitter", STAT_P99)->balance || row(&o, "task_jitter", STAT_MAX)->balance);
	rtb_compare_write(&o.c, &opt, TABLE_CSV, false, true, &text);
	assert_non_null(strstr(text.data, "p50,206,206.50,+0.50,,5,"));
	assert_non_null(strstr(text.data, "p99,207,207.50,+0.50,+0.24,5,"));
	rtb_buf_free(&text);
	done(&o);
}

static void on_board_one(struct rtb_run *r) { rtb_run_fact(r, PROV_BOARD_UID, ORIGIN_READ, "one"); }
static void on_board_two(struct rtb_run *r) { rtb_run_fact(r, PROV_BOARD_UID, ORIGIN_READ, "two"); }

static void two_boards_are_told(void **state)
{
	(void)state;
	struct { void (*a)(struct rtb_run *), (*b)(struct rtb_run *); const char *say; } try[] = {
		{on_board_one, on_board_two, "   Not one board: A one, B two."}, {on_board_one, on_board_one, NULL},
	};
	for (size_t i = 0; i < sizeof try / sizeof try[0]; i++) {
		struct outcome o;
		struct rtb_buf text = {0};
		compare(&o, side_of("A", same, 3, try[i].a), side_of("B", same, 3, try[i].b), &plain);
		rtb_compare_factors(&o.c, false, &text);
		assert_non_null(strstr(text.data, "=> repeat"));
		assert_int_equal(strstr(text.data, "Not one board") != NULL, try[i].say != NULL);
		assert_true(!try[i].say || strstr(text.data, try[i].say));
		rtb_buf_free(&text);
		done(&o);
	}
}

static void no_case_in_common(void **state)
{
	(void)state;
	struct rtb_compare_options opt = plain;
	struct outcome o;
	opt.case_name = "nothing";
	compare(&o, side_of("A", same, 2, NULL), side_of("B", same, 2, NULL), &opt);
	assert_int_equal(o.status, RTB_NOT_COMPARABLE);
	assert_string_equal(o.e.text, "A and B have no case in common");
	done(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_repeat_is_a_repeat), cmocka_unit_test(one_cycle_is_real_when_all_repeats_agree),
		cmocka_unit_test(one_straggler_is_no_change), cmocka_unit_test(noise_is_judged_by_rank),
		cmocka_unit_test(too_few_repeats_are_said_with_how_many_would_do),
		cmocka_unit_test(a_simulated_board_needs_one_repeat),
		cmocka_unit_test(one_image_claims_no_difference),
		cmocka_unit_test(below_the_threshold_does_not_count),
		cmocka_unit_test(a_bucket_hides_what_is_smaller), cmocka_unit_test(versions_and_units_must_match),
		cmocka_unit_test(several_factors_confound), cmocka_unit_test(a_missing_factor_is_noise),
		cmocka_unit_test(another_level_is_one_factor),
		cmocka_unit_test(another_kernel_brings_its_own_header_and_may_lack_a_tick),
		cmocka_unit_test(debug_settings_count_and_status_bits_do_not),
		cmocka_unit_test(failed_and_rejected_runs_never_count), cmocka_unit_test(code_that_moved_is_told),
		cmocka_unit_test(moved_code_is_marked_where_figures_differ), cmocka_unit_test(no_case_in_common), cmocka_unit_test(two_boards_are_told),
		cmocka_unit_test(of_a_deviation_only_the_tail_has_a_percentage),
		cmocka_unit_test(figures_are_net_unless_wanted_as_measured),
		cmocka_unit_test(of_several_attempts_the_last_counts),
		cmocka_unit_test(the_attempt_that_stands_highest_counts),
		cmocka_unit_test(another_repeat_cell_or_sweep_replaces_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
