/* db.h - the store's own view of SQLite: the handle, kept statements, errors. Inside store/. */
#ifndef RTB_STORE_DB_H
#define RTB_STORE_DB_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/buf.h"
#include "store/store.h"

enum rtb_stmt {
#define X(sym, sql) ST_##sym,
#include "store/statements.def"
#undef X
	ST_COUNT
};

/* One fact set as read, for those that follow with the same. */
struct rtb_set_cache {
	int64_t id; /* 0: empty */
	struct rtb_fact *facts;
	size_t count;
};
#define RTB_SET_CACHE 64 /* slots for each factor; direct-mapped by id */

struct rtb_store {
	sqlite3 *db;
	char *path;
	enum rtb_store_mode mode;
	int busy_ms;
	const rtb_flag *cancel; /* cuts that short; NULL: nothing does */
	int say_ms;
	bool said_busy, said_full;
	sqlite3_stmt *st[ST_COUNT];      /* prepared when first used */
	int64_t key_id[PROV_COUNT];      /* row of each key in fact_key; 0: not there (read mode) */
	int *key_of_id;                  /* and back; -1: a key this program does not know */
	size_t key_ids;
	struct rtb_set_cache sets[FACTOR_COUNT][RTB_SET_CACHE];
};

/* What the world outside decides; tests replace it. */
struct rtb_store_env {
	int busy_ms;                           /* how long to wait for another program's lock */
	int say_ms;                            /* after so much of it that is said */
	const rtb_flag *cancel;   /* once set, no longer than a few seconds; may be NULL */
	long (*fs_type)(const char *path);     /* statfs f_type of the file or its directory */
	int64_t max_pages;                     /* PRAGMA max_page_count; 0: SQLite's own limit */
	bool look_over;                        /* to write: whether the file is whole, before anything is added */
};
extern const struct rtb_store_env rtb_store_env_real;
enum rtb_status rtb_store_open_env(const char *path, enum rtb_store_mode mode,
				   const struct rtb_store_env *env, struct rtb_store **out,
				   struct rtb_error *e);

/* Turns the database's current error into e: "PATH: DOING: what SQLite says". The first one
 * wins. Ends an open transaction. */
enum rtb_status rtb_db_fail(sqlite3 *db, const char *path, const char *doing, struct rtb_error *e);
/* The kept statement, reset and with no parameters bound; NULL with e set. */
sqlite3_stmt *rtb_db_stmt(struct rtb_store *s, enum rtb_stmt which, struct rtb_error *e);
/* Runs a statement to its end, ignoring rows, and resets it. */
enum rtb_status rtb_db_run(struct rtb_store *s, sqlite3_stmt *st, const char *doing, struct rtb_error *e);
/* Runs SQL text that may hold several statements. */
enum rtb_status rtb_db_exec(sqlite3 *db, const char *path, const char *sql, struct rtb_error *e);
/* The same, with what to call it when it fails. */
enum rtb_status rtb_db_exec_as(sqlite3 *db, const char *path, const char *sql, const char *doing, struct rtb_error *e);
/* First column of the first row as a number; def when there is no row. */
enum rtb_status rtb_db_number(sqlite3 *db, const char *path, const char *sql, int64_t *out,
			      struct rtb_error *e);
/* Waits for locks of other programs from now on, or not at all. */
void rtb_db_wait(struct rtb_store *s, bool wait);
enum rtb_status rtb_db_begin(struct rtb_store *s, struct rtb_error *e);
enum rtb_status rtb_db_commit(struct rtb_store *s, struct rtb_error *e);
void rtb_db_rollback(sqlite3 *db);
/* Takes what is in the side log into the file, so that a plain copy of the file is whole. A reader
 * that is in the way is not waited for: a later commit or the close catches up. */
void rtb_db_fold(struct rtb_store *s);

