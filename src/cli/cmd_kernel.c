/* cmd_kernel.c - rtbench kernel add|list|check|remove */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/cmd.h"
#include "config/entry.h"
#include "config/project.h"
#include "config/target.h"
#include "kernel/add.h"
#include "kernel/kernel.h"

struct job {
	const struct rtb_args *a;
	struct rtb_project project;
	struct rtb_target target;
	struct rtb_probe probe;
	char *dir; /* of entries */
};

static void say(void *ctx, const char *line)
{
	const struct rtb_args *a = ctx;
	if (!a->quiet)
		fprintf(stderr, "  %s\n", line);
}

static enum rtb_status open_job(struct job *j, const struct rtb_args *a, struct rtb_error *e)
{
	*j = (struct job){.a = a, .dir = rtb_entry_dir(rtb_arg(a, "kernel-dir"))};
	const char *target = rtb_arg(a, "target");
	enum rtb_status s = rtb_project_load(a->config_path, &j->project, e);
	if (s == RTB_OK)
		s = rtb_target_load(&j->project, target ? target : "gd32f103cbt6", &j->target, e);
	if (s == RTB_OK) {
		j->probe = (struct rtb_probe){.home = j->project.home, .target = j->target.firmware,
					      .cross = j->project.cross, .clock = rtb_clock_system(),
					      .cancel = &rtb_interrupted};
		s = rtb_probe_open(&j->probe, e);
	}
	return s;
}

static void close_job(struct job *j)
{
	rtb_probe_close(&j->probe);
	rtb_target_free(&j->target);
	rtb_project_free(&j->project);
	free(j->dir);
}

/* ---- what was found ---- */

static void print_taken(const struct rtb_resolver *r, bool header, int verbose)
{
	for (size_t i = 0; i < r->taken_count; i++) {
		const struct rtb_taken *t = &r->taken[i];
		if (t->header != header)
			continue;
		printf("  %-44s for %s: %s%s\n", t->file, t->asked, t->why, t->aside ? "; doubtful, lies among tests, examples or templates" : "");
		size_t shown = verbose ? t->passed_over.n : t->passed_over.n < 3 ? t->passed_over.n : 3;
		for (size_t k = 0; k < shown; k++)
			printf("      not %s\n", t->passed_over.v[k]);
		if (shown < t->passed_over.n)
			printf("      nor %zu more (-v names them)\n", t->passed_over.n - shown);
	}
}

static void print_questions(const struct rtb_resolver *r)
{
	for (size_t i = 0; i < r->question_count; i++) {
		const struct rtb_question *q = &r->question[i];
		printf("  %s %s (wanted by %s): %s\n", q->header ? "header" : "symbol", q->asked, q->by, q->text);
		for (size_t k = 0; k < q->candidates.n; k++)
			printf("      %s\n", q->candidates.v[k]);
	}
}

static void print_sureness(const struct rtb_resolver *r)
{
	size_t only = 0, rule = 0, aside = 0;
	for (size_t i = 0; i < r->taken_count; i++) {
		aside += r->taken[i].aside;
		only += r->taken[i].only && !r->taken[i].aside;
		rule += !r->taken[i].only && !r->taken[i].aside;
	}
	printf("sure: %zu without a rival, %zu by a rule, %zu doubtful; %zu open\n", only, rule, aside, r->question_count);
}

static void print_trees(const struct rtb_entry *n)
{
	for (size_t i = 0; i < n->tree_count; i++) {
		const struct rtb_entry_tree *t = &n->tree[i];
		printf("tree: %s%s%s%s\n", t->path, *t->describe ? ", " : "", t->describe, t->dirty ? ", with uncommitted changes" : "");
		printf("      %zu include directories, %zu sources, %zu libraries, %zu files read\n", t->include.n,
		       t->source.n, t->archive.n, t->used.n);
	}
}

