/* add.c */
#include "kernel/add.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/origin.h"
#include "kernel/tree.h"

#define ROUNDS_MAX 100 /* images tried at one level before giving up */

/* O0 asks for most, since nothing is inlined or dropped; what the optimiser asks for beside
 * that (block copies) shows at the others. */
static const struct rtb_level add_levels[] = {
	{"Os", false}, {"O0", false}, {"O0", true}, {"O2", true},
};
static const struct rtb_level check_levels[] = {
	{"O0", false}, {"O1", false}, {"O2", false}, {"O3", false}, {"Os", false}, {"Og", false},
	{"O0", true},  {"O1", true},  {"O2", true},  {"O3", true},  {"Os", true},  {"Og", true},
};

struct job {
	struct rtb_add_report *out;
	struct rtb_probe *probe;
	void (*say)(void *ctx, const char *line);
	void *ctx;
};

static void tell(const struct job *j, char *line)
{
	if (j->say)
		j->say(j->ctx, line);
	free(line);
}

void rtb_add_report_free(struct rtb_add_report *r)
{
	rtb_resolver_free(&r->resolver);
	rtb_forest_free(&r->forest);
	rtb_entry_free(&r->entry);
	rtb_strings_free(&r->errors);
	rtb_strings_free(&r->remarks);
	free(r->version_from);
	*r = (struct rtb_add_report){0};
}

static bool has_port(const char *home, const char *port)
{
	char *mk = rtb_sprintf("%s/firmware/ports/%s/port.mk", home, port);
	bool yes = access(mk, R_OK) == 0;
	free(mk);
	return yes;
}

static enum rtb_status no_port(const struct rtb_strings *fit, struct rtb_error *e)
{
	struct rtb_buf names = {0};
	for (size_t i = 0; i < fit->n; i++)
		rtb_buf_fmt(&names, "%s%s", i ? ", " : "", fit->v[i]);
	enum rtb_status s = fit->n ? rtb_fail(e, RTB_TREE, "several kernels seem to be in there: %s; name one with --port, and leave the others out of the trees or --skip them", names.data)
				   : rtb_fail(e, RTB_TREE, "no kernel that there is a port for: of each port some header is missing; name one with --port to see which");
	rtb_buf_free(&names);
	return s;
}

static enum rtb_status find_port(struct job *j, const struct rtb_add_spec *spec, struct rtb_error *e)
{
	struct rtb_add_report *out = j->out;
	const char *port = spec->port ? spec->port : has_port(j->probe->home, spec->name) ? spec->name : NULL;
	if (port && !has_port(j->probe->home, port))
		return rtb_fail(e, RTB_NOT_FOUND, "there is no port \"%s\" (firmware/ports/)", port);
	if (port) {
		out->entry.port = rtb_strdup(port);
		out->port_why = spec->port ? "named" : "of the entry's name";
		return RTB_OK;
	}
	struct rtb_strings fit = {0};
	rtb_ports_matching(j->probe->home, j->probe->target, &out->resolver.index, &fit);
	enum rtb_status s = RTB_OK;
	if (fit.n == 1) {
		out->entry.port = rtb_strdup(fit.v[0]);
		out->port_why = "the only one whose headers are all there";
	} else {
		s = no_port(&fit, e);
	}
	rtb_strings_free(&fit);
	return s;
}

/* --include: a directory of one of the trees, absolute or relative to it. */
static enum rtb_status add_include(struct rtb_add_report *out, const char *dir, struct rtb_error *e)
{
	struct stat st;
	char real[PATH_MAX];
	for (size_t i = 0; i < out->forest.root_count; i++) {
		const char *root = out->forest.roots[i];
		char *path = rtb_entry_join(root, dir);
		bool is_dir = realpath(path, real) && stat(real, &st) == 0 && S_ISDIR(st.st_mode);
		free(path);
		size_t n = strlen(root);
		if (!is_dir || strncmp(real, root, n) != 0 || (real[n] && real[n] != '/'))
			continue;
		rtb_strings_add_new(&out->entry.tree[i].include, real[n] ? real + n + 1 : ".");
		return RTB_OK;
	}
	return rtb_fail(e, RTB_NOT_FOUND, "--include %s: no such directory in the trees", dir);
}

static enum rtb_status given(struct rtb_add_report *out, const struct rtb_add_spec *spec, struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	for (const char *const *d = spec->include; s == RTB_OK && d && *d; d++)
		s = add_include(out, *d, e);
	for (const char *const *d = spec->define; s == RTB_OK && d && *d; d++) {
		if (strpbrk(*d, " \t\n"))
			s = rtb_fail(e, RTB_USAGE, "--define %s: a value with a space cannot be handed through make", *d);
		rtb_strings_add(&out->entry.define, *d);
	}
	return s;
}

