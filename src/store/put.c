/* Writing: each run in one transaction. */
#include <stdlib.h>
#include <string.h>

#include "store/codec.h"
#include "store/db.h"

enum rtb_status rtb_cell_put(struct rtb_store *s, const struct rtb_cell *c, int64_t *id, struct rtb_error *e)
{
	static const enum rtb_stmt steps[] = {ST_CELL_PUT, ST_CELL_FIND};
	for (int i = 0; i < 2; i++) {
		sqlite3_stmt *st = rtb_db_stmt(s, steps[i], e);
		if (!st)
			return e->status;
		rtb_bind_text(st, 1, c->target);
		rtb_bind_text(st, 2, c->kernel);
		rtb_bind_text(st, 3, c->opt);
		sqlite3_bind_int(st, 4, c->instrumented);
		int rc = sqlite3_step(st);
		if (rc != SQLITE_DONE && rc != SQLITE_ROW)
			return rtb_db_fail(s->db, s->path, "storing the cell", e);
		if (rc == SQLITE_ROW)
			*id = sqlite3_column_int64(st, 0);
		sqlite3_reset(st);
	}
	return RTB_OK;
}

static enum rtb_status put_run_row(struct rtb_store *s, const struct rtb_run *r, int64_t *id, struct rtb_error *e)
{
	int64_t cell = 0, set[FACTOR_COUNT];
	enum rtb_status status = rtb_cell_put(s, &r->cell, &cell, e);
	for (int i = 0; status == RTB_OK && i < FACTOR_COUNT; i++)
		status = rtb_set_put(s, r, rtb_set_order[i], &set[i], e);
	sqlite3_stmt *st = status == RTB_OK ? rtb_db_stmt(s, ST_RUN_PUT, e) : NULL;
	if (!st)
		return e->status;
	int i = 0;
	sqlite3_bind_int64(st, ++i, r->sweep_id);
	sqlite3_bind_int64(st, ++i, cell);
	sqlite3_bind_int64(st, ++i, r->repeat);
	sqlite3_bind_int64(st, ++i, r->attempt);
	sqlite3_bind_int64(st, ++i, (int64_t)r->started_ns);
	sqlite3_bind_int64(st, ++i, (int64_t)r->ended_ns);
	rtb_bind_text(st, ++i, rtb_status_word(r->status));
	rtb_bind_text(st, ++i, r->error);
	/* what did not complete cannot be trusted, and nobody should have to look at two columns */
	rtb_bind_text(st, ++i, rtb_verdict_word(r->status == RTB_OK ? r->verdict : VERDICT_REJECTED));
	const unsigned ms[] = {r->phases.build_ms, r->phases.flash_ms, r->phases.boot_ms,
			       r->phases.measure_ms, r->phases.store_ms, r->phases.wait_ms};
	for (size_t k = 0; k < sizeof ms / sizeof ms[0]; k++)
		sqlite3_bind_int64(st, ++i, ms[k]);
	for (size_t k = 0; k < FACTOR_COUNT; k++)
		sqlite3_bind_int64(st, ++i, set[k]);
	char *uid = rtb_new_uid();
	rtb_bind_text(st, ++i, uid);
	status = rtb_db_run(s, st, "storing the run", e);
	free(uid);
	*id = sqlite3_last_insert_rowid(s->db);
	return status;
}

/* The columns worked out when storing: value and half the bucket's width of each percentile,
 * then the four that describe the whole. */
static void bind_figures(sqlite3_stmt *st, int at, const struct rtb_summary *sum)
{
	static const enum rtb_stat percentiles[] = {STAT_P50, STAT_P90, STAT_P99, STAT_P999};
	static const enum rtb_stat wholes[] = {STAT_MEAN, STAT_STDDEV, STAT_MAD, STAT_TRIMMED};
	for (int k = 0; k < 4; k++) {
		const struct rtb_figure *p = &sum->f[percentiles[k]], *w = &sum->f[wholes[k]];
		if (p->exactness != UNKNOWN) {
			sqlite3_bind_double(st, at + k, p->value);
			sqlite3_bind_double(st, at + 4 + k, (p->hi - p->lo) / 2);
		}
		if (w->exactness != UNKNOWN)
			sqlite3_bind_double(st, at + 8 + k, w->value);
	}
}