static void print_report(const struct rtb_add_report *r, int verbose)
{
	const struct rtb_entry *n = &r->entry;
	printf("kernel %s: port %s%s%s%s\n", n->name, n->port, r->port_why ? " (" : "", r->port_why ? r->port_why : "",
	       r->port_why ? ")" : "");
	printf("version: %s%s%s%s\n", *n->version ? n->version : "not found", *r->version_from ? " (" : "", r->version_from,
	       *r->version_from ? ")" : "");
	printf("licence: %s\n", *n->licence ? n->licence : "not found");
	print_trees(n);
	for (size_t i = 0; i < r->remarks.n; i++)
		printf("note: %s\n", r->remarks.v[i]);
	for (size_t i = 0; i < r->forest.outside_count; i++)
		printf("note: %s leads out of the trees and was not followed; name it as a tree of its own if it is needed\n",
		       r->forest.outside[i]);
	if (r->forest.unreadable)
		printf("note: %zu directories could not be read\n", r->forest.unreadable);
	if (r->resolver.taken_count) {
		printf("taken, include directories:\n");
		print_taken(&r->resolver, true, verbose);
		printf("taken, sources:\n");
		print_taken(&r->resolver, false, verbose);
		print_sureness(&r->resolver);
	}
	if (r->resolver.question_count) {
		printf("open at %s %s:\n", r->failed.opt ? r->failed.opt : "?", r->failed.instrumented ? "instrumented" : "plain");
		print_questions(&r->resolver);
	}
	for (size_t i = 0; i < r->errors.n && i < 10; i++)
		printf("error: %s\n", r->errors.v[i]);
	printf("looked at: %zu files by name, %zu sources read (%zu KB), %u compiled, %u images; %u.%u s\n",
	       r->forest.file_count, r->resolver.index.sources_read, r->resolver.index.bytes_read / 1024,
	       r->resolver.probe ? r->resolver.probe->compiles : 0, r->resolver.probe ? r->resolver.probe->images : 0,
	       r->ms / 1000, r->ms / 100 % 10);
}

static void add_strings(cJSON *to, const char *key, const struct rtb_strings *s)
{
	cJSON *list = cJSON_AddArrayToObject(to, key);
	for (size_t i = 0; i < s->n; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(s->v[i]));
}

static cJSON *json_entry(const struct rtb_entry *n)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "name", n->name);
	cJSON_AddStringToObject(o, "port", n->port);
	cJSON_AddStringToObject(o, "version", n->version);
	cJSON_AddStringToObject(o, "licence", n->licence);
	cJSON_AddBoolToObject(o, "complete", n->complete);
	cJSON *trees = cJSON_AddArrayToObject(o, "trees");
	for (size_t i = 0; i < n->tree_count; i++) {
		cJSON *t = cJSON_CreateObject();
		cJSON_AddStringToObject(t, "path", n->tree[i].path);
		cJSON_AddStringToObject(t, "commit", n->tree[i].commit);
		cJSON_AddStringToObject(t, "describe", n->tree[i].describe);
		cJSON_AddBoolToObject(t, "dirty", n->tree[i].dirty);
		add_strings(t, "include", &n->tree[i].include);
		add_strings(t, "source", &n->tree[i].source);
		add_strings(t, "archive", &n->tree[i].archive);
		cJSON_AddItemToArray(trees, t);
	}
	return o;
}

static void print_json(cJSON *o)
{
	char *text = cJSON_Print(o);
	puts(text);
	cJSON_free(text);
	cJSON_Delete(o);
}

static cJSON *json_report(const struct rtb_add_report *r)
{
	cJSON *o = json_entry(&r->entry), *taken = cJSON_AddArrayToObject(o, "taken");
	for (size_t i = 0; i < r->resolver.taken_count; i++) {
		const struct rtb_taken *t = &r->resolver.taken[i];
		cJSON *x = cJSON_CreateObject();
		cJSON_AddStringToObject(x, "kind", t->header ? "include" : "source");
		cJSON_AddStringToObject(x, "file", t->file);
		cJSON_AddStringToObject(x, "asked", t->asked);
		cJSON_AddStringToObject(x, "by", t->by);
		cJSON_AddStringToObject(x, "why", t->why);
		cJSON_AddBoolToObject(x, "doubtful", t->aside);
		add_strings(x, "passed_over", &t->passed_over);
		cJSON_AddItemToArray(taken, x);
	}
	cJSON *open = cJSON_AddArrayToObject(o, "open");
	for (size_t i = 0; i < r->resolver.question_count; i++) {
		const struct rtb_question *q = &r->resolver.question[i];
		cJSON *x = cJSON_CreateObject();
		cJSON_AddStringToObject(x, "kind", q->header ? "header" : "symbol");
		cJSON_AddStringToObject(x, "asked", q->asked);
		cJSON_AddStringToObject(x, "by", q->by);
		cJSON_AddStringToObject(x, "problem", q->text);
		add_strings(x, "candidates", &q->candidates);
		cJSON_AddItemToArray(open, x);
	}
	add_strings(o, "errors", &r->errors);
	add_strings(o, "notes", &r->remarks);
	cJSON_AddNumberToObject(o, "files", (double)r->forest.file_count);
	cJSON_AddNumberToObject(o, "ms", r->ms);
	return o;
}