/* Binding and reading; index counts from 1, column from 0. NULL text binds NULL. */
void rtb_bind_text(sqlite3_stmt *st, int index, const char *text);
char *rtb_col_dup(sqlite3_stmt *st, int col); /* NULL for NULL; the caller's */

/* fs.c: the name of a file system that a database is not written to, by its f_type; NULL: it may be. */
const char *rtb_network_fs(long type);
/* f_type of the file or its directory, RTB_FUSE_NETWORK for sshfs and others; 0: not known. */
long rtb_fs_type(const char *path);
#define RTB_FUSE_NETWORK 0x65735547
/* Whether mountinfo has the device as a network file system behind FUSE. */
bool rtb_fuse_is_network(FILE *mountinfo, unsigned major, unsigned minor);

/* migrate.c: brings the file to the newest version, one transaction a step, each preceded by a
 * copy of the file as PATH.vN.bak when there is anything to lose. */
struct rtb_migration { int version; const char *sql; };
enum rtb_status rtb_migrate(sqlite3 *db, const char *path, const struct rtb_migration *steps,
			    size_t count, struct rtb_error *e);
const struct rtb_migration *rtb_migrations(size_t *count);
/* Copies the live database to a new file at path through a temporary name. RTB_STORE_DAMAGED, and
 * no copy, when the copy is. */
enum rtb_status rtb_db_copy(sqlite3 *db, const char *to, struct rtb_error *e);
/* PRAGMA sql as a check: fails with "PATH: WHAT: " and the first row, unless that is "ok" or there
 * is none. */
enum rtb_status rtb_db_pragma_ok(sqlite3 *db, const char *path, const char *sql, const char *what, struct rtb_error *e);
/* verify.c: whether what is stored of each run can be unpacked and agrees with itself. */
enum rtb_status rtb_verify_runs(struct rtb_store *s, struct rtb_error *e);
#define RTB_APPLICATION_ID 0x52544262 /* "RTBb" */

/* views.c: fact_key and the views as this program would have them. */
enum rtb_status rtb_sync_keys(struct rtb_store *s, struct rtb_error *e);
enum rtb_status rtb_load_keys(struct rtb_store *s, struct rtb_error *e);
enum rtb_status rtb_sync_views(struct rtb_store *s, struct rtb_error *e);

/* get.c: the conditions of q as " AND ..." over run r and cell c, and their parameters. */
void rtb_query_where(const struct rtb_run_query *q, struct rtb_buf *sql);
void rtb_query_bind(const struct rtb_run_query *q, sqlite3_stmt *st);
/* The factors in the order of RTB_SET_COLUMNS. */
#define RTB_SET_COLUMNS "r.version_set, r.clock_set, r.compiler_set, r.config_set," \
			" r.method_set, r.image_set, r.note_set"
extern const enum rtb_factor rtb_set_order[FACTOR_COUNT];

/* identity.c: 128 random bits in hex, the caller's; the sweep of a uid, 0: none; a sweep's columns
 * from its parts, inside a transaction. */
char *rtb_new_uid(void);
enum rtb_status rtb_sweep_of_uid(struct rtb_store *s, const char *uid, int64_t *id, struct rtb_error *e);
enum rtb_status rtb_sweep_sum_up(struct rtb_store *s, int64_t sweep, struct rtb_error *e);
/* put.c: id of a cell, made when it is not there; inside a transaction. */
enum rtb_status rtb_cell_put(struct rtb_store *s, const struct rtb_cell *c, int64_t *id, struct rtb_error *e);

/* facts.c */
enum rtb_status rtb_set_put(struct rtb_store *s, const struct rtb_run *run, enum rtb_factor f,
			    int64_t *id, struct rtb_error *e);
/* Facts of a set, sorted by key, borrowed until the next call for the same factor. */
enum rtb_status rtb_set_get(struct rtb_store *s, enum rtb_factor f, int64_t id,
			    const struct rtb_set_cache **out, struct rtb_error *e);
void rtb_set_cache_free(struct rtb_store *s);

#endif
