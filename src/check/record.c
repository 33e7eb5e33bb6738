/* Questions about the figures themselves. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "check/checks.h"

/* A case unknown to this program is judged as the difference of two reads, the strictest. */
static bool is_span(const struct rtb_record *d)
{
	enum rtb_timing timing;
	return !rtb_case_timing(d->case_name, &timing) || timing == RTB_TIMING_SPAN;
}

static bool in_cycles(const struct rtb_record *d)
{
	return d->supported && d->n > 0 && d->unit && strcmp(d->unit, "cycles") == 0;
}

void rtb_check_counter_runs(struct rtb_run *r)
{
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		if (!in_cycles(d) || (d->cycles == 0 && d->timer == 0))
			continue;
		double gap = (double)d->cycles - (double)d->timer;
		if (fabs(gap) > (double)d->timer / 100)
			FOUND_IN(r, d, "counter_runs", VERDICT_SUSPECT,
				 "%" PRIu64 " cycles counted while the timer saw %" PRIu64, d->cycles, d->timer);
	}
}

void rtb_check_counter_wrap(struct rtb_run *r)
{
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		if (in_cycles(d) && (d->max >= INT64_C(1) << 31 || d->min <= -(INT64_C(1) << 30)))
			FOUND_IN(r, d, "counter_wrap", VERDICT_REJECTED, "samples from %" PRId64 " to %" PRId64
				 " do not fit a 32-bit counter", d->min, d->max);
	}
}

void rtb_check_below_cost(struct rtb_run *r)
{
	double cost;
	if (!rtb_fact_number(r, PROV_READ_COST, &cost))
		cost = 0;
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		if (!in_cycles(d) || !is_span(d))
			continue;
		if ((double)d->min <= cost)
			FOUND_IN(r, d, "below_cost", VERDICT_REJECTED,
				 "the smallest sample is %" PRId64 " cycles, reading the counter alone costs %.0f",
				 d->min, cost);
	}
}

/* Why the record contradicts itself, or NULL. */
static const char *contradiction(const struct rtb_record *d)
{
	int64_t lo, hi;
	double dlo, dhi, n = (double)d->n, sum = (double)d->sum;
	if (d->n == 0)
		return "no samples";
	if (d->min > d->max)
		return "min above max";
	/* in integers: min * n <= sum <= max * n */
	if ((__int128)d->min * (__int128)d->n > d->sum || (__int128)d->max * (__int128)d->n < d->sum)
		return "the average lies outside min and max";
	if (d->imax >= d->n)
		return "the index of the maximum is not below n";
	if (rtb_hist_total(&d->hist) != d->n)
		return "the histogram counts another number of samples";
	const struct rtb_bin *first = &d->hist.bin[0], *last = &d->hist.bin[d->hist.count - 1];
	if (d->min < first->lo || d->min > first->hi || d->max < last->lo || d->max > last->hi)
		return "min or max lies outside the histogram";
	rtb_hist_sum_bounds(&d->hist, &lo, &hi);
	if (d->sum < lo || d->sum > hi)
		return "the sum is not one that the histogram allows";
	if (d->sumsq == UINT64_MAX)
		return NULL;
	rtb_hist_sumsq_bounds(&d->hist, &dlo, &dhi);
	if ((double)d->sumsq < dlo || (double)d->sumsq > dhi)
		return "the sum of squares is not one that the histogram allows";
	if ((double)d->sumsq * n < sum * sum * (1 - 1e-12))
		return "the sum of squares is too small for the sum";
	return NULL;
}

void rtb_check_order(struct rtb_run *r)
{
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		const char *why = d->supported ? contradiction(d) : NULL;
		if (why)
			FOUND_IN(r, d, "order", VERDICT_REJECTED, "%s", why);
	}
}

void rtb_check_few_samples(struct rtb_run *r)
{
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		if (d->supported && d->n > 0 && d->n < 100 && strcmp(d->case_name, "calibrate") != 0)
			FOUND_IN(r, d, "few_samples", VERDICT_SUSPECT, "only %" PRIu64 " samples", d->n);
	}
}

void rtb_check_discarded(struct rtb_run *r)
{
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		if (d->supported && d->discarded > (d->n + d->discarded) / 100)
			FOUND_IN(r, d, "discarded", VERDICT_SUSPECT, "%" PRIu64 " of %" PRIu64
				 " samples were thrown out", d->discarded, d->n + d->discarded);
	}
}

/* Ticks counted against ticks due by the second timer, which no sleep stops. Calibration runs
 * without a kernel. */
void rtb_check_tickless(struct rtb_run *r)
{
	double hz, tick;
	if (rtb_fact_is(r, PROV_TICKLESS, "yes"))
		FOUND(r, "tickless", VERDICT_SUSPECT, "the kernel's configuration lets it stop its tick");
	if (!rtb_fact_number(r, PROV_CLOCK_SET, &hz) && !rtb_fact_number(r, PROV_CLOCK_DECLARED, &hz))
		return;
	/* as SysTick is set: whether that is the rate wanted is the question of "tick_rate" */
	if (!rtb_fact_number(r, PROV_TICK_SET, &tick) || tick <= 0 || hz <= 0)
		return;
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		if (!d->supported || d->timer == 0 || strcmp(d->case_name, "calibrate") == 0)
			continue;
		double due = (double)d->timer * tick / hz;
		if (fabs((double)d->ticks - due) > 2 + due / 100)
			FOUND_IN(r, d, "tickless", VERDICT_SUSPECT, "%" PRIu64 " ticks came where %.1f were due", d->ticks,
				 due);
	}
}

/* Samples in bins that touch k periods +- 1 %, k = 1, 2, 3. */
static uint64_t near_ticks(const struct rtb_hist *h, double period)
{
	uint64_t count = 0;
	for (size_t i = 0; i < h->count; i++)
		for (int k = 1; k <= 3; k++)
			if ((double)h->bin[i].lo <= k * period * 1.01 && (double)h->bin[i].hi >= k * period * 0.99) {
				count += h->bin[i].count;
				break;
			}
	return count;
}

void rtb_check_tick_phase(struct rtb_run *r)
{
	double hz, tick;
	if (!rtb_fact_number(r, PROV_CLOCK_SET, &hz) && !rtb_fact_number(r, PROV_CLOCK_DECLARED, &hz))
		return;
	if (!rtb_fact_number(r, PROV_TICK_HZ, &tick) || tick <= 0)
		return;
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		if (!in_cycles(d))
			continue;
		uint64_t near = near_ticks(&d->hist, hz / tick);
		if (near > d->n / 1000)
			FOUND_IN(r, d, "tick_phase", VERDICT_SUSPECT,
				 "%" PRIu64 " of %" PRIu64 " samples lie near whole tick periods (%.0f cycles)",
				 near, d->n, hz / tick);
	}
}

void rtb_check_outlier(struct rtb_run *r)
{
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		struct rtb_summary s;
		if (!d->supported || d->n == 0)
			continue;
		rtb_record_summary(d, &s);
		double p999 = s.f[STAT_P999].hi, max = s.f[STAT_MAX].value;
		if (s.f[STAT_P999].exactness != UNKNOWN && max > 4 * p999 && max - p999 > 1000)
			FOUND_IN(r, d, "outlier", VERDICT_SUSPECT, "max %.0f against p99.9 %.0f, at sample %" PRIu64,
				 max, p999, d->imax);
	}
}
