/* store.h - the database. No other room knows SQLite.
 *
 * A struct rtb_store may be used by one thread at a time. Every function reports the first
 * SQLite error in e (never NULL here) and leaves no transaction open behind it.
 */
#ifndef RTB_STORE_STORE_H
#define RTB_STORE_STORE_H

#include "base/flag.h"
#include "store/model.h"

struct rtb_store;

enum rtb_store_mode {
	STORE_READ,   /* never writes, not even side files where it can be avoided */
	STORE_WRITE,  /* creates and migrates when needed; a backup precedes each migration */
};

/* Opens path. RTB_STORE*, RTB_NOT_FOUND (STORE_READ and no such file). */
enum rtb_status rtb_store_open(const char *path, enum rtb_store_mode mode, struct rtb_store **out,
			       struct rtb_error *e);
/* The same for one who would rather wait than give up: for another program's lock up to wait_ms,
 * there and in all that follows, unless *cancel is set. To write, the file is first read through for
 * damage: what would be measured for it must not be lost. */
enum rtb_status rtb_store_open_wait(const char *path, enum rtb_store_mode mode, unsigned wait_ms,
				    const rtb_flag *cancel, struct rtb_store **out, struct rtb_error *e);
/* Checkpoints the log so that the file alone is whole, and closes. NULL is fine. */
void rtb_store_close(struct rtb_store *s);

/* Sets sweep->id and part. With a uid that the database has already this is another part of that
 * sweep, else a new one; uid NULL: sets a random one. */
enum rtb_status rtb_store_begin_sweep(struct rtb_store *s, struct rtb_sweep *sweep, struct rtb_error *e);
/* Goes on with the sweep of sweep->id: with its only part, else in a new one, whose planned runs
 * (sweep->planned is set to them) are those that the parts so far had not planned. */
enum rtb_status rtb_store_resume_sweep(struct rtb_store *s, struct rtb_sweep *sweep, struct rtb_error *e);
/* The uids of its parts; rtb_store_parts_free in either case. */
enum rtb_status rtb_store_parts(struct rtb_store *s, int64_t sweep, char ***out, size_t *count, struct rtb_error *e);
void rtb_store_parts_free(char **parts, size_t count);
/* One transaction; sets run->id. run->sweep_id must be set. */
enum rtb_status rtb_store_put_run(struct rtb_store *s, struct rtb_run *run, struct rtb_error *e);
/* Stores phases.store_ms of runs stored before: how long storing took is known only afterwards. */
enum rtb_status rtb_store_store_ms(struct rtb_store *s, struct rtb_run *const *runs, size_t n, struct rtb_error *e);
enum rtb_status rtb_store_end_sweep(struct rtb_store *s, const struct rtb_sweep *sweep, struct rtb_error *e);
/* A stored run counts for its repeat from now on, whatever attempts came after it. */
enum rtb_status rtb_store_stand(struct rtb_store *s, int64_t run, struct rtb_error *e);
/* Replaces the findings and the verdict of a stored run by those of run, which names it by id:
 * checks over a whole sweep speak after its runs were stored. */
enum rtb_status rtb_store_judge(struct rtb_store *s, const struct rtb_run *run, struct rtb_error *e);

/* What to leave out when reading runs. */
struct rtb_run_query {
	int64_t sweep_id, run_id;    /* 0: any */
	const char *target, *kernel, *opt; /* NULL: any */
	const char *case_name;       /* NULL: any; leaves out other records, not runs */
	int instrumented;            /* -1: any; 0 and 1 as they say */
	bool no_facts;               /* leaves out facts and findings: a list needs neither */
	bool with_logs;              /* openocd, serial and build logs are large */
	bool with_records;           /* records, histograms, stacks, footprint */
};

/* Calls row for each run in order of id, one at a time (memory stays flat); the run is the
 * store's and valid during the call. Returning non-RTB_OK from row ends the walk with it. */
typedef enum rtb_status rtb_run_row(void *ctx, struct rtb_run *run, struct rtb_error *e);
enum rtb_status rtb_store_runs(struct rtb_store *s, const struct rtb_run_query *q,
			       rtb_run_row *row, void *ctx, struct rtb_error *e);
