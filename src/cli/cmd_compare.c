#include <stdlib.h>
#include <string.h>

#include "cli/gate.h"
#include "cli/output.h"
#include "cli/refs.h"
#include "report/compare_by.h"
#include "report/compare_pivot.h"
#include "report/diff.h"
#include "report/number.h"

struct job {
	const struct rtb_args *args;
	struct rtb_compare_options o;
	enum rtb_table_format format;
	bool force, gate, pivot;
	double max_regression;           /* a fraction */
	struct rtb_side side[2];
	struct rtb_buf out;
};

static enum rtb_status read_options(struct job *j, const struct rtb_args *a, struct rtb_error *e)
{
	const char *word = rtb_arg(a, "format"), *alpha = rtb_arg(a, "alpha");
	*j = (struct job){.args = a, .format = a->json ? TABLE_JSON : TABLE_TEXT, .force = rtb_arg_flag(a, "force"),
			  .gate = rtb_arg_flag(a, "gate")};
	j->o = (struct rtb_compare_options){.alpha = 0.05, .by = -1, .only_changed = rtb_arg_flag(a, "only-changed"),
					    .case_name = rtb_arg(a, "case"), .config_texts = rtb_arg_flag(a, "config")};
	enum rtb_status s = word ? rtb_table_format_from(word, &j->format, e) : RTB_OK;
	if (s == RTB_OK)
		s = rtb_arg_percent(a, "threshold", &j->o.threshold, e);
	if (s == RTB_OK)
		s = rtb_arg_percent(a, "max-regression", &j->max_regression, e);
	if (s == RTB_OK && alpha && (!rtb_num_parse(alpha, &j->o.alpha) || j->o.alpha <= 0 || j->o.alpha >= 1))
		s = rtb_fail(e, RTB_USAGE, "--alpha %s: between 0 and 1, such as 0.05", alpha);
	j->pivot = rtb_arg(a, "row") || rtb_arg(a, "col");
	size_t wanted = rtb_arg(a, "by") || j->pivot ? 1 : 2;
	if (s == RTB_OK && j->pivot && (rtb_arg(a, "by") || j->gate || rtb_arg_flag(a, "config")))
		s = rtb_fail(e, RTB_USAGE, "--row and --col go with none of --by, --gate and --config");
	if (s == RTB_OK && rtb_arg(a, "stat") && !j->pivot)
		s = rtb_fail(e, RTB_USAGE, "--stat goes with --row and --col");
	if (s == RTB_OK && rtb_arg(a, "max-regression") && !j->gate)
		s = rtb_fail(e, RTB_USAGE, "--max-regression goes with --gate");
	if (s == RTB_OK && rtb_arg(a, "by") && (j->gate || rtb_arg_flag(a, "config")))
		s = rtb_fail(e, RTB_USAGE, "--by goes with neither --gate nor --config");
	if (s == RTB_OK && rtb_arg(a, "base") && !rtb_arg(a, "by"))
		s = rtb_fail(e, RTB_USAGE, "--base goes with --by");
	if (s == RTB_OK && a->operand_count != wanted && !(wanted == 1 && a->operand_count == 0))
		s = rtb_fail(e, RTB_USAGE, "compare what? %s of r12, s3, latest, kernel=mini,opt=O2 ...",
			     wanted == 1 ? "One" : "Two");
	return s;
}

static enum rtb_status two_sides(struct job *j, struct rtb_comparison *c, struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	if (rtb_is_confounded(c) && !j->force)
		s = rtb_confounded(c, e);
	else if (c->incomparable && c->incomparable == c->row_count)
		s = rtb_fail(e, RTB_NOT_COMPARABLE, "no case can be compared: other versions or units");
	else if (c->changed)
		s = RTB_DIFFERENT;
	rtb_compare_write(c, &j->o, j->format, j->args->color, s != RTB_CONFOUNDED, &j->out);
	return s;
}

static enum rtb_status gate(struct job *j, const struct rtb_comparison *c, struct rtb_error *e)
{
	enum rtb_status s = rtb_gate(c, j->max_regression, j->force, &j->out, e);
	if (s == RTB_OK)
		rtb_buf_str(&j->out, "\n");
	return s;
}

