#include "config/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *path;
	struct rtb_error *e;
};

static enum rtb_status complain(const struct reader *r, const struct rtb_toml *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static enum rtb_status complain(const struct reader *r, const struct rtb_toml *at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *what = NULL;
	if (vasprintf(&what, fmt, ap) < 0)
		abort();
	va_end(ap);
	enum rtb_status st = rtb_fail(r->e, RTB_CONFIG, "%s:%u:%u: %s", r->path, at->line, at->column, what);
	free(what);
	return st;
}

static bool one_of(const char *words, const char *s)
{
	size_t n = strlen(s);
	for (const char *p = words; n && (p = strstr(p, s)); p += n)
		if ((p == words || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

static void list_free(struct rtb_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].text);
	free(l->v);
	*l = (struct rtb_list){0};
}

static enum rtb_status check_string(const struct reader *r, const struct rtb_key *k,
				    const struct rtb_toml *v, bool length)
{
	if (v->kind != RTB_TOML_STRING)
		return complain(r, v, "%s must be %s, not %s", k->name,
				k->type == KEY_STRINGS ? "an array of strings" : "a string",
				rtb_toml_kind_word(v->kind));
	if (k->words && !one_of(k->words, v->text))
		return complain(r, v, "%s cannot be \"%s\"; it is one of: %s", k->name, v->text, k->words);
	size_t n = strlen(v->text);
	if (length && k->hi > 0 && (n < (size_t)k->lo || n > (size_t)k->hi))
		return complain(r, v, "%s must be %lld to %lld characters long, not %zu", k->name,
				(long long)k->lo, (long long)k->hi, n);
	return RTB_OK;
}

static enum rtb_status read_list(const struct reader *r, const struct rtb_key *k,
				 const struct rtb_toml *v, struct rtb_list *out)
{
	if (v->kind != RTB_TOML_ARRAY)
		return complain(r, v, "%s must be an array of strings, not %s", k->name,
				rtb_toml_kind_word(v->kind));
	if (k->hi > 0 && (v->count < (size_t)k->lo || v->count > (size_t)k->hi))
		return complain(r, v, "%s must have %lld to %lld elements, not %zu", k->name,
				(long long)k->lo, (long long)k->hi, v->count);
	list_free(out);
	out->line = v->line;
	out->column = v->column;
	out->v = rtb_alloc(v->count * sizeof *out->v);
	for (size_t i = 0; i < v->count; i++) {
		const struct rtb_toml *c = &v->child[i];
		enum rtb_status st = check_string(r, k, c, false);
		if (st)
			return st;
		out->v[out->n++] = (struct rtb_word){rtb_strdup(c->text), c->line, c->column};
	}
	return RTB_OK;
}

static enum rtb_status read_value(const struct reader *r, const struct rtb_key *k,
				  const struct rtb_toml *v, void *at)
{
	enum rtb_status st = RTB_OK;
	switch (k->type) {
	case KEY_STRING:
		st = check_string(r, k, v, true);
		if (st == RTB_OK) {
			free(*(char **)at);
			*(char **)at = rtb_strdup(v->text);
		}
		return st;
	case KEY_STRINGS:
		return read_list(r, k, v, at);
	case KEY_UINT:
		if (v->kind != RTB_TOML_INT)
			return complain(r, v, "%s must be an integer, not %s", k->name,
					rtb_toml_kind_word(v->kind));
		if (v->number < k->lo || v->number > k->hi)
			return complain(r, v, "%s must be %lld to %lld, not %lld", k->name, (long long)k->lo,
					(long long)k->hi, (long long)v->number);
		*(uint32_t *)at = (uint32_t)v->number;
		return RTB_OK;
	case KEY_BOOL:
		if (v->kind != RTB_TOML_BOOL)
			return complain(r, v, "%s must be true or false, not %s", k->name,
					rtb_toml_kind_word(v->kind));
		*(bool *)at = v->flag;
		return RTB_OK;
	}
	return RTB_OK;
}

/* A default is TOML too: one path for types and ranges, so a wrong default cannot slip in. */
static enum rtb_status apply_defaults(const struct rtb_section *s, char *base, struct rtb_error *e)
{
	struct reader r = {"(default)", e};
	for (size_t i = 0; i < s->key_count; i++) {
		const struct rtb_key *k = &s->keys[i];
		if (!k->def)
			continue;
		char *text = rtb_sprintf("%s = %s", k->name, k->def);
		struct rtb_toml *t = NULL;
		enum rtb_status st = rtb_toml_parse(text, strlen(text), r.path, &t, e);
		if (st == RTB_OK) {
			t->child[0].line = 0;
			for (size_t c = 0; c < t->child[0].count; c++)
				t->child[0].child[c].line = 0;
			st = read_value(&r, k, &t->child[0], base + k->offset);
		}
		rtb_toml_free(t);
		free(text);
		if (st)
			return st;
	}
	return RTB_OK;
}

static const struct rtb_key *find_key(const struct rtb_section *s, const char *name)
{
	for (size_t i = 0; s && i < s->key_count; i++)
		if (strcmp(s->keys[i].name, name) == 0)
			return &s->keys[i];
	return NULL;
}

static const struct rtb_section *find_section(const struct rtb_section *s, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(s[i].name, name) == 0)
			return &s[i];
	return NULL;
}

/* The allowed names, for "unknown key". */
static void add_name(struct rtb_buf *b, const char *name)
{
	if (*name)
		rtb_buf_fmt(b, "%s%s", b->len ? ", " : "", name);
}

static enum rtb_status unknown_key(const struct reader *r, const struct rtb_section *s,
				   const struct rtb_toml *c)
{
	struct rtb_buf names = {0};
	for (size_t i = 0; s && i < s->key_count; i++)
		add_name(&names, s->keys[i].name);
	enum rtb_status st = complain(r, c, "unknown key \"%s\" in [%s]; known are: %s", c->key,
				      s && *s->name ? s->name : "top level", rtb_buf_cstr(&names));
	rtb_buf_free(&names);
	return st;
}

static enum rtb_status read_table(const struct reader *r, const struct rtb_section *s,
				  const struct rtb_toml *t, char *base)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct rtb_key *k = find_key(s, t->child[i].key);
		enum rtb_status st = k ? read_value(r, k, &t->child[i], base + k->offset)
				       : unknown_key(r, s, &t->child[i]);
		if (st)
			return st;
	}
	return RTB_OK;
}

