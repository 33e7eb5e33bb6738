#include "config/entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_MAX ((size_t)4 << 20)
#define FILES_MAX 100000 /* in one list; a tree's used files are a few hundred at most */

/* As read; the kernel room has lists of its own, without places. */
struct raw_tree {
	unsigned line;
	char *path, *commit, *describe, *hash;
	bool dirty;
	struct rtb_list include, source, archive, used;
};
struct raw_entry {
	uint32_t format;
	char *port, *version, *licence;
	bool complete;
	struct rtb_list define;
	struct raw_tree *tree;
	size_t tree_count;
};

#define AT(member) offsetof(struct raw_entry, member)
static const struct rtb_key top_keys[] = {
	{"format", KEY_UINT, AT(format), RTB_ENTRY_FORMAT, RTB_ENTRY_FORMAT, NULL, NULL, "Form of this file: 1."},
	{"port", KEY_STRING, AT(port), 1, 40, NULL, NULL, "Directory of `firmware/ports/` the kernel is measured through."},
	{"version", KEY_STRING, AT(version), 0, 0, NULL, "\"\"",
	 "Version as found in the tree, for people; the board reports what the kernel's own macro says."},
	{"licence", KEY_STRING, AT(licence), 0, 0, NULL, "\"\"", "SPDX identifiers met in the tree."},
	{"complete", KEY_BOOL, AT(complete), 0, 0, NULL, "false", "Whether an image linked when this was last checked."},
	{"define", KEY_STRINGS, AT(define), 0, 200, NULL, "[]", "Definitions for the compiler: `X` or `X=1`."},
};
#undef AT
#define AT(member) offsetof(struct raw_tree, member)
static const struct rtb_key tree_keys[] = {
	{"path", KEY_STRING, AT(path), 1, 4000, NULL, NULL, "Where the tree lies: an absolute path."},
	{"commit", KEY_STRING, AT(commit), 0, 0, NULL, "\"\"", "Git commit when the entry was last checked; empty outside git."},
	{"describe", KEY_STRING, AT(describe), 0, 0, NULL, "\"\"", "`git describe --tags` at that time."},
	{"dirty", KEY_BOOL, AT(dirty), 0, 0, NULL, "false", "Whether the tree then had uncommitted changes."},
	{"hash", KEY_STRING, AT(hash), 0, 0, NULL, "\"\"", "SHA-256 over the files in use at that time."},
	{"include", KEY_STRINGS, AT(include), 0, 200, NULL, "[]",
	 "Directories for headers, relative to `path`, in the order of search."},
	{"source", KEY_STRINGS, AT(source), 0, FILES_MAX, NULL, "[]", "C and assembler files that are compiled, relative to `path`."},
	{"archive", KEY_STRINGS, AT(archive), 0, 200, NULL, "[]", "Libraries that are linked as they are."},
	{"used", KEY_STRINGS, AT(used), 0, FILES_MAX, NULL, "[]",
	 "Every file of the tree the compiler read; a change in one rebuilds the cell. Empty: all headers of `include` count."},
};
#undef AT
#define COUNT(a) (sizeof(a) / sizeof *(a))
static const struct rtb_section sections[] = {
	{"", false, 0, 0, top_keys, COUNT(top_keys), "One kernel."},
	{"tree", true, offsetof(struct raw_entry, tree), sizeof(struct raw_tree), tree_keys, COUNT(tree_keys),
	 "A directory that holds the kernel, or a part of it."},
};
_Static_assert(offsetof(struct raw_entry, tree_count) == offsetof(struct raw_entry, tree) + sizeof(void *),
	       "count follows its pointer");

const struct rtb_section *rtb_entry_sections(size_t *count)
{
	*count = COUNT(sections);
	return sections;
}

static void copy(struct rtb_strings *to, const struct rtb_list *from)
{
	for (size_t i = 0; i < from->n; i++)
		rtb_strings_add(to, from->v[i].text);
}

static enum rtb_status convert(const struct raw_entry *raw, struct rtb_entry *out, struct rtb_error *e)
{
	out->port = rtb_strdup(raw->port);
	out->version = rtb_strdup(raw->version);
	out->licence = rtb_strdup(raw->licence);
	out->complete = raw->complete;
	copy(&out->define, &raw->define);
	for (size_t i = 0; i < raw->tree_count; i++) {
		const struct raw_tree *from = &raw->tree[i];
		if (from->path[0] != '/')
			return rtb_fail(e, RTB_CONFIG, "%s:%u:1: path \"%s\" is not absolute", out->path, from->line, from->path);
		struct rtb_entry_tree *to = rtb_entry_add_tree(out, from->path);
		free(to->commit);
		free(to->describe);
		free(to->hash);
		to->line = from->line;
		to->commit = rtb_strdup(from->commit);
		to->describe = rtb_strdup(from->describe);
		to->hash = rtb_strdup(from->hash);
		to->dirty = from->dirty;
		copy(&to->include, &from->include);
		copy(&to->source, &from->source);
		copy(&to->archive, &from->archive);
		copy(&to->used, &from->used);
	}
	if (raw->tree_count == 0)
		return rtb_fail(e, RTB_CONFIG, "%s:1:1: there is no [[tree]]", out->path);
	return RTB_OK;
}

static enum rtb_status parse(const char *text, size_t n, struct rtb_entry *out, struct rtb_error *e)
{
	struct rtb_toml *doc = NULL;
	struct raw_entry raw = {0};
	enum rtb_status s = rtb_toml_parse(text, n, out->path, &doc, e);
	if (s == RTB_OK) {
		struct rtb_doc d = {out->path, doc};
		s = rtb_config_read(sections, COUNT(sections), &d, 1, &raw, e);
		if (s == RTB_OK)
			s = convert(&raw, out, e);
		rtb_config_free(sections, COUNT(sections), &raw);
	}
	rtb_toml_free(doc);
	return s;
}

enum rtb_status rtb_entry_load(const char *dir, const char *name, struct rtb_entry *out, struct rtb_error *e)
{
	*out = (struct rtb_entry){0};
	if (!rtb_entry_name_ok(name))
		return rtb_fail(e, RTB_USAGE, "\"%s\" cannot be a kernel's name: letters, digits, '.', '_', '-'", name);
	struct rtb_buf text = {0};
	enum rtb_status s;
	out->name = rtb_strdup(name);
	out->path = rtb_entry_path(dir, name);
	if (rtb_buf_read_file(&text, out->path, ENTRY_MAX) != 0)
		s = rtb_fail(e, errno == ENOENT ? RTB_NOT_FOUND : RTB_CONFIG, "%s: %s", out->path, strerror(errno));
	else
		s = parse(rtb_buf_cstr(&text), text.len, out, e);
	rtb_buf_free(&text);
	if (s != RTB_OK)
		rtb_entry_free(out);
	return s;
}

enum rtb_status rtb_kernel_load(const char *home, const char *dir, const char *name, struct rtb_kernel *out,
				struct rtb_error *e)
{
	struct rtb_error ours = {0}, theirs = {0};
	struct rtb_entry entry;
	if (rtb_kernel_find(home, name, out, &ours) == RTB_OK)
		return RTB_OK;
	char *place = rtb_entry_dir(dir);
	enum rtb_status s = rtb_entry_load(place, name, &entry, &theirs);
	free(place);
	if (s == RTB_OK)
		return rtb_kernel_of_entry(home, &entry, out, e);
	if (s == RTB_CONFIG)
		return rtb_fail(e, s, "%s", theirs.text);
	return rtb_fail(e, ours.status, "%s", ours.text);
}
