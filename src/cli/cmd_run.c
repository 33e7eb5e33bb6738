/* rtbench run: one cell, or the matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/cmd.h"
#include "cli/gate.h"
#include "cli/output.h"
#include "cli/run_resume.h"
#include "cli/run_show.h"

extern const struct rtb_cmd cmd_run;

static const struct rtb_opt opts[] = {
	{"matrix", 'm', NULL, "every cell of [matrix] in rtbench.toml; the options below narrow it", false},
	{"target", 't', "T", "board (a directory under targets/)", true},
	{"kernel", 'k', "K", "kernel", true},
	{"opt", 'O', "LEVEL", "optimisation level: O0 O1 O2 O3 Os Og", true},
	{"instrumented", 'i', "WHICH", "yes, no or both: the kernel's debugging aids", false},
	{"case", 0, "C", "case to measure (default: all, or as in rtbench.toml)", true},
	{"samples", 's', "N", "samples a case", false},
	{"raw", 0, "N", "keep the first N samples of each case one by one", false},
	{"repeat", 'r', "N", "passes of every cell, spread over the sweep", false},
	{"limit", 0, "N", "most runs that a matrix may expand to", false},
	{"dry-run", 'n', NULL, "show the plan and do nothing", false},
	{"resume", 0, "[=SWEEP]", "go on with a sweep that was cut short (default: the newest)", false},
	{"same-board", 0, NULL, "use one board only of each target", false},
	{"shard", 0, "I/N", "of N parts of the plan, only part I (from 1)", false},
	{"sweep-key", 0, "KEY", "shards that are given the same KEY are one sweep, here or after merging", false},
	{"wait", 'w', "[=SECONDS]", "wait for a board that is in use (default: without end)", false},
	{"junit", 0, "FILE", "write the outcome for a CI server", false},
	{"baseline", 0, "REF", "when all went well: did any figure grow over that of s3, latest ...?", false},
	{"max-regression", 0, "PERCENT", "--baseline: how much it may grow (default 0)", false},
	{"always-flash", 0, NULL, "program the board even when it holds that image already", false},
	{"fail-fast", 0, NULL, "stop after the first run that fails", false},
	{0},
};

static const char help[] =
	"Without --matrix exactly one cell must be named: a target (the only one of rtbench.toml is\n"
	"taken when there is just one), a kernel and a level.\n"
	"\n"
	"Every run is stored as soon as it has ended; a run that fails is stored with its cause and\n"
	"does not stop the others. The first SIGINT, SIGTERM or SIGHUP ends the sweep after storing,\n"
	"the second one at once. The exit code is that of the worst run (highest number); with --baseline\n"
	"and every run good, that of `rtbench compare --gate`: 10 when a figure grew too much, 11 when\n"
	"the two cannot be compared.\n"
	"\n"
	"--json writes one object a line: plan, begin, run, phase, done (status, verdict, error, logs),\n"
	"end; see docs/run.md.\n"
	"\n"
	"--resume goes on with the newest sweep, or --resume=3 with that one, as its own command had\n"
	"planned it: what was complete stays, unless what goes into its image has changed.\n"
	"\n"
	"Examples:\n"
	"  rtbench run --matrix\n"
	"  rtbench run --matrix --kernel mini --opt O2 --opt Os --repeat 5\n"
	"  rtbench run --target virtual-gd32f103 --kernel mini --opt O2 --case yield\n"
	"  rtbench run --matrix --repeat 4 --junit junit.xml --baseline latest --max-regression 2%\n";

static void replace_list(const struct rtb_args *a, const char *option, struct rtb_list *l)
{
	const char *const *v = rtb_arg_all(a, option);
	size_t n = 0;
	while (v[n])
		n++;
	if (n == 0)
		return;
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].text);
	free(l->v);
	*l = (struct rtb_list){.v = rtb_alloc(n * sizeof *l->v), .n = n};
	for (size_t i = 0; i < n; i++)
		l->v[i].text = rtb_strdup(v[i]);
}

static bool has_word(const char *words, const char *w)
{
	size_t n = strlen(w);
	for (const char *p = words; n && (p = strstr(p, w)); p += n)
		if ((p == words || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

static enum rtb_status check_words(const struct rtb_args *a, struct rtb_project *p, struct rtb_error *e)
{
	for (const char *const *o = rtb_arg_all(a, "opt"); *o; o++)
		if (!has_word(rtb_opt_levels, *o))
			return rtb_fail(e, RTB_USAGE, "--opt wants one of %s, not '%s'", rtb_opt_levels, *o);
	const char *which = rtb_arg(a, "instrumented");
	if (!which)
		return RTB_OK;
	if (!has_word("yes no both", which))
		return rtb_fail(e, RTB_USAGE, "--instrumented wants yes, no or both, not '%s'", which);
	free(p->instrumented);
	p->instrumented = rtb_strdup(which);
	return RTB_OK;
}

/* A number of the project, when the option was given. */
static enum rtb_status number(const struct rtb_args *a, const char *option, unsigned lo, unsigned hi,
			      uint32_t *out, struct rtb_error *e)
{
	unsigned v;
	enum rtb_status st = rtb_arg_uint(a, option, *out, lo, hi, &v, e);
	*out = v;
	return st;
}

