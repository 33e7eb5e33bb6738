#include "cli/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/refs.h"

enum rtb_status rtb_side_load(struct rtb_store *s, const char *text, const char *filter, bool as_measured,
			      struct rtb_side *side, int64_t *sweep, struct rtb_error *e)
{
	struct rtb_ref ref;
	char *both = filter ? rtb_sprintf("%s,%s", text, filter) : rtb_strdup(text);
	enum rtb_status status = rtb_ref_parse(s, both, true, &ref, e);
	free(both);
	if (status != RTB_OK)
		return status;
	side->name = text;
	side->as_measured = as_measured;
	ref.query.with_records = true;
	if (sweep)
		*sweep = ref.query.sweep_id;
	status = rtb_store_runs(s, &ref.query, rtb_side_add, side, e);
	rtb_ref_free(&ref);
	return status;
}

bool rtb_is_confounded(const struct rtb_comparison *c)
{
	return c->different > 1 || c->missing;
}

enum rtb_status rtb_confounded(const struct rtb_comparison *c, struct rtb_error *e)
{
	struct rtb_buf line = {0};
	rtb_compare_headline(c, &line);
	enum rtb_status s = rtb_fail(e, RTB_CONFOUNDED, "%s", rtb_buf_cstr(&line));
	rtb_buf_free(&line);
	return s;
}

enum rtb_status rtb_gate(const struct rtb_comparison *c, double allowed, bool force, struct rtb_buf *line, struct rtb_error *e)
{
	const struct rtb_compare_row *worst = NULL, *open = NULL;
	double grown = 0, maybe = 0;
	if (rtb_is_confounded(c) && !force)
		return rtb_confounded(c, e);
	if (c->only_a)
		return rtb_fail(e, RTB_NOT_COMPARABLE, "%zu cells of %s are missing in %s", c->only_a, c->a->name, c->b->name);
	for (size_t i = 0; i < c->row_count; i++) {
		const struct rtb_compare_row *r = &c->rows[i];
		/* from zero every increase is an infinite one */
		double by = r->a != 0 ? (r->b - r->a) / fabs(r->a) : r->b > 0 ? INFINITY : 0;
		/* what the bench itself costs is no regression of the kernel; jitter grows in p99 and max */
		if (strcmp(r->case_name, "calibrate") == 0 || r->balance)
			continue;
		if (r->judgement == JUDGE_NOT_COMPARABLE)
			return rtb_fail(e, RTB_NOT_COMPARABLE, "%s: %s", r->case_name, r->why);
		bool real = r->judgement == JUDGE_EXACT || r->judgement == JUDGE_DIFFERENT;
		if (by <= allowed)
			continue;
		if (real && (!worst || by > grown)) {
			worst = r;
			grown = by;
		} else if (r->judgement == JUDGE_FEW && (!open || by > maybe)) {
			open = r;
			maybe = by;
		}
	}
	if (!worst && open)
		return rtb_fail(e, RTB_NOT_COMPARABLE, "%s %s: +%.2f %%, but %s", open->case_name,
				rtb_stat_word(open->stat), maybe * 100, open->why);
	if (!worst) {
		rtb_buf_fmt(line, "fine: no figure of %zu grew by more than %.2f %%", c->row_count, allowed * 100);
		return RTB_OK;
	}
	return rtb_fail(e, RTB_DIFFERENT, "regression: %s %s %s: %.2f -> %.2f %s (+%.2f %%, allowed %.2f %%)",
			worst->coord[COORD_KERNEL] ? worst->coord[COORD_KERNEL] : "", worst->case_name,
			rtb_stat_word(worst->stat), worst->a, worst->b, worst->unit, grown * 100, allowed * 100);
}

enum rtb_status rtb_baseline_load(const struct rtb_args *a, const char *db, struct rtb_baseline *out, struct rtb_error *e)
{
	struct rtb_store *s = NULL;
	*out = (struct rtb_baseline){.ref = rtb_arg(a, "baseline")};
	if (!out->ref && rtb_arg(a, "max-regression"))
		return rtb_fail(e, RTB_USAGE, "--max-regression goes with --baseline");
	enum rtb_status st = rtb_arg_percent(a, "max-regression", &out->allowed, e);
	if (st || !out->ref)
		return st;
	st = rtb_store_open(db, STORE_READ, &s, e);
	if (st == RTB_OK)
		st = rtb_side_load(s, out->ref, NULL, false, &out->side, &out->sweep, e);
	rtb_store_close(s);
	return st;
}

enum rtb_status rtb_baseline_judge(const struct rtb_baseline *b, const char *db, int64_t sweep, struct rtb_buf *line,
				   struct rtb_error *e)
{
	struct rtb_store *s = NULL;
	struct rtb_side side = {0};
	struct rtb_comparison c;
	struct rtb_compare_options o = {.alpha = 0.05, .by = -1};
	if (b->sweep == sweep)
		return rtb_fail(e, RTB_USAGE, "--baseline %s is this sweep itself", b->ref);
	char *name = rtb_sprintf("s%lld", (long long)sweep);
	enum rtb_status st = rtb_store_open(db, STORE_READ, &s, e);
	if (st == RTB_OK)
		st = rtb_side_load(s, name, NULL, false, &side, NULL, e);
	rtb_store_close(s);
	if (st == RTB_OK) {
		st = rtb_compare(&b->side, &side, &o, &c, e);
		if (st == RTB_OK)
			st = rtb_gate(&c, b->allowed, false, line, e);
		rtb_comparison_free(&c);
	}
	rtb_side_free(&side);
	free(name);
	return st;
}

void rtb_baseline_free(struct rtb_baseline *b)
{
	rtb_side_free(&b->side);
}
