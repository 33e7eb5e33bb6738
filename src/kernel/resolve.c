/* resolve.c */
#include "kernel/resolve_parts.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 12 /* candidates named in a question */

void rtb_resolver_init(struct rtb_resolver *r, struct rtb_forest *f, struct rtb_probe *p, struct rtb_entry *n)
{
	*r = (struct rtb_resolver){.forest = f, .probe = p, .entry = n};
	rtb_index_init(&r->index, f);
	r->tried = rtb_alloc((f->file_count + 1) * sizeof *r->tried);
}

void rtb_resolver_drop_questions(struct rtb_resolver *r)
{
	for (size_t i = 0; i < r->question_count; i++) {
		free(r->question[i].asked);
		free(r->question[i].by);
		free(r->question[i].text);
		rtb_strings_free(&r->question[i].candidates);
	}
	r->question_count = 0;
}

static void drop_tried(struct rtb_resolver *r)
{
	for (size_t i = 0; r->tried && i < r->forest->file_count; i++) {
		rtb_tried_free(r->tried[i]);
		r->tried[i] = NULL;
	}
}

void rtb_resolver_level(struct rtb_resolver *r, struct rtb_level l)
{
	drop_tried(r);
	r->level = l;
}

void rtb_resolver_free(struct rtb_resolver *r)
{
	rtb_resolver_drop_questions(r);
	drop_tried(r);
	for (size_t i = 0; i < r->taken_count; i++) {
		free(r->taken[i].asked);
		free(r->taken[i].by);
		free(r->taken[i].file);
		rtb_strings_free(&r->taken[i].passed_over);
	}
	free(r->taken);
	free(r->question);
	free(r->anchors);
	free(r->tried);
	rtb_index_free(&r->index);
	*r = (struct rtb_resolver){0};
}

/* ---- notes ---- */

struct rtb_question *rtb_resolver_ask(struct rtb_resolver *r, bool header, const char *asked, const char *by, char *text)
{
	for (size_t i = 0; i < r->question_count; i++)
		if (r->question[i].header == header && strcmp(r->question[i].asked, asked) == 0) {
			free(text);
			return NULL;
		}
	r->question = rtb_realloc(r->question, (r->question_count + 1) * sizeof *r->question);
	struct rtb_question *q = &r->question[r->question_count++];
	*q = (struct rtb_question){
		.header = header, .asked = rtb_strdup(asked), .by = rtb_strdup(by), .text = text,
	};
	return q;
}

void rtb_resolver_suggest(const struct rtb_resolver *r, struct rtb_question *q, const struct rtb_tree_file *f,
		    const char *remark)
{
	char words[160];
	rtb_rank_words(f->rank, words, sizeof words);
	const char *say = remark ? remark : f->unwanted ? "left out by --skip" : words;
	if (q->candidates.n == SHOWN_MAX)
		rtb_strings_add(&q->candidates, "...");
	if (q->candidates.n > SHOWN_MAX)
		return;
	char *line = rtb_sprintf("%s%s%s%s", rtb_forest_show(r->forest, f), *say ? " (" : "", say, *say ? ")" : "");
	rtb_strings_add(&q->candidates, line);
	free(line);
}

void rtb_resolver_note(struct rtb_resolver *r, bool header, const char *asked, const char *by,
		 const struct rtb_tree_file *file, const struct rtb_choice *c)
{
	r->taken = rtb_realloc(r->taken, (r->taken_count + 1) * sizeof *r->taken);
	struct rtb_taken *t = &r->taken[r->taken_count++];
	*t = (struct rtb_taken){
		.header = header, .asked = rtb_strdup(asked), .by = rtb_strdup(by),
		.file = rtb_strdup(rtb_forest_show(r->forest, file)), .why = c->why,
		.only = c->rest_count == 0, .aside = !file->wanted && (file->rank.classes & RTB_PATH_ASIDE),
	};
	for (size_t i = 0; i < c->rest_count; i++)
		rtb_strings_add(&t->passed_over, rtb_forest_show(r->forest, c->rest[i]));
	r->anchors = rtb_realloc(r->anchors, (r->anchor_count + 1) * sizeof *r->anchors);
	r->anchors[r->anchor_count++] = file;
}

/* ---- what was asked ---- */

static size_t entry_size(const struct rtb_entry *n)
{
	size_t count = rtb_include_count(n);
	for (size_t i = 0; i < n->tree_count; i++)
		count += n->tree[i].source.n + n->tree[i].archive.n;
	return count;
}

static void question_multiple(struct rtb_resolver *r, const struct rtb_diag *d)
{
	const struct rtb_tree_file **files;
	rtb_index_symbols(&r->index);
	size_t n = rtb_index_defining(&r->index, d->name, &files);
	struct rtb_question *q = rtb_resolver_ask(r, false, d->name, d->where,
				     rtb_sprintf("defined by two files that are both needed; --skip one of them"));
	for (size_t i = 0; q && i < n; i++)
		if (rtb_strings_has(&r->entry->tree[files[i]->tree].source, files[i]->rel))
			rtb_resolver_suggest(r, q, files[i], "taken");
	free(files);
}

enum rtb_status rtb_resolve(struct rtb_resolver *r, const struct rtb_diags *asked, bool *progress,
			    struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	size_t before = entry_size(r->entry);
	/* what was open before may be clear by now */
	rtb_resolver_drop_questions(r);
	for (size_t i = 0; s == RTB_OK && i < asked->n; i++) {
		const struct rtb_diag *d = &asked->v[i];
		if (d->kind == RTB_DIAG_HEADER)
			rtb_take_header(r, d->name, d->where);
		else if (d->kind == RTB_DIAG_UNDEFINED)
			s = rtb_take_symbol(r, d, asked, e);
		else if (d->kind == RTB_DIAG_MULTIPLE)
			question_multiple(r, d);
	}
	*progress = entry_size(r->entry) > before;
	return s;
}

void rtb_resolve_explain(struct rtb_resolver *r, const struct rtb_diags *asked)
{
	for (size_t i = 0; i < asked->n; i++) {
		const struct rtb_diag *d = &asked->v[i];
		struct rtb_question *q = NULL;
		const struct rtb_tree_file **files = NULL;
		size_t n = 0;
		if (d->kind == RTB_DIAG_HEADER) {
			n = rtb_index_named(&r->index, d->name, &files);
			q = rtb_resolver_ask(r, true, d->name, d->where, rtb_strdup("not found"));
		} else if (d->kind == RTB_DIAG_UNDEFINED) {
			rtb_index_symbols(&r->index);
			n = rtb_index_defining(&r->index, d->name, &files);
			q = rtb_resolver_ask(r, false, d->name, d->where, rtb_strdup("not defined by anything listed"));
		} else if (d->kind == RTB_DIAG_MULTIPLE) {
			question_multiple(r, d);
		}
		for (size_t k = 0; q && k < n; k++)
			rtb_resolver_suggest(r, q, files[k], NULL);
		free(files);
	}
}
