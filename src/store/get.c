/* Reading: runs one at a time, so that memory does not grow with the database. */
#include <stdlib.h>
#include <string.h>

#include "store/codec.h"
#include "store/db.h"

/* What goes wrong in reading a child table of a run. */
static enum rtb_status end_of(struct rtb_store *s, sqlite3_stmt *st, int rc, struct rtb_error *e)
{
	enum rtb_status status = rc == SQLITE_DONE ? RTB_OK : rtb_db_fail(s->db, s->path, "reading a run", e);
	sqlite3_reset(st);
	return status;
}

static enum rtb_status damaged(struct rtb_store *s, sqlite3_stmt *st, int64_t run, const char *what,
			       struct rtb_error *e)
{
	sqlite3_reset(st);
	return rtb_fail(e, RTB_STORE_DAMAGED, "%s: run %lld: %s is damaged", s->path, (long long)run, what);
}

static void read_figures(sqlite3_stmt *st, struct rtb_record *d)
{
	d->n = (uint64_t)sqlite3_column_int64(st, 6);
	d->min = sqlite3_column_int64(st, 7);
	d->max = sqlite3_column_int64(st, 8);
	d->sum = sqlite3_column_int64(st, 9);
	d->sumsq = sqlite3_column_type(st, 10) == SQLITE_NULL ? UINT64_MAX : (uint64_t)sqlite3_column_int64(st, 10);
	d->imax = (uint64_t)sqlite3_column_int64(st, 11);
	d->cold = sqlite3_column_int64(st, 12);
	d->warmup = (uint64_t)sqlite3_column_int64(st, 13);
	d->ticks = (uint64_t)sqlite3_column_int64(st, 14);
	d->discarded = (uint64_t)sqlite3_column_int64(st, 15);
	d->check = (uint64_t)sqlite3_column_int64(st, 16);
	d->cycles = (uint64_t)sqlite3_column_int64(st, 17);
	d->timer = (uint64_t)sqlite3_column_int64(st, 18);
}

static enum rtb_status read_records(struct rtb_store *s, const char *case_name, struct rtb_run *r, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_RECORDS, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, r->id);
	rtb_bind_text(st, 2, case_name);
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct rtb_record *d = rtb_run_add_record(r);
		d->case_name = rtb_col_dup(st, 0);
		d->series = rtb_col_dup(st, 1);
		d->case_version = (unsigned)sqlite3_column_int64(st, 2);
		d->unit = rtb_col_dup(st, 3);
		d->div = (unsigned)sqlite3_column_int64(st, 4);
		d->supported = sqlite3_column_int(st, 5);
		if (!d->supported)
			continue;
		read_figures(st, d);
		const void *blob = sqlite3_column_blob(st, 19);
		if (!rtb_unpack_hist(blob, (size_t)sqlite3_column_bytes(st, 19), &d->hist))
			return damaged(s, st, r->id, "a histogram", e);
		if (sqlite3_column_type(st, 20) == SQLITE_NULL)
			continue;
		blob = sqlite3_column_blob(st, 20);
		if (!rtb_unpack_raw(blob, (size_t)sqlite3_column_bytes(st, 20), &d->raw, &d->raw_count))
			return damaged(s, st, r->id, "a list of raw samples", e);
	}
	return end_of(s, st, rc, e);
}

static enum rtb_status read_stacks(struct rtb_store *s, struct rtb_run *r, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_STACKS, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, r->id);
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct rtb_stack_mark *m = rtb_run_add_stack(r);
		m->task = rtb_col_dup(st, 0);
		m->bytes = (unsigned)sqlite3_column_int64(st, 1);
		m->used = (unsigned)sqlite3_column_int64(st, 2);
		m->touched = sqlite3_column_int(st, 3);
	}
	return end_of(s, st, rc, e);
}

static enum rtb_status read_footprint(struct rtb_store *s, struct rtb_run *r, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_FOOTPRINT, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, r->id);
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct rtb_footprint *p = rtb_run_add_footprint(r);
		p->part = rtb_col_dup(st, 0);
		p->flash = (uint32_t)sqlite3_column_int64(st, 1);
		p->ram = (uint32_t)sqlite3_column_int64(st, 2);
	}
	return end_of(s, st, rc, e);
}

