/* index.c */
#include "kernel/index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/scan.h"

#define SOURCE_MAX ((size_t)8 << 20)

static const char *base_of(const char *rel)
{
	const char *slash = strrchr(rel, '/');
	return slash ? slash + 1 : rel;
}

void rtb_index_init(struct rtb_index *x, const struct rtb_forest *f)
{
	*x = (struct rtb_index){.forest = f};
	for (size_t i = 0; i < f->file_count; i++) {
		const char *base = base_of(f->files[i].rel);
		rtb_namemap_add(&x->by_name, base, strlen(base), (uint32_t)i);
	}
}

struct scan_into {
	struct rtb_namemap *names;
	uint32_t file;
};

static void add_symbol(void *ctx, const char *name, size_t n)
{
	struct scan_into *into = ctx;
	rtb_namemap_add(into->names, name, n, into->file);
}

void rtb_index_symbols(struct rtb_index *x)
{
	struct rtb_buf text = {0};
	if (x->symbols_done)
		return;
	for (size_t i = 0; i < x->forest->file_count; i++) {
		const struct rtb_tree_file *f = &x->forest->files[i];
		struct scan_into into = {&x->by_symbol, (uint32_t)i};
		if (f->kind != RTB_FILE_C && f->kind != RTB_FILE_ASM)
			continue;
		rtb_buf_clear(&text);
		if (rtb_buf_read_file(&text, f->path, SOURCE_MAX) != 0)
			continue;
		(f->kind == RTB_FILE_C ? rtb_scan_c : rtb_scan_asm)(rtb_buf_cstr(&text), text.len, add_symbol, &into);
		x->sources_read++;
		x->bytes_read += text.len;
	}
	rtb_buf_free(&text);
	x->symbols_done = true;
}

void rtb_index_free(struct rtb_index *x)
{
	rtb_namemap_free(&x->by_name);
	rtb_namemap_free(&x->by_symbol);
	*x = (struct rtb_index){0};
}

void rtb_choice_free(struct rtb_choice *c)
{
	free(c->rest);
	*c = (struct rtb_choice){0};
}

size_t rtb_index_named(const struct rtb_index *x, const char *name, const struct rtb_tree_file ***out)
{
	while (strncmp(name, "../", 3) == 0 || strncmp(name, "./", 2) == 0)
		name = strchr(name, '/') + 1;
	const uint32_t *values;
	size_t n = rtb_namemap_get(&x->by_name, base_of(name), &values), kept = 0, want = strlen(name);
	*out = rtb_alloc((n + 1) * sizeof **out);
	for (size_t i = 0; i < n; i++) {
		const struct rtb_tree_file *f = &x->forest->files[values[i]];
		size_t len = strlen(f->rel);
		if (len >= want && strcmp(f->rel + len - want, name) == 0 &&
		    (len == want || f->rel[len - want - 1] == '/'))
			(*out)[kept++] = f;
	}
	return kept;
}

size_t rtb_index_defining(const struct rtb_index *x, const char *symbol, const struct rtb_tree_file ***out)
{
	const uint32_t *values;
	size_t n = rtb_namemap_get(&x->by_symbol, symbol, &values);
	*out = rtb_alloc((n + 1) * sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = &x->forest->files[values[i]];
	return n;
}

size_t rtb_file_distance(const struct rtb_tree_file *a, const struct rtb_tree_file *b)
{
	if (a->tree != b->tree)
		return SIZE_MAX;
	size_t common = 0, steps = 0;
	for (size_t i = 0; a->rel[i] && a->rel[i] == b->rel[i]; i++)
		if (a->rel[i] == '/')
			common = i + 1;
	for (const char *p = a->rel + common; *p; p++)
		steps += *p == '/';
	for (const char *p = b->rel + common; *p; p++)
		steps += *p == '/';
	return steps;
}

int rtb_file_penalty(const struct rtb_tree_file *f)
{
	return f->wanted ? -10000 : f->rank.penalty;
}

bool rtb_file_eligible(const struct rtb_tree_file *f)
{
	return f->wanted || (!f->unwanted && !rtb_rank_excludes(f->rank));
}

static bool same_contents(const struct rtb_tree_file *a, const struct rtb_tree_file *b)
{
	struct rtb_buf x = {0}, y = {0};
	bool same = a->bytes == b->bytes && rtb_buf_read_file(&x, a->path, SOURCE_MAX) == 0 &&
		    rtb_buf_read_file(&y, b->path, SOURCE_MAX) == 0 && x.len == y.len &&
		    memcmp(rtb_buf_cstr(&x), rtb_buf_cstr(&y), x.len) == 0;
	rtb_buf_free(&x);
	rtb_buf_free(&y);
	return same;
}

static size_t nearness(const struct rtb_tree_file *f, const struct rtb_tree_file *const *anchors, size_t n)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		size_t d = rtb_file_distance(f, anchors[i]);
		if (d < best)
			best = d;
	}
	return best;
}

