/* resolve.c */
#include "kernel/resolve.h"

#include <stdlib.h>
#include <string.h>

#define HEADERS_MAX 60  /* include directories found for the sake of one source */
#define SEARCH_MAX  600 /* sources compiled merely to see what they define */
#define SHOWN_MAX   12  /* candidates named in a question */

struct rtb_tried {
	bool ok;
	size_t includes;             /* how many directories there were when it failed */
	struct rtb_strings defines;
	struct rtb_strings include;  /* directories it needs beyond the entry's, absolute */
	const struct rtb_tree_file **found; /* the headers that these were found by */
	char **wanted;               /* the names they were asked for by */
	size_t found_count;
	char *why_not;
};

static void tried_free(struct rtb_tried *t)
{
	if (!t)
		return;
	rtb_strings_free(&t->defines);
	rtb_strings_free(&t->include);
	for (size_t i = 0; i < t->found_count; i++)
		free(t->wanted[i]);
	free(t->found);
	free(t->wanted);
	free(t->why_not);
	free(t);
}

void rtb_resolver_init(struct rtb_resolver *r, struct rtb_forest *f, struct rtb_probe *p, struct rtb_entry *n)
{
	*r = (struct rtb_resolver){.forest = f, .probe = p, .entry = n};
	rtb_index_init(&r->index, f);
	r->tried = rtb_alloc((f->file_count + 1) * sizeof *r->tried);
}

static void drop_questions(struct rtb_resolver *r)
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
		tried_free(r->tried[i]);
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
	drop_questions(r);
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

static struct rtb_question *ask(struct rtb_resolver *r, bool header, const char *asked, const char *by, char *text)
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