static enum rtb_verdict verdict_from(const char *word)
{
	for (int v = 0; v < VERDICT_COUNT; v++)
		if (word && strcmp(rtb_verdict_word((enum rtb_verdict)v), word) == 0)
			return (enum rtb_verdict)v;
	return VERDICT_REJECTED; /* a word from a newer program: not to be trusted blindly */
}

static enum rtb_status read_findings(struct rtb_store *s, struct rtb_run *r, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_FINDINGS, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, r->id);
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW)
		rtb_run_find(r, (const char *)sqlite3_column_text(st, 0),
			     verdict_from((const char *)sqlite3_column_text(st, 1)),
			     (const char *)sqlite3_column_text(st, 2), (const char *)sqlite3_column_text(st, 3),
			     "%s", (const char *)sqlite3_column_text(st, 4));
	return end_of(s, st, rc, e);
}

static enum rtb_status read_logs(struct rtb_store *s, struct rtb_run *r, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_LOGS, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, r->id);
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *kind = (const char *)sqlite3_column_text(st, 0);
		struct rtb_buf text = {0};
		const void *packed = sqlite3_column_blob(st, 3);
		if (!rtb_unpack_log(packed, (size_t)sqlite3_column_bytes(st, 3),
				    (size_t)sqlite3_column_int64(st, 1), (size_t)sqlite3_column_int64(st, 2), &text))
			return damaged(s, st, r->id, "a log", e);
		if (!text.data)
			rtb_buf_str(&text, "");
		if (strcmp(kind, "openocd") == 0) {
			r->openocd_log = text.data;
		} else if (strcmp(kind, "build") == 0) {
			r->build_log = text.data;
		} else if (strcmp(kind, "serial") == 0) {
			r->serial_log = text.data;
			r->serial_log_len = text.len;
		} else {
			rtb_buf_free(&text);
		}
	}
	return end_of(s, st, rc, e);
}

static const char run_columns[] =
	"SELECT r.id, r.sweep_id, c.target, c.kernel, c.opt, c.instrumented, r.repeat, r.attempt,"
	" r.started_ns, r.ended_ns, r.status, r.error, r.verdict, r.build_ms, r.flash_ms, r.boot_ms,"
	" r.measure_ms, r.store_ms, r.wait_ms, r.standing, " RTB_SET_COLUMNS
	" FROM run r JOIN cell c ON c.id = r.cell_id WHERE 1";
#define FIRST_SET 20
const enum rtb_factor rtb_set_order[FACTOR_COUNT] = {FACTOR_VERSION, FACTOR_CLOCK, FACTOR_COMPILER, FACTOR_CONFIG,
						     FACTOR_METHOD, FACTOR_IMAGE, FACTOR_NOTE};

static void read_run(sqlite3_stmt *st, struct rtb_run *r)
{
	r->id = sqlite3_column_int64(st, 0);
	r->sweep_id = sqlite3_column_int64(st, 1);
	r->cell.target = rtb_col_dup(st, 2);
	r->cell.kernel = rtb_col_dup(st, 3);
	r->cell.opt = rtb_col_dup(st, 4);
	r->cell.instrumented = sqlite3_column_int(st, 5);
	r->repeat = (unsigned)sqlite3_column_int64(st, 6);
	r->attempt = (unsigned)sqlite3_column_int64(st, 7);
	r->started_ns = (uint64_t)sqlite3_column_int64(st, 8);
	r->ended_ns = (uint64_t)sqlite3_column_int64(st, 9);
	r->status = rtb_status_from_word((const char *)sqlite3_column_text(st, 10));
	r->error = rtb_col_dup(st, 11);
	r->verdict = verdict_from((const char *)sqlite3_column_text(st, 12));
	r->phases = (struct rtb_phases){
		(unsigned)sqlite3_column_int64(st, 13), (unsigned)sqlite3_column_int64(st, 14),
		(unsigned)sqlite3_column_int64(st, 15), (unsigned)sqlite3_column_int64(st, 16),
		(unsigned)sqlite3_column_int64(st, 17), (unsigned)sqlite3_column_int64(st, 18)};
	r->standing = (unsigned)sqlite3_column_int64(st, 19);
}

