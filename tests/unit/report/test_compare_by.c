/* A sweep against itself, rank reversals, and the line diff. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../sample.h"
#include "report/compare_by.h"
#include "report/compare_pivot.h"
#include "report/diff.h"

/* Adds n repeats of a cell whose samples are shifted by `shift`. */
static void add(struct rtb_side *s, const char *kernel, const char *opt, bool instrumented, int shift, unsigned n)
{
	struct rtb_error e = {0};
	for (unsigned i = 0; i < n; i++) {
		struct rtb_run r = sample_run();
		free(r.cell.kernel);
		free(r.cell.opt);
		r.cell.kernel = rtb_strdup(kernel);
		r.cell.opt = rtb_strdup(opt);
		r.cell.instrumented = instrumented;
		rtb_run_fact(&r, PROV_KERNEL, ORIGIN_READ, kernel);
		rtb_run_fact(&r, PROV_OPT, ORIGIN_READ, opt);
		rtb_run_fact(&r, PROV_INSTRUMENTED, ORIGIN_READ, instrumented ? "yes" : "no");
		rtb_run_factf(&r, PROV_IMAGE_HASH, ORIGIN_READ, "%s%s%d", kernel, opt, instrumented);
		for (size_t k = 0; k < r.record_count; k++) {
			for (size_t b = 0; b < r.records[k].hist.count; b++)
				r.records[k].hist.bin[b].lo = r.records[k].hist.bin[b].hi += shift;
			sample_settle(&r.records[k]);
		}
		rtb_side_add(s, &r, &e);
		rtb_run_free(&r);
	}
}

static const struct rtb_compare_options plain = {.alpha = 0.05, .by = -1};

static void instrumentation_gets_its_own_column(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s"};
	struct rtb_by by;
	struct rtb_error e = {0};
	struct rtb_buf out = {0};
	add(&s, "mini", "O2", false, 0, 3);
	add(&s, "mini", "O2", true, 61, 3);
	assert_int_equal(rtb_compare_by(&s, COORD_INSTRUMENTED, NULL, &plain, &by, &e), RTB_OK);
	assert_int_equal(by.values, 2);
	assert_int_equal(by.changed, 8);
	rtb_by_write(&by, &plain, TABLE_TEXT, false, &out);
	assert_non_null(strstr(out.data, "yes against no: experiment on config (instrumented)"));
	assert_non_null(strstr(out.data, "sem_wake  cycles  p50      303     364  +20.1  *"));
	rtb_buf_clear(&out);
	rtb_by_write(&by, &plain, TABLE_CSV, false, &out);
	assert_ptr_equal(strstr(out.data, "target,kernel,opt,case,unit,stat,no,yes,yes %,yes verdict\r\n"), out.data);
	rtb_by_free(&by);
	rtb_side_free(&s);
	rtb_buf_free(&out);
}

static void a_base_may_be_named(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s"};
	struct rtb_by by;
	struct rtb_error e = {0};
	add(&s, "mini", "O0", false, 100, 1);
	add(&s, "mini", "O2", false, 0, 1);
	add(&s, "mini", "Os", false, 10, 1);
	assert_int_equal(rtb_compare_by(&s, COORD_OPT, "Os", &plain, &by, &e), RTB_OK);
	assert_string_equal(by.value[0], "Os");
	assert_string_equal(by.value[1], "O0");
	assert_string_equal(by.value[2], "O2");
	rtb_by_free(&by);
	assert_int_equal(rtb_compare_by(&s, COORD_OPT, "O3", &plain, &by, &e), RTB_NOT_FOUND);
	rtb_by_free(&by);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_compare_by(&s, COORD_KERNEL, NULL, &plain, &by, &e), RTB_NOT_COMPARABLE);
	assert_string_equal(e.text, "s: kernel has one value only: mini");
	rtb_by_free(&by);
	rtb_side_free(&s);
}

static void an_order_that_turns_round_is_reported(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s"};
	struct rtb_buf out = {0};
	add(&s, "a", "O0", false, 0, 3);
	add(&s, "b", "O0", false, 20, 3);
	add(&s, "a", "O2", false, 0, 3);
	add(&s, "b", "O2", false, 4, 3);
	assert_int_equal(rtb_rank_reversals(&s, &out), 0);
	add(&s, "a", "Os", true, 30, 3);
	add(&s, "b", "Os", true, 10, 3);
	assert_int_equal(rtb_rank_reversals(&s, &out), 2);
	/* sem_wake is 305.58 on average, 2 of them the counter's reading; the condition with the largest lead speaks for each side */
	assert_non_null(strstr(out.data, "  sem_wake: a before b at O0 (303.58 against 323.58), "
			       "b before a at Os instrumented (313.58 against 333.58)\n"));
	/* averages of a jitter have no order worth the name */
	rtb_buf_clear(&out);
	for (size_t i = 0; i < s.count; i++) {
		free(s.runs[i].records[1].case_name);
		s.runs[i].records[1].case_name = rtb_strdup("tick_jitter");
	}
	assert_int_equal(rtb_rank_reversals(&s, &out), 1);
	rtb_side_free(&s);
	rtb_buf_free(&out);
}

