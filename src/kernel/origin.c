/* origin.c */
#include "kernel/origin.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/process.h"

#define TEXT_MAX ((size_t)4 << 20)
#define GIT_MS   10000
#define WORD     64

char *rtb_origin_describe(const char *path, const struct rtb_clock *clock)
{
	/* optional locks: `describe --dirty` and `status` would refresh the index of a tree that
	 * is not ours to write to */
	static const char *const env[] = {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", NULL};
	const char *argv[] = {"git", "-C", path, "describe", "--tags", "--always", NULL};
	struct rtb_process_spec spec = {.argv = argv, .env_extra = env, .timeout_ms = GIT_MS};
	struct rtb_process_result r;
	struct rtb_error ignored = {0};
	char *out = NULL;
	if (rtb_process_run(&spec, clock, &r, &ignored) == RTB_OK && r.exit_code == 0)
		out = rtb_sprintf("%.*s", (int)strcspn(rtb_buf_cstr(&r.output), "\r\n"), rtb_buf_cstr(&r.output));
	rtb_buf_free(&r.output);
	return out ? out : rtb_strdup("");
}

/* ---- version ---- */

enum part { PART_NONE, PART_WHOLE, PART_MAJOR, PART_MINOR, PART_PATCH };

struct macro {
	char name[WORD], value[WORD];
};

/* "#define NAME value", value without quotes, suffixes and brackets; false when it is none. */
static bool read_define(const char *line, struct macro *m, bool *quoted)
{
	char raw[WORD];
	int at = 0;
	if (sscanf(line, " # define %63[A-Za-z0-9_] %n", m->name, &at) != 1 || at == 0 || line[at - 1] == '(')
		return false;
	const char *p = line + at;
	while (*p == '(' || *p == ' ' || *p == '\t')
		p++;
	*quoted = *p == '"';
	p += *quoted;
	size_t n = strcspn(p, *quoted ? "\"\r\n" : " \t\r\n)/");
	snprintf(raw, sizeof raw, "%.*s", (int)n, p);
	if (!*quoted)
		raw[strspn(raw, "0123456789.xXabcdefABCDEF")] = '\0';
	snprintf(m->value, sizeof m->value, "%s", raw);
	return m->value[0] != '\0' && m->value[strcspn(m->value, "0123456789")] != '\0';
}

static bool has(const char *name, const char *word)
{
	return strcasestr(name, word) != NULL;
}

static enum part part_of(const char *name)
{
	if (!has(name, "VERSION"))
		return PART_NONE;
	if (has(name, "MAJOR"))
		return PART_MAJOR;
	if (has(name, "MINOR") || has(name, "SUBVERSION"))
		return PART_MINOR;
	if (has(name, "PATCH") || has(name, "BUILD") || has(name, "MICRO") || has(name, "REVISION"))
		return PART_PATCH;
	return PART_WHOLE;
}

/* Macros of other things that carry versions into a kernel's headers. */
static bool foreign(const char *name)
{
	static const char *const words[] = {"GCC", "GNUC", "CLANG", "ARMCC", "COMPILER", "IAR", "CMSIS", "CORE_VERSION",
					    "PORT", "CHECK", "POSIX", "STDC", "LIB"};
	if (name[0] == '_' && name[1] == '_')
		return true;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (has(name, words[i]))
			return true;
	return false;
}

static void offer(struct rtb_version_pick *pick, int score, char *text, const char *name, const char *header)
{
	if (score <= pick->score) {
		free(text);
		return;
	}
	free(pick->text);
	free(pick->from);
	pick->score = score;
	pick->text = text;
	pick->from = rtb_sprintf("%s in %s", name, header);
}

void rtb_version_look(struct rtb_version_pick *pick, const char *header_text, const char *header_name)
{
	struct macro m, major = {{0}, {0}}, minor = {{0}, {0}}, patch = {{0}, {0}};
	for (const char *line = header_text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		bool quoted;
		if (!read_define(line, &m, &quoted))
			continue;
		if (foreign(m.name))
			continue;
		/* osRtxVersionAPI beside osRtxVersionKernel: both name the OS, one is what is asked for */
		int kernel = has(m.name, "API") ? -10 : has(m.name, "KERNEL") ? 12
			   : has(m.name, "OS") || has(m.name, "THREAD") ? 10 : 0;
		/* RT_VERSION 4, RT_SUBVERSION 1: a bare small number is a first part */
		bool small = !quoted && strlen(m.value) <= 2;
		enum part p = part_of(m.name);
		if (p == PART_WHOLE && small)
			p = PART_MAJOR;
		else if (p == PART_NONE && small && (has(m.name, "REVISION") || has(m.name, "SUBVERSION")))
			p = has(m.name, "SUB") ? PART_MINOR : PART_PATCH;
		if (p == PART_WHOLE)
			offer(pick, (quoted ? 50 : 20) + kernel, rtb_strdup(m.value), m.name, header_name);
		else if (p == PART_MAJOR && !major.value[0])
			major = m;
		else if (p == PART_MINOR && !minor.value[0])
			minor = m;
		else if (p == PART_PATCH && !patch.value[0])
			patch = m;
	}
	if (major.value[0] && minor.value[0])
		offer(pick, 40, rtb_sprintf("%s.%s%s%s", major.value, minor.value, patch.value[0] ? "." : "", patch.value),
		      major.name, header_name);
}

static void look_at_headers(const struct rtb_entry_tree *t, struct rtb_version_pick *pick)
{
	for (size_t i = 0; i < t->used.n; i++) {
		const char *dot = strrchr(t->used.v[i], '.');
		char *path = rtb_entry_join(t->path, t->used.v[i]);
		struct rtb_buf text = {0};
		if (dot && strcmp(dot, ".h") == 0 && rtb_buf_read_file(&text, path, TEXT_MAX) == 0)
			rtb_version_look(pick, rtb_buf_cstr(&text), t->used.v[i]);
		rtb_buf_free(&text);
		free(path);
	}
}

static void look_at_version_file(const struct rtb_entry_tree *t, struct rtb_version_pick *pick)
{
	static const char *const names[] = {"VERSION", "version", "VERSION.txt", "version.txt", ".version"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *path = rtb_entry_join(t->path, names[i]);
		struct rtb_buf text = {0};
		if (rtb_buf_read_file(&text, path, 4096) == 0) {
			size_t n = strcspn(rtb_buf_cstr(&text), "\r\n");
			if (n && n < WORD && strpbrk(text.data, "0123456789"))
				offer(pick, 10, rtb_sprintf("%.*s", (int)n, text.data), "text", names[i]);
		}
		rtb_buf_free(&text);
		free(path);
	}
}

char *rtb_origin_version(const struct rtb_entry *n, char **from)
{
	struct rtb_version_pick pick = {0};
	for (size_t i = 0; i < n->tree_count; i++) {
		look_at_headers(&n->tree[i], &pick);
		look_at_version_file(&n->tree[i], &pick);
	}
	/* no header in use says it: the tag that the first tree stands on, or follows, is the next best */
	if (!pick.text && n->tree_count && n->tree[0].describe && n->tree[0].describe[0])
		offer(&pick, 1, rtb_strdup(n->tree[0].describe), "git describe", n->tree[0].path);
	*from = pick.from ? pick.from : rtb_strdup("");
	return pick.text ? pick.text : rtb_strdup("");
}

/* ---- licence ---- */

const char *rtb_licence_of_text(const char *text)
{
	static const struct {
		const char *phrase, *also, *id;
	} known[] = {
		{"Apache License", "Version 2.0", "Apache-2.0"},
		{"GNU LESSER GENERAL PUBLIC LICENSE", "Version 3", "LGPL-3.0"},
		{"GNU LESSER GENERAL PUBLIC LICENSE", "Version 2.1", "LGPL-2.1"},
		{"GNU GENERAL PUBLIC LICENSE", "Version 3", "GPL-3.0"},
		{"GNU GENERAL PUBLIC LICENSE", "Version 2", "GPL-2.0"},
		{"Mozilla Public License", "2.0", "MPL-2.0"},
		{"Permission is hereby granted, free of charge", "without restriction", "MIT"},
		{"Redistribution and use in source and binary forms", "either the name", "BSD-3-Clause"},
		{"Redistribution and use in source and binary forms", "or the names of", "BSD-3-Clause"},
		{"Redistribution and use in source and binary forms", "", "BSD-2-Clause"},
		{"Permission to use, copy, modify, and", "distribute this software", "ISC"},
		{"Boost Software License", "1.0", "BSL-1.0"},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strstr(text, known[i].phrase) && strstr(text, known[i].also))
			return known[i].id;
	return "";
}

/* SPDX identifiers are the same in any case ("APACHE-2.0"). */
static void add_licence(struct rtb_strings *out, const char *id)
{
	for (size_t i = 0; i < out->n; i++)
		if (strcasecmp(out->v[i], id) == 0)
			return;
	rtb_strings_add(out, id);
}

static void licence_files(const struct rtb_entry_tree *t, struct rtb_strings *out)
{
	DIR *d = opendir(t->path);
	for (struct dirent *de; d && (de = readdir(d));) {
		if (strncasecmp(de->d_name, "licen", 5) != 0 && strncasecmp(de->d_name, "copying", 7) != 0)
			continue;
		char *path = rtb_entry_join(t->path, de->d_name);
		struct rtb_buf text = {0};
		if (rtb_buf_read_file(&text, path, TEXT_MAX) == 0 && *rtb_licence_of_text(rtb_buf_cstr(&text)))
			add_licence(out, rtb_licence_of_text(text.data));
		rtb_buf_free(&text);
		free(path);
	}
	if (d)
		closedir(d);
}

static void licence_tags(const struct rtb_entry_tree *t, struct rtb_strings *out)
{
	static const char tag[] = "SPDX-License-Identifier:";
	for (size_t i = 0; i < t->used.n; i++) {
		char *path = rtb_entry_join(t->path, t->used.v[i]);
		struct rtb_buf text = {0};
		const char *p = rtb_buf_read_file(&text, path, TEXT_MAX) == 0 ? strstr(rtb_buf_cstr(&text), tag) : NULL;
		if (p) {
			p += strlen(tag);
			p += strspn(p, " \t");
			size_t n = strcspn(p, "\r\n*");
			while (n && isspace((unsigned char)p[n - 1]))
				n--;
			char *id = rtb_sprintf("%.*s", n < WORD ? (int)n : WORD, p);
			add_licence(out, id);
			free(id);
		}
		rtb_buf_free(&text);
		free(path);
	}
}

char *rtb_origin_licence(const struct rtb_entry *n)
{
	struct rtb_strings ids = {0};
	struct rtb_buf text = {0};
	for (size_t i = 0; i < n->tree_count; i++) {
		licence_tags(&n->tree[i], &ids);
		licence_files(&n->tree[i], &ids);
	}
	for (size_t i = 0; i < ids.n; i++)
		rtb_buf_fmt(&text, "%s%s", i ? ", " : "", ids.v[i]);
	rtb_strings_free(&ids);
	char *out = rtb_strdup(rtb_buf_cstr(&text));
	rtb_buf_free(&text);
	return out;
}
