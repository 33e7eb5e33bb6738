#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check/check.h"
#include "cli/output.h"
#include "cli/refs.h"
#include "config/entry.h"
#include "config/target.h"
#include "report/json.h"
#include "report/table.h"
#include "rtbench/cases.h"

/* Writes a table in the format asked for and frees it. */
static enum rtb_status show_table(const struct rtb_args *a, struct rtb_table *t, struct rtb_error *e)
{
	enum rtb_table_format format = a->json ? TABLE_JSON : TABLE_TEXT;
	const char *word = rtb_arg(a, "format");
	enum rtb_status s = word ? rtb_table_format_from(word, &format, e) : RTB_OK;
	struct rtb_buf out = {0};
	if (s == RTB_OK) {
		rtb_table_write(t, format, a->color, &out);
		s = rtb_output_text(&out, e);
	}
	rtb_buf_free(&out);
	rtb_table_free(t);
	return s;
}

/* "2026-01-31 12:34:56" */
static void stamp(uint64_t ns, char out[32])
{
	rtb_iso8601(ns, out);
	out[10] = ' ';
	out[19] = '\0';
}

static enum rtb_status add_sweep(void *ctx, struct rtb_sweep *w, const struct rtb_sweep_counts *n, struct rtb_error *e)
{
	struct rtb_table *t = ctx;
	char when[32];
	(void)e;
	stamp(w->started_ns, when);
	rtb_table_row(t, n->failed ? TONE_BAD : TONE_PLAIN);
	rtb_table_addf(t, "s%lld", (long long)w->id);
	rtb_table_add(t, when);
	if (w->ended_ns)
		rtb_table_addf(t, "%llu", (unsigned long long)((w->ended_ns - w->started_ns) / 1000000000));
	else
		rtb_table_add(t, "");
	rtb_table_addf(t, "%u", w->planned);
	rtb_table_addf(t, "%u", n->runs);
	rtb_table_addf(t, "%u", n->failed);
	rtb_table_addf(t, "%u", n->retried);
	rtb_table_add(t, w->ended_ns ? rtb_status_word(w->status) : "unfinished");
	rtb_table_add(t, w->command);
	return RTB_OK;
}

static enum rtb_status list_sweeps(const struct rtb_args *a, struct rtb_error *e)
{
	static const struct rtb_column columns[] = {
		{"sweep", "", false}, {"started", "UTC", false}, {"took", "s", true}, {"planned", "", true},
		{"runs", "", true}, {"failed", "", true}, {"retried", "", true}, {"status", "", false}, {"command", "", false},
	};
	struct rtb_store *s;
	struct rtb_table t;
	enum rtb_status status = rtb_cli_open(a, STORE_READ, &s, e);
	if (status != RTB_OK)
		return status;
	rtb_table_init(&t, columns, sizeof columns / sizeof columns[0]);
	status = rtb_store_sweeps(s, add_sweep, &t, e);
	rtb_store_close(s);
	if (status == RTB_OK)
		return show_table(a, &t, e);
	rtb_table_free(&t);
	return status;
}

/* Runs may be many: lines of fixed width, written as they come. */
struct run_list {
	struct rtb_buf out;
	struct rtb_output to;
	bool json;
	uint64_t count;
};

static void run_line(struct rtb_buf *out, const struct rtb_run *r, const char *when)
{
	rtb_buf_fmt(out, "r%-7lld s%-5lld %-20s %-12s %-3s %-5s %6u  %-18s %-8s %s", (long long)r->id,
		    (long long)r->sweep_id, r->cell.target, r->cell.kernel, r->cell.opt,
		    r->cell.instrumented ? "yes" : "no", r->repeat, rtb_status_word(r->status),
		    r->status == RTB_OK ? rtb_verdict_word(r->verdict) : "-", when);
	rtb_buf_str(out, "\n");
}

static void run_json(struct rtb_buf *out, const struct rtb_run *r, bool first)
{
	char when[32];
	rtb_iso8601(r->started_ns, when);
	rtb_buf_fmt(out, "%s{\"run\": %lld, \"sweep\": %lld, \"target\": ", first ? "[\n  " : ",\n  ",
		    (long long)r->id, (long long)r->sweep_id);
	rtb_json_string(out, r->cell.target);
	rtb_buf_str(out, ", \"kernel\": ");
	rtb_json_string(out, r->cell.kernel);
	rtb_buf_str(out, ", \"opt\": ");
	rtb_json_string(out, r->cell.opt);
	rtb_buf_fmt(out, ", \"instrumented\": %s, \"repeat\": %u, \"started\": \"%s\", \"status\": \"%s\", \"verdict\": \"%s\"}",
		    r->cell.instrumented ? "true" : "false", r->repeat, when, rtb_status_word(r->status),
		    rtb_verdict_word(r->verdict));
}

