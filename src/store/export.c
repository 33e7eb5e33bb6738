/* Rows for export: the same as the view v_export, but the facts come from the sets that runs
 * share instead of being looked up once a row and column. */
#include <stdlib.h>
#include <string.h>

#include "store/db.h"

static const struct rtb_export_column fixed[RTB_EXPORT_FIXED] = {
#define X(name, kind, sql, text) {name, VALUE_##kind, "", text},
#include "store/export.def"
#undef X
};

static const char select_text[] =
	"SELECT " RTB_SET_COLUMNS
#define X(name, kind, sql, text) ", " sql
#include "store/export.def"
#undef X
	" FROM run r JOIN cell c ON c.id = r.cell_id LEFT JOIN record d ON d.run_id = r.id WHERE 1";

size_t rtb_export_columns(struct rtb_export_column out[RTB_EXPORT_MAX])
{
	size_t n = RTB_EXPORT_FIXED;
	memcpy(out, fixed, sizeof fixed);
	for (int k = 0; k < PROV_COUNT; k++) {
		const struct rtb_prov_info *p = rtb_prov_info((enum rtb_prov_key)k);
		if (rtb_prov_exported((enum rtb_prov_key)k))
			out[n++] = (struct rtb_export_column){p->name, VALUE_TEXT, p->unit, p->text};
	}
	out[n++] = (struct rtb_export_column){"declared", VALUE_TEXT, "", "names of the facts that were only declared"};
	return n;
}

struct exporter {
	struct rtb_store *s;
	sqlite3_stmt *st;
	struct rtb_value value[RTB_EXPORT_MAX];
	size_t columns;
	size_t place[PROV_COUNT];    /* of each key among the columns; 0: not exported */
	int64_t set[FACTOR_COUNT];   /* of the facts now in value; 0: none yet */
	struct rtb_buf declared;
};

static int by_id(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

/* In the order of the keys' ids, as the view has them. */
static void list_declared(struct exporter *x, const struct rtb_set_cache *const *set)
{
	int64_t ids[PROV_COUNT];
	size_t n = 0;
	for (int f = 0; f < FACTOR_COUNT; f++)
		for (size_t i = 0; i < set[f]->count; i++)
			if (set[f]->facts[i].origin == ORIGIN_DECLARED)
				ids[n++] = x->s->key_id[set[f]->facts[i].key];
	qsort(ids, n, sizeof ids[0], by_id);
	rtb_buf_clear(&x->declared);
	for (size_t i = 0; i < n; i++)
		rtb_buf_fmt(&x->declared, "%s%s", i ? " " : "",
			    rtb_prov_info((enum rtb_prov_key)x->s->key_of_id[ids[i]])->name);
	struct rtb_value *v = &x->value[x->columns - 1];
	*v = n ? (struct rtb_value){.type = VALUE_TEXT, .text = x->declared.data} : (struct rtb_value){0};
}

static enum rtb_status fill_facts(struct exporter *x, struct rtb_error *e)
{
	const struct rtb_set_cache *set[FACTOR_COUNT];
	bool same = true;
	for (int f = 0; f < FACTOR_COUNT; f++)
		same = same && x->set[f] == sqlite3_column_int64(x->st, f);
	if (same)
		return RTB_OK;
	memset(x->value + RTB_EXPORT_FIXED, 0, sizeof x->value - RTB_EXPORT_FIXED * sizeof x->value[0]);
	for (int f = 0; f < FACTOR_COUNT; f++) {
		x->set[f] = sqlite3_column_int64(x->st, f);
		enum rtb_status status = rtb_set_get(x->s, rtb_set_order[f], x->set[f], &set[f], e);
		if (status != RTB_OK)
			return status;
		for (size_t i = 0; i < set[f]->count; i++) {
			size_t at = x->place[set[f]->facts[i].key];
			if (at)
				x->value[at] = (struct rtb_value){.type = VALUE_TEXT, .text = set[f]->facts[i].value};
		}
	}
	list_declared(x, set);
	return RTB_OK;
}

static void fill_fixed(struct exporter *x)
{
	for (size_t c = 0; c < RTB_EXPORT_FIXED; c++) {
		int col = (int)c + FACTOR_COUNT;
		struct rtb_value *v = &x->value[c];
		v->type = sqlite3_column_type(x->st, col) == SQLITE_NULL ? VALUE_NULL : fixed[c].type;
		switch (v->type) {
		case VALUE_NULL:
			break;
		case VALUE_INT:
			v->i = sqlite3_column_int64(x->st, col);
			break;
		case VALUE_REAL:
			v->d = sqlite3_column_double(x->st, col);
			break;
		case VALUE_TEXT:
			v->text = (const char *)sqlite3_column_text(x->st, col);
			break;
		}
	}
}

enum rtb_status rtb_store_export(struct rtb_store *s, const struct rtb_run_query *q,
				 rtb_export_row *row, void *ctx, struct rtb_error *e)
{
	struct exporter x = {.s = s, .columns = RTB_EXPORT_FIXED};
	struct rtb_buf sql = {0};
	for (int k = 0; k < PROV_COUNT; k++)
		if (rtb_prov_exported((enum rtb_prov_key)k))
			x.place[k] = x.columns++;
	x.columns++; /* declared */
	rtb_buf_str(&sql, select_text);
	rtb_query_where(q, &sql);
	rtb_buf_str(&sql, q->case_name ? " AND d.case_name = ?7" : "");
	rtb_buf_str(&sql, " ORDER BY r.id, d.id");
	enum rtb_status status = RTB_OK;
	if (sqlite3_prepare_v2(s->db, sql.data, -1, &x.st, NULL))
		status = rtb_db_fail(s->db, s->path, "exporting", e);
	rtb_buf_free(&sql);
	if (status == RTB_OK) {
		rtb_query_bind(q, x.st);
		rtb_bind_text(x.st, 7, q->case_name);
	}
	int rc = SQLITE_DONE;
	while (status == RTB_OK && (rc = sqlite3_step(x.st)) == SQLITE_ROW) {
		fill_fixed(&x);
		status = fill_facts(&x, e);
		if (status == RTB_OK)
			status = row(ctx, x.value, e);
	}
	if (status == RTB_OK && rc != SQLITE_DONE)
		status = rtb_db_fail(s->db, s->path, "exporting", e);
	sqlite3_finalize(x.st);
	rtb_buf_free(&x.declared);
	return status;
}