/* Nothing of the figures for an unsupported case: NULL is not zero. */
static void bind_measured(sqlite3_stmt *st, int at, const struct rtb_record *d, double overhead,
			  struct rtb_buf *hist, struct rtb_buf *raw)
{
	const int64_t plain[] = {(int64_t)d->n, d->min, d->max, d->sum};
	for (size_t k = 0; k < 4; k++)
		sqlite3_bind_int64(st, at++, plain[k]);
	if (d->sumsq <= INT64_MAX)
		sqlite3_bind_int64(st, at, (int64_t)d->sumsq);
	at++;
	const int64_t more[] = {(int64_t)d->imax, d->cold, (int64_t)d->warmup, (int64_t)d->ticks,
				(int64_t)d->discarded, (int64_t)d->check, (int64_t)d->cycles,
				(int64_t)d->timer};
	for (size_t k = 0; k < 8; k++)
		sqlite3_bind_int64(st, at++, more[k]);
	rtb_pack_hist(&d->hist, hist);
	sqlite3_bind_blob64(st, at++, hist->data ? hist->data : "", hist->len, SQLITE_STATIC);
	if (d->raw) {
		rtb_pack_raw(d->raw, d->raw_count, raw);
		sqlite3_bind_blob64(st, at, raw->data ? raw->data : "", raw->len, SQLITE_STATIC);
	}
	at++;
	struct rtb_summary sum;
	rtb_record_summary(d, &sum);
	bind_figures(st, at, &sum);
	sqlite3_bind_double(st, at + 12, overhead);
}

static enum rtb_status put_record(struct rtb_store *s, int64_t run, const struct rtb_record *d, double overhead,
				  struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_RECORD_PUT, e);
	if (!st)
		return e->status;
	struct rtb_buf hist = {0}, raw = {0};
	int i = 0;
	sqlite3_bind_int64(st, ++i, run);
	rtb_bind_text(st, ++i, d->case_name);
	rtb_bind_text(st, ++i, d->series ? d->series : "");
	sqlite3_bind_int64(st, ++i, d->case_version);
	rtb_bind_text(st, ++i, d->unit ? d->unit : "");
	sqlite3_bind_int64(st, ++i, d->div ? d->div : 1);
	sqlite3_bind_int(st, ++i, d->supported);
	if (d->supported)
		bind_measured(st, ++i, d, overhead, &hist, &raw);
	enum rtb_status status = rtb_db_run(s, st, "storing a record", e);
	rtb_buf_free(&hist);
	rtb_buf_free(&raw);
	return status;
}

static enum rtb_status put_stack(struct rtb_store *s, int64_t run, const struct rtb_stack_mark *m, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_STACK_PUT, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, run);
	rtb_bind_text(st, 2, m->task);
	sqlite3_bind_int64(st, 3, m->bytes);
	sqlite3_bind_int64(st, 4, m->used);
	sqlite3_bind_int(st, 5, m->touched);
	return rtb_db_run(s, st, "storing a stack mark", e);
}

static enum rtb_status put_footprint(struct rtb_store *s, int64_t run, const struct rtb_footprint *p, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_FOOTPRINT_PUT, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, run);
	rtb_bind_text(st, 2, p->part);
	sqlite3_bind_int64(st, 3, p->flash);
	sqlite3_bind_int64(st, 4, p->ram);
	return rtb_db_run(s, st, "storing the footprint", e);
}

static enum rtb_status put_finding(struct rtb_store *s, int64_t run, const struct rtb_finding *f, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_FINDING_PUT, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, run);
	rtb_bind_text(st, 2, f->check);
	rtb_bind_text(st, 3, rtb_verdict_word(f->severity));
	rtb_bind_text(st, 4, f->case_name);
	rtb_bind_text(st, 5, f->series);
	rtb_bind_text(st, 6, f->reason);
	return rtb_db_run(s, st, "storing a finding", e);
}

static enum rtb_status put_log(struct rtb_store *s, int64_t run, const char *kind, const char *text,
			       size_t n, struct rtb_error *e)
{
	if (!text)
		return RTB_OK;
	sqlite3_stmt *st = rtb_db_stmt(s, ST_LOG_PUT, e);
	if (!st)
		return e->status;
	struct rtb_buf packed = {0};
	size_t cut;
	rtb_pack_log(text, n, &packed, &cut);
	sqlite3_bind_int64(st, 1, run);
	rtb_bind_text(st, 2, kind);
	sqlite3_bind_int64(st, 3, (int64_t)n);
	sqlite3_bind_int64(st, 4, (int64_t)cut);
	sqlite3_bind_blob64(st, 5, packed.data, packed.len, SQLITE_STATIC);
	enum rtb_status status = rtb_db_run(s, st, "storing a log", e);
	rtb_buf_free(&packed);
	return status;
}

