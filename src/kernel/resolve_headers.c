/* resolve_headers.c - which of the files of a name is meant; and what compiling a candidate asks for. */
#include "kernel/resolve_parts.h"

#include <stdlib.h>
#include <string.h>

#define HEADERS_MAX 60  /* include directories found for the sake of one source */

void rtb_tried_free(struct rtb_tried *t)
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

char *rtb_include_dir(const struct rtb_tree_file *f, const char *wanted)
{
	while (strncmp(wanted, "../", 3) == 0 || strncmp(wanted, "./", 2) == 0)
		wanted = strchr(wanted, '/') + 1;
	size_t n = strlen(f->rel) - strlen(wanted);
	return n == 0 ? rtb_strdup(".") : rtb_sprintf("%.*s", (int)(n - 1), f->rel);
}

/* Nearness to the file that includes it counts before nearness to the rest. */
struct rtb_choice rtb_choose_header(struct rtb_resolver *r, const char *wanted, const char *by)
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
	struct rtb_question *q = rtb_resolver_ask(r, true, wanted, by, text);
	for (size_t i = 0; q && i < c->rest_count; i++)
		rtb_resolver_suggest(r, q, c->rest[i], NULL);
}

void rtb_take_header(struct rtb_resolver *r, const char *wanted, const char *by)
{
	struct rtb_choice c = rtb_choose_header(r, wanted, by);
	if (c.file) {
		char *dir = rtb_include_dir(c.file, wanted);
		if (rtb_strings_add_new(&r->entry->tree[c.file->tree].include, dir))
			rtb_resolver_note(r, true, wanted, by, c.file, &c);
		free(dir);
	} else {
		question_header(r, wanted, by, &c);
	}
	rtb_choice_free(&c);
}

/* ---- candidates ---- */

size_t rtb_include_count(const struct rtb_entry *n)
{
	size_t count = 0;
	for (size_t i = 0; i < n->tree_count; i++)
		count += n->tree[i].include.n;
	return count;
}

/* Finds a header for a candidate; the directory is the candidate's alone until it is taken. */
static bool lend_header(struct rtb_resolver *r, struct rtb_tried *t, const struct rtb_diag *d)
{
	struct rtb_choice c = rtb_choose_header(r, d->name, d->where);
	bool found = false;
	if (c.file) {
		char *rel = rtb_include_dir(c.file, d->name);
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
					 ? "which several files are called: --include DIR, or one beside port_impl.h"
					 : c.rest_count
					 ? "which is there for other cores or compilers only: one beside port_impl.h may stand for it"
					 : "which is not there");
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

const struct rtb_tried *rtb_attempt_file(struct rtb_resolver *r, const struct rtb_tree_file *f, struct rtb_error *e)
{
	struct rtb_tried **slot = &r->tried[f - r->forest->files];
	size_t includes = rtb_include_count(r->entry);
	if (*slot && ((*slot)->ok || (*slot)->includes == includes))
		return *slot;
	rtb_tried_free(*slot);
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
