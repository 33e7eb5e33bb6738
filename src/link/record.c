#include "link/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "rtbench/frame.h"

enum { NAME_CAP = 32, UNIT_CAP = 16 };

void rtb_record_free(struct rtb_record *r)
{
	free(r->case_name);
	free(r->series);
	free(r->unit);
	free(r->raw);
	rtb_hist_free(&r->hist);
	*r = (struct rtb_record){0};
}

/* A flat list of pairs: ascending keys, counts of at least 1. Calls put for each pair, in order;
 * put says false when it has reported something wrong. */
static void pairs(struct rtb_fields *f, const char *name, struct rtb_record *r,
		  bool (*put)(struct rtb_fields *f, struct rtb_record *r, int64_t key, uint64_t count))
{
	const cJSON *list = rtb_field(f, name);
	if (!list)
		return;
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) % 2 != 0) {
		rtb_fields_bad(f, "field \"%s\" is not a list of pairs", name);
		return;
	}
	bool first = true;
	int64_t before = 0;
	for (const cJSON *k = list->child; k; k = k->next->next) {
		int64_t key;
		uint64_t count;
		if (!rtb_json_i64(k, &key) || !rtb_json_u64(k->next, &count) ||
		    count == 0 || count > r->n) {
			rtb_fields_bad(f, "field \"%s\" holds what is no value and count of at most n", name);
			return;
		}
		if (!first && key <= before) {
			rtb_fields_bad(f, "field \"%s\" does not ascend at %lld", name, (long long)key);
			return;
		}
		if (!put(f, r, key, count))
			return;
		before = key;
		first = false;
	}
}

static bool put_exact(struct rtb_fields *f, struct rtb_record *r, int64_t value, uint64_t count)
{
	if (value < r->min || value - r->min >= RTB_HIST_EXACT) {
		rtb_fields_bad(f, "field \"exact\" holds %lld, outside the %d values from min %lld up",
			       (long long)value, RTB_HIST_EXACT, (long long)r->min);
		return false;
	}
	rtb_hist_add(&r->hist, value, value, count);
	return true;
}

/* A bucket that begins inside the exact window holds only what lies above the window. */
static bool put_tail(struct rtb_fields *f, struct rtb_record *r, int64_t index, uint64_t count)
{
	if (index < 0 || index >= RTB_HIST_TAIL) {
		rtb_fields_bad(f, "field \"tail\" names bucket %lld of %d", (long long)index, RTB_HIST_TAIL);
		return false;
	}
	int64_t lo = rtb_hist_low((unsigned)index), hi = (int64_t)rtb_hist_low((unsigned)index + 1) - 1;
	int64_t above = r->min + RTB_HIST_EXACT;
	if (hi < above || lo > r->max) {
		rtb_fields_bad(f, "field \"tail\" counts %lld..%lld, which min %lld and max %lld exclude",
			       (long long)lo, (long long)hi, (long long)r->min, (long long)r->max);
		return false;
	}
	rtb_hist_add(&r->hist, lo < above ? above : lo, hi < r->max ? hi : r->max, count);
	return true;
}