static void suggest(const struct rtb_resolver *r, struct rtb_question *q, const struct rtb_tree_file *f,
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

static void note(struct rtb_resolver *r, bool header, const char *asked, const char *by,
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

/* ---- headers ---- */

/* Directory of a header such that "sub/x.h" is found in it; relative to its tree. Free it. */
static char *include_dir(const struct rtb_tree_file *f, const char *wanted)
{
	while (strncmp(wanted, "../", 3) == 0 || strncmp(wanted, "./", 2) == 0)
		wanted = strchr(wanted, '/') + 1;
	size_t n = strlen(f->rel) - strlen(wanted);
	return n == 0 ? rtb_strdup(".") : rtb_sprintf("%.*s", (int)(n - 1), f->rel);
}

/* Nearness to the file that includes it counts before nearness to the rest. */
static struct rtb_choice choose_header(struct rtb_resolver *r, const char *wanted, const char *by)
{
	const struct rtb_tree_file **files, *includer = rtb_forest_file(r->forest, by);
	size_t n = rtb_index_named(&r->index, wanted, &files);
	struct rtb_choice c = rtb_choose(files, n, &includer, includer ? 1 : 0);
	if (c.verdict == RTB_CHOICE_OPEN && r->anchor_count) {
		rtb_choice_free(&c);
		c = rtb_choose(files, n, r->anchors, r->anchor_count);
	}
	free(files);
	return c;
}

static void question_header(struct rtb_resolver *r, const char *wanted, const char *by, const struct rtb_choice *c)
{
	char *text = c->verdict == RTB_CHOICE_OPEN ? rtb_sprintf("several files have equal claim")
		   : c->rest_count ? rtb_sprintf("only files for other cores or compilers have this name")
				   : rtb_sprintf("no file of this name");
	struct rtb_question *q = ask(r, true, wanted, by, text);
	for (size_t i = 0; q && i < c->rest_count; i++)
		suggest(r, q, c->rest[i], NULL);
}

static void take_header(struct rtb_resolver *r, const char *wanted, const char *by)
{
	struct rtb_choice c = choose_header(r, wanted, by);
	if (c.file) {
		char *dir = include_dir(c.file, wanted);
		if (rtb_strings_add_new(&r->entry->tree[c.file->tree].include, dir))
			note(r, true, wanted, by, c.file, &c);
		free(dir);
	} else {
		question_header(r, wanted, by, &c);
	}
	rtb_choice_free(&c);
}

/* ---- candidates ---- */

static size_t include_count(const struct rtb_entry *n)
{
	size_t count = 0;
	for (size_t i = 0; i < n->tree_count; i++)
		count += n->tree[i].include.n;
	return count;
}

static size_t entry_size(const struct rtb_entry *n)
{
	size_t count = include_count(n);
	for (size_t i = 0; i < n->tree_count; i++)
		count += n->tree[i].source.n + n->tree[i].archive.n;
	return count;
}

/* Finds a header for a candidate; the directory is the candidate's alone until it is taken. */
static bool lend_header(struct rtb_resolver *r, struct rtb_tried *t, const struct rtb_diag *d)
{
	struct rtb_choice c = choose_header(r, d->name, d->where);
	bool found = false;
	if (c.file) {
		char *rel = include_dir(c.file, d->name);
		char *dir = rtb_entry_join(r->forest->roots[c.file->tree], rel);
		found = rtb_strings_add_new(&t->include, dir);
		if (found) {
			t->found = rtb_realloc(t->found, (t->found_count + 1) * sizeof *t->found);
			t->wanted = rtb_realloc(t->wanted, (t->found_count + 1) * sizeof *t->wanted);
			t->found[t->found_count] = c.file;
			t->wanted[t->found_count++] = rtb_strdup(d->name);
		}
		free(rel);
		free(dir);
	}
	if (!found)
		t->why_not = rtb_sprintf("needs %s, %s", d->name, c.verdict == RTB_CHOICE_OPEN
					 ? "which several files are named" : "which is not there");
	rtb_choice_free(&c);
	return found;
}

static enum rtb_status compile(struct rtb_resolver *r, const struct rtb_tree_file *f, struct rtb_tried *t,
			       struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	for (int i = 0; s == RTB_OK && i < HEADERS_MAX && !t->ok && !t->why_not; i++) {
		struct rtb_attempt a;
		s = rtb_probe_compile(r->probe, r->level, &t->include, f->path, &a, e);
		t->ok = a.ok;
		const struct rtb_diag *h = rtb_diags_first(&a.diags, RTB_DIAG_HEADER);
		const struct rtb_diag *bad = rtb_diags_first(&a.diags, RTB_DIAG_ERROR);
		if (a.ok)
			rtb_strings_copy(&t->defines, &a.defines);
		else if (s == RTB_OK && h)
			lend_header(r, t, h);
		else if (s == RTB_OK)
			t->why_not = rtb_sprintf("GCC says: %.200s", bad ? bad->name : "nothing that explains it");
		rtb_attempt_free(&a);
	}
	if (!t->ok && !t->why_not)
		t->why_not = rtb_strdup("asks for one header after another");
	return s;
}

/* What came of it, compiled now unless it was before; a failure is tried again once there are
 * more include directories. NULL only when the tools failed. */
static const struct rtb_tried *attempt(struct rtb_resolver *r, const struct rtb_tree_file *f, struct rtb_error *e)
{
	struct rtb_tried **slot = &r->tried[f - r->forest->files];
	size_t includes = include_count(r->entry);
	if (*slot && ((*slot)->ok || (*slot)->includes == includes))
		return *slot;
	tried_free(*slot);
	*slot = rtb_alloc(sizeof **slot);
	(*slot)->includes = includes;
	if (f->kind == RTB_FILE_LIB) {
		(*slot)->ok = rtb_probe_symbols(r->probe, f->path, &(*slot)->defines);
		if (!(*slot)->ok)
			(*slot)->why_not = rtb_strdup("nm cannot read it");
		return *slot;
	}
	return compile(r, f, *slot, e) == RTB_OK ? *slot : NULL;
}

static void take_source(struct rtb_resolver *r, const char *symbol, const char *by, const struct rtb_choice *c)
{
	const struct rtb_tree_file *f = c->file;
	struct rtb_entry_tree *tree = &r->entry->tree[f->tree];
	const struct rtb_tried *t = r->tried[f - r->forest->files];
	rtb_strings_add_new(f->kind == RTB_FILE_LIB ? &tree->archive : &tree->source, f->rel);
	note(r, false, symbol, by, f, c);
	for (size_t i = 0; i < t->found_count; i++) {
		char *dir = include_dir(t->found[i], t->wanted[i]);
		struct rtb_choice h = choose_header(r, t->wanted[i], f->path);
		if (rtb_strings_add_new(&r->entry->tree[t->found[i]->tree].include, dir))
			note(r, true, t->wanted[i], f->path, t->found[i], &h);
		rtb_choice_free(&h);
		free(dir);
	}
}

/* ---- symbols ---- */

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
		const struct rtb_tried *t = attempt(s->r, f, e);
		if (!t)
			return e->status;
		if (!t->ok || !rtb_strings_has(&t->defines, s->want->name))
			continue;
		s->files[i] = s->files[from + *good];
		s->files[from + (*good)++] = f;
	}
	return RTB_OK;
}

