/* resolve_symbols.c - which of the sources that define a symbol is meant. */
#include "kernel/resolve_parts.h"

#include <stdlib.h>
#include <string.h>

#define SEARCH_MAX 600 /* sources compiled merely to see what they define */

static void take_source(struct rtb_resolver *r, const char *symbol, const char *by, const struct rtb_choice *c)
{
	const struct rtb_tree_file *f = c->file;
	struct rtb_entry_tree *tree = &r->entry->tree[f->tree];
	const struct rtb_tried *t = r->tried[f - r->forest->files];
	rtb_strings_add_new(f->kind == RTB_FILE_LIB ? &tree->archive : &tree->source, f->rel);
	rtb_resolver_note(r, false, symbol, by, f, c);
	for (size_t i = 0; i < t->found_count; i++) {
		char *dir = rtb_include_dir(t->found[i], t->wanted[i]);
		struct rtb_choice h = rtb_choose_header(r, t->wanted[i], f->path);
		if (rtb_strings_add_new(&r->entry->tree[t->found[i]->tree].include, dir))
			rtb_resolver_note(r, true, t->wanted[i], f->path, t->found[i], &h);
		rtb_choice_free(&h);
		free(dir);
	}
}

static int by_penalty(const void *a, const void *b)
{
	const struct rtb_tree_file *x = *(const struct rtb_tree_file *const *)a;
	const struct rtb_tree_file *y = *(const struct rtb_tree_file *const *)b;
	int px = rtb_file_penalty(x), py = rtb_file_penalty(y);
	return px != py ? (px < py ? -1 : 1) : strcmp(x->path, y->path);
}

static size_t covers(const struct rtb_tried *t, const struct rtb_diags *asked)
{
	size_t n = 0;
	for (size_t i = 0; i < asked->n; i++)
		n += asked->v[i].kind == RTB_DIAG_UNDEFINED && rtb_strings_has(&t->defines, asked->v[i].name);
	return n;
}

/* Of files that all define the symbol, keeps those that answer most of what is asked. */
static size_t keep_widest(struct rtb_resolver *r, const struct rtb_tree_file **files, size_t n,
			  const struct rtb_diags *asked)
{
	size_t best = 0, kept = 0;
	for (size_t i = 0; i < n; i++) {
		size_t c = covers(r->tried[files[i] - r->forest->files], asked);
		best = c > best ? c : best;
	}
	for (size_t i = 0; i < n; i++)
		if (covers(r->tried[files[i] - r->forest->files], asked) == best)
			files[kept++] = files[i];
	return kept;
}

struct search {
	struct rtb_resolver *r;
	const struct rtb_diag *want;
	const struct rtb_diags *asked;
	const struct rtb_tree_file **files; /* candidates, best first */
	size_t count, eligible;
};

static void candidates(struct search *s)
{
	s->count = rtb_index_defining(&s->r->index, s->want->name, &s->files);
	size_t front = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct rtb_tree_file *f = s->files[i];
		if (!rtb_file_eligible(f))
			continue;
		s->files[i] = s->files[front];
		s->files[front++] = f;
	}
	s->eligible = front;
	if (front)
		qsort(s->files, front, sizeof *s->files, by_penalty);
}

/* From files[from..to), all of one rank, to those that compile and define it; these come to
 * the front of the range. */
static enum rtb_status verify(struct search *s, size_t from, size_t to, size_t *good, struct rtb_error *e)
{
	*good = 0;
	for (size_t i = from; i < to; i++) {
		const struct rtb_tree_file *f = s->files[i];
		const struct rtb_tried *t = rtb_attempt_file(s->r, f, e);
		if (!t)
			return e->status;
		if (!t->ok || !rtb_strings_has(&t->defines, s->want->name))
			continue;
		s->files[i] = s->files[from + *good];
		s->files[from + (*good)++] = f;
	}
	return RTB_OK;
}

/* Chooses among files[0..n), which all define it and are of one rank. alone: what to say of one
 * that has no rival at all. */
static bool settle(struct search *s, const struct rtb_tree_file **files, size_t n, const char *alone)
{
	struct rtb_resolver *r = s->r;
	size_t widest = keep_widest(r, files, n, s->asked);
	struct rtb_choice c = rtb_choose(files, widest, r->anchors, r->anchor_count);
	bool took = c.file != NULL;
	if (took && widest < n)
		c.why = "answers most of what is missing";
	else if (took && n == 1 && s->count > 1)
		c.why = s->eligible > 1 ? rtb_why_by_rank(c.file) : "the others name other cores or compilers";
	else if (took && alone && s->count == 1)
		c.why = alone;
	if (took) {
		/* what was passed over is everything that the text pointed to */
		free(c.rest);
		c.rest = rtb_alloc((s->count + 1) * sizeof *c.rest);
		c.rest_count = 0;
		for (size_t i = 0; i < s->count; i++)
			if (s->files[i] != c.file)
				c.rest[c.rest_count++] = s->files[i];
		take_source(r, s->want->name, s->want->where, &c);
	} else {
		struct rtb_question *q = rtb_resolver_ask(r, false, s->want->name, s->want->where,
					     rtb_sprintf("several files define it with equal claim"));
		for (size_t i = 0; q && i < c.rest_count; i++)
			rtb_resolver_suggest(r, q, c.rest[i], NULL);
	}
	rtb_choice_free(&c);
	return took;
}

