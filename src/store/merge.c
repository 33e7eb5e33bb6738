/* Taking over what another database has. Rows are copied as they are, column by column, whatever
 * the columns are; only what refers to another row is translated. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/db.h"

struct merging {
	struct rtb_store *from, *to;
	struct rtb_merged *out;
	struct rtb_error *e;
	int64_t *set[FACTOR_COUNT];     /* id here by id there; 0: not looked up yet */
	int64_t sets;                   /* ids there are below this */
};

/* Tables whose rows belong to a run. */
static const char *const parts_of_run[] = {"record", "stack_mark", "footprint", "finding", "log"};
#define TABLES (sizeof parts_of_run / sizeof *parts_of_run)
#define FINDINGS 3 /* of these */

static enum rtb_status fail_from(const struct merging *m)
{
	return rtb_db_fail(m->from->db, m->from->path, "reading what is merged", m->e);
}

static sqlite3_stmt *prepare(struct rtb_store *s, const char *sql, struct rtb_error *e)
{
	sqlite3_stmt *st = NULL;
	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL))
		rtb_db_fail(s->db, s->path, "preparing to merge", e);
	return st;
}

/* The columns of a table but those named, which are separated and enclosed by spaces. */
static enum rtb_status columns(const struct merging *m, const char *table, const char *but, struct rtb_buf *names,
			       int *count)
{
	sqlite3_stmt *st = prepare(m->to, "SELECT name FROM pragma_table_info(?1) WHERE instr(?2, ' ' || name || ' ') = 0",
				   m->e);
	if (!st)
		return m->e->status;
	rtb_bind_text(st, 1, table);
	rtb_bind_text(st, 2, but);
	for (*count = 0; sqlite3_step(st) == SQLITE_ROW; ++*count)
		rtb_buf_fmt(names, "%s%s", *count ? ", " : "", (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return RTB_OK;
}

/* A statement that reads the columns there and one that writes them here, the latter with the
 * `mapped` ones before them. */
struct copier {
	sqlite3_stmt *read, *write;
	int mapped, count;
};

static enum rtb_status make_copier(const struct merging *m, const char *table, const char *but, const char *mapped,
				   const char *where, struct copier *c)
{
	struct rtb_buf names = {0};
	enum rtb_status st = columns(m, table, but, &names, &c->count);
	c->mapped = 1;
	for (const char *p = mapped; *p; p++)
		c->mapped += *p == ',';
	char *read = rtb_sprintf("SELECT %s FROM %s WHERE %s = ?1 ORDER BY rowid", rtb_buf_cstr(&names), table, where);
	struct rtb_buf write = {0};
	rtb_buf_fmt(&write, "INSERT INTO %s (%s, %s) VALUES (?", table, mapped, rtb_buf_cstr(&names));
	for (int i = 1; i < c->mapped + c->count; i++)
		rtb_buf_str(&write, ", ?");
	rtb_buf_str(&write, ")");
	if (st == RTB_OK) {
		c->read = prepare(m->from, read, m->e);
		c->write = c->read ? prepare(m->to, rtb_buf_cstr(&write), m->e) : NULL;
		st = c->write ? RTB_OK : m->e->status;
	}
	free(read);
	rtb_buf_free(&write);
	rtb_buf_free(&names);
	return st;
}

static void free_copier(struct copier *c)
{
	sqlite3_finalize(c->read);
	sqlite3_finalize(c->write);
	*c = (struct copier){0};
}

/* Every row that c->read gives, which has its parameter; so have the mapped columns of c->write. */
static enum rtb_status copy_rows(const struct merging *m, const struct copier *c)
{
	enum rtb_status st = RTB_OK;
	int rc;
	while ((rc = sqlite3_step(c->read)) == SQLITE_ROW && st == RTB_OK) {
		for (int i = 0; i < c->count; i++)
			sqlite3_bind_value(c->write, c->mapped + 1 + i, sqlite3_column_value(c->read, i));
		st = rtb_db_run(m->to, c->write, "merging", m->e);
	}
	if (st == RTB_OK && rc != SQLITE_DONE)
		st = fail_from(m);
	sqlite3_reset(c->read);
	return st;
}

static enum rtb_status map_set(struct merging *m, int factor, int64_t there, int64_t *here)
{
	if (there < 0 || there >= m->sets)
		return rtb_fail(m->e, RTB_STORE, "%s: a run has facts that are not there", m->from->path);
	int64_t *known = &m->set[factor][there];
	if (!*known) {
		const struct rtb_set_cache *c;
		enum rtb_status st = rtb_set_get(m->from, (enum rtb_factor)factor, there, &c, m->e);
		struct rtb_run facts = {0};
		if (st == RTB_OK) {
			facts.facts = c->facts;
			facts.fact_count = c->count;
			st = rtb_set_put(m->to, &facts, (enum rtb_factor)factor, known, m->e);
		}
		if (st)
			return st;
	}
	*here = *known;
	return RTB_OK;
}

struct run_copier {
	struct copier run, child[TABLES];
};

/* row: uid, id, target, kernel, opt, instrumented, then the sets in the order of RTB_SET_COLUMNS. */
static enum rtb_status copy_run(struct merging *m, struct run_copier *c, sqlite3_stmt *row, int64_t sweep)
{
	struct rtb_cell cell = {(char *)sqlite3_column_text(row, 2), (char *)sqlite3_column_text(row, 3),
				(char *)sqlite3_column_text(row, 4), sqlite3_column_int(row, 5)};
	int64_t cell_id, there = sqlite3_column_int64(row, 1);
	enum rtb_status st = rtb_cell_put(m->to, &cell, &cell_id, m->e);
	for (int i = 0; st == RTB_OK && i < FACTOR_COUNT; i++) {
		int64_t set = 0;
		st = map_set(m, rtb_set_order[i], sqlite3_column_int64(row, 6 + i), &set);
		sqlite3_bind_int64(c->run.write, 3 + i, set);
	}
	if (st)
		return st;
	sqlite3_bind_int64(c->run.write, 1, sweep);
	sqlite3_bind_int64(c->run.write, 2, cell_id);
	sqlite3_bind_int64(c->run.read, 1, there);
	st = copy_rows(m, &c->run);
	int64_t here = sqlite3_last_insert_rowid(m->to->db);
	for (size_t i = 0; st == RTB_OK && i < TABLES; i++) {
		sqlite3_bind_int64(c->child[i].read, 1, there);
		sqlite3_bind_int64(c->child[i].write, 1, here);
		st = copy_rows(m, &c->child[i]);
	}
	return st;
}

/* Checks over a whole sweep speak at its end, which may have come after the last merge. */
static enum rtb_status judge_again(struct merging *m, struct run_copier *c, int64_t here, int64_t there,
				   const char *verdict)
{
	struct copier *findings = &c->child[FINDINGS];
	sqlite3_stmt *drop = rtb_db_stmt(m->to, ST_FINDINGS_DROP, m->e);
	if (!drop)
		return m->e->status;
	sqlite3_bind_int64(drop, 1, here);
	enum rtb_status st = rtb_db_run(m->to, drop, "merging", m->e);
	sqlite3_bind_int64(findings->read, 1, there);
	sqlite3_bind_int64(findings->write, 1, here);
	st = st ? st : copy_rows(m, findings);
	sqlite3_stmt *judge = st ? NULL : rtb_db_stmt(m->to, ST_RUN_JUDGE, m->e);
	if (!judge)
		return m->e->status;
	rtb_bind_text(judge, 1, verdict);
	sqlite3_bind_int64(judge, 2, here);
	m->out->judged++;
	return rtb_db_run(m->to, judge, "merging", m->e);
}

/* A sweep that was resumed since may have kept another attempt than the last. */
static enum rtb_status raise_run(struct merging *m, int64_t here, int64_t standing)
{
	sqlite3_stmt *st = rtb_db_stmt(m->to, ST_RUN_RAISE, m->e);
	if (!st)
		return m->e->status;
	sqlite3_bind_int64(st, 1, here);
	sqlite3_bind_int64(st, 2, standing);
	return rtb_db_run(m->to, st, "merging", m->e);
}

/* row as above, and after the sets verdict, number of findings and standing. */
static enum rtb_status merge_run(struct merging *m, struct run_copier *c, sqlite3_stmt *row, int64_t sweep, bool *taken)
{
	sqlite3_stmt *st = rtb_db_stmt(m->to, ST_RUN_OF_UID, m->e);
	if (!st)
		return m->e->status;
	rtb_bind_text(st, 1, (const char *)sqlite3_column_text(row, 0));
	const char *verdict = (const char *)sqlite3_column_text(row, 6 + FACTOR_COUNT);
	int rc = sqlite3_step(st);
	int64_t here = rc == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
	bool judged = here && (strcmp((const char *)sqlite3_column_text(st, 1), verdict) != 0 ||
			       sqlite3_column_int64(st, 2) != sqlite3_column_int64(row, 7 + FACTOR_COUNT));
	sqlite3_reset(st);
	*taken = !here;
	if (!here) {
		m->out->runs++;
		return copy_run(m, c, row, sweep);
	}
	m->out->runs_there++;
	enum rtb_status status = raise_run(m, here, sqlite3_column_int64(row, 8 + FACTOR_COUNT));
	return status || !judged ? status : judge_again(m, c, here, sqlite3_column_int64(row, 1), verdict);
}

static enum rtb_status merge_runs(struct merging *m, struct run_copier *c, int64_t there, int64_t here, bool *taken)
{
	sqlite3_stmt *row = prepare(m->from, "SELECT r.uid, r.id, c.target, c.kernel, c.opt, c.instrumented, " RTB_SET_COLUMNS
				    ", r.verdict, (SELECT count(*) FROM finding f WHERE f.run_id = r.id), r.standing"
				    " FROM run r JOIN cell c ON c.id = r.cell_id WHERE r.sweep_id = ?1 ORDER BY r.id", m->e);
	if (!row)
		return m->e->status;
	enum rtb_status st = RTB_OK;
	int rc = SQLITE_DONE;
	sqlite3_bind_int64(row, 1, there);
	while (st == RTB_OK && (rc = sqlite3_step(row)) == SQLITE_ROW) {
		bool one = false;
		st = merge_run(m, c, row, here, &one);
		*taken |= one;
	}
	if (st == RTB_OK && rc != SQLITE_DONE)
		st = fail_from(m);
	sqlite3_finalize(row);
	return st;
}

/* Parts that are there already may have ended since. */
static enum rtb_status merge_parts(const struct merging *m, int64_t there, int64_t here)
{
	sqlite3_stmt *read = prepare(m->from, "SELECT uid, started_ns, ended_ns, command, host, rtbench_version, planned, status"
				     " FROM sweep_part WHERE sweep_id = ?1", m->e);
	sqlite3_stmt *write = read ? prepare(m->to, "INSERT INTO sweep_part (sweep_id, uid, started_ns, ended_ns, command, host,"
					     " rtbench_version, planned, status) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
					     " ON CONFLICT (uid) DO UPDATE SET ended_ns = ?4, planned = ?8, status = ?9"
					     " WHERE ?4 > coalesce(ended_ns, 0)", m->e) : NULL;
	enum rtb_status st = write ? RTB_OK : m->e->status;
	if (st == RTB_OK) {
		struct copier c = {read, write, 1, 8};
		sqlite3_bind_int64(read, 1, there);
		sqlite3_bind_int64(write, 1, here);
		st = copy_rows(m, &c);
	}
	sqlite3_finalize(read);
	sqlite3_finalize(write);
	return st ? st : rtb_sweep_sum_up(m->to, here, m->e);
}

static enum rtb_status merge_sweep(struct merging *m, struct copier *sweeps, struct run_copier *runs, int64_t there,
				   const char *uid)
{
	int64_t here = 0;
	bool taken = false;
	enum rtb_status st = rtb_sweep_of_uid(m->to, uid, &here, m->e);
	if (st == RTB_OK && !here) {
		rtb_bind_text(sweeps->write, 1, uid);
		sqlite3_bind_int64(sweeps->read, 1, there);
		st = copy_rows(m, sweeps);
		here = sqlite3_last_insert_rowid(m->to->db);
		taken = true;
	}
	if (st == RTB_OK)
		st = merge_parts(m, there, here);
	if (st == RTB_OK)
		st = merge_runs(m, runs, there, here, &taken);
	m->out->sweeps += taken;
	return st;
}

static enum rtb_status merge_sweeps(struct merging *m, struct copier *sweeps, struct run_copier *runs)
{
	sqlite3_stmt *row = prepare(m->from, "SELECT id, uid FROM sweep ORDER BY id", m->e);
	if (!row)
		return m->e->status;
	enum rtb_status st = RTB_OK;
	int rc = SQLITE_DONE;
	while (st == RTB_OK && (rc = sqlite3_step(row)) == SQLITE_ROW)
		st = merge_sweep(m, sweeps, runs, sqlite3_column_int64(row, 0), (const char *)sqlite3_column_text(row, 1));
	if (st == RTB_OK && rc != SQLITE_DONE)
		st = fail_from(m);
	sqlite3_finalize(row);
	return st;
}

/* A fact of which this program does not know what it is about would be left behind. */
static enum rtb_status check_keys(const struct merging *m)
{
	int64_t there = 0, known = 0;
	enum rtb_status st = rtb_db_number(m->from->db, m->from->path, "SELECT count(*) FROM fact_key", &there, m->e);
	for (int k = 0; k < PROV_COUNT; k++)
		known += m->from->key_id[k] != 0;
	return st || known == there ? st
		: rtb_fail(m->e, RTB_STORE_NEWER, "%s: has facts of %lld kinds that this rtbench does not know", m->from->path,
			   (long long)(there - known));
}

/* Both sides hold still: a read transaction there, a write transaction here. */
static enum rtb_status merge_all(struct merging *m)
{
	struct copier sweeps = {0};
	struct run_copier runs = {0};
	enum rtb_status st = rtb_db_exec(m->from->db, m->from->path, "BEGIN", m->e);
	if (st == RTB_OK)
		st = check_keys(m);
	if (st == RTB_OK)
		st = rtb_db_number(m->from->db, m->from->path, "SELECT coalesce(max(id), 0) + 1 FROM fact_set", &m->sets, m->e);
	for (int i = 0; st == RTB_OK && i < FACTOR_COUNT; i++)
		m->set[i] = rtb_alloc((size_t)m->sets * sizeof **m->set);
	if (st == RTB_OK)
		st = make_copier(m, "sweep", " id uid ", "uid", "id", &sweeps);
	if (st == RTB_OK)
		st = make_copier(m, "run", " id sweep_id cell_id version_set clock_set compiler_set config_set method_set"
				 " image_set note_set ", "sweep_id, cell_id, version_set, clock_set, compiler_set, config_set,"
				 " method_set, image_set, note_set", "id", &runs.run);
	for (size_t i = 0; st == RTB_OK && i < TABLES; i++)
		st = make_copier(m, parts_of_run[i], " id run_id ", "run_id", "run_id", &runs.child[i]);
	if (st == RTB_OK)
		st = rtb_db_begin(m->to, m->e);
	if (st == RTB_OK)
		st = merge_sweeps(m, &sweeps, &runs);
	if (st == RTB_OK)
		st = rtb_db_commit(m->to, m->e);
	rtb_db_rollback(m->to->db);
	rtb_db_rollback(m->from->db);
	free_copier(&sweeps);
	free_copier(&runs.run);
	for (size_t i = 0; i < TABLES; i++)
		free_copier(&runs.child[i]);
	for (int i = 0; i < FACTOR_COUNT; i++)
		free(m->set[i]);
	return st;
}

enum rtb_status rtb_store_merge(struct rtb_store *s, const char *path, struct rtb_merged *out, struct rtb_error *e)
{
	struct stat a, b;
	struct merging m = {.to = s, .out = out, .e = e};
	*out = (struct rtb_merged){0};
	if (stat(path, &a) == 0 && stat(s->path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return rtb_fail(e, RTB_USAGE, "%s: cannot be merged into itself", path);
	enum rtb_status st = rtb_store_open(path, STORE_READ, &m.from, e);
	if (st == RTB_OK)
		st = merge_all(&m);
	rtb_store_close(m.from);
	return st;
}