static void keep_errors(struct rtb_add_report *out, const struct rtb_diags *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].kind == RTB_DIAG_ERROR)
			rtb_strings_add_new(&out->errors, d->v[i].name);
}

/* Builds and answers until it links or nothing new is found. */
static enum rtb_status complete_level(struct job *j, struct rtb_level l, bool *linked, struct rtb_error *e)
{
	struct rtb_add_report *out = j->out;
	enum rtb_status s = RTB_OK;
	bool progress = true;
	*linked = false;
	rtb_resolver_level(&out->resolver, l);
	for (int round = 0; s == RTB_OK && progress && !*linked && round < ROUNDS_MAX; round++) {
		struct rtb_attempt a;
		s = rtb_probe_image(j->probe, &out->entry, l, &a, e);
		*linked = s == RTB_OK && a.ok;
		if (*linked)
			rtb_resolver_drop_questions(&out->resolver);
		if (s == RTB_OK && !a.ok) {
			tell(j, rtb_sprintf("%s %s: %zu headers, %zu symbols asked for", l.opt,
					    l.instrumented ? "instrumented" : "plain",
					    rtb_diags_count(&a.diags, RTB_DIAG_HEADER),
					    rtb_diags_count(&a.diags, RTB_DIAG_UNDEFINED)));
			s = rtb_resolve(&out->resolver, &a.diags, &progress, e);
		}
		if (s == RTB_OK && !a.ok && !progress)
			keep_errors(out, &a.diags);
		rtb_attempt_free(&a);
	}
	return s;
}

/* What the trees say of themselves, now that it is known which of their files are used. */
static enum rtb_status describe(struct job *j, struct rtb_error *e)
{
	struct rtb_entry *n = &j->out->entry;
	enum rtb_status s = RTB_OK;
	rtb_probe_used(j->probe, n);
	for (size_t i = 0; i < n->tree_count && s == RTB_OK; i++) {
		struct rtb_entry_tree *t = &n->tree[i];
		struct rtb_tree_git git;
		char hash[RTB_SHA256_HEX];
		rtb_tree_git(t->path, j->probe->clock, &git);
		free(t->commit);
		free(t->describe);
		t->commit = rtb_strdup(git.commit);
		t->describe = rtb_origin_describe(t->path, j->probe->clock);
		t->dirty = git.dirty;
		s = rtb_entry_tree_digest(t, hash, e);
		free(t->hash);
		t->hash = rtb_strdup(s == RTB_OK ? hash : "");
	}
	free(n->version);
	free(n->licence);
	free(j->out->version_from);
	n->version = rtb_origin_version(n, &j->out->version_from);
	n->licence = rtb_origin_licence(n);
	return s;
}

static enum rtb_status grow(struct job *j, const struct rtb_add_spec *spec, struct rtb_error *e)
{
	struct rtb_add_report *out = j->out;
	enum rtb_status s = find_port(j, spec, e);
	if (s == RTB_OK)
		s = given(out, spec, e);
	out->entry.complete = true;
	for (size_t i = 0; s == RTB_OK && out->entry.complete && i < sizeof add_levels / sizeof add_levels[0]; i++) {
		s = complete_level(j, add_levels[i], &out->entry.complete, e);
		if (!out->entry.complete)
			out->failed = add_levels[i];
	}
	return s == RTB_OK ? describe(j, e) : s;
}

enum rtb_status rtb_kernel_add(const struct rtb_add_spec *spec, struct rtb_probe *probe,
			       struct rtb_add_report *out, struct rtb_error *e)
{
	struct job j = {.out = out, .probe = probe, .say = spec->say, .ctx = spec->ctx};
	uint64_t start = rtb_now_ns(probe->clock);
	*out = (struct rtb_add_report){.version_from = rtb_strdup("")};
	enum rtb_status s = rtb_forest_scan(spec->trees, spec->use, spec->skip, &out->forest, e);
	if (s != RTB_OK)
		return s;
	tell(&j, rtb_sprintf("%zu files in %zu tree%s", out->forest.file_count, out->forest.root_count,
			     out->forest.root_count == 1 ? "" : "s"));
	out->entry.name = rtb_strdup(spec->name);
	for (size_t i = 0; i < out->forest.root_count; i++)
		rtb_entry_add_tree(&out->entry, out->forest.roots[i]);
	rtb_resolver_init(&out->resolver, &out->forest, probe, &out->entry);
	s = grow(&j, spec, e);
	out->ms = (unsigned)((rtb_now_ns(probe->clock) - start) / 1000000);
	return s;
}

/* ---- check ---- */