/* A bucket without upper or lower end gets what min and max leave of it. */
static void put_open(struct rtb_fields *f, const char *name, struct rtb_record *r, int64_t lo, int64_t hi)
{
	uint64_t count = rtb_field_u64(f, name, 0, r->n);
	if (count == 0)
		return;
	if (lo > hi)
		rtb_fields_bad(f, "field \"%s\" counts values that min %lld and max %lld exclude", name,
			       (long long)r->min, (long long)r->max);
	else
		rtb_hist_add(&r->hist, lo, hi, count);
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void histogram(struct rtb_fields *f, struct rtb_record *r)
{
	int64_t above = r->min + RTB_HIST_EXACT;
	pairs(f, "exact", r, put_exact);
	if (f->status == RTB_OK && (r->hist.count == 0 || r->hist.bin[0].lo != r->min))
		rtb_fields_bad(f, "field \"exact\" does not begin at min %lld", (long long)r->min);
	put_open(f, "neg", r, above, smaller(-1, r->max));
	pairs(f, "tail", r, put_tail);
	put_open(f, "over", r, larger(RTB_HIST_OVER, above), r->max);
	if (f->status != RTB_OK)
		return;
	uint64_t total = rtb_hist_total(&r->hist);
	const struct rtb_bin *last = &r->hist.bin[r->hist.count - 1];
	if (total != r->n)
		rtb_fields_bad(f, "the histogram counts %llu samples, n is %llu",
			       (unsigned long long)total, (unsigned long long)r->n);
	else if (r->max < last->lo || r->max > last->hi)
		rtb_fields_bad(f, "max %lld is not in the histogram's highest bin, %lld..%lld",
			       (long long)r->max, (long long)last->lo, (long long)last->hi);
	else if (!rtb_hist_sort(&r->hist))
		rtb_fields_bad(f, "the histogram's bins overlap");
}

static void figures(struct rtb_fields *f, struct rtb_record *r)
{
	/* Values are differences of 32-bit counters: far inside these limits. */
	const int64_t far = INT64_C(1) << 40;
	r->n = rtb_field_u64(f, "n", 1, UINT32_MAX);
	r->min = rtb_field_i64(f, "min", -far, far);
	r->max = rtb_field_i64(f, "max", -far, far);
	r->sum = rtb_field_i64(f, "sum", INT64_MIN, INT64_MAX);
	r->sumsq = rtb_field_u64(f, "sumsq", 0, UINT64_MAX);
	r->imax = rtb_field_u64(f, "imax", 0, UINT32_MAX);
	r->cold = rtb_field_i64(f, "cold", -far, far);
	if (f->status != RTB_OK)
		return;
	__int128 n = (__int128)r->n;
	if (r->min > r->max)
		rtb_fields_bad(f, "min %lld is above max %lld", (long long)r->min, (long long)r->max);
	else if ((__int128)r->sum < n * r->min || (__int128)r->sum > n * r->max)
		rtb_fields_bad(f, "sum %lld of %llu samples gives an average outside min %lld and max %lld",
			       (long long)r->sum, (unsigned long long)r->n, (long long)r->min,
			       (long long)r->max);
	else if (r->imax >= r->n)
		rtb_fields_bad(f, "imax %llu is no index of %llu samples", (unsigned long long)r->imax,
			       (unsigned long long)r->n);
}

void rtb_record_parse(struct rtb_fields *f, struct rtb_record *r)
{
	char name[NAME_CAP], series[NAME_CAP], unit[UNIT_CAP];
	*r = (struct rtb_record){.supported = true};
	rtb_field_text(f, "case", false, name, sizeof name);
	rtb_field_text(f, "series", true, series, sizeof series);
	rtb_field_text(f, "unit", false, unit, sizeof unit);
	r->case_version = (unsigned)rtb_field_u64(f, "ver", 1, UINT32_MAX);
	r->div = (unsigned)rtb_field_u64(f, "div", 1, UINT32_MAX);
	figures(f, r);
	r->warmup = rtb_field_u64(f, "warmup", 0, UINT64_MAX);
	r->ticks = rtb_field_u64(f, "ticks", 0, UINT64_MAX);
	r->discarded = rtb_field_u64(f, "discarded", 0, UINT64_MAX);
	r->cycles = rtb_field_u64(f, "cycles", 0, UINT64_MAX);
	r->timer = rtb_field_u64(f, "timer", 0, UINT64_MAX);
	r->check = rtb_field_reg(f, "check");
	if (f->status == RTB_OK)
		histogram(f, r);
	if (f->status != RTB_OK) {
		rtb_record_free(r);
		return;
	}
	r->case_name = rtb_strdup(name);
	r->series = rtb_strdup(series);
	r->unit = rtb_strdup(unit);
}
