/* Histogram, summary and rank test against values worked out by hand or known from tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "stats/rank.h"
#include "stats/summary.h"

static void assert_near(double a, double b) { assert_true(fabs(a - b) < 1e-9 * (1 + fabs(b))); }

static struct rtb_moments moments_of(const struct rtb_hist *h, unsigned div)
{
	struct rtb_moments m = {.n = rtb_hist_total(h), .min = h->bin[0].lo, .max = h->bin[h->count - 1].hi, .div = div};
	for (size_t i = 0; i < h->count; i++) {
		m.sum += h->bin[i].lo * (int64_t)h->bin[i].count;
		m.sumsq += (uint64_t)(h->bin[i].lo * h->bin[i].lo) * h->bin[i].count;
	}
	return m;
}

static void hist_sorts_and_joins(void **state)
{
	(void)state;
	struct rtb_hist h = {0};
	rtb_hist_add(&h, 7, 7, 1);
	rtb_hist_add(&h, 7, 7, 2);
	rtb_hist_add(&h, -4, -1, 5);
	rtb_hist_add(&h, 7, 7, 4);
	rtb_hist_add(&h, 9, 9, 0);
	assert_int_equal(rtb_hist_sort(&h), 1);
	assert_int_equal(h.count, 2);
	assert_int_equal(h.bin[0].lo, -4);
	assert_int_equal(h.bin[1].count, 7);
	assert_int_equal(rtb_hist_total(&h), 12);
	rtb_hist_add(&h, 5, 8, 1);
	assert_int_equal(rtb_hist_sort(&h), 0);
	rtb_hist_free(&h);
	assert_int_equal(rtb_hist_sort(&h), 1);
}

/* 1..100: nearest rank puts p50 at 50, p99 at 99, p99.9 at 100; trimmed drops 5 each side. */
static void summary_of_one_to_hundred(void **state)
{
	(void)state;
	struct rtb_hist h = {0};
	struct rtb_summary s;
	for (int i = 1; i <= 100; i++)
		rtb_hist_add(&h, i, i, 1);
	struct rtb_moments m = moments_of(&h, 1);
	rtb_summarise(&h, &m, INT64_MAX, &s);
	assert_near(s.f[STAT_P50].value, 50);
	assert_near(s.f[STAT_P90].value, 90);
	assert_near(s.f[STAT_P99].value, 99);
	assert_near(s.f[STAT_P999].value, 100);
	assert_near(s.f[STAT_MEAN].value, 50.5);
	assert_near(s.f[STAT_STDDEV].value, sqrt(100.0 * 101 / 12));
	assert_near(s.f[STAT_MAD].value, 25);
	assert_near(s.f[STAT_TRIMMED].value, 50.5);
	for (int k = 0; k < STAT_COUNT; k++)
		assert_int_equal(s.f[k].exactness, EXACT);
	rtb_hist_free(&h);
}

/* Every sample 3 less: places move, spreads stay, what is not known stays so. */
static void a_shift_moves_places_and_not_spreads(void **state)
{
	(void)state;
	struct rtb_hist h = {0};
	struct rtb_summary s, moved;
	rtb_hist_add(&h, 10, 10, 5);
	rtb_hist_add(&h, 20, 29, 5);
	struct rtb_moments m = moments_of(&h, 1);
	m.sumsq = UINT64_MAX;
	rtb_summarise(&h, &m, INT64_MAX, &s);
	moved = s;
	rtb_summary_shift(&moved, -3);
	for (int k = 0; k < STAT_COUNT; k++) {
		double by = k == STAT_STDDEV || k == STAT_MAD ? 0 : -3;
		assert_near(moved.f[k].value, s.f[k].value + by);
		assert_near(moved.f[k].lo, s.f[k].lo + by);
		assert_near(moved.f[k].hi, s.f[k].hi + by);
		assert_int_equal(moved.f[k].exactness, s.f[k].exactness);
	}
	rtb_hist_free(&h);
}

static void division_comes_last_and_keeps_halves(void **state)
{
	(void)state;
	struct rtb_hist h = {0};
	struct rtb_summary s;
	rtb_hist_add(&h, -3, -3, 1);
	rtb_hist_add(&h, 825, 825, 2);
	struct rtb_moments m = moments_of(&h, 2);
	rtb_summarise(&h, &m, INT64_MAX, &s);
	assert_near(s.f[STAT_MIN].value, -1.5);
	assert_near(s.f[STAT_P50].value, 412.5);
	assert_near(s.f[STAT_MEAN].value, 1647.0 / 6);
	rtb_hist_free(&h);
}

static void a_bucket_says_so_and_min_and_max_narrow_it(void **state)
{
	(void)state;
	struct rtb_hist h = {0};
	struct rtb_summary s;
	rtb_hist_add(&h, 100, 100, 90);
	rtb_hist_add(&h, 512, 527, 9);
	rtb_hist_add(&h, 262144, INT64_MAX, 1);
	struct rtb_moments m = {.n = 100, .min = 100, .max = 300000, .sum = 313000, .sumsq = UINT64_MAX, .div = 1};
	rtb_summarise(&h, &m, 262144, &s);
	assert_int_equal(s.f[STAT_P50].exactness, EXACT);
	assert_int_equal(s.f[STAT_P99].exactness, BUCKET);
	assert_near(s.f[STAT_P99].lo, 512);
	assert_near(s.f[STAT_P99].hi, 527);
	assert_int_equal(s.f[STAT_P999].exactness, BEYOND);
	assert_near(s.f[STAT_P999].hi, 300000);
	assert_int_equal(s.f[STAT_MAX].exactness, EXACT);
	assert_int_equal(s.f[STAT_STDDEV].exactness, BUCKET);
	rtb_hist_free(&h);
}