static enum rtb_status scan_entry(struct rtb_add_report *out, struct rtb_error *e)
{
	struct rtb_strings roots = {0};
	for (size_t i = 0; i < out->entry.tree_count; i++)
		rtb_strings_add(&roots, out->entry.tree[i].path);
	static const char *const none[] = {NULL};
	enum rtb_status s = roots.n ? rtb_forest_scan((const char *const *)roots.v, NULL, NULL, &out->forest, e)
				    : rtb_forest_scan(none, NULL, NULL, &out->forest, e);
	rtb_strings_free(&roots);
	return s;
}

/* Files the entry lists that are no longer there, by name; how many. */
static size_t missing_files(struct rtb_add_report *out)
{
	size_t missing = 0;
	for (size_t i = 0; i < out->entry.tree_count; i++) {
		const struct rtb_entry_tree *t = &out->entry.tree[i];
		const struct rtb_strings *const lists[] = {&t->source, &t->archive, &t->include};
		for (size_t k = 0; k < 3; k++)
			for (size_t f = 0; f < lists[k]->n; f++) {
				char *path = rtb_entry_join(t->path, lists[k]->v[f]);
				if (access(path, R_OK) != 0) {
					char *line = rtb_sprintf("%s: listed in the entry, but not there", path);
					rtb_strings_add(&out->errors, line);
					free(line);
					missing++;
				}
				free(path);
			}
	}
	return missing;
}

static void say_changes(struct job *j)
{
	for (size_t i = 0; i < j->out->entry.tree_count; i++) {
		const struct rtb_entry_tree *t = &j->out->entry.tree[i];
		struct rtb_tree_git git;
		struct rtb_error ignored = {0};
		char hash[RTB_SHA256_HEX], *line = NULL;
		rtb_tree_git(t->path, j->probe->clock, &git);
		bool files = rtb_entry_tree_digest(t, hash, &ignored) != RTB_OK || strcmp(hash, t->hash) != 0;
		if (strcmp(git.commit, t->commit) != 0)
			line = rtb_sprintf("%s: commit is %.12s, was %.12s%s", t->path, *git.commit ? git.commit : "none",
					   *t->commit ? t->commit : "none",
					   files ? "" : "; the files in use are the same");
		else if (files)
			line = rtb_sprintf("%s: files in use have changed since the entry was last checked", t->path);
		if (line)
			rtb_strings_add(&j->out->remarks, line);
		free(line);
	}
}

static enum rtb_status check_level(struct job *j, struct rtb_level l, struct rtb_error *e)
{
	struct rtb_attempt a;
	enum rtb_status s = rtb_probe_image(j->probe, &j->out->entry, l, &a, e);
	if (s == RTB_OK)
		tell(j, rtb_sprintf("%s %s: %s", l.opt, l.instrumented ? "instrumented" : "plain", a.ok ? "links" : "fails"));
	if (s == RTB_OK && !a.ok) {
		if (j->out->entry.complete)
			j->out->failed = l;
		j->out->entry.complete = false;
		rtb_resolve_explain(&j->out->resolver, &a.diags);
		keep_errors(j->out, &a.diags);
	}
	rtb_attempt_free(&a);
	return s;
}

enum rtb_status rtb_kernel_check(struct rtb_entry *entry, struct rtb_probe *probe,
				 void (*say)(void *ctx, const char *line), void *ctx,
				 struct rtb_add_report *out, struct rtb_error *e)
{
	struct job j = {.out = out, .probe = probe, .say = say, .ctx = ctx};
	uint64_t start = rtb_now_ns(probe->clock);
	*out = (struct rtb_add_report){.entry = *entry, .version_from = rtb_strdup("")};
	*entry = (struct rtb_entry){0};
	if (!has_port(probe->home, out->entry.port))
		return rtb_fail(e, RTB_CONFIG, "%s: there is no port \"%s\" (firmware/ports/)", out->entry.path, out->entry.port);
	enum rtb_status s = scan_entry(out, e);
	if (s != RTB_OK)
		return s;
	rtb_resolver_init(&out->resolver, &out->forest, probe, &out->entry);
	say_changes(&j);
	out->entry.complete = missing_files(out) == 0;
	for (size_t i = 0; s == RTB_OK && !out->errors.n && i < sizeof check_levels / sizeof check_levels[0]; i++)
		s = check_level(&j, check_levels[i], e);
	if (s == RTB_OK && out->entry.complete) {
		for (size_t i = 0; i < out->entry.tree_count; i++)
			rtb_strings_free(&out->entry.tree[i].used);
		s = describe(&j, e);
	}
	out->ms = (unsigned)((rtb_now_ns(probe->clock) - start) / 1000000);
	return s;
}
