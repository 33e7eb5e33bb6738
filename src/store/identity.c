/* Names that hold in every database, and the parts a sweep was done in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "store/db.h"

char *rtb_new_uid(void)
{
	unsigned char b[16];
	char hex[2 * sizeof b + 1];
	for (size_t got = 0; got < sizeof b;) {
		ssize_t n = getrandom(b + got, sizeof b - got, 0);
		if (n < 0 && errno != EINTR)
			abort(); /* the kernel has had it since 3.17 */
		got += n > 0 ? (size_t)n : 0;
	}
	for (size_t i = 0; i < sizeof b; i++) {
		hex[2 * i] = "0123456789abcdef"[b[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[b[i] & 15];
	}
	hex[2 * sizeof b] = '\0';
	return rtb_strdup(hex);
}

enum rtb_status rtb_sweep_of_uid(struct rtb_store *s, const char *uid, int64_t *id, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_SWEEP_OF_UID, e);
	if (!st)
		return e->status;
	rtb_bind_text(st, 1, uid);
	int rc = sqlite3_step(st);
	*id = rc == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
	enum rtb_status status = rc == SQLITE_ROW || rc == SQLITE_DONE ? RTB_OK
				: rtb_db_fail(s->db, s->path, "looking for a sweep", e);
	sqlite3_reset(st);
	return status;
}

static enum rtb_status worst_of_parts(struct rtb_store *s, int64_t sweep, const char **word, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_PARTS, e);
	if (!st)
		return e->status;
	enum rtb_status worst = RTB_OK;
	int rc;
	sqlite3_bind_int64(st, 1, sweep);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(st, 1);
		enum rtb_status one = text ? rtb_status_from_word(text) : RTB_OK;
		if (rtb_status_exit(one) > rtb_status_exit(worst))
			worst = one;
	}
	enum rtb_status status = rc == SQLITE_DONE ? RTB_OK : rtb_db_fail(s->db, s->path, "reading the parts", e);
	sqlite3_reset(st);
	*word = rtb_status_word(worst);
	return status;
}

enum rtb_status rtb_sweep_sum_up(struct rtb_store *s, int64_t sweep, struct rtb_error *e)
{
	const char *word = NULL;
	enum rtb_status status = worst_of_parts(s, sweep, &word, e);
	sqlite3_stmt *st = status == RTB_OK ? rtb_db_stmt(s, ST_SWEEP_SUM, e) : NULL;
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, sweep);
	rtb_bind_text(st, 2, word);
	return rtb_db_run(s, st, "summing up the sweep", e);
}

enum rtb_status rtb_store_parts(struct rtb_store *s, int64_t sweep, char ***out, size_t *count, struct rtb_error *e)
{
	*out = NULL;
	*count = 0;
	sqlite3_stmt *st = rtb_db_stmt(s, ST_PARTS, e);
	if (!st)
		return e->status;
	int rc;
	sqlite3_bind_int64(st, 1, sweep);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		*out = rtb_realloc(*out, (*count + 1) * sizeof **out);
		(*out)[(*count)++] = rtb_col_dup(st, 0);
	}
	enum rtb_status status = rc == SQLITE_DONE ? RTB_OK : rtb_db_fail(s->db, s->path, "reading the parts", e);
	sqlite3_reset(st);
	return status;
}

void rtb_store_parts_free(char **parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(parts[i]);
	free(parts);
}

static enum rtb_status put_part(struct rtb_store *s, struct rtb_sweep *w, struct rtb_error *e)
{
	free(w->part);
	w->part = rtb_new_uid();
	sqlite3_stmt *st = rtb_db_stmt(s, ST_PART_PUT, e);
	if (!st)
		return e->status;
	rtb_bind_text(st, 1, w->part);
	sqlite3_bind_int64(st, 2, w->id);
	sqlite3_bind_int64(st, 3, (int64_t)w->started_ns);
	rtb_bind_text(st, 4, w->command ? w->command : "");
	rtb_bind_text(st, 5, w->host);
	rtb_bind_text(st, 6, w->rtbench_version);
	sqlite3_bind_int64(st, 7, w->planned);
	enum rtb_status status = rtb_db_run(s, st, "storing the sweep", e);
	return status == RTB_OK ? rtb_sweep_sum_up(s, w->id, e) : status;
}

