/* What SQLite cannot see: a flipped bit in a number leaves a sound file. Histogram and sums of a
 * record say the same thing twice, and logs and blobs are packed, so most such bits show. */
#include "store/db.h"

/* Whether the sum is one that samples of this histogram can have. */
static bool sum_fits(const struct rtb_record *d)
{
	__int128 lo = 0, hi = 0;
	for (size_t i = 0; i < d->hist.count; i++) {
		lo += (__int128)d->hist.bin[i].lo * d->hist.bin[i].count;
		hi += (__int128)d->hist.bin[i].hi * d->hist.bin[i].count;
	}
	return lo <= d->sum && d->sum <= hi;
}

static bool agrees(const struct rtb_record *d)
{
	if (!d->supported)
		return true;
	if (d->div < 1 || rtb_hist_total(&d->hist) != d->n)
		return false;
	if (d->n == 0)
		return true;
	const struct rtb_bin *first = &d->hist.bin[0], *last = &d->hist.bin[d->hist.count - 1];
	return first->lo <= d->min && d->min <= first->hi && last->lo <= d->max && d->max <= last->hi && sum_fits(d);
}

static enum rtb_status look(void *ctx, struct rtb_run *r, struct rtb_error *e)
{
	const struct rtb_store *s = ctx;
	for (size_t i = 0; i < r->record_count; i++)
		if (!agrees(&r->records[i]))
			return rtb_fail(e, RTB_STORE_DAMAGED, "%s: run %lld: the figures of %s do not agree with their "
					"histogram", s->path, (long long)r->id, r->records[i].case_name);
	return RTB_OK;
}

/* The columns that were worked out when storing, for those who read them with SQL. */
static const char odd_columns[] =
	"SELECT 'of run ' || run_id || ', ' || case_name FROM record WHERE supported AND n > 0 AND NOT ("
	" abs(mean - CAST(sum AS REAL) / n / div) <= 1e-6 * (1 + abs(mean))"
	" AND ifnull(p50, mean) BETWEEN min * 1.0 / div - p50_err AND max * 1.0 / div + p50_err"
	" AND ifnull(p999, p50) BETWEEN p50 - p50_err - p999_err AND max * 1.0 / div + p999_err) LIMIT 1";

enum rtb_status rtb_verify_runs(struct rtb_store *s, struct rtb_error *e)
{
	struct rtb_run_query all = {.instrumented = -1, .with_logs = true, .with_records = true};
	enum rtb_status status = rtb_store_runs(s, &all, look, s, e);
	return status == RTB_OK ? rtb_db_pragma_ok(s->db, s->path, odd_columns, "figures do not agree with each other", e)
				: status;
}