static void assert_diff(const char *a, const char *b, const char *want)
{
	struct rtb_buf out = {0};
	assert_int_equal(rtb_line_diff(a, b, false, &out), *want != '\0');
	assert_string_equal(rtb_buf_cstr(&out), want);
	rtb_buf_free(&out);
}

static void lines_that_differ(void **state)
{
	(void)state;
	assert_diff("a\nb\nc\n", "a\nb\nc\n", "");
	assert_diff("", "", "");
	assert_diff("a\nb\nc\n", "a\nx\nc\n", "@@ 2, 2\n-b\n+x\n");
	assert_diff("a\nb\n", "a\nb\nc", "@@ 3, 3\n+c\n");
	assert_diff("x\na\nb\ny\n", "a\nb\n", "@@ 1, 1\n-x\n@@ 4, 3\n-y\n");
	assert_diff("", "one\n", "@@ 1, 1\n+one\n");
}

/* A cell of the table is a median over repeats, so these have to be repeats of one thing. */
static void a_table_cell_mixes_no_factors(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s"};
	struct rtb_pivot p = {.stat = STAT_P50};
	struct rtb_error e = {0};
	struct rtb_buf out = {0};
	assert_int_equal(rtb_pivot_parse("case", "opt", &p, &e), RTB_OK);
	add(&s, "mini", "O0", false, 0, 2);
	add(&s, "mini", "O2", false, 0, 2);
	assert_int_equal(rtb_pivot_write(&s, &p, TABLE_CSV, false, &out, &e), RTB_OK);
	assert_string_equal(out.data, "case,unit,O0,O0 rank,O2,O2 rank\r\n"
			    "yield,cycles,205,1,205,1\r\nsem_wake,cycles,303,1,303,1\r\n");
	free(s.runs[3].fact[PROV_KERNEL_VERSION]);
	s.runs[3].fact[PROV_KERNEL_VERSION] = rtb_strdup("1.1");
	free(s.runs[1].fact[PROV_TICK_HZ]);
	s.runs[1].fact[PROV_TICK_HZ] = rtb_strdup("100");
	rtb_buf_clear(&out);
	assert_int_equal(rtb_pivot_write(&s, &p, TABLE_CSV, false, &out, &e), RTB_CONFOUNDED);
	assert_string_equal(e.text, "repeats of one cell differ in tick_hz (config), kernel_version (version): choose runs "
			    "that do not, or --force");
	assert_int_equal(out.len, 0);
	p.force = true;
	assert_int_equal(rtb_pivot_write(&s, &p, TABLE_CSV, false, &out, &e), RTB_OK);
	rtb_buf_free(&out);
	rtb_side_free(&s);
}

/* Rows by the alphabet, whatever order the runs came in; ranks by the row. */
static void a_table_is_in_order_and_ranked(void **state)
{
	(void)state;
	struct rtb_side s = {.name = "s"};
	struct rtb_pivot p = {.stat = STAT_P50, .case_name = "sem_wake"};
	struct rtb_error e = {0};
	struct rtb_buf out = {0};
	assert_int_equal(rtb_pivot_parse("opt,case", "kernel", &p, &e), RTB_OK);
	add(&s, "b", "O2", false, 5, 1);
	add(&s, "a", "Os", false, 7, 1);
	add(&s, "b", "Os", false, 3, 1);
	add(&s, "a", "O2", false, 5, 1);
	add(&s, "c", "O2", false, 9, 1);
	assert_int_equal(rtb_pivot_write(&s, &p, TABLE_CSV, false, &out, &e), RTB_OK);
	assert_string_equal(out.data, "opt,case,unit,a,a rank,b,b rank,c,c rank\r\n"
			    "O2,sem_wake,cycles,308,1,308,1,312,3\r\nOs,sem_wake,cycles,310,2,306,1,,\r\n");
	/* across cases there is nothing to rank */
	rtb_buf_clear(&out);
	p = (struct rtb_pivot){.stat = STAT_P50};
	assert_int_equal(rtb_pivot_parse("kernel,opt", "case", &p, &e), RTB_OK);
	assert_int_equal(rtb_pivot_write(&s, &p, TABLE_CSV, false, &out, &e), RTB_OK);
	assert_ptr_equal(strstr(out.data, "kernel,opt,unit,yield,sem_wake\r\na,O2,cycles,207.5,308\r\n"), out.data);
	rtb_buf_free(&out);
	rtb_side_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instrumentation_gets_its_own_column), cmocka_unit_test(a_base_may_be_named),
		cmocka_unit_test(an_order_that_turns_round_is_reported), cmocka_unit_test(lines_that_differ),
		cmocka_unit_test(a_table_cell_mixes_no_factors), cmocka_unit_test(a_table_is_in_order_and_ranked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