static bool settle(struct search *s, const struct rtb_tree_file **files, size_t n)
{
	struct rtb_resolver *r = s->r;
	size_t widest = keep_widest(r, files, n, s->asked);
	struct rtb_choice c = rtb_choose(files, widest, r->anchors, r->anchor_count);
	bool took = c.file != NULL;
	if (took && widest < n)
		c.why = "answers most of what is missing";
	else if (took && n == 1 && s->count > 1)
		c.why = s->eligible > 1 ? rtb_why_by_rank(c.file) : "the others name other cores or compilers";
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
		struct rtb_question *q = ask(r, false, s->want->name, s->want->where,
					     rtb_sprintf("several files define it with equal claim"));
		for (size_t i = 0; q && i < c.rest_count; i++)
			suggest(r, q, c.rest[i], NULL);
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
		*took = settle(s, few, good);
		*open = !*took;
		free(few);
		return RTB_OK;
	}
	return RTB_OK;
}

/* Names that only a macro spells out: sources near those taken are compiled and asked. */
static enum rtb_status by_search(struct search *s, bool *took, struct rtb_error *e)
{
	struct rtb_resolver *r = s->r;
	for (size_t i = 0; i < r->forest->file_count; i++) {
		const struct rtb_tree_file *f = &r->forest->files[i];
		bool near = f->wanted || f->kind == RTB_FILE_LIB;
		for (size_t k = 0; !near && k < r->anchor_count; k++)
			near = rtb_file_distance(f, r->anchors[k]) == 0;
		if (!near || !rtb_file_eligible(f) || (f->kind != RTB_FILE_C && f->kind != RTB_FILE_ASM && f->kind != RTB_FILE_LIB))
			continue;
		if (!r->tried[i] && r->searched++ > SEARCH_MAX)
			break;
		const struct rtb_tried *t = attempt(r, f, e);
		if (!t)
			return e->status;
		if (!t->ok || !rtb_strings_has(&t->defines, s->want->name))
			continue;
		struct rtb_choice c = {.verdict = RTB_CHOICE_PREFERRED, .file = f,
				       .why = f->kind == RTB_FILE_LIB ? "a library that holds it" : "defines it once compiled"};
		take_source(r, s->want->name, s->want->where, &c);
		*took = true;
		return RTB_OK;
	}
	return RTB_OK;
}

static void question_symbol(struct search *s)
{
	struct rtb_resolver *r = s->r;
	bool foreign = s->count > 0 && s->eligible == 0;
	struct rtb_question *q = ask(r, false, s->want->name, s->want->where,
		rtb_sprintf("%s", s->count == 0 ? "nothing in the tree seems to define it"
			       : foreign ? "only files for other cores or compilers define it"
					 : "what seems to define it cannot be used"));
	for (size_t i = 0; q && i < s->count; i++) {
		const struct rtb_tried *t = r->tried[s->files[i] - r->forest->files];
		suggest(r, q, s->files[i], t && t->why_not ? t->why_not : t ? "compiled, but does not define it" : NULL);
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

static enum rtb_status take_symbol(struct rtb_resolver *r, const struct rtb_diag *want,
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
		st = by_search(&s, &took, e);
	if (st == RTB_OK && !took && !open)
		question_symbol(&s);
	free(s.files);
	return st;
}

static void question_multiple(struct rtb_resolver *r, const struct rtb_diag *d)
{
	const struct rtb_tree_file **files;
	rtb_index_symbols(&r->index);
	size_t n = rtb_index_defining(&r->index, d->name, &files);
	struct rtb_question *q = ask(r, false, d->name, d->where,
				     rtb_sprintf("defined by two files that are both needed; --skip one of them"));
	for (size_t i = 0; q && i < n; i++)
		if (rtb_strings_has(&r->entry->tree[files[i]->tree].source, files[i]->rel))
			suggest(r, q, files[i], "taken");
	free(files);
}

enum rtb_status rtb_resolve(struct rtb_resolver *r, const struct rtb_diags *asked, bool *progress,
			    struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	size_t before = entry_size(r->entry);
	/* what was open before may be clear by now */
	drop_questions(r);
	for (size_t i = 0; s == RTB_OK && i < asked->n; i++) {
		const struct rtb_diag *d = &asked->v[i];
		if (d->kind == RTB_DIAG_HEADER)
			take_header(r, d->name, d->where);
		else if (d->kind == RTB_DIAG_UNDEFINED)
			s = take_symbol(r, d, asked, e);
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
			q = ask(r, true, d->name, d->where, rtb_strdup("not found"));
		} else if (d->kind == RTB_DIAG_UNDEFINED) {
			rtb_index_symbols(&r->index);
			n = rtb_index_defining(&r->index, d->name, &files);
			q = ask(r, false, d->name, d->where, rtb_strdup("not defined by anything listed"));
		} else if (d->kind == RTB_DIAG_MULTIPLE) {
			question_multiple(r, d);
		}
		for (size_t k = 0; q && k < n; k++)
			suggest(r, q, files[k], NULL);
		free(files);
	}
}