static enum rtb_status finish(struct job *j, struct rtb_add_report *r, struct rtb_error *e)
{
	if (j->a->json)
		print_json(json_report(r));
	else
		print_report(r, j->a->verbose);
	enum rtb_status s = rtb_entry_save(&r->entry, j->dir, e);
	if (s != RTB_OK)
		return s;
	char *path = rtb_entry_path(j->dir, r->entry.name);
	if (!j->a->json)
		printf("%s: %s\n", r->entry.complete ? "entry" : "entry, incomplete", path);
	if (!r->entry.complete)
		s = rtb_fail(e, RTB_TREE, "%s: no image of it links at %s %s: %zu open questions, %zu errors", path,
			     r->failed.opt ? r->failed.opt : "any level", r->failed.instrumented ? "instrumented" : "plain",
			     r->resolver.question_count, r->errors.n);
	free(path);
	return s;
}

/* ---- verbs ---- */

static enum rtb_status add(struct job *j, const char *const *operands, size_t n, struct rtb_error *e)
{
	if (n < 2)
		return rtb_fail(e, RTB_USAGE, "kernel add wants a name and at least one tree");
	if (!rtb_entry_name_ok(operands[0]))
		return rtb_fail(e, RTB_USAGE, "\"%s\" cannot be a kernel's name: letters, digits, '.', '_', '-'", operands[0]);
	char *own = rtb_sprintf("%s/firmware/kernels/%s", j->project.home, operands[0]);
	bool taken = access(own, F_OK) == 0;
	free(own);
	if (taken)
		return rtb_fail(e, RTB_USAGE, "\"%s\" is a kernel of rtbench's own; take another name and --port %s", operands[0], operands[0]);
	struct rtb_add_spec spec = {
		.name = operands[0], .trees = operands + 1, .use = rtb_arg_all(j->a, "use"),
		.skip = rtb_arg_all(j->a, "skip"), .include = rtb_arg_all(j->a, "include"),
		.define = rtb_arg_all(j->a, "define"), .port = rtb_arg(j->a, "port"), .say = say, .ctx = (void *)j->a,
	};
	struct rtb_add_report r;
	enum rtb_status s = rtb_kernel_add(&spec, &j->probe, &r, e);
	if (s == RTB_OK)
		s = finish(j, &r, e);
	rtb_add_report_free(&r);
	return s;
}

static enum rtb_status check(struct job *j, const char *const *operands, size_t n, struct rtb_error *e)
{
	if (n != 1)
		return rtb_fail(e, RTB_USAGE, "kernel check wants the name of one entry");
	struct rtb_entry entry;
	struct rtb_add_report r = {0};
	enum rtb_status s = rtb_entry_load(j->dir, operands[0], &entry, e);
	if (s == RTB_OK)
		s = rtb_kernel_check(&entry, &j->probe, say, (void *)j->a, &r, e);
	if (s == RTB_OK)
		s = finish(j, &r, e);
	rtb_add_report_free(&r);
	return s;
}

static enum rtb_status remove_entry(struct job *j, const char *const *operands, size_t n, struct rtb_error *e)
{
	if (n != 1 || !rtb_entry_name_ok(operands[0]))
		return rtb_fail(e, RTB_USAGE, "kernel remove wants the name of one entry");
	char *path = rtb_entry_path(j->dir, operands[0]);
	enum rtb_status s = unlink(path) == 0 ? RTB_OK : rtb_fail(e, RTB_NOT_FOUND, "%s: %m", path);
	if (s == RTB_OK && !j->a->json)
		printf("removed %s; the tree is untouched\n", path);
	free(path);
	return s;
}

static const char *state_of(const struct rtb_entry *n)
{
	char hash[RTB_SHA256_HEX];
	struct rtb_error ignored = {0};
	for (size_t i = 0; i < n->tree_count; i++) {
		if (access(n->tree[i].path, R_OK) != 0)
			return "tree is gone";
		if (rtb_entry_tree_digest(&n->tree[i], hash, &ignored) != RTB_OK)
			return "files are gone";
		if (strcmp(hash, n->tree[i].hash) != 0)
			return "changed since checked";
	}
	return n->complete ? "ready" : "incomplete";
}