static enum rtb_status add_run(void *ctx, struct rtb_run *r, struct rtb_error *e)
{
	struct run_list *l = ctx;
	char when[32];
	stamp(r->started_ns, when);
	if (l->json)
		run_json(&l->out, r, l->count == 0);
	else
		run_line(&l->out, r, when);
	l->count++;
	if (l->out.len < 65536)
		return RTB_OK;
	enum rtb_status s = rtb_output_write(&l->to, &l->out, e);
	rtb_buf_clear(&l->out);
	return s;
}

static enum rtb_status list_runs(const struct rtb_args *a, struct rtb_error *e)
{
	struct rtb_store *s;
	struct rtb_ref ref = {.query.instrumented = -1};
	struct run_list l = {.json = a->json};
	const char *sweep = rtb_arg(a, "sweep");
	if (rtb_arg(a, "format"))
		return rtb_fail(e, RTB_USAGE, "list runs: there is --json; rtbench export writes csv");
	enum rtb_status status = rtb_cli_open(a, STORE_READ, &s, e);
	if (status == RTB_OK && sweep)
		status = rtb_ref_parse(s, sweep, true, &ref, e);
	if (status == RTB_OK)
		status = rtb_output_open(&l.to, NULL, e);
	if (status == RTB_OK) {
		ref.query.no_facts = true;
		if (!l.json)
			rtb_buf_fmt(&l.out, "%-8s %-6s %-20s %-12s %-3s %-5s %6s  %-18s %-8s %s\n", "run", "sweep",
				    "target", "kernel", "opt", "instr", "repeat", "status", "verdict", "started (UTC)");
		status = rtb_store_runs(s, &ref.query, add_run, &l, e);
	}
	if (status == RTB_OK && l.json)
		rtb_buf_str(&l.out, l.count ? "\n]\n" : "[]\n");
	if (status == RTB_OK)
		status = rtb_output_write(&l.to, &l.out, e);
	rtb_buf_free(&l.out);
	rtb_ref_free(&ref);
	rtb_store_close(s);
	return status;
}

static enum rtb_status list_cases(const struct rtb_args *a, struct rtb_error *e)
{
	static const struct rtb_column columns[] = {
		{"case", "", false}, {"version", "", true}, {"unit", "", false}, {"series", "", false},
		{"title", "", false}, {"measured", "", false},
	};
	static const struct { const char *name; unsigned ver; const char *unit, *series, *title, *span; } cases[] = {
#define X(name, version, unit, divisor, timing, series, needs, title, span) {#name, version, unit, series, title, span},
#include "rtbench/cases.def"
#undef X
	};
	struct rtb_table t;
	rtb_table_init(&t, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		rtb_table_row(&t, TONE_PLAIN);
		rtb_table_add(&t, cases[i].name);
		rtb_table_addf(&t, "%u", cases[i].ver);
		rtb_table_add(&t, cases[i].unit);
		rtb_table_add(&t, cases[i].series);
		rtb_table_add(&t, cases[i].title);
		rtb_table_add(&t, cases[i].span);
	}
	return show_table(a, &t, e);
}

static enum rtb_status list_checks(const struct rtb_args *a, struct rtb_error *e)
{
	static const struct rtb_column columns[] = {
		{"check", "", false}, {"asked of", "", false}, {"at worst", "", false}, {"question", "", false},
		{"why", "", false},
	};
	struct rtb_table t;
	size_t n;
	const struct rtb_check_info *c = rtb_checks(&n);
	const char *format = rtb_arg(a, "format");
	/* the reasons are too long for a terminal's line */
	bool brief = !a->json && (!format || strcmp(format, "table") == 0);
	rtb_table_init(&t, columns, brief ? 4 : 5);
	for (size_t i = 0; i < n; i++) {
		rtb_table_row(&t, TONE_PLAIN);
		rtb_table_add(&t, c[i].name);
		rtb_table_add(&t, c[i].scope == CHECK_RUN ? "run" : "sweep");
		rtb_table_add(&t, rtb_verdict_word(c[i].severity));
		rtb_table_add(&t, c[i].question);
		if (!brief)
			rtb_table_add(&t, c[i].text);
	}
	return show_table(a, &t, e);
}

static enum rtb_status list_columns(const struct rtb_args *a, struct rtb_error *e)
{
	static const struct rtb_column columns[] = {
		{"column", "", false}, {"type", "", false}, {"unit", "", false}, {"text", "", false},
	};
	static const char *const types[] = {[VALUE_INT] = "integer", [VALUE_REAL] = "number", [VALUE_TEXT] = "text"};
	struct rtb_export_column c[RTB_EXPORT_MAX];
	struct rtb_table t;
	size_t n = rtb_export_columns(c);
	rtb_table_init(&t, columns, 4);
	for (size_t i = 0; i < n; i++) {
		rtb_table_row(&t, TONE_PLAIN);
		rtb_table_add(&t, c[i].name);
		rtb_table_add(&t, types[c[i].type]);
		rtb_table_add(&t, c[i].unit);
		rtb_table_add(&t, c[i].text);
	}
	return show_table(a, &t, e);
}

