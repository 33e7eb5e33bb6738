/* The result table: figures, marks, failures, repeats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../sample.h"
#include "report/report.h"

static char *table_of(struct rtb_run *a, struct rtb_run *b)
{
	struct rtb_run *runs[] = {a, b};
	struct rtb_buf out = {0};
	rtb_report_runs(runs, b ? 2 : 1, false, &out);
	return out.data;
}

static void figures_are_divided_and_marked(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	rtb_hist_free(&r.records[1].hist);
	rtb_hist_add(&r.records[1].hist, 305, 305, 9000);
	rtb_hist_add(&r.records[1].hist, 600, 607, 900);
	rtb_hist_add(&r.records[1].hist, 262144, 400000, 100);
	r.records[1].max = 300001;
	char *text = table_of(&r, NULL);
	/* yield is halved: 412/2; avg (9000*412+900*414+100*452)/10000/2; each less 2/2 */
	assert_non_null(strstr(text, "yield        1     205     205   205.3     206     225"));
	assert_non_null(strstr(text, " 1.898 "));
	/* p99 lies in a bucket: its middle, marked */
	assert_non_null(strstr(text, "~601.5"));
	assert_non_null(strstr(text, "us at 108.003 MHz (measured)\n"
			       "net of the counter's read cost, 2 cycles a sample\n"));
	free(text);
	rtb_run_free(&r);
}

/* A timer's own count, a deviation and the calibration hold no read cost, and the legend says so. */
static void only_spans_are_net(void **state)
{
	(void)state;
	static const char *const whole[] = {"isr_latency", "tick_jitter", "calibrate", "of_a_newer_program"};
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
		struct rtb_run r = sample_run();
		free(r.records[1].case_name);
		r.records[1].case_name = rtb_strdup(whole[i]);
		assert_true(rtb_record_overhead(&r, &r.records[0]) == 1);
		assert_true(rtb_record_overhead(&r, &r.records[1]) == 0);
		char *text = table_of(&r, NULL);
		char *legend = rtb_sprintf("2 cycles a sample; nothing taken off %s\n", whole[i]);
		assert_non_null(strstr(text, legend));
		free(legend);
		free(text);
		rtb_run_free(&r);
	}
}

static void a_doubt_has_a_mark_and_a_footnote(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	rtb_run_find(&r, "tick_phase", VERDICT_SUSPECT, "yield", "", "near one tick");
	rtb_run_find(&r, "debugger", VERDICT_REJECTED, NULL, NULL, "attached");
	char *text = table_of(&r, NULL);
	assert_non_null(strstr(text, "!1,2\n"));
	assert_non_null(strstr(text, "!2\n"));
	assert_non_null(strstr(text, "1) suspect: tick_phase: near one tick\n2) rejected: debugger: attached\n"));
	free(text);
	rtb_run_free(&r);
}

static void repeats_that_agree_share_a_line(void **state)
{
	(void)state;
	struct rtb_run a = sample_run(), b = sample_run();
	b.repeat = 2;
	rtb_hist_add(&b.records[1].hist, 999, 999, 1);
	sample_settle(&b.records[1]);
	char *text = table_of(&a, &b);
	assert_non_null(strstr(text, "yield        2 "));
	assert_non_null(strstr(text, "sem_wake     1     303"));
	assert_non_null(strstr(text, "997"));
	free(text);
	rtb_run_free(&a);
	rtb_run_free(&b);
}

static void a_failed_run_says_why(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	struct rtb_run failed = {.status = RTB_HANG, .error = rtb_strdup("silent after hello")};
	failed.cell = (struct rtb_cell){rtb_strdup("t"), rtb_strdup("mini"), rtb_strdup("Os"), true};
	char *text = table_of(&r, &failed);
	assert_non_null(strstr(text, "board hung: silent after hello"));
	free(text);
	rtb_run_free(&r);
	rtb_run_free(&failed);
}

/* Where there are several boards a line says which; where there is one it is not worth its width. */
static void several_targets_are_told_apart(void **state)
{
	(void)state;
	struct rtb_run a = sample_run(), b = sample_run();
	char *text = table_of(&a, NULL);
	assert_null(strstr(text, "target"));
	free(text);
	free(b.cell.target);
	b.cell.target = rtb_strdup("other");
	text = table_of(&a, &b);
	assert_int_equal(strncmp(text, "target        kernel", 20), 0);
	assert_non_null(strstr(text, "\ngd32f103cbt6  mini "));
	assert_non_null(strstr(text, "\nother         mini "));
	free(text);
	rtb_run_free(&a);
	rtb_run_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_divided_and_marked),
		cmocka_unit_test(only_spans_are_net),
		cmocka_unit_test(a_doubt_has_a_mark_and_a_footnote),
		cmocka_unit_test(repeats_that_agree_share_a_line),
		cmocka_unit_test(a_failed_run_says_why),
		cmocka_unit_test(several_targets_are_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