static enum rtb_status put_logs(struct rtb_store *s, int64_t run, const struct rtb_run *r, struct rtb_error *e)
{
	enum rtb_status status = put_log(s, run, "openocd", r->openocd_log,
					 r->openocd_log ? strlen(r->openocd_log) : 0, e);
	if (status == RTB_OK)
		status = put_log(s, run, "serial", r->serial_log, r->serial_log_len, e);
	if (status == RTB_OK)
		status = put_log(s, run, "build", r->build_log, r->build_log ? strlen(r->build_log) : 0, e);
	return status;
}

static enum rtb_status put_all(struct rtb_store *s, const struct rtb_run *r, int64_t *id, struct rtb_error *e)
{
	enum rtb_status status = put_run_row(s, r, id, e);
	for (size_t i = 0; status == RTB_OK && i < r->record_count; i++)
		status = put_record(s, *id, &r->records[i], rtb_record_overhead(r, &r->records[i]), e);
	for (size_t i = 0; status == RTB_OK && i < r->stack_count; i++)
		status = put_stack(s, *id, &r->stacks[i], e);
	for (size_t i = 0; status == RTB_OK && i < r->footprint_count; i++)
		status = put_footprint(s, *id, &r->footprint[i], e);
	for (size_t i = 0; status == RTB_OK && i < r->finding_count; i++)
		status = put_finding(s, *id, &r->findings[i], e);
	return status == RTB_OK ? put_logs(s, *id, r, e) : status;
}

enum rtb_status rtb_store_put_run(struct rtb_store *s, struct rtb_run *run, struct rtb_error *e)
{
	int64_t id = 0;
	enum rtb_status status = rtb_db_begin(s, e);
	if (status == RTB_OK)
		status = put_all(s, run, &id, e);
	if (status == RTB_OK)
		status = rtb_db_commit(s, e);
	if (status == RTB_OK)
		run->id = id;
	rtb_db_rollback(s->db);
	return status;
}

enum rtb_status rtb_store_store_ms(struct rtb_store *s, struct rtb_run *const *runs, size_t n, struct rtb_error *e)
{
	enum rtb_status status = rtb_db_begin(s, e);
	for (size_t i = 0; status == RTB_OK && i < n; i++) {
		sqlite3_stmt *st = rtb_db_stmt(s, ST_RUN_STORE_MS, e);
		if (!st)
			return e->status;
		sqlite3_bind_int64(st, 1, runs[i]->phases.store_ms);
		sqlite3_bind_int64(st, 2, runs[i]->id);
		status = rtb_db_run(s, st, "storing how long storing took", e);
	}
	return status == RTB_OK ? rtb_db_commit(s, e) : status;
}

enum rtb_status rtb_store_stand(struct rtb_store *s, int64_t run, struct rtb_error *e)
{
	enum rtb_status status = rtb_db_begin(s, e);
	sqlite3_stmt *st = status == RTB_OK ? rtb_db_stmt(s, ST_RUN_STAND, e) : NULL;
	if (st) {
		sqlite3_bind_int64(st, 1, run);
		status = rtb_db_run(s, st, "keeping a run", e);
	}
	if (st && status == RTB_OK)
		status = rtb_db_commit(s, e);
	rtb_db_rollback(s->db);
	return st ? status : e->status;
}

static enum rtb_status judge(struct rtb_store *s, const struct rtb_run *run, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_FINDINGS_DROP, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, run->id);
	enum rtb_status status = rtb_db_run(s, st, "judging a run", e);
	for (size_t i = 0; status == RTB_OK && i < run->finding_count; i++)
		status = put_finding(s, run->id, &run->findings[i], e);
	st = status == RTB_OK ? rtb_db_stmt(s, ST_RUN_JUDGE, e) : NULL;
	if (!st)
		return e->status;
	rtb_bind_text(st, 1, rtb_verdict_word(run->verdict));
	sqlite3_bind_int64(st, 2, run->id);
	return rtb_db_run(s, st, "judging a run", e);
}

enum rtb_status rtb_store_judge(struct rtb_store *s, const struct rtb_run *run, struct rtb_error *e)
{
	enum rtb_status status = rtb_db_begin(s, e);
	if (status == RTB_OK)
		status = judge(s, run, e);
	if (status == RTB_OK)
		status = rtb_db_commit(s, e);
	rtb_db_rollback(s->db);
	return status;
}
