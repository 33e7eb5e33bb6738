/* A factor's facts as a set that runs share: written once, found again by digest. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "store/db.h"

static int by_key(const void *a, const void *b)
{
	const struct rtb_fact *x = *(const struct rtb_fact *const *)a, *y = *(const struct rtb_fact *const *)b;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* The run's facts of one factor in order of key; free the array alone. */
static const struct rtb_fact **facts_of(const struct rtb_run *run, enum rtb_factor f, size_t *count)
{
	const struct rtb_fact **list = rtb_alloc(run->fact_count * sizeof *list);
	*count = 0;
	for (size_t i = 0; i < run->fact_count; i++)
		if (rtb_prov_info((enum rtb_prov_key)run->facts[i].key)->factor == f)
			list[(*count)++] = &run->facts[i];
	qsort(list, *count, sizeof *list, by_key);
	return list;
}

static uint64_t fnv1a(uint64_t h, const char *s)
{
	do {
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	} while (*s++);
	return h;
}

static int64_t digest_of(const struct rtb_fact *const *list, size_t count)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (size_t i = 0; i < count; i++) {
		h = fnv1a(h, rtb_prov_info((enum rtb_prov_key)list[i]->key)->name);
		h = fnv1a(h, rtb_origin_word(list[i]->origin));
		h = fnv1a(h, list[i]->value);
	}
	return (int64_t)h;
}

static enum rtb_origin origin_from(const char *word)
{
	for (int o = 0; o < ORIGIN_COUNT; o++)
		if (word && strcmp(rtb_origin_word((enum rtb_origin)o), word) == 0)
			return (enum rtb_origin)o;
	return ORIGIN_DECLARED; /* the least that can be claimed */
}

static void slot_clear(struct rtb_set_cache *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->facts[i].value);
	free(c->facts);
	*c = (struct rtb_set_cache){0};
}

void rtb_set_cache_free(struct rtb_store *s)
{
	for (int f = 0; f < FACTOR_COUNT; f++)
		for (int i = 0; i < RTB_SET_CACHE; i++)
			slot_clear(&s->sets[f][i]);
}

enum rtb_status rtb_set_get(struct rtb_store *s, enum rtb_factor f, int64_t id,
			    const struct rtb_set_cache **out, struct rtb_error *e)
{
	struct rtb_set_cache *c = &s->sets[f][(uint64_t)id % RTB_SET_CACHE];
	*out = c;
	if (c->id == id)
		return RTB_OK;
	slot_clear(c);
	sqlite3_stmt *st = rtb_db_stmt(s, ST_FACTS, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, id);
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		int64_t key = sqlite3_column_int64(st, 0);
		int k = key >= 0 && (uint64_t)key < s->key_ids ? s->key_of_id[key] : -1;
		if (k < 0)
			continue; /* a key of a newer program: nothing here could name it */
		if (c->count % 8 == 0)
			c->facts = rtb_realloc(c->facts, (c->count + 8) * sizeof *c->facts);
		c->facts[c->count++] = (struct rtb_fact){k, origin_from((const char *)sqlite3_column_text(st, 1)),
							 rtb_col_dup(st, 2)};
	}
	if (rc != SQLITE_DONE)
		return rtb_db_fail(s->db, s->path, "reading facts", e);
	sqlite3_reset(st);
	c->id = id;
	return RTB_OK;
}

/* Whether the stored set is the list: a digest alone may collide. */
static bool same(const struct rtb_set_cache *c, const struct rtb_fact *const *list, size_t count)
{
	if (c->count != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		bool found = false;
		for (size_t j = 0; j < count && !found; j++)
			found = c->facts[j].key == list[i]->key && c->facts[j].origin == list[i]->origin &&
				strcmp(c->facts[j].value, list[i]->value) == 0;
		if (!found)
			return false;
	}
	return true;
}

static enum rtb_status find(struct rtb_store *s, enum rtb_factor f, const struct rtb_fact *const *list,
			    size_t count, int64_t digest, int64_t *id, struct rtb_error *e)
{
	enum rtb_status status = RTB_OK;
	sqlite3_stmt *st = rtb_db_stmt(s, ST_SET_FIND, e);
	if (!st)
		return e->status;
	sqlite3_bind_int64(st, 1, digest);
	rtb_bind_text(st, 2, rtb_factor_word(f));
	*id = 0;
	int rc;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW && *id == 0 && status == RTB_OK) {
		const struct rtb_set_cache *c;
		int64_t candidate = sqlite3_column_int64(st, 0);
		status = rtb_set_get(s, f, candidate, &c, e);
		if (status == RTB_OK && same(c, list, count))
			*id = candidate;
	}
	if (status == RTB_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
		status = rtb_db_fail(s->db, s->path, "looking for facts", e);
	sqlite3_reset(st);
	return status;
}

static enum rtb_status put(struct rtb_store *s, enum rtb_factor f, const struct rtb_fact *const *list,
			   size_t count, int64_t digest, int64_t *id, struct rtb_error *e)
{
	sqlite3_stmt *st = rtb_db_stmt(s, ST_SET_PUT, e);
	if (!st)
		return e->status;
	rtb_bind_text(st, 1, rtb_factor_word(f));
	sqlite3_bind_int64(st, 2, digest);
	enum rtb_status status = rtb_db_run(s, st, "storing facts", e);
	*id = sqlite3_last_insert_rowid(s->db);
	for (size_t i = 0; status == RTB_OK && i < count; i++) {
		st = rtb_db_stmt(s, ST_FACT_PUT, e);
		if (!st)
			return e->status;
		sqlite3_bind_int64(st, 1, *id);
		sqlite3_bind_int64(st, 2, s->key_id[list[i]->key]);
		rtb_bind_text(st, 3, rtb_origin_word(list[i]->origin));
		rtb_bind_text(st, 4, list[i]->value);
		status = rtb_db_run(s, st, "storing facts", e);
	}
	return status;
}

enum rtb_status rtb_set_put(struct rtb_store *s, const struct rtb_run *run, enum rtb_factor f,
			    int64_t *id, struct rtb_error *e)
{
	size_t count;
	const struct rtb_fact **list = facts_of(run, f, &count);
	int64_t digest = digest_of(list, count);
	enum rtb_status status = find(s, f, list, count, digest, id, e);
	if (status == RTB_OK && *id == 0)
		status = put(s, f, list, count, digest, id, e);
	free(list);
	return status;
}
