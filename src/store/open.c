/* Opening and closing: every way a file can be wrong is told apart here. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "store/db.h"

const struct rtb_store_env rtb_store_env_real = {.busy_ms = 5000, .say_ms = 3000, .fs_type = rtb_fs_type};

static int newest_version(void)
{
	size_t n;
	const struct rtb_migration *m = rtb_migrations(&n);
	return m[n - 1].version;
}

/* Ours, of a version that we know, or (to write) an empty file. Reads only. */
static enum rtb_status identify(struct rtb_store *s, struct rtb_error *e)
{
	int64_t app = 0, version = 0, objects = 0;
	int known = newest_version();
	enum rtb_status st = rtb_db_number(s->db, s->path, "PRAGMA application_id", &app, e);
	if (st == RTB_OK)
		st = rtb_db_number(s->db, s->path, "PRAGMA user_version", &version, e);
	if (st == RTB_OK)
		st = rtb_db_number(s->db, s->path, "SELECT count(*) FROM sqlite_master", &objects, e);
	if (st != RTB_OK)
		return st;
	bool empty = app == 0 && version == 0 && objects == 0;
	if (empty && s->mode == STORE_WRITE)
		return RTB_OK;
	if (empty)
		return rtb_fail(e, RTB_NOT_FOUND, "%s: holds no results yet", s->path);
	if (app != RTB_APPLICATION_ID)
		return rtb_fail(e, RTB_STORE_FOREIGN, "%s: is a database of another program", s->path);
	if (version > known)
		return rtb_fail(e, RTB_STORE_NEWER, "%s: has schema version %d, this rtbench knows up to %d",
				s->path, (int)version, known);
	if (version < known && s->mode == STORE_READ)
		return rtb_fail(e, RTB_STORE_OLDER, "%s: has schema version %d, this rtbench needs %d",
				s->path, (int)version, known);
	return RTB_OK;
}

static enum rtb_status connect_to(struct rtb_store *s, const char *uri, int flags,
				  const struct rtb_store_env *env, struct rtb_error *e)
{
	if (sqlite3_open_v2(uri, &s->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL))
		return rtb_db_fail(s->db, s->path, "opening", e);
	s->busy_ms = env->busy_ms;
	s->say_ms = env->say_ms;
	s->cancel = env->cancel;
	rtb_db_wait(s, true);
	return identify(s, e);
}

static enum rtb_status open_write(struct rtb_store *s, const struct rtb_store_env *env, struct rtb_error *e)
{
	const char *net = rtb_network_fs(env->fs_type(s->path));
	if (net)
		return rtb_fail(e, RTB_STORE, "%s: lies on a network file system (%s), where a crash can "
				"damage the database; keep it on a local disk", s->path, net);
	enum rtb_status st = connect_to(s, s->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, env, e);
	if (st != RTB_OK)
		return st;
	if (sqlite3_db_readonly(s->db, "main") == 1)
		return rtb_fail(e, RTB_STORE_READONLY, "%s: may not be written", s->path);
	if (env->max_pages) {
		char *limit = rtb_sprintf("PRAGMA max_page_count = %lld", (long long)env->max_pages);
		st = rtb_db_exec(s->db, s->path, limit, e);
		free(limit);
	}
	if (st == RTB_OK)
		st = rtb_db_exec(s->db, s->path, "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL;"
				 " PRAGMA synchronous = FULL", e);
	if (st == RTB_OK && env->look_over)
		st = rtb_db_pragma_ok(s->db, s->path, "PRAGMA quick_check(1)", "damaged", e);
	size_t count;
	const struct rtb_migration *steps = rtb_migrations(&count);
	if (st == RTB_OK)
		st = rtb_migrate(s->db, s->path, steps, count, e);
	if (st == RTB_OK)
		st = rtb_sync_keys(s, e);
	if (st == RTB_OK)
		st = rtb_sync_views(s, e);
	return st;
}

/* Percent-encodes what a file: URI gives a meaning to. */
static char *uri_of(const char *path, const char *query)
{
	struct rtb_buf b = {0};
	rtb_buf_str(&b, "file:");
	for (const char *p = path; *p; p++)
		if (strchr("%?# ", *p))
			rtb_buf_fmt(&b, "%%%02X", (unsigned char)*p);
		else
			rtb_buf_add(&b, p, 1);
	rtb_buf_str(&b, query);
	return b.data;
}