/* Repeats of cells: each counts once, by the attempt that stands highest (struct rtb_run), however
 * often it was tried. */
struct rtb_sweep_counts { unsigned runs, failed, retried; /* retried: attempts beyond the first */ };
typedef enum rtb_status rtb_sweep_row(void *ctx, struct rtb_sweep *sweep, const struct rtb_sweep_counts *n,
				      struct rtb_error *e);
/* Newest last. */
enum rtb_status rtb_store_sweeps(struct rtb_store *s, rtb_sweep_row *row, void *ctx, struct rtb_error *e);
/* id of the newest sweep, nth = 0; the one before, 1. RTB_NOT_FOUND. */
enum rtb_status rtb_store_latest_sweep(struct rtb_store *s, unsigned nth, int64_t *id, struct rtb_error *e);
/* RTB_NOT_FOUND with the id and what ids there are. */
enum rtb_status rtb_store_has_sweep(struct rtb_store *s, int64_t id, struct rtb_error *e);
enum rtb_status rtb_store_has_run(struct rtb_store *s, int64_t id, struct rtb_error *e);
enum rtb_status rtb_store_latest_run(struct rtb_store *s, unsigned nth, int64_t *id, struct rtb_error *e);

/* Export: one flat row for each record, and one with empty figures for each run without any.
 * Columns: those of export.def, the exported provenance keys, then "declared" (names of the
 * facts that somebody only declared). The view v_export gives the same rows in SQL. */
enum rtb_value_type { VALUE_NULL, VALUE_INT, VALUE_REAL, VALUE_TEXT };
struct rtb_value {
	enum rtb_value_type type;
	int64_t i;
	double d;
	const char *text; /* NUL-terminated; borrowed for the call */
};
struct rtb_export_column {
	const char *name;
	enum rtb_value_type type; /* what it holds where it is not NULL */
	const char *unit, *text;
};
enum {
	RTB_EXPORT_FIXED = 0
#define X(name, kind, sql, text) + 1
#include "store/export.def"
#undef X
	, RTB_EXPORT_MAX = RTB_EXPORT_FIXED + PROV_COUNT + 1
};
/* Fills in the columns in their order and returns how many there are; their texts are static. */
size_t rtb_export_columns(struct rtb_export_column out[RTB_EXPORT_MAX]);
typedef enum rtb_status rtb_export_row(void *ctx, const struct rtb_value *v, struct rtb_error *e);
/* In order of run and record; v has as many values as there are columns. */
enum rtb_status rtb_store_export(struct rtb_store *s, const struct rtb_run_query *q,
				 rtb_export_row *row, void *ctx, struct rtb_error *e);

/* A copy of the whole database, also while others write to it; put in place at once or not at
 * all, and without a side log. It may replace an older copy: RTB_STORE_FOREIGN when `to` is any other
 * file, RTB_USAGE when it is the database itself, RTB_STORE_DAMAGED when the copy is damaged. */
enum rtb_status rtb_store_backup(struct rtb_store *s, const char *to, struct rtb_error *e);
/* Rewrites the file without its free pages. Needs STORE_WRITE. */
enum rtb_status rtb_store_vacuum(struct rtb_store *s, struct rtb_error *e);
/* Reads every page, every reference and what is packed, and holds figures against their histograms.
 * RTB_STORE_DAMAGED with the first thing wrong. */
enum rtb_status rtb_store_verify(struct rtb_store *s, struct rtb_error *e);

/* What merging came to. */
struct rtb_merged {
	size_t sweeps, runs;         /* taken: runs, and sweeps of which any were */
	size_t runs_there;           /* had been taken before */
	size_t judged;               /* of these: given the findings that were added since */
};
/* Takes over every sweep and run of the database at path that s lacks, in one transaction; both may
 * be in use. Sweeps of one uid become one. Errors as of rtb_store_open for the file; RTB_USAGE
 * when it is s itself. */
enum rtb_status rtb_store_merge(struct rtb_store *s, const char *path, struct rtb_merged *out, struct rtb_error *e);

#endif