static void kernel_row(struct rtb_table *t, const char *home, const char *name)
{
	struct rtb_kernel k;
	struct rtb_error why = {0};
	rtb_table_row(t, TONE_PLAIN);
	rtb_table_add(t, name);
	if (rtb_kernel_load(home, NULL, name, &k, &why) == RTB_OK) {
		rtb_table_add(t, k.title);
		rtb_table_add(t, k.dir);
		rtb_kernel_free(&k);
	} else {
		t->tone[t->rows - 1] = TONE_BAD;
		rtb_table_add(t, why.text);
	}
}

static enum rtb_status list_kernels(const struct rtb_args *a, struct rtb_error *e)
{
	static const struct rtb_column columns[] = {{"kernel", "", false}, {"title", "", false}, {"tree", "", false}};
	struct rtb_project p;
	struct rtb_table t;
	enum rtb_status s = rtb_project_load(a->config_path, &p, e);
	if (s != RTB_OK)
		return s;
	rtb_table_init(&t, columns, 3);
	char **names = rtb_kernel_names(p.home), *dir = rtb_entry_dir(NULL);
	for (char **n = names; n && *n; n++)
		kernel_row(&t, p.home, *n);
	rtb_names_free(names);
	struct rtb_strings entries = {0};
	rtb_entry_names(dir, &entries);
	for (size_t i = 0; i < entries.n; i++)
		kernel_row(&t, p.home, entries.v[i]);
	rtb_strings_free(&entries);
	free(dir);
	rtb_project_free(&p);
	return show_table(a, &t, e);
}

static enum rtb_status list_targets(const struct rtb_args *a, struct rtb_error *e)
{
	static const struct rtb_column columns[] = {
		{"target", "", false}, {"title", "", false}, {"flash", "", false}, {"time", "", false},
	};
	struct rtb_project p;
	struct rtb_table t;
	enum rtb_status s = rtb_project_load(a->config_path, &p, e);
	if (s != RTB_OK)
		return s;
	rtb_table_init(&t, columns, 4);
	char **names = rtb_target_names(&p);
	for (char **n = names; n && *n; n++) {
		struct rtb_target target;
		struct rtb_error why = {0};
		rtb_table_row(&t, TONE_PLAIN);
		rtb_table_add(&t, *n);
		if (rtb_target_load(&p, *n, &target, &why) == RTB_OK) {
			rtb_table_add(&t, target.title);
			rtb_table_add(&t, target.flash);
			rtb_table_add(&t, target.time_base);
			rtb_target_free(&target);
		} else {
			t.tone[t.rows - 1] = TONE_BAD;
			rtb_table_add(&t, why.text);
		}
	}
	rtb_names_free(names);
	rtb_project_free(&p);
	return show_table(a, &t, e);
}

static const struct subject {
	const char *name;
	enum rtb_status (*list)(const struct rtb_args *a, struct rtb_error *e);
} subjects[] = {
	{"sweeps", list_sweeps}, {"runs", list_runs}, {"kernels", list_kernels}, {"targets", list_targets},
	{"cases", list_cases}, {"checks", list_checks},
	{"columns", list_columns},
};

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	const char *what = a->operand_count == 1 ? a->operands[0] : NULL;
	for (size_t i = 0; what && i < sizeof subjects / sizeof subjects[0]; i++) {
		if (strcmp(subjects[i].name, what) != 0)
			continue;
		if (rtb_arg(a, "sweep") && subjects[i].list != list_runs)
			return rtb_fail(e, RTB_USAGE, "--sweep is for list runs");
		return subjects[i].list(a, e);
	}
	return rtb_fail(e, RTB_USAGE, "list what? sweeps, runs, kernels, targets, cases, checks or columns");
}

static const struct rtb_opt opts[] = {
	{"sweep", 's', "SWEEP", "list runs: only these (s3, latest, kernel=mini,opt=O2 ...)", false},
	{"format", 'f', "FORMAT", "table (default), md, csv or json; not for runs", false},
	{0},
};

const struct rtb_cmd cmd_list = {
	.name = "list",
	.summary = "list sweeps, runs, kernels, targets, cases, checks or columns",
	.operands = "WHAT",
	.opts = opts,
	.help = "WHAT is sweeps, runs, kernels, targets, cases, checks or columns (of an export).\n\n"
		"Examples:\n  rtbench list sweeps\n  rtbench list runs --sweep latest\n",
	.run = run,
};
