#include "kernel/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

#define CONFIG_MAX ((size_t)1 << 20)

static bool name_ok(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static bool has_port(const char *home, const char *name)
{
	char *mk = rtb_sprintf("%s/firmware/ports/%s/port.mk", home, name);
	bool yes = name_ok(name) && access(mk, R_OK) == 0;
	free(mk);
	return yes;
}

/* Ours: the sources are here, beside the port. */
static bool is_ours(const char *home, const char *name)
{
	char *mk = rtb_sprintf("%s/firmware/kernels/%s/kernel.mk", home, name);
	bool yes = has_port(home, name) && access(mk, R_OK) == 0;
	free(mk);
	return yes;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char **names_where(const char *home, bool (*fits)(const char *home, const char *name))
{
	char *path = rtb_sprintf("%s/firmware/ports", home);
	char **names = rtb_alloc(sizeof *names);
	size_t n = 0;
	DIR *d = opendir(path);
	for (struct dirent *de; d && (de = readdir(d));) {
		if (!fits(home, de->d_name))
			continue;
		names = rtb_realloc(names, (n + 2) * sizeof *names);
		names[n++] = rtb_strdup(de->d_name);
		names[n] = NULL;
	}
	if (d)
		closedir(d);
	free(path);
	qsort(names, n, sizeof *names, by_name);
	return names;
}

char **rtb_kernel_names(const char *home)
{
	return names_where(home, is_ours);
}

char **rtb_port_names(const char *home)
{
	return names_where(home, has_port);
}

static enum rtb_status no_such_kernel(const char *home, const char *name, struct rtb_error *e)
{
	if (has_port(home, name))
		return rtb_fail(e, RTB_NOT_FOUND, "kernel \"%s\" has a port, but no tree of it is known: rtbench kernel add %s TREE",
				name, name);
	struct rtb_buf all = {0};
	char **names = rtb_kernel_names(home);
	for (char **s = names; *s; s++) {
		rtb_buf_fmt(&all, "%s%s", s == names ? "" : ", ", *s);
		free(*s);
	}
	free(names);
	enum rtb_status st = rtb_fail(e, RTB_NOT_FOUND, "no kernel \"%s\"; there are: %s, and what rtbench kernel list shows",
				      name, all.len ? all.data : "none");
	rtb_buf_free(&all);
	return st;
}

/* The first header of config/, by name. */
static char *find_config(const char *port_dir)
{
	char *dir = rtb_sprintf("%s/config", port_dir), *found = NULL;
	DIR *d = opendir(dir);
	for (struct dirent *de; d && (de = readdir(d));) {
		size_t n = strlen(de->d_name);
		if (n < 3 || strcmp(de->d_name + n - 2, ".h") != 0)
			continue;
		char *path = rtb_sprintf("%s/%s", dir, de->d_name);
		if (found && strcmp(found, path) <= 0) {
			free(path);
			continue;
		}
		free(found);
		found = path;
	}
	if (d)
		closedir(d);
	free(dir);
	return found;
}

/* "# what it is" on the first line of port.mk. */
static char *read_title(const char *port_dir)
{
	char *path = rtb_sprintf("%s/port.mk", port_dir);
	struct rtb_buf b = {0};
	char *title = rtb_strdup("");
	if (rtb_buf_read_file(&b, path, CONFIG_MAX) == 0 && b.len && b.data[0] == '#') {
		const char *p = b.data + 1 + strspn(b.data + 1, "# \t");
		free(title);
		title = rtb_sprintf("%.*s", (int)strcspn(p, "\r\n"), p);
	}
	rtb_buf_free(&b);
	free(path);
	return title;
}

static void set_port(const char *home, const char *port, struct rtb_kernel *out)
{
	out->port_dir = rtb_sprintf("%s/firmware/ports/%s", home, port);
	out->config_path = find_config(out->port_dir);
	out->title = read_title(out->port_dir);
}

enum rtb_status rtb_kernel_find(const char *home, const char *name, struct rtb_kernel *out,
				struct rtb_error *e)
{
	*out = (struct rtb_kernel){0};
	if (!is_ours(home, name))
		return no_such_kernel(home, name, e);
	out->name = rtb_strdup(name);
	out->dir = rtb_sprintf("%s/firmware/kernels/%s", home, name);
	set_port(home, name, out);
	return RTB_OK;
}

enum rtb_status rtb_kernel_of_entry(const char *home, struct rtb_entry *entry, struct rtb_kernel *out,
				    struct rtb_error *e)
{
	*out = (struct rtb_kernel){.entry = rtb_alloc(sizeof *out->entry)};
	*out->entry = *entry;
	*entry = (struct rtb_entry){0};
	out->name = rtb_strdup(out->entry->name);
	if (!has_port(home, out->entry->port)) {
		rtb_fail(e, RTB_CONFIG, "%s: there is no port \"%s\" (%s/firmware/ports/)", out->entry->path,
			 out->entry->port, home);
		rtb_kernel_free(out);
		return RTB_CONFIG;
	}
	out->dir = rtb_strdup(out->entry->tree[0].path);
	set_port(home, out->entry->port, out);
	return RTB_OK;
}

void rtb_kernel_free(struct rtb_kernel *k)
{
	free(k->name);
	free(k->title);
	free(k->port_dir);
	free(k->dir);
	free(k->config_path);
	if (k->entry)
		rtb_entry_free(k->entry);
	free(k->entry);
	*k = (struct rtb_kernel){0};
}

static enum rtb_status look_at_ours(const struct rtb_kernel *k, const struct rtb_clock *clock,
				    struct rtb_kernel_state *out, struct rtb_error *e)
{
	if (rtb_tree_hash(k->dir, out->kernel_hash) < 0)
		return rtb_fail(e, RTB_BUILD, "%s cannot be read: %s", k->dir, strerror(errno));
	rtb_tree_git(k->dir, clock, &out->git);
	return RTB_OK;
}

static enum rtb_status look_at_entry(const struct rtb_entry *n, const struct rtb_clock *clock,
				     struct rtb_kernel_state *out, struct rtb_error *e)
{
	enum rtb_status st = rtb_entry_digest(n, out->kernel_hash, e);
	for (size_t i = 0; st == RTB_OK && i < n->tree_count; i++) {
		struct rtb_tree_git git;
		size_t at = strlen(out->git.commit);
		rtb_tree_git(n->tree[i].path, clock, &git);
		out->git.dirty |= git.dirty;
		if (git.commit[0])
			snprintf(out->git.commit + at, sizeof out->git.commit - at, n->tree_count > 1 ? "%s%.12s" : "%s%s",
				 at ? "+" : "", git.commit);
	}
	return st;
}

enum rtb_status rtb_kernel_look(const struct rtb_kernel *k, const struct rtb_clock *clock,
				struct rtb_kernel_state *out, struct rtb_error *e)
{
	*out = (struct rtb_kernel_state){0};
	if (rtb_tree_hash(k->port_dir, out->port_hash) < 0)
		return rtb_fail(e, RTB_BUILD, "%s cannot be read: %s", k->port_dir, strerror(errno));
	enum rtb_status st = k->entry ? look_at_entry(k->entry, clock, out, e) : look_at_ours(k, clock, out, e);
	if (st != RTB_OK)
		return st;
	if (!k->config_path)
		return RTB_OK;
	struct rtb_buf b = {0};
	if (rtb_buf_read_file(&b, k->config_path, CONFIG_MAX) < 0) {
		rtb_buf_free(&b);
		return rtb_fail(e, RTB_BUILD, "%s: %s", k->config_path, strerror(errno));
	}
	struct rtb_sha256 h;
	rtb_sha256_init(&h);
	rtb_sha256_add(&h, rtb_buf_cstr(&b), b.len);
	rtb_sha256_hex(&h, out->config_hash);
	out->config_text = b.data ? b.data : rtb_strdup("");
	return RTB_OK;
}

void rtb_kernel_state_free(struct rtb_kernel_state *s)
{
	free(s->config_text);
	*s = (struct rtb_kernel_state){0};
}