/* One cell: the axes of the file do not count, but for a target without a choice. */
static enum rtb_status single_cell(const struct rtb_args *a, struct rtb_project *p, struct rtb_error *e)
{
	static const char *const axes[] = {"kernel", "opt", "target"};
	struct rtb_list *lists[] = {&p->kernel, &p->opt, &p->target};
	for (size_t i = 0; i < 3; i++) {
		bool given = rtb_arg_flag(a, axes[i]);
		if ((given || i == 2) && lists[i]->n == 1)
			continue;
		return rtb_fail(e, RTB_USAGE, given ? "several values of --%s are a matrix: say --matrix"
				: "name one cell with --target, --kernel and --opt (--%s is missing), or say --matrix", axes[i]);
	}
	if (!rtb_arg(a, "instrumented")) {
		free(p->instrumented);
		p->instrumented = rtb_strdup("no");
	} else if (strcmp(p->instrumented, "both") == 0) {
		return rtb_fail(e, RTB_USAGE, "--instrumented both is a matrix: say --matrix");
	}
	p->matrix_line = 0;
	return RTB_OK;
}

static enum rtb_status apply_options(const struct rtb_args *a, struct rtb_project *p, struct rtb_error *e)
{
	replace_list(a, "target", &p->target);
	replace_list(a, "kernel", &p->kernel);
	replace_list(a, "opt", &p->opt);
	replace_list(a, "case", &p->cases);
	enum rtb_status st = check_words(a, p, e);
	if (st == RTB_OK)
		st = number(a, "samples", 1, 10000000, &p->samples, e);
	if (st == RTB_OK)
		st = number(a, "raw", 0, 4096, &p->raw, e);
	if (st == RTB_OK)
		st = number(a, "repeat", 1, 1000, &p->repeat, e);
	if (st == RTB_OK)
		st = number(a, "limit", 1, 1000000, &p->limit, e);
	p->same_board |= rtb_arg_flag(a, "same-board");
	if (st == RTB_OK && !rtb_arg_flag(a, "matrix"))
		st = single_cell(a, p, e);
	return st;
}

static char *command_line(const struct rtb_args *a)
{
	struct rtb_buf b = {0};
	for (int i = 0; i < a->argc; i++) {
		bool plain = *a->argv[i] && !strpbrk(a->argv[i], " \t\n'\"\\$`*?[]{}()<>|&;#~");
		rtb_buf_fmt(&b, plain ? "%s%s" : "%s'%s'", i ? " " : "", a->argv[i]);
	}
	return b.data ? b.data : rtb_strdup("rtbench run");
}

static enum rtb_status write_junit(const char *path, const struct rtb_sweep_result *r, const struct rtb_junit_gate *gate,
				   struct rtb_error *e)
{
	struct rtb_output o;
	struct rtb_buf text = {0};
	rtb_report_junit(&r->sweep, r->run, r->run_count, gate, &text);
	enum rtb_status st = rtb_output_open(&o, path, e);
	if (st == RTB_OK) {
		st = rtb_output_write(&o, &text, e);
		enum rtb_status end = rtb_output_close(&o, st == RTB_OK, e);
		st = st ? st : end;
	}
	rtb_buf_free(&text);
	return st;
}

/* What the sweep came to, for people, for a CI server, and as a status. */
static enum rtb_status finish(const struct rtb_args *a, const struct rtb_sweep_result *r, const struct rtb_baseline *base,
			      const char *db, struct rtb_run_show *show, enum rtb_status st, struct rtb_error *e)
{
	const char *junit = rtb_arg(a, "junit");
	struct rtb_junit_gate gate = {.name = base->ref};
	struct rtb_buf line = {0};
	st = st ? st : r->sweep.status;
	bool judged = base->ref && st == RTB_OK;
	if (judged) {
		gate.status = st = rtb_baseline_judge(base, db, r->sweep.id, &line, e);
		gate.text = st ? e->text : rtb_buf_cstr(&line);
		rtb_show_baseline(show, &gate);
	} else if (base->ref) {
		rtb_log(RTB_LOG_WARN, "not held against %s: not every run is good", base->ref);
	}
	struct rtb_error own = {0};
	if (junit && r->sweep.id && write_junit(junit, r, judged ? &gate : NULL, &own) && st == RTB_OK)
		st = rtb_fail(e, own.status, "%s", own.text);
	rtb_buf_free(&line);
	return st;
}

/* --wait alone: as long as it takes. */
static enum rtb_status wait_limit(const struct rtb_args *a, unsigned *ms, struct rtb_error *e)
{
	const char *text = rtb_arg(a, "wait");
	unsigned seconds = 0;
	*ms = text && !*text ? RTB_WAIT_FOREVER : 0;
	if (!text || !*text)
		return RTB_OK;
	enum rtb_status st = rtb_arg_uint(a, "wait", 0, 1, 4000000, &seconds, e);
	*ms = seconds * 1000;
	return st;
}

