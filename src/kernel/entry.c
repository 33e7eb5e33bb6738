/* entry.c - the entry's file: where it lies, how it is written. */
#include "kernel/entry.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".toml"

void rtb_entry_free(struct rtb_entry *n)
{
	for (size_t i = 0; i < n->tree_count; i++) {
		struct rtb_entry_tree *t = &n->tree[i];
		free(t->path);
		free(t->commit);
		free(t->describe);
		free(t->hash);
		rtb_strings_free(&t->include);
		rtb_strings_free(&t->source);
		rtb_strings_free(&t->archive);
		rtb_strings_free(&t->used);
	}
	free(n->tree);
	free(n->name);
	free(n->port);
	free(n->version);
	free(n->licence);
	free(n->path);
	rtb_strings_free(&n->define);
	*n = (struct rtb_entry){0};
}

struct rtb_entry_tree *rtb_entry_add_tree(struct rtb_entry *n, const char *path)
{
	n->tree = rtb_realloc(n->tree, (n->tree_count + 1) * sizeof *n->tree);
	struct rtb_entry_tree *t = &n->tree[n->tree_count++];
	*t = (struct rtb_entry_tree){
		.path = rtb_strdup(path), .commit = rtb_strdup(""), .describe = rtb_strdup(""), .hash = rtb_strdup(""),
	};
	return t;
}

char *rtb_entry_dir(const char *arg)
{
	if (arg)
		return rtb_strdup(arg);
	const char *dir = getenv("RTBENCH_KERNEL_DIR"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	if (dir && *dir)
		return rtb_strdup(dir);
	/* the base directory specification: a relative path is to be ignored */
	if (data && *data == '/')
		return rtb_sprintf("%s/rtbench/kernels", data);
	return rtb_sprintf("%s/.local/share/rtbench/kernels", home && *home ? home : "");
}

bool rtb_entry_name_ok(const char *name)
{
	size_t n = strlen(name);
	if (n == 0 || n > 40 || !isalnum((unsigned char)name[0]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
			return false;
	return true;
}

char *rtb_entry_path(const char *dir, const char *name)
{
	return rtb_sprintf("%s/%s" SUFFIX, dir, name);
}

void rtb_entry_names(const char *dir, struct rtb_strings *out)
{
	DIR *d = opendir(dir);
	for (struct dirent *de; d && (de = readdir(d));) {
		size_t n = strlen(de->d_name), cut = strlen(SUFFIX);
		if (n <= cut || strcmp(de->d_name + n - cut, SUFFIX) != 0)
			continue;
		char *name = rtb_sprintf("%.*s", (int)(n - cut), de->d_name);
		if (rtb_entry_name_ok(name))
			rtb_strings_add(out, name);
		free(name);
	}
	if (d)
		closedir(d);
	rtb_strings_sort(out);
}

/* A TOML basic string. */
static void quote(struct rtb_buf *b, const char *text)
{
	rtb_buf_str(b, "\"");
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (c == '"' || c == '\\')
			rtb_buf_fmt(b, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			rtb_buf_fmt(b, "\\u%04x", c);
		else
			rtb_buf_add(b, p, 1);
	}
	rtb_buf_str(b, "\"");
}

static void pair(struct rtb_buf *b, const char *key, const char *value)
{
	rtb_buf_fmt(b, "%s = ", key);
	quote(b, value ? value : "");
	rtb_buf_str(b, "\n");
}

static void list(struct rtb_buf *b, const char *key, const struct rtb_strings *s)
{
	rtb_buf_fmt(b, "%s = [", key);
	for (size_t i = 0; i < s->n; i++) {
		rtb_buf_str(b, "\n  ");
		quote(b, s->v[i]);
		rtb_buf_str(b, ",");
	}
	rtb_buf_str(b, s->n ? "\n]\n" : "]\n");
}

static void write_tree(const struct rtb_entry_tree *t, struct rtb_buf *out)
{
	rtb_buf_str(out, "\n[[tree]]\n");
	pair(out, "path", t->path);
	rtb_buf_str(out, "# As it was when this was written; rtbench notices when it is not so any more.\n");
	pair(out, "commit", t->commit);
	pair(out, "describe", t->describe);
	rtb_buf_fmt(out, "dirty = %s\n", t->dirty ? "true" : "false");
	pair(out, "hash", t->hash);
	rtb_buf_str(out, "# Directories for the compiler to look for headers in, in this order.\n");
	list(out, "include", &t->include);
	rtb_buf_str(out, "# What is compiled; the linker takes what the bench needs of it.\n");
	list(out, "source", &t->source);
	rtb_buf_str(out, "# Libraries that come ready made.\n");
	list(out, "archive", &t->archive);
	rtb_buf_str(out, "# Every file the compiler read; a change in one of them rebuilds. `rtbench kernel check` renews it.\n");
	list(out, "used", &t->used);
}

void rtb_entry_write(const struct rtb_entry *n, struct rtb_buf *out)
{
	rtb_buf_fmt(out, "# Kernel \"%s\" as rtbench knows it. Correct it as you like, then: rtbench kernel check %s\n",
		    n->name, n->name);
	rtb_buf_fmt(out, "format = %d\n", RTB_ENTRY_FORMAT);
	pair(out, "port", n->port);
	pair(out, "version", n->version);
	pair(out, "licence", n->licence);
	rtb_buf_str(out, "# Whether an image linked when this was last checked.\n");
	rtb_buf_fmt(out, "complete = %s\n", n->complete ? "true" : "false");
	list(out, "define", &n->define);
	for (size_t i = 0; i < n->tree_count; i++)
		write_tree(&n->tree[i], out);
}

int rtb_make_dirs(const char *path)
{
	char *p = rtb_strdup(path);
	int rc = 0;
	for (char *s = strchr(p + 1, '/'); rc == 0 && s; s = strchr(s + 1, '/')) {
		*s = '\0';
		rc = mkdir(p, 0777) < 0 && errno != EEXIST ? -1 : 0;
		*s = '/';
	}
	if (rc == 0 && mkdir(p, 0777) < 0 && errno != EEXIST)
		rc = -1;
	free(p);
	return rc;
}

enum rtb_status rtb_entry_save(const struct rtb_entry *n, const char *dir, struct rtb_error *e)
{
	struct rtb_buf text = {0};
	char *path = rtb_entry_path(dir, n->name), *temp = rtb_sprintf("%s.new", path);
	enum rtb_status s = RTB_OK;
	rtb_entry_write(n, &text);
	FILE *f = rtb_make_dirs(dir) == 0 ? fopen(temp, "we") : NULL;
	bool ok = f && fwrite(text.data, 1, text.len, f) == text.len;
	if (f && fclose(f) != 0)
		ok = false;
	if (!ok || rename(temp, path) != 0) {
		s = rtb_fail(e, RTB_CONFIG, "%s: %s", path, strerror(errno));
		unlink(temp);
	}
	rtb_buf_free(&text);
	free(temp);
	free(path);
	return s;
}