static enum rtb_status put_sweep(struct rtb_store *s, struct rtb_sweep *w, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_SWEEP_PUT, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, (int64_t)w->started_ns);
	rtb_bind_text(st, 2, w->command ? w->command : "");
	rtb_bind_text(st, 3, w->host);
	rtb_bind_text(st, 4, w->rtbench_version);
	rtb_bind_text(st, 5, w->config_text);
	sqlite3_bind_int64(st, 6, w->planned);
	rtb_bind_text(st, 7, w->uid);
	enum rtb_status status = rtb_db_run(s, st, "storing the sweep", e);
	if (status == RTB_OK)
		w->id = sqlite3_last_insert_rowid(s->db);
	return status;
}

enum rtb_status rtb_store_begin_sweep(struct rtb_store *s, struct rtb_sweep *sweep, struct rtb_error *e)
{
	enum rtb_status status = rtb_db_begin(s, e);
	if (!sweep->uid)
		sweep->uid = rtb_new_uid();
	if (status == RTB_OK)
		status = rtb_sweep_of_uid(s, sweep->uid, &sweep->id, e);
	if (status == RTB_OK && !sweep->id)
		status = put_sweep(s, sweep, e);
	if (status == RTB_OK)
		status = put_part(s, sweep, e);
	if (status == RTB_OK)
		status = rtb_db_commit(s, e);
	rtb_db_rollback(s->db);
	if (status)
		sweep->id = 0;
	return status;
}

/* What the parts so far had not planned is this one's. */
enum rtb_status rtb_store_resume_sweep(struct rtb_store *s, struct rtb_sweep *sweep, struct rtb_error *e)
{
	char **part;
	size_t count;
	enum rtb_status status = rtb_store_parts(s, sweep->id, &part, &count, e);
	if (status == RTB_OK && count == 1)
		sweep->part = rtb_strdup(part[0]);
	rtb_store_parts_free(part, count);
	if (status || sweep->part)
		return status;
	status = rtb_db_begin(s, e);
	sqlite3_stmt *st = status == RTB_OK ? rtb_db_stmt(s, ST_PARTS_PLANNED, e) : NULL;
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, sweep->id);
	unsigned planned = sqlite3_step(st) == SQLITE_ROW ? (unsigned)sqlite3_column_int64(st, 0) : 0;
	sqlite3_reset(st);
	sweep->planned = sweep->planned > planned ? sweep->planned - planned : 0;
	status = put_part(s, sweep, e);
	if (status == RTB_OK)
		status = rtb_db_commit(s, e);
	rtb_db_rollback(s->db);
	return status;
}

enum rtb_status rtb_store_end_sweep(struct rtb_store *s, const struct rtb_sweep *sweep, struct rtb_error *e)
{
	enum rtb_status status = rtb_db_begin(s, e);
	sqlite3_stmt *st = status == RTB_OK ? rtb_db_stmt(s, ST_PART_END, e) : NULL;
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, (int64_t)sweep->ended_ns);
	rtb_bind_text(st, 2, rtb_status_word(sweep->status));
	sqlite3_bind_int64(st, 3, sweep->planned);
	rtb_bind_text(st, 4, sweep->part);
	status = rtb_db_run(s, st, "ending the sweep", e);
	if (status == RTB_OK)
		status = rtb_sweep_sum_up(s, sweep->id, e);
	if (status == RTB_OK)
		status = rtb_db_commit(s, e);
	rtb_db_rollback(s->db);
	return status;
}