/* Best penalty first, what may not be taken last; the shorter path first. */
static int by_penalty(const void *a, const void *b)
{
	const struct rtb_tree_file *x = *(const struct rtb_tree_file *const *)a;
	const struct rtb_tree_file *y = *(const struct rtb_tree_file *const *)b;
	int px = rtb_file_eligible(x) ? rtb_file_penalty(x) : 100000;
	int py = rtb_file_eligible(y) ? rtb_file_penalty(y) : 100000;
	if (px != py)
		return px < py ? -1 : 1;
	size_t nx = strlen(x->rel), ny = strlen(y->rel);
	return nx != ny ? (nx < ny ? -1 : 1) : strcmp(x->path, y->path);
}

static void keep_rest(struct rtb_choice *c, const struct rtb_tree_file **files, size_t n)
{
	c->rest = rtb_alloc((n + 1) * sizeof *c->rest);
	for (size_t i = 0; i < n; i++)
		if (files[i] != c->file)
			c->rest[c->rest_count++] = files[i];
}

const char *rtb_why_by_rank(const struct rtb_tree_file *f)
{
	if (f->wanted)
		return "named by --use";
	if (f->rank.classes & RTB_PATH_CORE)
		return f->rank.classes & RTB_PATH_COMPILER ? "path names this core and this compiler"
							   : "path names this core";
	if (f->rank.classes & RTB_PATH_COMPILER)
		return "path names this compiler";
	return "path names no other core, compiler, test, example or variant";
}

/* Brings those nearest to an anchor to the front, in the order they had; how many. */
static size_t nearest_first(const struct rtb_tree_file **files, size_t n,
			    const struct rtb_tree_file *const *anchors, size_t anchor_count)
{
	size_t best = SIZE_MAX, kept = 0;
	for (size_t i = 0; i < n; i++) {
		size_t d = nearness(files[i], anchors, anchor_count);
		best = d < best ? d : best;
	}
	for (size_t i = 0; i < n; i++) {
		const struct rtb_tree_file *f = files[i];
		if (nearness(f, anchors, anchor_count) != best)
			continue;
		memmove(files + kept + 1, files + kept, (i - kept) * sizeof *files);
		files[kept++] = f;
	}
	return kept;
}

static bool all_same(const struct rtb_tree_file **files, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!same_contents(files[0], files[i]))
			return false;
	return true;
}

struct rtb_choice rtb_choose(const struct rtb_tree_file **files, size_t n,
			     const struct rtb_tree_file *const *anchors, size_t anchor_count)
{
	struct rtb_choice c = {0};
	size_t fit = 0, top = 0;
	if (n)
		qsort(files, n, sizeof *files, by_penalty);
	while (fit < n && rtb_file_eligible(files[fit]))
		fit++;
	while (top < fit && rtb_file_penalty(files[top]) == rtb_file_penalty(files[0]))
		top++;
	if (top == 0) {
		keep_rest(&c, files, n);
		return c;
	}
	c.verdict = fit == 1 ? RTB_CHOICE_ONLY : RTB_CHOICE_PREFERRED;
	c.why = n == 1 ? "the only one" : rtb_why_by_rank(files[0]);
	size_t near = top > 1 ? nearest_first(files, top, anchors, anchor_count) : 1;
	if (near < top)
		c.why = "nearest to what uses it";
	c.file = files[0];
	if (near > 1 && all_same(files, near)) {
		c.why = "several of the same contents";
	} else if (near > 1) {
		c = (struct rtb_choice){.verdict = RTB_CHOICE_OPEN, .why = "no rule decides"};
		n = near;
	}
	keep_rest(&c, files, n);
	return c;
}