static enum rtb_status by_text(struct search *s, bool *took, bool *open, struct rtb_error *e)
{
	for (size_t from = 0, to; from < s->eligible; from = to) {
		for (to = from + 1; to < s->eligible; to++)
			if (rtb_file_penalty(s->files[to]) != rtb_file_penalty(s->files[from]))
				break;
		size_t good;
		enum rtb_status st = verify(s, from, to, &good, e);
		if (st != RTB_OK)
			return st;
		if (good == 0)
			continue;
		const struct rtb_tree_file **few = rtb_alloc(good * sizeof *few);
		memcpy(few, s->files + from, good * sizeof *few);
		*took = settle(s, few, good, NULL);
		*open = !*took;
		free(few);
		return RTB_OK;
	}
	return RTB_OK;
}

static bool searchable(const struct rtb_resolver *r, const struct rtb_tree_file *f)
{
	bool near = f->wanted || f->kind == RTB_FILE_LIB;
	for (size_t k = 0; !near && k < r->anchor_count; k++)
		near = rtb_file_distance(f, r->anchors[k]) == 0;
	return near && rtb_file_eligible(f) &&
	       (f->kind == RTB_FILE_C || f->kind == RTB_FILE_ASM || f->kind == RTB_FILE_LIB);
}

/* Names that only a macro spells out: sources near those taken are compiled and asked, all of
 * them, so that a second one that defines the name does not go unnoticed. */
static enum rtb_status by_search(struct search *s, bool *took, bool *open, struct rtb_error *e)
{
	struct rtb_resolver *r = s->r;
	size_t n = 0;
	const struct rtb_tree_file **hit = rtb_alloc((r->forest->file_count + 1) * sizeof *hit);
	for (size_t i = 0; i < r->forest->file_count; i++) {
		const struct rtb_tree_file *f = &r->forest->files[i];
		if (!searchable(r, f))
			continue;
		if (!r->tried[i] && r->searched++ > SEARCH_MAX)
			break;
		const struct rtb_tried *t = rtb_attempt_file(r, f, e);
		if (!t) {
			free(hit);
			return e->status;
		}
		if (t->ok && rtb_strings_has(&t->defines, s->want->name))
			hit[n++] = f;
	}
	qsort(hit, n, sizeof *hit, by_penalty);
	if (n) {
		/* what the text pointed to did not define it; these are the candidates now */
		free(s->files);
		s->files = hit;
		s->count = s->eligible = n;
		size_t best = 1;
		while (best < n && rtb_file_penalty(hit[best]) == rtb_file_penalty(hit[0]))
			best++;
		const struct rtb_tree_file **few = rtb_alloc(best * sizeof *few);
		memcpy(few, hit, best * sizeof *few);
		*took = settle(s, few, best, hit[0]->kind == RTB_FILE_LIB ? "a library that holds it" : "defines it once compiled");
		*open = !*took;
		free(few);
	} else {
		free(hit);
	}
	return RTB_OK;
}

static void question_symbol(struct search *s)
{
	struct rtb_resolver *r = s->r;
	bool foreign = s->count > 0 && s->eligible == 0;
	struct rtb_question *q = rtb_resolver_ask(r, false, s->want->name, s->want->where,
		rtb_sprintf("%s", s->count == 0 ? "nothing in the tree seems to define it"
			       : foreign ? "only files for other cores or compilers define it"
					 : "what seems to define it cannot be used"));
	for (size_t i = 0; q && i < s->count; i++) {
		const struct rtb_tried *t = r->tried[s->files[i] - r->forest->files];
		rtb_resolver_suggest(r, q, s->files[i], t && t->why_not ? t->why_not : t ? "compiled, but does not define it" : NULL);
	}
}

static bool answered(const struct rtb_resolver *r, const char *symbol)
{
	for (size_t i = 0; i < r->forest->file_count; i++) {
		const struct rtb_tree_file *f = &r->forest->files[i];
		const struct rtb_entry_tree *t = &r->entry->tree[f->tree];
		if (r->tried[i] && r->tried[i]->ok && rtb_strings_has(&r->tried[i]->defines, symbol) &&
		    (rtb_strings_has(&t->source, f->rel) || rtb_strings_has(&t->archive, f->rel)))
			return true;
	}
	return false;
}

enum rtb_status rtb_take_symbol(struct rtb_resolver *r, const struct rtb_diag *want,
				   const struct rtb_diags *asked, struct rtb_error *e)
{
	struct search s = {.r = r, .want = want, .asked = asked};
	bool took = false, open = false;
	if (answered(r, want->name))
		return RTB_OK; /* by a file taken for another symbol of this round */
	rtb_index_symbols(&r->index);
	candidates(&s);
	enum rtb_status st = by_text(&s, &took, &open, e);
	if (st == RTB_OK && !took && !open)
		st = by_search(&s, &took, &open, e);
	if (st == RTB_OK && !took && !open)
		question_symbol(&s);
	free(s.files);
	return st;
}