static enum rtb_status read_facts(struct rtb_store *s, sqlite3_stmt *row, struct rtb_run *r, struct rtb_error *e)
{
	for (int i = 0; i < FACTOR_COUNT; i++) {
		const struct rtb_set_cache *set;
		enum rtb_status status = rtb_set_get(s, rtb_set_order[i], sqlite3_column_int64(row, FIRST_SET + i), &set, e);
		if (status != RTB_OK)
			return status;
		for (size_t k = 0; k < set->count; k++)
			rtb_run_fact(r, (enum rtb_prov_key)set->facts[k].key, set->facts[k].origin, set->facts[k].value);
	}
	return RTB_OK;
}

static enum rtb_status read_children(struct rtb_store *s, const struct rtb_run_query *q, sqlite3_stmt *row,
				     struct rtb_run *r, struct rtb_error *e)
{
	enum rtb_status status = RTB_OK;
	if (!q->no_facts)
		status = read_facts(s, row, r, e);
	if (status == RTB_OK && !q->no_facts)
		status = read_findings(s, r, e);
	if (status == RTB_OK && q->with_records)
		status = read_records(s, q->case_name, r, e);
	if (status == RTB_OK && q->with_records)
		status = read_stacks(s, r, e);
	if (status == RTB_OK && q->with_records)
		status = read_footprint(s, r, e);
	if (status == RTB_OK && q->with_logs)
		status = read_logs(s, r, e);
	return status;
}

void rtb_query_where(const struct rtb_run_query *q, struct rtb_buf *sql)
{
	rtb_buf_str(sql, q->sweep_id ? " AND r.sweep_id = ?1" : "");
	rtb_buf_str(sql, q->run_id ? " AND r.id = ?2" : "");
	rtb_buf_str(sql, q->target ? " AND c.target = ?3" : "");
	rtb_buf_str(sql, q->kernel ? " AND c.kernel = ?4" : "");
	rtb_buf_str(sql, q->opt ? " AND c.opt = ?5" : "");
	rtb_buf_str(sql, q->instrumented >= 0 ? " AND c.instrumented = ?6" : "");
}

void rtb_query_bind(const struct rtb_run_query *q, sqlite3_stmt *st)
{
	sqlite3_bind_int64(st, 1, q->sweep_id);
	sqlite3_bind_int64(st, 2, q->run_id);
	rtb_bind_text(st, 3, q->target);
	rtb_bind_text(st, 4, q->kernel);
	rtb_bind_text(st, 5, q->opt);
	sqlite3_bind_int(st, 6, q->instrumented);
}

static sqlite3_stmt *prepare_query(struct rtb_store *s, const struct rtb_run_query *q, struct rtb_error *e)
{
	struct rtb_buf sql = {0};
	sqlite3_stmt *st = NULL;
	rtb_buf_str(&sql, run_columns);
	rtb_query_where(q, &sql);
	rtb_buf_str(&sql, " ORDER BY r.id");
	if (sqlite3_prepare_v2(s->db, sql.data, -1, &st, NULL))
		rtb_db_fail(s->db, s->path, "reading runs", e);
	rtb_buf_free(&sql);
	if (st)
		rtb_query_bind(q, st);
	return st;
}

enum rtb_status rtb_store_runs(struct rtb_store *s, const struct rtb_run_query *q,
			       rtb_run_row *row, void *ctx, struct rtb_error *e)
{
	sqlite3_stmt *st = prepare_query(s, q, e);
	if (!st)
		return e->status;
	enum rtb_status status = RTB_OK;
	int rc = SQLITE_DONE;
	while (status == RTB_OK && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct rtb_run r = {0};
		read_run(st, &r);
		status = read_children(s, q, st, &r, e);
		if (status == RTB_OK)
			status = row(ctx, &r, e);
		rtb_run_free(&r);
	}
	if (status == RTB_OK && rc != SQLITE_DONE)
		status = rtb_db_fail(s->db, s->path, "reading runs", e);
	sqlite3_finalize(st);
	return status;
}

