/* Looking after the file as a whole. */
#include <string.h>

#include "store/db.h"

enum rtb_status rtb_store_backup(struct rtb_store *s, const char *to, struct rtb_error *e)
{
	return rtb_db_copy(s->db, to, e);
}

enum rtb_status rtb_store_vacuum(struct rtb_store *s, struct rtb_error *e)
{
	return rtb_db_exec(s->db, s->path, "VACUUM", e);
}

/* Fails with the text that one row of a PRAGMA gives, unless it is "ok" or there is no row. */
static enum rtb_status pragma(struct rtb_store *s, const char *sql, const char *what, struct rtb_error *e)
{
	sqlite3_stmt *st = NULL;
	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL))
		return rtb_db_fail(s->db, s->path, "verifying", e);
	enum rtb_status status = RTB_OK;
	int rc = sqlite3_step(st);
	const char *text = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(st, 0) : NULL;
	if (text && strcmp(text, "ok") != 0)
		status = rtb_fail(e, RTB_STORE, "%s: %s: %s", s->path, what, text);
	else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		status = rtb_db_fail(s->db, s->path, "verifying", e);
	sqlite3_finalize(st);
	return status;
}

enum rtb_status rtb_store_verify(struct rtb_store *s, struct rtb_error *e)
{
	enum rtb_status status = pragma(s, "PRAGMA integrity_check(1)", "damaged", e);
	return status == RTB_OK ? pragma(s, "PRAGMA foreign_key_check", "a reference leads nowhere, in table", e) : status;
}
