#include <string.h>

#include "cli/output.h"
#include "cli/refs.h"
#include "report/compare.h"
#include "report/number.h"

/* "2%" or "2": a percentage, as a fraction. */
static enum rtb_status percent_arg(const struct rtb_args *a, const char *name, double *out, struct rtb_error *e)
{
	const char *text = rtb_arg(a, name);
	char copy[32];
	double v;
	if (!text)
		return RTB_OK;
	size_t n = strlen(text);
	if (n && text[n - 1] == '%')
		n--;
	if (n == 0 || n >= sizeof copy)
		return rtb_fail(e, RTB_USAGE, "--%s %s: a percentage is wanted, such as 2 or 2%%", name, text);
	memcpy(copy, text, n);
	copy[n] = '\0';
	if (!rtb_num_parse(copy, &v) || v < 0)
		return rtb_fail(e, RTB_USAGE, "--%s %s: a percentage is wanted, such as 2 or 2%%", name, text);
	*out = v / 100;
	return RTB_OK;
}

static enum rtb_status options_from(const struct rtb_args *a, struct rtb_compare_options *o,
				    enum rtb_table_format *format, struct rtb_error *e)
{
	const char *word = rtb_arg(a, "format"), *alpha = rtb_arg(a, "alpha");
	*o = (struct rtb_compare_options){.alpha = 0.05, .by = -1, .only_changed = rtb_arg_flag(a, "only-changed"),
					  .case_name = rtb_arg(a, "case")};
	*format = a->json ? TABLE_JSON : TABLE_TEXT;
	enum rtb_status s = word ? rtb_table_format_from(word, format, e) : RTB_OK;
	if (s == RTB_OK)
		s = percent_arg(a, "threshold", &o->threshold, e);
	if (s == RTB_OK && alpha && (!rtb_num_parse(alpha, &o->alpha) || o->alpha <= 0 || o->alpha >= 1))
		s = rtb_fail(e, RTB_USAGE, "--alpha %s: between 0 and 1, such as 0.05", alpha);
	return s;
}

static enum rtb_status load(struct rtb_store *s, const char *text, struct rtb_side *side, struct rtb_error *e)
{
	struct rtb_ref ref;
	enum rtb_status status = rtb_ref_parse(s, text, true, &ref, e);
	if (status != RTB_OK)
		return status;
	side->name = text;
	ref.query.with_records = true;
	status = rtb_store_runs(s, &ref.query, rtb_side_add, side, e);
	rtb_ref_free(&ref);
	return status;
}

/* The status that makes the exit code, with its one-line reason. */
static enum rtb_status conclude(const struct rtb_comparison *c, bool force, struct rtb_error *e)
{
	struct rtb_buf line = {0};
	rtb_compare_headline(c, &line);
	enum rtb_status s = RTB_OK;
	if ((c->different > 1 || c->missing) && !force)
		s = rtb_fail(e, RTB_CONFOUNDED, "%s", rtb_buf_cstr(&line));
	else if (c->incomparable && c->incomparable == c->row_count)
		s = rtb_fail(e, RTB_NOT_COMPARABLE, "no case can be compared: other versions or units");
	else if (c->changed)
		s = RTB_DIFFERENT;
	rtb_buf_free(&line);
	return s;
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	struct rtb_compare_options o;
	enum rtb_table_format format;
	struct rtb_store *s = NULL;
	struct rtb_side sides[2] = {0};
	struct rtb_comparison c = {0};
	struct rtb_buf out = {0};
	bool force = rtb_arg_flag(a, "force");
	if (a->operand_count != 2)
		return rtb_fail(e, RTB_USAGE, "compare what with what? Two of r12, s3, latest, kernel=mini,opt=O2 ...");
	enum rtb_status status = options_from(a, &o, &format, e);
	if (status == RTB_OK)
		status = rtb_cli_open(a, STORE_READ, &s, e);
	for (int i = 0; i < 2 && status == RTB_OK; i++)
		status = load(s, a->operands[i], &sides[i], e);
	rtb_store_close(s);
	if (status == RTB_OK)
		status = rtb_compare(&sides[0], &sides[1], &o, &c, e);
	if (status == RTB_OK) {
		status = conclude(&c, force, e);
		rtb_compare_write(&c, &o, format, a->color, status != RTB_CONFOUNDED, &out);
		enum rtb_status written = rtb_output_text(&out, e);
		status = written != RTB_OK ? written : status;
	}
	rtb_buf_free(&out);
	rtb_comparison_free(&c);
	rtb_side_free(&sides[0]);
	rtb_side_free(&sides[1]);
	return status;
}

static const struct rtb_opt opts[] = {
	{"format", 'f', "FORMAT", "table (default), md, csv or json", false},
	{"case", 'c', "CASE", "only this case", false},
	{"only-changed", 0, NULL, "only figures that differ", false},
	{"threshold", 0, "PERCENT", "differences below this do not count (default 0)", false},
	{"alpha", 0, "P", "largest p-value that counts as a difference (default 0.05)", false},
	{"force", 0, NULL, "compare although several factors differ or one is not known", false},
	{0},
};

const struct rtb_cmd cmd_compare = {
	.name = "compare",
	.summary = "what differs between two runs, sweeps or selections, and whether it is real",
	.operands = "A B",
	.opts = opts,
	.help = "A and B are each a sweep (s3 or 3, latest, latest~1), a run (r12), or a selection\n"
		"(kernel=mini,opt=O2; with sweep=3, else of the newest sweep). The report opens with the\n"
		"five factors: one that differs makes an experiment, none a repeat; with several no\n"
		"figure is shown unless forced. Runs of one cell are repeats; docs/compare.md has the\n"
		"statistics.\n\n"
		"Exits 0 when no figure differs, 10 when one does, 11 when confounded or not comparable.\n\n"
		"Examples:\n  rtbench compare latest~1 latest\n  rtbench compare opt=O0 opt=O2\n"
		"  rtbench compare s1,kernel=mini s2,kernel=mini --only-changed --threshold 1%\n",
	.run = run,
};
