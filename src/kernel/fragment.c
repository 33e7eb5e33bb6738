/* fragment.c - an entry as firmware/Makefile sees it. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/entry.h"

char *rtb_entry_join(const char *dir, const char *rel)
{
	if (strcmp(rel, ".") == 0)
		return rtb_strdup(dir);
	return rel[0] == '/' ? rtb_strdup(rel) : rtb_sprintf("%s/%s", dir, rel);
}

/* What make, the shell and -ffile-prefix-map all take as it stands. */
static bool plain(const char *path)
{
	return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+@-")] == '\0';
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);
	return n >= m && strcmp(path + n - m, suffix) == 0;
}

struct work {
	const char *dir;
	struct rtb_buf mk;
	unsigned wrappers, links;
	enum rtb_status status;
	struct rtb_error *e;
};

static void failed(struct work *w, const char *path)
{
	w->status = rtb_fail(w->e, RTB_CONFIG, "%s: %s", path, strerror(errno));
}

/* Leaves a file alone that holds this text already, so that make sees no change. */
static void put(struct work *w, const char *path, const char *text)
{
	struct rtb_buf old = {0};
	bool same = rtb_buf_read_file(&old, path, (size_t)64 << 20) == 0 && strcmp(rtb_buf_cstr(&old), text) == 0;
	rtb_buf_free(&old);
	if (same)
		return;
	FILE *f = fopen(path, "we");
	bool ok = f && fputs(text, f) >= 0;
	if (f && fclose(f) != 0)
		ok = false;
	if (!ok)
		failed(w, path);
}

/* A path that make can take: itself, or a link to it in our directory. Free it. */
static char *linked(struct work *w, const char *path)
{
	char was[PATH_MAX];
	if (plain(path))
		return rtb_strdup(path);
	char *link = rtb_sprintf("%s/link%u", w->dir, w->links++);
	ssize_t n = readlink(link, was, sizeof was - 1);
	if (n > 0 && (size_t)n == strlen(path) && memcmp(was, path, (size_t)n) == 0)
		return link;
	unlink(link);
	if (symlink(path, link) != 0)
		failed(w, link);
	return link;
}

/* A source that GCC compiles by its suffix, or a wrapper of one. An #include inside an
 * included file is looked for beside that file first, so nothing changes for it. */
static char *compilable(struct work *w, const char *path, bool under_link)
{
	bool c = has_suffix(path, ".c");
	if (plain(path) && (c || has_suffix(path, ".S")))
		return rtb_strdup(path);
	char real[PATH_MAX];
	const char *target = under_link && realpath(path, real) ? real : path;
	struct rtb_buf text = {0};
	rtb_buf_str(&text, "#include \"");
	for (const char *p = target; *p; p++)
		rtb_buf_add(&text, p, 1);
	rtb_buf_str(&text, "\"\n");
	char *wrapper = rtb_sprintf("%s/wrap%u%s", w->dir, w->wrappers++, c ? ".c" : ".S");
	put(w, wrapper, text.data);
	rtb_buf_free(&text);
	return wrapper;
}

static void add(struct work *w, const char *variable, const char *value)
{
	rtb_buf_fmt(&w->mk, "%s += %s\n", variable, value);
}

/* -D options go through the shell. */
static void add_define(struct work *w, const char *define)
{
	rtb_buf_str(&w->mk, "KERNEL_DEFS += '");
	for (const char *p = define; *p; p++) {
		const char *as = *p == '\'' ? "'\\''" : *p == '$' ? "$$" : *p == '#' ? "\\#" : NULL;
		if (as)
			rtb_buf_str(&w->mk, as);
		else
			rtb_buf_add(&w->mk, p, 1);
	}
	rtb_buf_str(&w->mk, "'\n");
}

static void add_tree(struct work *w, const struct rtb_entry_tree *t)
{
	char *root = linked(w, t->path);
	add(w, "KERNEL_ROOT", root);
	for (size_t i = 0; i < t->include.n; i++) {
		char *path = rtb_entry_join(root, t->include.v[i]), *safe = linked(w, path);
		add(w, "KERNEL_INCS", safe);
		free(path);
		free(safe);
	}
	for (size_t i = 0; i < t->archive.n; i++) {
		char *path = rtb_entry_join(root, t->archive.v[i]), *safe = linked(w, path);
		add(w, "KERNEL_LIBS", safe);
		free(path);
		free(safe);
	}
	for (size_t i = 0; i < t->source.n; i++) {
		char *path = rtb_entry_join(root, t->source.v[i]);
		char *safe = compilable(w, path, strcmp(root, t->path) != 0);
		add(w, "KERNEL_SRCS", safe);
		free(path);
		free(safe);
	}
	free(root);
}

enum rtb_status rtb_entry_prepare(const struct rtb_entry *n, const char *dir, struct rtb_error *e)
{
	struct work w = {.dir = dir, .e = e};
	if (!plain(dir))
		return rtb_fail(e, RTB_CONFIG, "%s: make cannot work in a directory of this name", dir);
	if (rtb_make_dirs(dir) != 0)
		return rtb_fail(e, RTB_CONFIG, "%s: %s", dir, strerror(errno));
	rtb_buf_fmt(&w.mk, "# Made from the entry of kernel %s; an edit here would be lost.\nPORT := %s\n",
		    n->name, n->port);
	for (size_t i = 0; i < n->define.n; i++)
		add_define(&w, n->define.v[i]);
	for (size_t i = 0; i < n->tree_count; i++)
		add_tree(&w, &n->tree[i]);
	if (w.wrappers)
		add(&w, "KERNEL_ROOT", dir);
	char *mk = rtb_sprintf("%s/kernel.mk", dir);
	put(&w, mk, w.mk.data);
	free(mk);
	rtb_buf_free(&w.mk);
	return w.status;
}
