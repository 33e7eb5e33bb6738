#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <stdlib.h>

#include "base/buf.h"
#include "store/db.h"

static const struct rtb_migration migrations[] = {
#include <migrations.inc> /* made from schemas/NNN_*.sql: {NNN, "text"}, ... */
};

const struct rtb_migration *rtb_migrations(size_t *count)
{
	*count = sizeof migrations / sizeof migrations[0];
	return migrations;
}

/* Copies page by page through SQLite, so that what is only in the side log comes along. */
static enum rtb_status copy_pages(sqlite3 *db, const char *to, struct rtb_error *e)
{
	sqlite3 *out = NULL;
	if (sqlite3_open_v2(to, &out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)) {
		enum rtb_status s = rtb_db_fail(out, to, "making a copy", e);
		sqlite3_close(out);
		return s;
	}
	sqlite3_backup *b = sqlite3_backup_init(out, "main", db, "main");
	int rc = b ? sqlite3_backup_step(b, -1) : sqlite3_errcode(out);
	if (b)
		sqlite3_backup_finish(b);
	enum rtb_status s = RTB_OK;
	if (rc != SQLITE_DONE)
		s = rtb_db_fail(out, to, "making a copy", e);
	else
		/* a copy that stands alone: no side log beside it */
		s = rtb_db_exec(out, to, "PRAGMA journal_mode = DELETE", e);
	/* pages are copied unread: damage would pass for a good copy, and take an older one's place */
	if (s == RTB_OK)
		s = rtb_db_pragma_ok(out, sqlite3_db_filename(db, "main"), "PRAGMA quick_check(1)",
				     "damaged, and therefore not copied", e);
	sqlite3_close(out);
	return s;
}

enum rtb_status rtb_db_copy(sqlite3 *db, const char *to, struct rtb_error *e)
{
	char *temp = rtb_sprintf("%s.tmp%ld", to, (long)getpid());
	unlink(temp);
	enum rtb_status s = copy_pages(db, temp, e);
	if (s == RTB_OK && rename(temp, to) != 0)
		s = rtb_fail(e, RTB_STORE, "%s: cannot be put in place: %m", to);
	if (s != RTB_OK)
		unlink(temp);
	free(temp);
	return s;
}

/* One step; another program may have done it while we waited for the lock. */
static enum rtb_status step(sqlite3 *db, const char *path, const struct rtb_migration *m,
			    struct rtb_error *e)
{
	int64_t version = 0;
	enum rtb_status s = rtb_db_exec(db, path, "BEGIN IMMEDIATE", e);
	if (s == RTB_OK)
		s = rtb_db_number(db, path, "PRAGMA user_version", &version, e);
	if (s != RTB_OK || version >= m->version) {
		rtb_db_rollback(db);
		return s;
	}
	s = rtb_db_exec(db, path, m->sql, e);
	char *stamp = rtb_sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
				  RTB_APPLICATION_ID, m->version);
	if (s == RTB_OK)
		s = rtb_db_exec(db, path, stamp, e);
	free(stamp);
	return s;
}

enum rtb_status rtb_migrate(sqlite3 *db, const char *path, const struct rtb_migration *steps,
			    size_t count, struct rtb_error *e)
{
	int64_t version = 0;
	enum rtb_status s = rtb_db_number(db, path, "PRAGMA user_version", &version, e);
	bool fresh = version == 0; /* nothing to lose */
	for (size_t i = 0; s == RTB_OK && i < count; i++) {
		if (version >= steps[i].version)
			continue;
		if (!fresh) {
			char *backup = rtb_sprintf("%s.v%d.bak", path, (int)version);
			s = rtb_db_copy(db, backup, e);
			free(backup);
		}
		if (s == RTB_OK)
			s = step(db, path, &steps[i], e);
		version = steps[i].version;
	}
	return s;
}