static void stddev_from_buckets_encloses_the_truth(void **state)
{
	(void)state;
	struct rtb_hist fine = {0}, coarse = {0};
	struct rtb_summary a, b;
	for (int i = 0; i < 64; i++) {
		rtb_hist_add(&fine, 1000 + i, 1000 + i, 3);
		rtb_hist_add(&coarse, 1000 + i / 8 * 8, 1007 + i / 8 * 8, 3);
	}
	struct rtb_moments m = moments_of(&fine, 1);
	rtb_summarise(&fine, &m, INT64_MAX, &a);
	m.sumsq = UINT64_MAX;
	rtb_summarise(&coarse, &m, INT64_MAX, &b);
	for (int k = STAT_STDDEV; k < STAT_COUNT; k++) {
		assert_true(b.f[k].lo <= a.f[k].value && a.f[k].value <= b.f[k].hi);
		assert_int_equal(b.f[k].exactness, BUCKET);
	}
	rtb_hist_free(&fine);
	rtb_hist_free(&coarse);
}

static void what_does_not_fit_is_unknown(void **state)
{
	(void)state;
	struct rtb_hist h = {0};
	struct rtb_summary s;
	rtb_hist_add(&h, 5, 5, 3);
	struct rtb_moments m = {.n = 4, .min = 5, .max = 5, .sum = 20, .sumsq = 100, .div = 1};
	rtb_summarise(&h, &m, INT64_MAX, &s);
	assert_int_equal(s.f[STAT_P50].exactness, UNKNOWN);
	assert_int_equal(s.f[STAT_MEAN].exactness, EXACT);
	m.n = 0;
	rtb_summarise(&h, &m, INT64_MAX, &s);
	assert_int_equal(s.f[STAT_MEAN].exactness, UNKNOWN);
	rtb_hist_free(&h);
}

static void sums_from_bins(void **state)
{
	(void)state;
	struct rtb_hist h = {0};
	int64_t lo, hi;
	double dlo, dhi;
	rtb_hist_add(&h, -5, -2, 2);
	rtb_hist_add(&h, 10, 12, 3);
	rtb_hist_sum_bounds(&h, &lo, &hi);
	assert_int_equal(lo, 20);
	assert_int_equal(hi, 32);
	rtb_hist_sumsq_bounds(&h, &dlo, &dhi);
	assert_true(dlo <= 2 * 4 + 3 * 100 && dlo > 307.9 && dhi >= 2 * 25 + 3 * 144 && dhi < 482.1);
	rtb_hist_add(&h, INT64_MAX - 1, INT64_MAX, 5);
	rtb_hist_sum_bounds(&h, &lo, &hi);
	assert_true(hi == INT64_MAX);
	rtb_hist_free(&h);
}

/* Complete separation: 2 / C(2n, n). The mixed case is counted by hand. */
static void exact_p_is_counted(void **state)
{
	(void)state;
	struct rtb_rank_test t;
	double low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10};
	rtb_rank_test(low, 5, high, 5, &t);
	assert_true(t.exact);
	assert_near(t.u, 0);
	assert_near(t.p, 2.0 / 252);
	rtb_rank_test(high, 4, low, 4, &t);
	assert_near(t.p, 2.0 / 70);
	double a[] = {1, 2, 6}, b[] = {3, 4, 5, 7};
	rtb_rank_test(a, 3, b, 4, &t);
	assert_near(t.u, 3);
	/* orders of 3 among 4 with U <= 3: 1 + 1 + 2 + 3 = 7 of 35 */
	assert_near(t.p, 14.0 / 35);
}

static void ties_are_corrected_for(void **state)
{
	(void)state;
	struct rtb_rank_test t;
	double same[] = {100, 100, 100, 100, 100}, one[] = {100, 100, 100, 100, 140};
	rtb_rank_test(same, 5, one, 5, &t);
	assert_false(t.exact);
	assert_near(t.p, erfc((fabs(10.0 - 12.5) - 0.5) / sqrt(25.0 / 12 * (11 - 720.0 / 90)) / sqrt(2)));
	assert_true(t.p > 0.3);
	rtb_rank_test(same, 5, same, 5, &t);
	assert_near(t.p, 1);
	double many[] = {101, 101, 101, 101, 101};
	rtb_rank_test(same, 5, many, 5, &t);
	assert_true(t.p < 0.05);
}

static void repeats_that_would_do(void **state)
{
	(void)state;
	assert_int_equal(rtb_rank_repeats(0.05), 4);  /* 2/70 = 0.029 */
	assert_int_equal(rtb_rank_repeats(0.01), 5);  /* 2/252 = 0.0079 */
	assert_int_equal(rtb_rank_repeats(0.5), 2);   /* 2/6 */
}

static void median_of_even_and_odd(void **state)
{
	(void)state;
	double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
	assert_near(rtb_median(odd, 3), 2);
	assert_near(rtb_median(even, 4), 2.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hist_sorts_and_joins), cmocka_unit_test(summary_of_one_to_hundred),
		cmocka_unit_test(division_comes_last_and_keeps_halves),
		cmocka_unit_test(a_shift_moves_places_and_not_spreads),
		cmocka_unit_test(a_bucket_says_so_and_min_and_max_narrow_it),
		cmocka_unit_test(stddev_from_buckets_encloses_the_truth),
		cmocka_unit_test(what_does_not_fit_is_unknown), cmocka_unit_test(sums_from_bins),
		cmocka_unit_test(exact_p_is_counted), cmocka_unit_test(ties_are_corrected_for),
		cmocka_unit_test(repeats_that_would_do), cmocka_unit_test(median_of_even_and_odd),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
