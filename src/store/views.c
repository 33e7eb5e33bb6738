#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "store/db.h"

static const char fixed_views[] =
#include <views.inc> /* the text of schemas/views.sql */
;

enum rtb_status rtb_load_keys(struct rtb_store *s, struct rtb_error *e)
{
	sqlite3_stmt *st = NULL;
	if (sqlite3_prepare_v2(s->db, "SELECT id, name FROM fact_key ORDER BY id", -1, &st, NULL))
		return rtb_db_fail(s->db, s->path, "reading the keys", e);
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		size_t id = (size_t)sqlite3_column_int64(st, 0);
		enum rtb_prov_key k = rtb_prov_from_name((const char *)sqlite3_column_text(st, 1));
		if (id >= 4096) /* a damaged row; keys are few and their ids small */
			continue;
		if (id >= s->key_ids) {
			s->key_of_id = rtb_realloc(s->key_of_id, (id + 1) * sizeof *s->key_of_id);
			while (s->key_ids <= id)
				s->key_of_id[s->key_ids++] = -1;
		}
		s->key_of_id[id] = k == PROV_COUNT ? -1 : (int)k;
		if (k != PROV_COUNT)
			s->key_id[k] = (int64_t)id;
	}
	enum rtb_status status = rc == SQLITE_DONE ? RTB_OK : rtb_db_fail(s->db, s->path, "reading the keys", e);
	sqlite3_finalize(st);
	return status;
}

enum rtb_status rtb_sync_keys(struct rtb_store *s, struct rtb_error *e)
{
	static const char sql[] = "INSERT INTO fact_key (name, factor, unit, text) VALUES (?1, ?2, ?3, ?4)"
		" ON CONFLICT (name) DO UPDATE SET factor = ?2, unit = ?3, text = ?4"
		" WHERE factor <> ?2 OR unit <> ?3 OR text <> ?4";
	sqlite3_stmt *st = NULL;
	enum rtb_status status = rtb_db_begin(s, e);
	if (status != RTB_OK)
		return status;
	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL))
		return rtb_db_fail(s->db, s->path, "keeping the keys", e);
	for (int k = 0; status == RTB_OK && k < PROV_COUNT; k++) {
		const struct rtb_prov_info *p = rtb_prov_info((enum rtb_prov_key)k);
		rtb_bind_text(st, 1, p->name);
		rtb_bind_text(st, 2, rtb_factor_word(p->factor));
		rtb_bind_text(st, 3, p->unit);
		rtb_bind_text(st, 4, p->text);
		status = rtb_db_run(s, st, "keeping the keys", e);
	}
	sqlite3_finalize(st);
	if (status == RTB_OK)
		status = rtb_db_commit(s, e);
	return status == RTB_OK ? rtb_load_keys(s, e) : status;
}

/* One column for each exported key, looked up in the set of its factor. */
static void provenance_columns(const struct rtb_store *s, struct rtb_buf *sql)
{
	for (int k = 0; k < PROV_COUNT; k++) {
		const struct rtb_prov_info *p = rtb_prov_info((enum rtb_prov_key)k);
		if (rtb_prov_exported((enum rtb_prov_key)k))
			rtb_buf_fmt(sql, ",\n       (SELECT value FROM fact WHERE set_id = r.%s_set AND key_id = %lld)"
				    " AS %s", rtb_factor_word(p->factor), (long long)s->key_id[k], p->name);
	}
	rtb_buf_str(sql, ",\n       (SELECT group_concat(name, ' ') FROM (SELECT k.name FROM fact f"
		    " JOIN fact_key k ON k.id = f.key_id WHERE f.origin = 'declared' AND f.set_id IN"
		    " (r.version_set, r.clock_set, r.compiler_set, r.config_set, r.method_set,"
		    " r.image_set, r.note_set) ORDER BY k.id)) AS declared\n");
}

/* What export writes: a row for each record, and one without figures for a run that has none. */
static void export_view(const struct rtb_store *s, struct rtb_buf *sql)
{
	static const char *const fixed[][2] = {
#define X(name, kind, expression, text) {name, expression},
#include "store/export.def"
#undef X
	};
	rtb_buf_str(sql, "CREATE VIEW v_export AS\nSELECT ");
	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		rtb_buf_fmt(sql, "%s%s AS \"%s\"", i ? ",\n       " : "", fixed[i][1], fixed[i][0]);
	provenance_columns(s, sql);
	rtb_buf_str(sql, "FROM run r JOIN cell c ON c.id = r.cell_id LEFT JOIN record d ON d.run_id = r.id;\n");
}

static void wanted_views(const struct rtb_store *s, struct rtb_buf *sql)
{
	rtb_buf_str(sql, fixed_views);
	rtb_buf_str(sql, "\nCREATE VIEW v_provenance AS\nSELECT r.id AS run");
	provenance_columns(s, sql);
	rtb_buf_str(sql, "FROM run r;\n");
	export_view(s, sql);
}

static enum rtb_status drop_views(struct rtb_store *s, struct rtb_error *e)
{
	struct rtb_buf sql = {0};
	sqlite3_stmt *st = NULL;
	if (sqlite3_prepare_v2(s->db, "SELECT name FROM sqlite_master WHERE type = 'view'"
			       " AND name LIKE 'v\\_%' ESCAPE '\\'", -1, &st, NULL))
		return rtb_db_fail(s->db, s->path, "renewing the views", e);
	while (sqlite3_step(st) == SQLITE_ROW)
		rtb_buf_fmt(&sql, "DROP VIEW \"%s\";", (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	enum rtb_status status = rtb_db_exec(s->db, s->path, rtb_buf_cstr(&sql), e);
	rtb_buf_free(&sql);
	return status;
}

/* The text that made the views is kept in one row, so that "do they differ" is one comparison. */
enum rtb_status rtb_sync_views(struct rtb_store *s, struct rtb_error *e)
{
	struct rtb_buf sql = {0};
	wanted_views(s, &sql);
	enum rtb_status status = rtb_db_begin(s, e);
	sqlite3_stmt *st = NULL;
	if (status == RTB_OK && sqlite3_prepare_v2(s->db, "INSERT INTO view_text (id, sql) VALUES (1, ?1)"
			" ON CONFLICT (id) DO UPDATE SET sql = ?1 WHERE sql <> ?1", -1, &st, NULL))
		status = rtb_db_fail(s->db, s->path, "renewing the views", e);
	if (status == RTB_OK) {
		rtb_bind_text(st, 1, sql.data);
		status = rtb_db_run(s, st, "renewing the views", e);
	}
	sqlite3_finalize(st);
	if (status == RTB_OK && sqlite3_changes(s->db) > 0) {
		status = drop_views(s, e);
		if (status == RTB_OK)
			status = rtb_db_exec(s->db, s->path, sql.data, e);
	}
	if (status == RTB_OK)
		status = rtb_db_commit(s, e);
	rtb_db_rollback(s->db);
	rtb_buf_free(&sql);
	return status;
}