static enum rtb_status config_lines(struct job *j, struct rtb_comparison *c, struct rtb_error *e)
{
	(void)e;
	bool differ = false;
	for (size_t i = 0; i < c->key_count; i++) {
		const struct rtb_key_difference *d = &c->keys[i];
		if (d->key != PROV_CONFIG_TEXT)
			continue;
		rtb_buf_fmt(&j->out, "--- %s%s\n+++ %s%s\n", c->a->name, d->a ? "" : " (not known)", c->b->name,
			    d->b ? "" : " (not known)");
		differ |= rtb_line_diff(d->a ? d->a : "", d->b ? d->b : "", j->args->color, &j->out);
	}
	if (!differ)
		rtb_buf_str(&j->out, "the configuration headers are equal\n");
	return differ ? RTB_DIFFERENT : RTB_OK;
}

static enum rtb_status by_coordinate(struct job *j, struct rtb_error *e)
{
	const char *word = rtb_arg(j->args, "by");
	enum rtb_coord coord = rtb_coord_from_word(word);
	struct rtb_by by;
	if (coord == COORD_COUNT)
		return rtb_fail(e, RTB_USAGE, "--by %s: there is target, kernel, opt and instrumented", word);
	enum rtb_status s = rtb_compare_by(&j->side[0], coord, rtb_arg(j->args, "base"), &j->o, &by, e);
	if (s == RTB_OK && (by.different > 1 || by.missing) && !j->force) {
		for (size_t i = 1; i < by.values; i++)
			if (rtb_is_confounded(&by.pair[i])) {
				rtb_compare_factors(&by.pair[i], j->args->color, &j->out);
				s = rtb_confounded(&by.pair[i], e);
				break;
			}
	} else if (s == RTB_OK) {
		rtb_by_write(&by, &j->o, j->format, j->args->color, &j->out);
		if (j->format == TABLE_TEXT)
			rtb_side_say(&j->side[0], &j->out);
		s = by.changed ? RTB_DIFFERENT : RTB_OK;
	}
	if (coord == COORD_KERNEL && j->format == TABLE_TEXT && (s == RTB_OK || s == RTB_DIFFERENT)) {
		struct rtb_buf lines = {0};
		size_t n = rtb_rank_reversals(&j->side[0], &lines);
		rtb_buf_fmt(&j->out, "\nrank reversals: %s\n%s", n ? "" : "none", rtb_buf_cstr(&lines));
		rtb_buf_free(&lines);
	}
	rtb_by_free(&by);
	return s;
}

/* What runs along a coordinate, across or down, is held against its first value, so that a table of
 * confounded figures is not printed without a word. */
static enum rtb_status confounded_along(struct job *j, int kind, struct rtb_error *e)
{
	struct rtb_by by;
	struct rtb_error ignored = {0}; /* one value alone, or nothing in common, confounds nothing */
	enum rtb_status s = RTB_OK;
	if (kind == RTB_PIVOT_CASE)
		return s;
	if (rtb_compare_by(&j->side[0], (enum rtb_coord)kind, NULL, &j->o, &by, &ignored) == RTB_OK)
		for (size_t i = 1; i < by.values && s == RTB_OK; i++)
			if (rtb_is_confounded(&by.pair[i])) {
				rtb_compare_factors(&by.pair[i], j->args->color, &j->out);
				s = rtb_confounded(&by.pair[i], e);
			}
	rtb_by_free(&by);
	return s;
}

static enum rtb_status pivot(struct job *j, struct rtb_error *e)
{
	struct rtb_pivot p = {.stat = STAT_P50, .case_name = j->o.case_name, .force = j->force};
	const char *row = rtb_arg(j->args, "row"), *col = rtb_arg(j->args, "col"), *stat = rtb_arg(j->args, "stat");
	if (!col)
		col = strcmp(row, "kernel") == 0 ? "case" : "kernel";
	if (!row)
		row = strcmp(col, "case") == 0 ? "kernel" : "case";
	enum rtb_status s = rtb_pivot_parse(row, col, &p, e);
	if (s == RTB_OK && stat && (p.stat = rtb_stat_from_word(stat)) == STAT_COUNT)
		s = rtb_fail(e, RTB_USAGE, "--stat %s: there is min, p50, p90, p99, p99.9, max, avg, stddev, mad, tmean5", stat);
	if (s == RTB_OK && !p.force)
		s = confounded_along(j, p.col, e);
	for (size_t i = 0; i < p.rows && s == RTB_OK && !p.force; i++)
		s = confounded_along(j, p.row[i], e);
	return s == RTB_OK ? rtb_pivot_write(&j->side[0], &p, j->format, j->args->color, &j->out, e) : s;
}