static enum rtb_status sweep(const struct rtb_args *a, const struct rtb_project *p, const struct rtb_plan *plan,
			     const struct rtb_sweep *resume, struct rtb_run_show *show, struct rtb_error *e)
{
	char *db = a->db_path ? rtb_strdup(a->db_path) : rtb_project_path(p, p->db), *command = command_line(a);
	struct rtb_sweep_spec spec = {
		.project = p, .plan = plan, .db_path = db, .command = command, .resume = resume,
		.key = resume ? NULL : rtb_arg(a, "sweep-key"), .fail_fast = rtb_arg_flag(a, "fail-fast"),
		.always_flash = rtb_arg_flag(a, "always-flash"),
		.clock = rtb_clock_system(), .cancel = &rtb_interrupted, .on_event = rtb_show_event, .ctx = show};
	struct rtb_sweep_result result = {0};
	struct rtb_baseline base = {0};
	enum rtb_status st = wait_limit(a, &spec.wait_ms, e);
	if (st == RTB_OK)
		st = rtb_baseline_load(a, db, &base, e);
	if (st == RTB_OK)
		st = rtb_sweep_run(&spec, &result, e);
	if (result.sweep.id) {
		rtb_show_result(show, &result, plan->step_count, db);
		st = finish(a, &result, &base, db, show, st, e);
	}
	rtb_sweep_result_free(&result);
	rtb_baseline_free(&base);
	free(command);
	free(db);
	return st;
}

/* What makes a difference now shows in each run's image; here it is said once for all. */
static void say_changes(const struct rtb_project *p, const struct rtb_plan *plan, const struct rtb_sweep *past)
{
	if (past->config_text && strcmp(past->config_text, p->text) != 0)
		rtb_log(RTB_LOG_WARN, "%s is not what it was when sweep %lld began", p->path ? p->path : "rtbench.toml",
			(long long)past->id);
	if (past->planned != plan->step_count)
		rtb_log(RTB_LOG_WARN, "sweep %lld had planned %u runs; now it is %zu", (long long)past->id, past->planned,
			plan->step_count);
}

static enum rtb_status take_shard(const struct rtb_args *a, unsigned parts, struct rtb_plan *plan, struct rtb_error *e)
{
	const char *text = parts > 1 ? NULL : rtb_arg(a, "shard"); /* what any shard has left undone is done */
	unsigned index = 0, count = 0;
	int end = 0;
	if (!text)
		return RTB_OK;
	if (strspn(text, "0123456789/") != strlen(text) || sscanf(text, "%6u/%6u%n", &index, &count, &end) != 2 ||
	    text[end] || index < 1 || index > count)
		return rtb_fail(e, RTB_USAGE, "--shard wants I/N with I from 1 to N, not '%s'", text);
	rtb_plan_shard(plan, index, count);
	return plan->step_count ? RTB_OK : rtb_fail(e, RTB_USAGE, "--shard %s: the plan has fewer cells than that", text);
}

static enum rtb_status run_plan(const struct rtb_args *a, const struct rtb_args *made_by, const struct rtb_sweep *resume,
				struct rtb_error *e)
{
	struct rtb_project project;
	struct rtb_plan plan = {0};
	struct rtb_run_show show = {.json = a->json, .quiet = a->quiet, .color = a->color, .log_json = a->log_json, .db = a->db_path, .config = a->config_path,
				    .live = isatty(STDERR_FILENO) && !a->verbose};
	enum rtb_status st = rtb_project_load(a->config_path ? a->config_path : made_by->config_path, &project, e);
	if (st == RTB_OK)
		st = apply_options(made_by, &project, e);
	if (st == RTB_OK)
		st = rtb_plan_make(&project, &plan, e);
	if (st == RTB_OK)
		st = take_shard(made_by, resume ? resume->parts : 1, &plan, e);
	if (st == RTB_OK) {
		bool dry = rtb_arg_flag(a, "dry-run");
		if (resume)
			say_changes(&project, &plan, resume);
		rtb_show_plan(&show, &project, &plan, dry);
		if (!dry)
			st = sweep(a, &project, &plan, resume, &show, e);
	}
	rtb_plan_free(&plan);
	rtb_project_free(&project);
	return st;
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	if (!rtb_arg_flag(a, "resume"))
		return run_plan(a, a, NULL, e);
	struct rtb_resume past;
	enum rtb_status st = rtb_resume_find(&cmd_run, a, &past, e);
	if (st == RTB_OK)
		st = run_plan(a, &past.args, &past.sweep, e);
	rtb_resume_free(&past);
	return st;
}

const struct rtb_cmd cmd_run = {
	.name = "run",
	.summary = "measure a cell, or the whole matrix, and store the results",
	.operands = "",
	.help = help,
	.opts = opts,
	.run = run,
};
