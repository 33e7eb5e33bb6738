/* Which runs of a sweep that goes on stay: the newest complete one that is still what it would be. */
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
#include "sweep/past.h"

static const char *const both[] = {"yield", "sem_wake", NULL}, *const one[] = {"yield", NULL};
static struct rtb_cell cell = {(char *)"board", (char *)"mini", (char *)"O2", false};

static struct rtb_store *store;
static int64_t sweep;
static char dir[32];

static int set_up(void **state)
{
	(void)state;
	struct rtb_error e = {0};
	strcpy(dir, "/tmp/rtb-past-XXXXXX");
	assert_non_null(mkdtemp(dir));
	char *path = rtb_sprintf("%s/r.db", dir);
	rtb_store_open(path, STORE_WRITE, &store, &e);
	assert_string_equal(e.text, "");
	struct rtb_sweep w = {.command = rtb_strdup("rtbench run"), .planned = 1};
	assert_int_equal(rtb_store_begin_sweep(store, &w, &e), RTB_OK);
	sweep = w.id;
	rtb_sweep_free(&w);
	free(path);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	rtb_store_close(store);
	char *cmd = rtb_sprintf("rm -r %s", dir);
	int rc = system(cmd);
	free(cmd);
	return rc;
}

/* A run of the cell; build_id NULL: it failed before there was one. Returns its id. */
static int64_t put(unsigned repeat, enum rtb_status status, const char *build_id, const char *const *cases)
{
	struct rtb_error e = {0};
	struct rtb_run r = {.sweep_id = sweep, .repeat = repeat, .attempt = 1, .status = status};
	r.cell = (struct rtb_cell){rtb_strdup("board"), rtb_strdup("mini"), rtb_strdup("O2"), false};
	if (build_id)
		rtb_run_fact(&r, PROV_BUILD_ID, ORIGIN_READ, build_id);
	rtb_run_fact(&r, PROV_SAMPLES, ORIGIN_READ, "100");
	for (; *cases; cases++)
		sample_record(&r, *cases, 1, 300);
	rtb_run_find(&r, "noise", VERDICT_SUSPECT, NULL, NULL, "of the sweep as it was");
	rtb_store_put_run(store, &r, &e);
	assert_string_equal(e.text, "");
	int64_t id = r.id;
	rtb_run_free(&r);
	return id;
}

static struct rtb_past load(void)
{
	struct rtb_past p;
	struct rtb_error e = {0};
	assert_int_equal(rtb_past_load(store, sweep, &p, &e), RTB_OK);
	return p;
}

static int64_t take(struct rtb_past *p, unsigned repeat, const char *build_id, unsigned samples,
		    const char *const *cases, const char **why)
{
	struct rtb_run *r = rtb_past_take(p, &cell, repeat, build_id, samples, cases, why);
	int64_t id = r ? r->id : 0;
	if (r) {
		/* what a check over the whole sweep said is asked anew */
		assert_int_equal(r->finding_count, 0);
		assert_int_equal(r->verdict, VERDICT_TRUSTED);
		rtb_run_free(r);
		free(r);
	}
	return id;
}

static void the_newest_complete_one_stays(void **state)
{
	(void)state;
	const char *why;
	put(1, RTB_OK, "aa", both);
	int64_t newest = put(1, RTB_OK, "aa", both);
	put(1, RTB_FLASH, "aa", one);
	put(2, RTB_HANG, "aa", one);
	struct rtb_past p = load();
	assert_int_equal(rtb_past_attempts(&p, &cell, 1), 3);
	assert_int_equal(rtb_past_attempts(&p, &cell, 2), 1);
	assert_int_equal(rtb_past_attempts(&p, &cell, 3), 0);
	assert_int_equal(take(&p, 1, "aa", 100, both, &why), newest);
	assert_int_equal(take(&p, 2, "aa", 100, both, &why), 0);
	assert_null(why); /* it failed: nothing has changed */
	struct rtb_cell other = cell;
	other.instrumented = true;
	assert_int_equal(rtb_past_attempts(&p, &other, 1), 0);
	rtb_past_free(&p);
}

static void what_would_be_another_run_now_is_done_again(void **state)
{
	(void)state;
	const char *why;
	put(1, RTB_OK, "aa", one);
	struct rtb_past p = load();
	assert_int_equal(take(&p, 1, "bb", 100, one, &why), 0);
	assert_string_equal(why, "what goes into its image has changed");
	assert_int_equal(take(&p, 1, "aa", 200, one, &why), 0);
	assert_string_equal(why, "another number of samples is wanted now");
	assert_int_equal(take(&p, 1, "aa", 100, both, &why), 0);
	assert_string_equal(why, "it lacks a case that is wanted now");
	assert_int_not_equal(take(&p, 1, "aa", 100, one, &why), 0);
	assert_null(why);
	rtb_past_free(&p);
}

static void an_older_one_that_fits_is_better_than_a_newer_that_does_not(void **state)
{
	(void)state;
	const char *why;
	int64_t fits = put(1, RTB_OK, "aa", one);
	put(1, RTB_OK, "bb", one);
	struct rtb_past p = load();
	assert_int_equal(take(&p, 1, "aa", 100, one, &why), fits);
	assert_null(why);
	assert_int_equal(take(&p, 1, "aa", 100, one, &why), 0); /* once */
	rtb_past_free(&p);
}

/* Of build_id, taken afresh. */
static bool beaten(const char *build_id)
{
	const char *why;
	struct rtb_past p = load();
	struct rtb_run *r = rtb_past_take(&p, &cell, 1, build_id, 100, one, &why);
	assert_non_null(r);
	bool yes = rtb_past_beaten(&p, r);
	rtb_run_free(r);
	free(r);
	rtb_past_free(&p);
	return yes;
}

static void a_kept_one_is_beaten_until_it_stands_above_the_others(void **state)
{
	(void)state;
	struct rtb_error e = {0};
	int64_t a = put(1, RTB_OK, "aa", one), b = put(1, RTB_OK, "bb", one);
	put(2, RTB_OK, "cc", one); /* another repeat beats nothing */
	assert_true(beaten("aa"));
	assert_false(beaten("bb"));
	assert_int_equal(rtb_store_stand(store, a, &e), RTB_OK);
	assert_false(beaten("aa"));
	assert_true(beaten("bb"));
	assert_int_equal(rtb_store_stand(store, b, &e), RTB_OK);
	assert_true(beaten("aa"));
	put(1, RTB_HANG, "bb", one); /* whatever came of it */
	assert_true(beaten("bb"));
}

#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_newest_complete_one_stays), T(what_would_be_another_run_now_is_done_again),
		T(an_older_one_that_fits_is_better_than_a_newer_that_does_not),
		T(a_kept_one_is_beaten_until_it_stands_above_the_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
