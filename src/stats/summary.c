#include "stats/summary.h"

#include <math.h>
#include <string.h>

static const char *const words[STAT_COUNT] = {
	[STAT_MIN] = "min", [STAT_P50] = "p50", [STAT_P90] = "p90", [STAT_P99] = "p99",
	[STAT_P999] = "p99.9", [STAT_MAX] = "max", [STAT_MEAN] = "avg", [STAT_STDDEV] = "stddev",
	[STAT_MAD] = "mad", [STAT_TRIMMED] = "tmean5",
};

const char *rtb_stat_word(enum rtb_stat s)
{
	return (unsigned)s < STAT_COUNT ? words[s] : "unknown";
}

enum rtb_stat rtb_stat_from_word(const char *word)
{
	if (strcmp(word, "median") == 0)
		return STAT_P50;
	if (strcmp(word, "mean") == 0)
		return STAT_MEAN;
	if (strcmp(word, "p999") == 0)
		return STAT_P999;
	for (int s = 0; s < STAT_COUNT; s++)
		if (strcmp(words[s], word) == 0)
			return (enum rtb_stat)s;
	return STAT_COUNT;
}

/* A figure whose raw value lies in lo..hi. */
static struct rtb_figure between(double lo, double hi, unsigned div, enum rtb_exactness when_wide)
{
	struct rtb_figure f = {(lo + hi) / 2 / div, lo / div, hi / div, lo == hi ? EXACT : when_wide};
	return f;
}

static struct rtb_figure percentile(const struct rtb_hist *h, const struct rtb_moments *m,
				    unsigned permille, int64_t over)
{
	/* ceil(n * p), without leaving the integers */
	uint64_t rank = (uint64_t)(((unsigned __int128)m->n * permille + 999) / 1000);
	uint64_t seen = 0;
	for (size_t i = 0; i < h->count; i++) {
		seen += h->bin[i].count;
		if (seen < rank)
			continue;
		/* min and max are exact, so they may narrow the bin at either end */
		int64_t lo = h->bin[i].lo < m->min ? m->min : h->bin[i].lo;
		int64_t hi = h->bin[i].hi > m->max ? m->max : h->bin[i].hi;
		return between((double)lo, (double)hi, m->div, h->bin[i].lo >= over ? BEYOND : BUCKET);
	}
	return (struct rtb_figure){0, 0, 0, UNKNOWN};
}

/* From the exact sums where they are there: n * sumsq - sum^2 without rounding. */
static struct rtb_figure stddev(const struct rtb_hist *h, const struct rtb_moments *m)
{
	if (m->n < 2)
		return between(0, 0, m->div, EXACT);
	double n = (double)m->n;
	if (m->sumsq != UINT64_MAX) {
		unsigned __int128 a = (unsigned __int128)m->n * m->sumsq;
		unsigned __int128 abs_sum = m->sum < 0 ? -(unsigned __int128)m->sum : (unsigned __int128)m->sum;
		unsigned __int128 b = abs_sum * abs_sum;
		double d = a > b ? sqrt((double)(a - b) / n / (n - 1)) : 0;
		return between(d, d, m->div, EXACT);
	}
	double mean = (double)m->sum / n, ss = 0, half = 0;
	for (size_t i = 0; i < h->count; i++) {
		double mid = ((double)h->bin[i].lo + (double)h->bin[i].hi) / 2 - mean;
		double width = ((double)h->bin[i].hi - (double)h->bin[i].lo) / 2;
		ss += mid * mid * (double)h->bin[i].count;
		half += width * width * (double)h->bin[i].count;
	}
	/* triangle inequality: the true vector is at most sqrt(half) away from the middles */
	double d = sqrt(ss / (n - 1)), slack = sqrt(half / (n - 1));
	return between(d > slack ? d - slack : 0, d + slack, m->div, BUCKET);
}

/* Summed as n * |n * 2x - 2 * sum|, whole numbers that long double holds exactly for any sane
 * record, so that the result has the rounding of one division only. */
