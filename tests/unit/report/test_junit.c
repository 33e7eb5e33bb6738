/* A sweep as CI servers read it: how each end of a run shows, and that any text stays XML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../sample.h"
#include "report/junit.h"

/* The document of one run. Free it. */
static char *document(struct rtb_run *r, const char *host)
{
	struct rtb_sweep sweep = {.id = 7, .host = (char *)host};
	struct rtb_buf out = {0};
	r->sweep_id = 7;
	rtb_report_junit(&sweep, &r, 1, NULL, &out);
	rtb_run_free(r);
	return out.data;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("not in it: %s\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("in it: %s\n%s", part, text);
}

static void a_good_run_says_nothing_more(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	char *x = document(&r, "bench");
	assert_has(x, "<testsuite name=\"rtbench sweep 7\" hostname=\"bench\" timestamp=\"1970-01-01T00:00:00\" time=\"3.500\" tests=\"1\" errors=\"0\" failures=\"0\" skipped=\"0\">");
	assert_has(x, "<testcase classname=\"gd32f103cbt6.mini\" name=\"O2 repeat 1\" time=\"3.500\">\n\t\t</testcase>");
	free(x);
}

static void a_failed_run_is_an_error_with_its_cause(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	r.status = RTB_FLASH;
	r.error = rtb_strdup("openocd: error writing to flash at 0x08000000");
	char *x = document(&r, NULL);
	assert_has(x, "tests=\"1\" errors=\"1\" failures=\"0\" skipped=\"0\"");
	assert_has(x, "<error type=\"flash failed\" message=\"openocd: error writing to flash at 0x08000000\">");
	assert_has(x, rtb_status_advice(RTB_FLASH));
	assert_lacks(x, "hostname");
	assert_lacks(x, "<system-out>");
	free(x);
}

static void rejected_figures_are_a_failure_with_the_reasons(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	rtb_run_find(&r, "below_cost", VERDICT_REJECTED, "yield", "", "the smallest sample is %d cycles", 1);
	rtb_run_find(&r, "outlier", VERDICT_SUSPECT, "sem_wake", "", "far out");
	r.verdict = VERDICT_REJECTED;
	char *x = document(&r, NULL);
	assert_has(x, "errors=\"0\" failures=\"1\"");
	assert_has(x, "<failure type=\"rejected\" message=\"the figures were rejected\">"
		      "rejected: yield: the smallest sample is 1 cycles\n</failure>");
	assert_lacks(x, "far out"); /* what made it fail, and nothing beside */
	free(x);
}

static void a_suspect_run_passes_and_shows_why(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	rtb_run_find(&r, "debugger", VERDICT_SUSPECT, NULL, NULL, "a debugger was attached");
	r.verdict = VERDICT_SUSPECT;
	char *x = document(&r, NULL);
	assert_has(x, "errors=\"0\" failures=\"0\" skipped=\"0\"");
	assert_has(x, "<system-out>suspect: a debugger was attached\n</system-out>");
	free(x);
}

/* By its name a test is followed from day to day: the attempt must not be part of it. */
static void a_retried_run_shows_and_keeps_its_name(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	r.attempt = 2;
	char *x = document(&r, NULL);
	assert_has(x, "name=\"O2 repeat 1\"");
	assert_has(x, "errors=\"0\" failures=\"0\"");
	assert_has(x, "<system-out>attempt 2: rtbench list runs --sweep 7 has those before\n</system-out>");
	free(x);
	r = sample_run();
	r.attempt = 3;
	r.status = RTB_HANG;
	r.error = rtb_strdup("no frame for 2000 ms");
	x = document(&r, NULL);
	const char *error = strstr(x, "<error type=\"board hung\""), *remark = strstr(x, "<system-out>attempt 3");
	assert_true(error && remark && error < remark); /* the order that the schema of JUnit wants */
	free(x);
}

static void what_was_not_run_is_skipped(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	r.status = RTB_NOT_RUN;
	r.error = rtb_strdup("v is set aside after 3 failed runs in a row");
	char *x = document(&r, NULL);
	assert_has(x, "errors=\"0\" failures=\"0\" skipped=\"1\"");
	assert_has(x, "<skipped message=\"v is set aside after 3 failed runs in a row\"/>");
	free(x);
}

static void any_text_stays_xml(void **state)
{
	(void)state;
	struct rtb_run r = sample_run();
	r.status = RTB_BUILD;
	r.error = rtb_strdup("a < b && \"c\" > d\nnext\tone \x1b[31mred\x7f \xc3\xa4\xff\xc3");
	free(r.cell.kernel);
	r.cell.kernel = rtb_strdup("k<1>&");
	char *x = document(&r, "a\"b");
	assert_has(x, "hostname=\"a&quot;b\"");
	assert_has(x, "classname=\"gd32f103cbt6.k&lt;1&gt;&amp;\"");
	assert_has(x, "message=\"a &lt; b &amp;&amp; &quot;c&quot; &gt; d&#10;next&#9;one ?[31mred? \xc3\xa4??\"");
	free(x);
}

static void no_runs_are_a_document_too(void **state)
{
	(void)state;
	struct rtb_sweep sweep = {.id = 1};
	struct rtb_buf out = {0};
	rtb_report_junit(&sweep, NULL, 0, NULL, &out);
	assert_has(out.data, "tests=\"0\" errors=\"0\" failures=\"0\" skipped=\"0\">\n\t</testsuite>");
	rtb_buf_free(&out);
}

static void a_baseline_is_a_case_of_its_own(void **state)
{
	(void)state;
	struct rtb_sweep sweep = {.id = 1};
	struct rtb_buf out = {0};
	struct rtb_junit_gate gate = {"s1", RTB_OK, "fine: no figure grew"};
	rtb_report_junit(&sweep, NULL, 0, &gate, &out);
	assert_has(out.data, "tests=\"1\" errors=\"0\" failures=\"0\"");
	assert_has(out.data, "<testcase classname=\"baseline\" name=\"s1\">\n\t\t\t<system-out>fine: no figure grew</system-out>");
	rtb_buf_clear(&out);
	gate = (struct rtb_junit_gate){"s1", RTB_DIFFERENT, "regression: yield"};
	rtb_report_junit(&sweep, NULL, 0, &gate, &out);
	assert_has(out.data, "tests=\"1\" errors=\"0\" failures=\"1\"");
	assert_has(out.data, "<failure type=\"difference found\" message=\"regression: yield\"/>");
	rtb_buf_clear(&out);
	gate = (struct rtb_junit_gate){"s1", RTB_CONFOUNDED, "confounded by clock"};
	rtb_report_junit(&sweep, NULL, 0, &gate, &out);
	assert_has(out.data, "tests=\"1\" errors=\"1\" failures=\"0\"");
	rtb_buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_run_says_nothing_more), cmocka_unit_test(a_failed_run_is_an_error_with_its_cause),
		cmocka_unit_test(rejected_figures_are_a_failure_with_the_reasons),
		cmocka_unit_test(a_suspect_run_passes_and_shows_why),
		cmocka_unit_test(a_retried_run_shows_and_keeps_its_name), cmocka_unit_test(what_was_not_run_is_skipped),
		cmocka_unit_test(any_text_stays_xml), cmocka_unit_test(no_runs_are_a_document_too),
		cmocka_unit_test(a_baseline_is_a_case_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