static bool has_log(const char *path)
{
	char *wal = rtb_sprintf("%s-wal", path);
	struct stat sb;
	bool there = stat(wal, &sb) == 0 && sb.st_size > 0;
	free(wal);
	return there;
}

/* Whether SQLite could make its side files beside the database. */
static bool may_write(const char *path)
{
	char *copy = rtb_strdup(path);
	bool may = access(path, W_OK) == 0 && access(dirname(copy), W_OK) == 0;
	free(copy);
	return may;
}

/* Three ways, from the best to the last resort:
 * - with write permission, read-write but forbidden to: then SQLite itself tidies away the side
 *   files that reading a log needs;
 * - without, read-only;
 * - where side files cannot be made and no log waits (read-only directory or medium), nobody is
 *   writing and the file alone is the whole truth: immutable. */
static enum rtb_status open_read(struct rtb_store *s, const struct rtb_store_env *env, struct rtb_error *e)
{
	if (access(s->path, F_OK) != 0)
		return rtb_fail(e, RTB_NOT_FOUND, "%s: no such database", s->path);
	if (access(s->path, R_OK) != 0)
		return rtb_fail(e, RTB_STORE_READONLY, "%s: may not be read: %m", s->path);
	struct rtb_error first = {0};
	bool write = may_write(s->path) && !rtb_network_fs(env->fs_type(s->path));
	char *uri = uri_of(s->path, write ? "?mode=rw" : "?mode=ro");
	enum rtb_status st = connect_to(s, uri, write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, env, &first);
	free(uri);
	int rc = sqlite3_errcode(s->db);
	if (st != RTB_OK && !write && (rc == SQLITE_CANTOPEN || rc == SQLITE_READONLY)) {
		if (has_log(s->path))
			return rtb_fail(e, RTB_STORE_READONLY, "%s: runs wait in %s-wal, and reading them needs "
					"write permission on the directory", s->path, s->path);
		sqlite3_close(s->db);
		s->db = NULL;
		first = (struct rtb_error){0};
		uri = uri_of(s->path, "?mode=ro&immutable=1");
		st = connect_to(s, uri, SQLITE_OPEN_READONLY, env, &first);
		free(uri);
	}
	if (st != RTB_OK)
		return rtb_fail(e, first.status, "%s", first.text);
	st = rtb_db_exec(s->db, s->path, "PRAGMA query_only = ON", e);
	return st == RTB_OK ? rtb_load_keys(s, e) : st;
}

enum rtb_status rtb_store_open_env(const char *path, enum rtb_store_mode mode,
				   const struct rtb_store_env *env, struct rtb_store **out,
				   struct rtb_error *e)
{
	struct rtb_store *s = rtb_alloc(sizeof *s);
	struct stat sb;
	s->path = rtb_strdup(path);
	s->mode = mode;
	*out = NULL;
	enum rtb_status st;
	if (stat(path, &sb) == 0 && !S_ISREG(sb.st_mode))
		st = rtb_fail(e, RTB_STORE_FOREIGN, "%s: is not a file", path);
	else
		st = mode == STORE_WRITE ? open_write(s, env, e) : open_read(s, env, e);
	if (st != RTB_OK) {
		rtb_store_close(s);
		return st;
	}
	*out = s;
	return RTB_OK;
}

enum rtb_status rtb_store_open(const char *path, enum rtb_store_mode mode, struct rtb_store **out,
			       struct rtb_error *e)
{
	return rtb_store_open_env(path, mode, &rtb_store_env_real, out, e);
}

enum rtb_status rtb_store_open_wait(const char *path, enum rtb_store_mode mode, unsigned wait_ms,
				    const rtb_flag *cancel, struct rtb_store **out, struct rtb_error *e)
{
	struct rtb_store_env env = rtb_store_env_real;
	env.busy_ms = (int)wait_ms;
	env.cancel = cancel;
	env.look_over = true;
	return rtb_store_open_env(path, mode, &env, out, e);
}

void rtb_store_close(struct rtb_store *s)
{
	if (!s)
		return;
	for (int i = 0; i < ST_COUNT; i++)
		sqlite3_finalize(s->st[i]);
	if (s->db && s->mode == STORE_WRITE)
		rtb_db_fold(s);
	sqlite3_close(s->db);
	rtb_set_cache_free(s);
	free(s->key_of_id);
	free(s->path);
	free(s);
}