static struct rtb_figure mad(const struct rtb_hist *h, const struct rtb_moments *m)
{
	long double n = (long double)m->n, sum = 0, slack = 0;
	for (size_t i = 0; i < h->count; i++) {
		long double lo = (long double)h->bin[i].lo, hi = (long double)h->bin[i].hi;
		sum += fabsl(n * (lo + hi) - 2 * (long double)m->sum) * (long double)h->bin[i].count;
		slack += n * (hi - lo) * (long double)h->bin[i].count;
	}
	double lo = (double)((sum - slack) / (2 * n * n));
	return between(lo > 0 ? lo : 0, (double)((sum + slack) / (2 * n * n)), m->div, BUCKET);
}

static struct rtb_figure trimmed(const struct rtb_hist *h, const struct rtb_moments *m)
{
	uint64_t cut = m->n / 20, from = cut, to = m->n - cut, at = 0;
	double lo = 0, hi = 0;
	for (size_t i = 0; i < h->count; i++) {
		uint64_t begin = at, end = at + h->bin[i].count;
		at = end;
		begin = begin < from ? from : begin;
		end = end > to ? to : end;
		if (begin >= end)
			continue;
		lo += (double)h->bin[i].lo * (double)(end - begin);
		hi += (double)h->bin[i].hi * (double)(end - begin);
	}
	double kept = (double)(to - from);
	return between(lo / kept, hi / kept, m->div, BUCKET);
}

void rtb_summarise(const struct rtb_hist *h, const struct rtb_moments *m, int64_t over,
		   struct rtb_summary *out)
{
	*out = (struct rtb_summary){.n = m->n};
	for (int s = 0; s < STAT_COUNT; s++)
		out->f[s].exactness = UNKNOWN;
	if (m->n == 0 || m->div == 0)
		return;
	double mean = (double)m->sum / (double)m->n;
	out->f[STAT_MIN] = between((double)m->min, (double)m->min, m->div, EXACT);
	out->f[STAT_MAX] = between((double)m->max, (double)m->max, m->div, EXACT);
	out->f[STAT_MEAN] = between(mean, mean, m->div, EXACT);
	bool fits = rtb_hist_total(h) == m->n;
	if (m->sumsq != UINT64_MAX || fits)
		out->f[STAT_STDDEV] = stddev(h, m);
	if (!fits)
		return;
	out->f[STAT_P50] = percentile(h, m, 500, over);
	out->f[STAT_P90] = percentile(h, m, 900, over);
	out->f[STAT_P99] = percentile(h, m, 990, over);
	out->f[STAT_P999] = percentile(h, m, 999, over);
	out->f[STAT_MAD] = mad(h, m);
	out->f[STAT_TRIMMED] = trimmed(h, m);
}

void rtb_summary_shift(struct rtb_summary *s, double by)
{
	for (int k = 0; k < STAT_COUNT; k++) {
		if (k == STAT_STDDEV || k == STAT_MAD || s->f[k].exactness == UNKNOWN)
			continue;
		s->f[k].value += by;
		s->f[k].lo += by;
		s->f[k].hi += by;
	}
}

static int64_t saturate(__int128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

void rtb_hist_sum_bounds(const struct rtb_hist *h, int64_t *lo, int64_t *hi)
{
	__int128 a = 0, b = 0;
	for (size_t i = 0; i < h->count; i++) {
		a += (__int128)h->bin[i].lo * h->bin[i].count;
		b += (__int128)h->bin[i].hi * h->bin[i].count;
	}
	*lo = saturate(a);
	*hi = saturate(b);
}

void rtb_hist_sumsq_bounds(const struct rtb_hist *h, double *lo, double *hi)
{
	*lo = *hi = 0;
	for (size_t i = 0; i < h->count; i++) {
		double l = (double)h->bin[i].lo, u = (double)h->bin[i].hi, n = (double)h->bin[i].count;
		double small = l > 0 ? l : u < 0 ? u : 0;
		double large = fabs(l) > fabs(u) ? l : u;
		*lo += small * small * n;
		*hi += large * large * n;
	}
	*lo *= 1 - 1e-12;
	*hi *= 1 + 1e-12;
}
