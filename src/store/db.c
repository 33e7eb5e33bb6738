#include "store/db.h"

#include <errno.h>
#include <libgen.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"

#define BUSY_TURN_MS 20
#define BUSY_CANCEL_MS 3000

static const char *const sql_text[ST_COUNT] = {
#define X(sym, sql) [ST_##sym] = sql,
#include "store/statements.def"
#undef X
};

static enum rtb_status status_of(sqlite3 *db, int extended)
{
	switch (extended & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return RTB_STORE_LOCKED;
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return RTB_STORE_READONLY;
	case SQLITE_FULL:
		return RTB_STORE_FULL;
	case SQLITE_NOTADB:
		return RTB_STORE_FOREIGN;
	case SQLITE_CORRUPT:
		return RTB_STORE_DAMAGED;
	case SQLITE_IOERR:
		/* a write that finds no room is an I/O error on some file systems */
		switch (sqlite3_system_errno(db)) {
		case ENOSPC: case EDQUOT:
			return RTB_STORE_FULL;
		}
		return RTB_STORE;
	default:
		return RTB_STORE;
	}
}

/* SQLite does not say which of file and directory it could not open or write, or why. */
static enum rtb_status say_what_is_denied(const char *path, const char *doing, struct rtb_error *e)
{
	char *copy = rtb_strdup(path);
	const char *dir = dirname(copy);
	enum rtb_status s = RTB_OK;
	if (access(dir, F_OK) != 0)
		s = rtb_fail(e, RTB_STORE, "%s: %s: the directory %s: %m", path, doing, dir);
	else if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
		s = rtb_fail(e, RTB_STORE_READONLY, "%s: %s: the file may not be written: %m", path, doing);
	else if (access(dir, W_OK) != 0)
		s = rtb_fail(e, RTB_STORE_READONLY, "%s: %s: the directory %s may not be written: %m", path, doing, dir);
	free(copy);
	return s;
}

enum rtb_status rtb_db_fail(sqlite3 *db, const char *path, const char *doing, struct rtb_error *e)
{
	int rc = sqlite3_extended_errcode(db);
	enum rtb_status s = RTB_OK;
	if ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY)
		s = say_what_is_denied(path, doing, e);
	if (s == RTB_OK) {
		s = status_of(db, rc);
		rtb_fail(e, s, "%s: %s: %s (SQLite %d)", path, doing, sqlite3_errmsg(db), rc);
	}
	rtb_db_rollback(db);
	return s;
}

/* After some errors (disk full among them) SQLite has rolled back by itself; a second ROLLBACK
 * would fail and its message would pass for the cause. */
void rtb_db_rollback(sqlite3 *db)
{
	if (!sqlite3_get_autocommit(db))
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
}

sqlite3_stmt *rtb_db_stmt(struct rtb_store *s, enum rtb_stmt which, struct rtb_error *e)
{
	sqlite3_stmt **st = &s->st[which];
	if (!*st && sqlite3_prepare_v3(s->db, sql_text[which], -1, SQLITE_PREPARE_PERSISTENT, st, NULL)) {
		rtb_db_fail(s->db, s->path, "preparing", e);
		return NULL;
	}
	sqlite3_reset(*st);
	sqlite3_clear_bindings(*st);
	return *st;
}

enum rtb_status rtb_db_run(struct rtb_store *s, sqlite3_stmt *st, const char *doing, struct rtb_error *e)
{
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW)
		;
	if (rc != SQLITE_DONE) {
		enum rtb_status status = rtb_db_fail(s->db, s->path, doing, e);
		sqlite3_reset(st);
		return status;
	}
	sqlite3_reset(st);
	return RTB_OK;
}

enum rtb_status rtb_db_exec(sqlite3 *db, const char *path, const char *sql, struct rtb_error *e)
{
	return rtb_db_exec_as(db, path, sql, "setting up", e);
}

enum rtb_status rtb_db_exec_as(sqlite3 *db, const char *path, const char *sql, const char *doing, struct rtb_error *e)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? RTB_OK : rtb_db_fail(db, path, doing, e);
}

enum rtb_status rtb_db_number(sqlite3 *db, const char *path, const char *sql, int64_t *out,
			      struct rtb_error *e)
{
	sqlite3_stmt *st = NULL;
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL))
		return rtb_db_fail(db, path, "reading", e);
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		*out = sqlite3_column_int64(st, 0);
	enum rtb_status s = rc == SQLITE_ROW || rc == SQLITE_DONE ? RTB_OK : rtb_db_fail(db, path, "reading", e);
	sqlite3_finalize(st);
	return s;
}

/* SQLite counts the calls for one lock. */
static int on_busy(void *ctx, int calls)
{
	struct rtb_store *s = ctx;
	int waited = calls * BUSY_TURN_MS;
	if (waited >= s->busy_ms || (s->cancel && *s->cancel && waited >= BUSY_CANCEL_MS))
		return 0;
	if (waited >= s->say_ms && !s->said_busy) {
		s->said_busy = true;
		rtb_log(RTB_LOG_WARN, "waiting for another program that holds %s", s->path);
	}
	poll(NULL, 0, BUSY_TURN_MS);
	return 1;
}

void rtb_db_wait(struct rtb_store *s, bool wait)
{
	s->said_busy = false;
	sqlite3_busy_handler(s->db, wait ? on_busy : NULL, s);
}

enum rtb_status rtb_db_begin(struct rtb_store *s, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_BEGIN, e);
	return st ? rtb_db_run(s, st, "beginning to write", e) : e->status;
}

enum rtb_status rtb_db_commit(struct rtb_store *s, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_COMMIT, e);
	if (!st)
		return e->status;
	enum rtb_status status = rtb_db_run(s, st, "committing", e);
	if (status != RTB_OK)
		return status;
	rtb_db_fold(s);
	return RTB_OK;
}

void rtb_db_fold(struct rtb_store *s)
{
	rtb_db_wait(s, false);
	int rc = sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	if (status_of(s->db, rc) == RTB_STORE_FULL && !s->said_full)
		rtb_log(RTB_LOG_WARN, "%s: the disk is full: what was stored last waits in %s-wal; a copy needs both files",
			s->path, s->path);
	s->said_full |= status_of(s->db, rc) == RTB_STORE_FULL;
	rtb_db_wait(s, true);
}

void rtb_bind_text(sqlite3_stmt *st, int index, const char *text)
{
	if (text)
		sqlite3_bind_text(st, index, text, -1, SQLITE_STATIC);
}

char *rtb_col_dup(sqlite3_stmt *st, int col)
{
	return rtb_strdup((const char *)sqlite3_column_text(st, col));
}