static void list_entry(struct job *j, const char *name, cJSON *all)
{
	struct rtb_entry n;
	struct rtb_error bad = {0};
	if (rtb_entry_load(j->dir, name, &n, &bad) != RTB_OK) {
		if (!all)
			printf("  %-16s %-12s %-14s %s\n", name, "?", "", bad.text);
		return;
	}
	if (all) {
		cJSON *o = json_entry(&n);
		cJSON_AddStringToObject(o, "state", state_of(&n));
		cJSON_AddItemToArray(all, o);
	} else {
		printf("  %-16s %-12s %-24s %-10s %s\n", name, n.port, n.version, state_of(&n),
		       n.tree_count ? n.tree[0].path : "");
	}
	rtb_entry_free(&n);
}

static enum rtb_status list(struct job *j, const char *const *operands, size_t n, struct rtb_error *e)
{
	(void)operands;
	if (n)
		return rtb_fail(e, RTB_USAGE, "kernel list takes no operands");
	struct rtb_strings names = {0};
	rtb_entry_names(j->dir, &names);
	cJSON *root = j->a->json ? cJSON_CreateObject() : NULL;
	cJSON *all = root ? cJSON_AddArrayToObject(root, "kernels") : NULL;
	if (!root)
		printf("trees known (%s):\n%s", j->dir, names.n ? "" : "  none; rtbench kernel add NAME TREE adds one\n");
	for (size_t i = 0; i < names.n; i++)
		list_entry(j, names.v[i], all);
	char **ports = rtb_port_names(j->project.home);
	cJSON *list_of_ports = root ? cJSON_AddArrayToObject(root, "ports") : NULL;
	if (!root)
		printf("ports there are:\n");
	for (char **p = ports; *p; p++) {
		if (root)
			cJSON_AddItemToArray(list_of_ports, cJSON_CreateString(*p));
		else
			printf("  %s\n", *p);
		free(*p);
	}
	free(ports);
	if (root)
		print_json(root);
	rtb_strings_free(&names);
	return RTB_OK;
}

static const struct {
	const char *name;
	enum rtb_status (*run)(struct job *j, const char *const *operands, size_t n, struct rtb_error *e);
} verbs[] = {{"add", add}, {"list", list}, {"check", check}, {"remove", remove_entry}};

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	const char *verb = a->operand_count ? a->operands[0] : "";
	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
		if (strcmp(verb, verbs[i].name) != 0)
			continue;
		struct job j;
		enum rtb_status s = open_job(&j, a, e);
		if (s == RTB_OK)
			s = verbs[i].run(&j, a->operands + 1, a->operand_count - 1, e);
		close_job(&j);
		return s;
	}
	return rtb_fail(e, RTB_USAGE, "kernel wants add, list, check or remove, not \"%s\"", verb);
}

static const struct rtb_opt opts[] = {
	{"kernel-dir", 0, "DIR", "where entries are kept; default: $RTBENCH_KERNEL_DIR, or the XDG data directory", false},
	{"target", 't', "T", "board to build for; default: gd32f103cbt6", false},
	{"port", 0, "P", "add: the port to measure through, where the tree does not tell", false},
	{"use", 0, "GLOB", "add: take a matching file where several would do; '*' crosses '/'", true},
	{"skip", 0, "GLOB", "add: never take a matching file", true},
	{"include", 0, "DIR", "add: a directory for headers, before those that are found", true},
	{"define", 0, "X[=V]", "add: a definition for the compiler", true},
	{0},
};

const struct rtb_cmd cmd_kernel = {
	.name = "kernel",
	.summary = "make a kernel's tree known, or see what is known",
	.operands = "add NAME TREE... | list | check NAME | remove NAME",
	.opts = opts,
	.run = run,
	.help = "add     looks the trees over and writes an entry: which headers and sources make this kernel for\n"
		"        this board. Nothing is copied, and the tree is not written to.\n"
		"list    ports there are, entries there are, and whether they still hold\n"
		"check   compiles an entry at every optimisation level and says what is missing\n"
		"remove  forgets an entry\n\n"
		"Examples:\n"
		"  rtbench kernel add freertos ~/src/FreeRTOS-Kernel\n"
		"  rtbench kernel add mine ~/src/kernel ~/src/cmsis --port rtx5 --skip '*/legacy/*'\n",
};