static enum rtb_status missing(const struct reader *r, const struct rtb_section *s,
			       const struct rtb_toml *t)
{
	for (size_t k = 0; k < s->key_count; k++) {
		bool found = s->keys[k].def != NULL;
		for (size_t i = 0; !found && i < t->count; i++)
			found = strcmp(t->child[i].key, s->keys[k].name) == 0;
		if (!found)
			return complain(r, t, "[[%s]] lacks the key \"%s\"", s->name, s->keys[k].name);
	}
	return RTB_OK;
}

static void section_free(const struct rtb_section *s, char *base)
{
	for (size_t i = 0; i < s->key_count; i++) {
		void *at = base + s->keys[i].offset;
		if (s->keys[i].type == KEY_STRING) {
			free(*(char **)at);
			*(char **)at = NULL;
		} else if (s->keys[i].type == KEY_STRINGS) {
			list_free(at);
		}
	}
}

static void array_free(const struct rtb_section *s, char *out)
{
	char **items = (void *)(out + s->offset);
	size_t *count = (void *)(out + s->offset + sizeof(void *));
	for (size_t i = 0; i < *count; i++)
		section_free(s, *items + i * s->size);
	free(*items);
	*items = NULL;
	*count = 0;
}

static enum rtb_status read_array(const struct reader *r, const struct rtb_section *s,
				  const struct rtb_toml *v, char *out)
{
	if (v->kind != RTB_TOML_ARRAY)
		return complain(r, v, "write [[%s]], with two brackets: there may be several", s->name);
	array_free(s, out);
	char **items = (void *)(out + s->offset);
	size_t *count = (void *)(out + s->offset + sizeof(void *));
	*items = rtb_alloc(v->count * s->size);
	for (size_t i = 0; i < v->count; i++) {
		const struct rtb_toml *t = &v->child[i];
		char *item = *items + (*count)++ * s->size;
		if (t->kind != RTB_TOML_TABLE)
			return complain(r, t, "%s must be tables: [[%s]]", s->name, s->name);
		*(unsigned *)(void *)item = t->line;
		enum rtb_status st = apply_defaults(s, item, r->e);
		if (st == RTB_OK)
			st = read_table(r, s, t, item);
		if (st == RTB_OK)
			st = missing(r, s, t);
		if (st)
			return st;
	}
	return RTB_OK;
}