static enum rtb_status hold_against(struct job *j, struct rtb_error *e)
{
	struct rtb_comparison c;
	enum rtb_status s = rtb_compare(&j->side[0], &j->side[1], &j->o, &c, e);
	if (s == RTB_OK)
		s = j->gate ? gate(j, &c, e) : j->o.config_texts ? config_lines(j, &c, e) : two_sides(j, &c, e);
	rtb_comparison_free(&c);
	return s;
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	struct job j;
	struct rtb_store *s = NULL;
	bool by = rtb_arg(a, "by") || rtb_arg(a, "row") || rtb_arg(a, "col");
	enum rtb_status status = read_options(&j, a, e);
	if (status == RTB_OK)
		status = rtb_cli_open(a, STORE_READ, &s, e);
	for (int i = 0; i < (by ? 1 : 2) && status == RTB_OK; i++)
		status = rtb_side_load(s, a->operand_count ? a->operands[i] : "latest", rtb_arg(a, "filter"),
				       rtb_arg_flag(a, "as-measured"), &j.side[i], NULL, e);
	rtb_store_close(s);
	if (status == RTB_OK)
		status = j.pivot ? pivot(&j, e) : by ? by_coordinate(&j, e) : hold_against(&j, e);
	struct rtb_error write_error = {0};
	if (rtb_output_text(&j.out, &write_error) != RTB_OK) {
		*e = write_error; /* what was found was not delivered: that comes first */
		status = write_error.status;
	}
	rtb_buf_free(&j.out);
	rtb_side_free(&j.side[0]);
	rtb_side_free(&j.side[1]);
	return status;
}

static const struct rtb_opt opts[] = {
	{"format", 'f', "FORMAT", "table (default), md, csv or json", false},
	{"case", 'c', "CASE", "only this case", false},
	{"as-measured", 0, NULL, "figures with the counter's read cost in them, not net of it", false},
	{"filter", 0, "SELECTION", "narrow both sides: kernel=mini,opt=O2,case=yield ...", false},
	{"only-changed", 0, NULL, "only figures that differ", false},
	{"threshold", 0, "PERCENT", "differences below this do not count (default 0)", false},
	{"alpha", 0, "P", "largest p-value that counts as a difference (default 0.05)", false},
	{"by", 0, "FACTOR", "inside A (default latest): a column for each target, kernel, opt or instrumented", false},
	{"base", 0, "VALUE", "--by: hold the others against this value", false},
	{"row", 0, "FACTORS", "a table of A (default latest): what runs down, such as case or case,opt", false},
	{"col", 0, "FACTOR", "and what runs across, such as kernel; target, kernel, opt, instrumented, case", false},
	{"stat", 0, "STAT", "--row, --col: which figure (default p50)", false},
	{"config", 0, NULL, "show how the configuration headers differ, line by line", false},
	{"gate", 0, NULL, "one line: did any figure of B grow over A's?", false},
	{"max-regression", 0, "PERCENT", "--gate: how much it may grow (default 0)", false},
	{"force", 0, NULL, "compare although several factors differ or one is not known", false},
	{0},
};

const struct rtb_cmd cmd_compare = {
	.name = "compare",
	.summary = "what differs between two runs, sweeps or selections, and whether it is real",
	.operands = "A [B]",
	.opts = opts,
	.help = "A and B are each a sweep (s3 or 3, latest, latest~1), a run (r12), or a selection\n"
		"(kernel=mini,opt=O2; with sweep=3, else of the newest sweep). The report opens with the\n"
		"five factors: one that differs makes an experiment, none a repeat; with several no\n"
		"figure is shown unless forced. Runs of one cell are repeats; docs/compare.md has the\n"
		"statistics.\n\n"
		"Exits 0 when no figure differs, 10 when one does (--gate: when one grew too much),\n"
		"11 when confounded or not comparable.\n\n"
		"Examples:\n  rtbench compare latest~1 latest\n  rtbench compare opt=O0 opt=O2\n"
		"  rtbench compare --by instrumented\n"
		"  rtbench compare --row case --col kernel --filter opt=O2,instrumented=no\n"
		"  rtbench compare s1,kernel=mini s2,kernel=mini --only-changed --threshold 1%\n"
		"  rtbench compare --gate s1 latest --max-regression 2%\n",
	.run = run,
};