enum rtb_status rtb_store_sweeps(struct rtb_store *s, rtb_sweep_row *row, void *ctx, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_SWEEPS, e);
	if (!st)
		return e->status;
	enum rtb_status status = RTB_OK;
	int rc = SQLITE_DONE;
	while (status == RTB_OK && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct rtb_sweep w = {.id = sqlite3_column_int64(st, 0),
				      .started_ns = (uint64_t)sqlite3_column_int64(st, 1),
				      .ended_ns = (uint64_t)sqlite3_column_int64(st, 2),
				      .command = rtb_col_dup(st, 3), .host = rtb_col_dup(st, 4),
				      .rtbench_version = rtb_col_dup(st, 5), .config_text = rtb_col_dup(st, 6),
				      .planned = (unsigned)sqlite3_column_int64(st, 7),
				      .uid = rtb_col_dup(st, 11), .parts = (unsigned)sqlite3_column_int64(st, 12)};
		const char *word = (const char *)sqlite3_column_text(st, 8);
		w.status = word ? rtb_status_from_word(word) : RTB_NOT_RUN;
		struct rtb_sweep_counts n = {(unsigned)sqlite3_column_int64(st, 9), (unsigned)sqlite3_column_int64(st, 10),
					     (unsigned)sqlite3_column_int64(st, 13)};
		status = row(ctx, &w, &n, e);
		rtb_sweep_free(&w);
	}
	if (status == RTB_OK && rc != SQLITE_DONE)
		status = rtb_db_fail(s->db, s->path, "reading sweeps", e);
	sqlite3_reset(st);
	return status;
}

static enum rtb_status nth(struct rtb_store *s, enum rtb_stmt which, const char *what, unsigned back,
			   int64_t *id, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, which, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, back);
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		*id = sqlite3_column_int64(st, 0);
	enum rtb_status status = RTB_OK;
	if (rc == SQLITE_DONE && back == 0)
		status = rtb_fail(e, RTB_NOT_FOUND, "%s: holds no %s yet", s->path, what);
	else if (rc == SQLITE_DONE)
		status = rtb_fail(e, RTB_NOT_FOUND, "%s: holds no %s %u before the latest", s->path, what, back);
	else if (rc != SQLITE_ROW)
		status = rtb_db_fail(s->db, s->path, "looking for the latest", e);
	sqlite3_reset(st);
	return status;
}

enum rtb_status rtb_store_latest_sweep(struct rtb_store *s, unsigned back, int64_t *id, struct rtb_error *e)
{
	return nth(s, ST_SWEEP_NTH, "sweep", back, id, e);
}

enum rtb_status rtb_store_latest_run(struct rtb_store *s, unsigned back, int64_t *id, struct rtb_error *e)
{
	return nth(s, ST_RUN_NTH, "run", back, id, e);
}

static enum rtb_status has(struct rtb_store *s, enum rtb_stmt which, const char *what, int64_t id, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, which, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, id);
	enum rtb_status status = RTB_OK;
	if (sqlite3_step(st) != SQLITE_ROW)
		status = rtb_db_fail(s->db, s->path, "looking for it", e);
	else if (!sqlite3_column_int(st, 0))
		status = rtb_fail(e, RTB_NOT_FOUND, "%s: no %s %lld; the newest is %lld", s->path, what,
				  (long long)id, (long long)sqlite3_column_int64(st, 1));
	sqlite3_reset(st);
	return status;
}

enum rtb_status rtb_store_has_sweep(struct rtb_store *s, int64_t id, struct rtb_error *e)
{
	return has(s, ST_SWEEP_HAS, "sweep", id, e);
}

enum rtb_status rtb_store_has_run(struct rtb_store *s, int64_t id, struct rtb_error *e)
{
	return has(s, ST_RUN_HAS, "run", id, e);
}
