/* digest.c - what identifies a kernel as its entry describes it. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/entry.h"

static enum rtb_status add_file(struct rtb_sha256 *h, const struct rtb_entry_tree *t, const char *rel,
				struct rtb_error *e)
{
	char *path = rtb_entry_join(t->path, rel);
	enum rtb_status s = RTB_OK;
	rtb_sha256_str(h, rel);
	if (rtb_sha256_file(h, path) != 0)
		s = rtb_fail(e, RTB_CONFIG, "%s: %s; was the kernel's tree moved or changed? rtbench kernel check says more",
			     path, strerror(errno));
	free(path);
	return s;
}

static enum rtb_status add_files(struct rtb_sha256 *h, const struct rtb_entry_tree *t,
				 const struct rtb_strings *files, struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	for (size_t i = 0; s == RTB_OK && i < files->n; i++)
		s = add_file(h, t, files->v[i], e);
	return s;
}

/* Headers that lie in the include directories, one level: all that might be read. */
static void headers_of(const struct rtb_entry_tree *t, struct rtb_strings *out)
{
	for (size_t i = 0; i < t->include.n; i++) {
		const char *rel = t->include.v[i];
		char *dir = rtb_entry_join(t->path, rel);
		DIR *d = opendir(dir);
		for (struct dirent *de; d && (de = readdir(d));) {
			size_t n = strlen(de->d_name);
			if (n < 3 || strcmp(de->d_name + n - 2, ".h") != 0)
				continue;
			char *file = strcmp(rel, ".") == 0 ? rtb_strdup(de->d_name) : rtb_sprintf("%s/%s", rel, de->d_name);
			rtb_strings_add_new(out, file);
			free(file);
		}
		if (d)
			closedir(d);
		free(dir);
	}
}

static bool knows_what_it_uses(const struct rtb_entry_tree *t)
{
	for (size_t i = 0; i < t->source.n; i++)
		if (!rtb_strings_has(&t->used, t->source.v[i]))
			return false;
	return t->used.n > 0 || t->include.n == 0;
}

static enum rtb_status add_tree(struct rtb_sha256 *h, const struct rtb_entry_tree *t, struct rtb_error *e)
{
	struct rtb_strings files = {0};
	rtb_strings_copy(&files, &t->used);
	if (!knows_what_it_uses(t)) {
		for (size_t i = 0; i < t->source.n; i++)
			rtb_strings_add_new(&files, t->source.v[i]);
		headers_of(t, &files);
	}
	for (size_t i = 0; i < t->archive.n; i++)
		rtb_strings_add_new(&files, t->archive.v[i]);
	rtb_strings_sort(&files);
	enum rtb_status s = add_files(h, t, &files, e);
	rtb_strings_free(&files);
	return s;
}

enum rtb_status rtb_entry_tree_digest(const struct rtb_entry_tree *t, char out[RTB_SHA256_HEX],
				      struct rtb_error *e)
{
	struct rtb_sha256 h;
	rtb_sha256_init(&h);
	enum rtb_status s = add_tree(&h, t, e);
	rtb_sha256_hex(&h, out);
	return s;
}

static void add_strings(struct rtb_sha256 *h, const char *what, const struct rtb_strings *s)
{
	rtb_sha256_str(h, what);
	for (size_t i = 0; i < s->n; i++)
		rtb_sha256_str(h, s->v[i]);
}

enum rtb_status rtb_entry_digest(const struct rtb_entry *n, char out[RTB_SHA256_HEX], struct rtb_error *e)
{
	struct rtb_sha256 h;
	enum rtb_status s = RTB_OK;
	rtb_sha256_init(&h);
	rtb_sha256_str(&h, n->port);
	add_strings(&h, "define", &n->define);
	for (size_t i = 0; s == RTB_OK && i < n->tree_count; i++) {
		add_strings(&h, "include", &n->tree[i].include);
		add_strings(&h, "source", &n->tree[i].source);
		add_strings(&h, "archive", &n->tree[i].archive);
		s = add_tree(&h, &n->tree[i], e);
	}
	rtb_sha256_hex(&h, out);
	return s;
}
