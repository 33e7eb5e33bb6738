/* Looking after the file as a whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/db.h"

/* Whether a file is a database of ours, by the header that SQLite documents. */
static bool is_ours(const char *path)
{
	unsigned char head[72] = {0};
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(head, 1, sizeof head, f) : 0;
	if (f)
		fclose(f);
	uint32_t id = (uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 | head[71];
	return n == sizeof head && memcmp(head, "SQLite format 3", 16) == 0 && id == RTB_APPLICATION_ID;
}

/* A copy takes the place of an older copy, and of nothing else. */
static enum rtb_status may_replace(const struct rtb_store *s, const char *to, struct rtb_error *e)
{
	struct stat from, old, log;
	if (stat(to, &old) != 0)
		return RTB_OK;
	if (stat(s->path, &from) == 0 && from.st_dev == old.st_dev && from.st_ino == old.st_ino)
		return rtb_fail(e, RTB_USAGE, "%s: is the database itself", to);
	if (!S_ISREG(old.st_mode) || (old.st_size && !is_ours(to)))
		return rtb_fail(e, RTB_STORE_FOREIGN, "%s: is there, and is no database of rtbench; it is left as it is", to);
	char *wal = rtb_sprintf("%s-wal", to);
	bool in_use = stat(wal, &log) == 0;
	free(wal);
	return in_use ? rtb_fail(e, RTB_STORE_LOCKED, "%s: has a side log, %s-wal: it is in use, or was when its "
				 "program was killed", to, to) : RTB_OK;
}

enum rtb_status rtb_store_backup(struct rtb_store *s, const char *to, struct rtb_error *e)
{
	enum rtb_status status = may_replace(s, to, e);
	return status == RTB_OK ? rtb_db_copy(s->db, to, e) : status;
}

enum rtb_status rtb_store_vacuum(struct rtb_store *s, struct rtb_error *e)
{
	return rtb_db_exec_as(s->db, s->path, "VACUUM", "shrinking", e);
}

enum rtb_status rtb_db_pragma_ok(sqlite3 *db, const char *path, const char *sql, const char *what, struct rtb_error *e)
{
	sqlite3_stmt *st = NULL;
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL))
		return rtb_db_fail(db, path, "verifying", e);
	enum rtb_status status = RTB_OK;
	int rc = sqlite3_step(st);
	const char *text = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(st, 0) : NULL;
	if (text && strcmp(text, "ok") != 0)
		status = rtb_fail(e, RTB_STORE_DAMAGED, "%s: %s: %s", path, what, text);
	else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		status = rtb_db_fail(db, path, "verifying", e);
	sqlite3_finalize(st);
	return status;
}

enum rtb_status rtb_store_verify(struct rtb_store *s, struct rtb_error *e)
{
	enum rtb_status status = rtb_db_pragma_ok(s->db, s->path, "PRAGMA integrity_check(1)", "damaged", e);
	if (status == RTB_OK)
		status = rtb_db_pragma_ok(s->db, s->path, "PRAGMA foreign_key_check",
					  "a reference leads nowhere, in table", e);
	return status == RTB_OK ? rtb_verify_runs(s, e) : status;
}