static enum rtb_status unknown_section(const struct reader *r, const struct rtb_section *s, size_t n,
				       const struct rtb_toml *c)
{
	struct rtb_buf names = {0};
	const struct rtb_section *top = find_section(s, n, "");
	for (size_t i = 0; top && i < top->key_count; i++)
		add_name(&names, top->keys[i].name);
	for (size_t i = 0; i < n; i++)
		add_name(&names, s[i].name);
	enum rtb_status st = complain(r, c, "unknown %s \"%s\"; known are: %s",
				      c->kind == RTB_TOML_TABLE ? "section" : "key", c->key, rtb_buf_cstr(&names));
	rtb_buf_free(&names);
	return st;
}

static enum rtb_status read_doc(const struct reader *r, const struct rtb_section *s, size_t n,
				const struct rtb_toml *root, char *out)
{
	for (size_t i = 0; i < root->count; i++) {
		const struct rtb_toml *c = &root->child[i];
		const struct rtb_key *top = find_key(find_section(s, n, ""), c->key);
		const struct rtb_section *sec = find_section(s, n, c->key);
		enum rtb_status st;
		if (top)
			st = read_value(r, top, c, out + top->offset);
		else if (!sec)
			st = unknown_section(r, s, n, c);
		else if (sec->array)
			st = read_array(r, sec, c, out);
		else if (c->kind != RTB_TOML_TABLE)
			st = complain(r, c, "%s is a section: write [%s]", c->key, c->key);
		else
			st = read_table(r, sec, c, out);
		if (st)
			return st;
	}
	return RTB_OK;
}

static const struct rtb_toml *child(const struct rtb_toml *t, const char *key)
{
	for (size_t i = 0; t && i < t->count; i++)
		if (strcmp(t->child[i].key, key) == 0)
			return &t->child[i];
	return NULL;
}

/* Required keys, after all documents: any of them may have brought the key. */
static enum rtb_status check_required(const struct rtb_section *s, const struct rtb_doc *docs,
				      size_t doc_count, struct rtb_error *e)
{
	const struct rtb_doc *last = &docs[doc_count - 1];
	struct reader r = {last->path, e};
	for (size_t k = 0; !s->array && k < s->key_count; k++) {
		bool found = s->keys[k].def != NULL;
		for (size_t d = 0; !found && d < doc_count; d++) {
			const struct rtb_toml *t = *s->name ? child(docs[d].root, s->name) : docs[d].root;
			found = child(t, s->keys[k].name) != NULL;
		}
		const struct rtb_toml *at = child(last->root, s->name);
		if (!found)
			return complain(&r, at ? at : last->root, "the key \"%s\" is missing in [%s]",
					s->keys[k].name, *s->name ? s->name : "top level");
	}
	return RTB_OK;
}

enum rtb_status rtb_config_read(const struct rtb_section *s, size_t sections,
				const struct rtb_doc *docs, size_t doc_count, void *out,
				struct rtb_error *e)
{
	enum rtb_status st = RTB_OK;
	for (size_t i = 0; st == RTB_OK && i < sections; i++)
		if (!s[i].array)
			st = apply_defaults(&s[i], out, e);
	for (size_t d = 0; st == RTB_OK && d < doc_count; d++) {
		struct reader r = {docs[d].path, e};
		st = read_doc(&r, s, sections, docs[d].root, out);
	}
	for (size_t i = 0; st == RTB_OK && i < sections; i++)
		st = check_required(&s[i], docs, doc_count, e);
	return st;
}

void rtb_config_free(const struct rtb_section *s, size_t sections, void *out)
{
	for (size_t i = 0; i < sections; i++) {
		if (s[i].array)
			array_free(&s[i], out);
		else
			section_free(&s[i], out);
	}
}
