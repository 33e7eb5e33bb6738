/* summary.h - what a histogram and the sums beside it say: mean, spread, percentiles, and how
 * exactly each is known. Numbers only.
 *
 * Samples are raw (a round trip of two switches, say); every figure is sample / div. The
 * division is done last and in double, so a half of a cycle stays a half.
 */
#ifndef RTB_STATS_SUMMARY_H
#define RTB_STATS_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "stats/hist.h"

/* What is known besides the histogram, in raw samples. */
struct rtb_moments {
	uint64_t n;
	int64_t min, max, sum;
	uint64_t sumsq;   /* UINT64_MAX: overflowed, do not use */
	unsigned div;     /* >= 1 */
};

enum rtb_exactness {
	EXACT,            /* value is the figure */
	BUCKET,           /* the figure lies in lo..hi; value is the middle */
	BEYOND,           /* as BUCKET, but the bucket is the open one above the histogram's reach:
	                   * lo..hi spans from its limit to the maximum */
	UNKNOWN,          /* no samples, or a histogram that does not fit them */
};

struct rtb_figure {
	double value, lo, hi; /* in the record's unit, divided; lo == hi == value when EXACT */
	enum rtb_exactness exactness;
};

enum rtb_stat { STAT_MIN, STAT_P50, STAT_P90, STAT_P99, STAT_P999, STAT_MAX, STAT_MEAN, STAT_STDDEV,
		STAT_MAD, STAT_TRIMMED, STAT_COUNT };

struct rtb_summary {
	uint64_t n;
	struct rtb_figure f[STAT_COUNT];
};

/* "min" "p50" "p90" "p99" "p99.9" "max" "avg" "stddev" "mad" "tmean5". Static. */
const char *rtb_stat_word(enum rtb_stat s);
/* Also takes "median", "mean", "p999". STAT_COUNT when there is none such. */
enum rtb_stat rtb_stat_from_word(const char *word);

/* over: first value of the histogram's open bucket (RTB_HIST_OVER); INT64_MAX when it has none.
 * Percentiles by nearest rank: the smallest value with at least p * n samples at or below it.
 * STDDEV divides by n - 1; MAD is the mean absolute deviation from the mean; TRIMMED drops
 * floor(n / 20) samples at each end. A bin that is an interval makes them BUCKET. */
void rtb_summarise(const struct rtb_hist *h, const struct rtb_moments *m, int64_t over,
		   struct rtb_summary *out);

/* Adds the same to every sample: locations move, spreads (STDDEV, MAD) stay. */
void rtb_summary_shift(struct rtb_summary *s, double by);

/* Smallest and largest sum that the histogram's bins allow; each saturates at the int64 range. */
void rtb_hist_sum_bounds(const struct rtb_hist *h, int64_t *lo, int64_t *hi);
/* The same for the sum of squares, as double (bounds, widened by rounding: 1e-12). */
void rtb_hist_sumsq_bounds(const struct rtb_hist *h, double *lo, double *hi);

#endif
