#include <string.h>

#include "cli/output.h"
#include "cli/refs.h"
#include "report/report.h"

struct shown {
	struct rtb_buf out;
	bool json, color, as_measured;
	unsigned count;
};

static enum rtb_status show_run(void *ctx, struct rtb_run *r, struct rtb_error *e)
{
	struct shown *s = ctx;
	(void)e;
	if (s->json)
		rtb_report_run_json(r, &s->out);
	else
		rtb_report_run(r, s->as_measured, s->color, &s->out);
	s->count++;
	return RTB_OK;
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	struct rtb_store *s;
	struct rtb_ref ref = {0};
	struct shown shown = {.json = a->json, .color = a->color, .as_measured = rtb_arg_flag(a, "as-measured")};
	if (a->operand_count != 1)
		return rtb_fail(e, RTB_USAGE, "show which run? (r12; latest: the newest run)");
	enum rtb_status status = rtb_cli_open(a, STORE_READ, &s, e);
	if (status != RTB_OK)
		return status;
	if (strcmp(a->operands[0], "latest") == 0) {
		ref.query.instrumented = -1;
		status = rtb_store_latest_run(s, 0, &ref.query.run_id, e);
	} else {
		status = rtb_ref_parse(s, a->operands[0], false, &ref, e);
	}
	if (status == RTB_OK && !ref.query.run_id)
		status = rtb_fail(e, RTB_USAGE, "%s names several runs; rtbench list runs --sweep %s lists them",
				  a->operands[0], a->operands[0]);
	ref.query.with_records = true;
	ref.query.with_logs = rtb_arg_flag(a, "logs") || a->json;
	if (status == RTB_OK)
		status = rtb_store_runs(s, &ref.query, show_run, &shown, e);
	if (status == RTB_OK && shown.count == 0)
		status = rtb_fail(e, RTB_NOT_FOUND, "%s: that run does not match the filter", a->operands[0]);
	if (status == RTB_OK)
		status = rtb_output_text(&shown.out, e);
	rtb_buf_free(&shown.out);
	rtb_ref_free(&ref);
	rtb_store_close(s);
	return status;
}

static const struct rtb_opt opts[] = {
	{"as-measured", 0, NULL, "figures with the counter's read cost in them, not net of it (--json has both)", false},
	{"logs", 'l', NULL, "the build, OpenOCD and serial logs as well (always with --json)", false},
	{0},
};

const struct rtb_cmd cmd_show = {
	.name = "show",
	.summary = "everything known of a run",
	.operands = "RUN",
	.opts = opts,
	.help = "RUN is r12, 12 or latest. Shown are status, verdict with its reasons, the five factors\n"
		"with where each value comes from (measured, DECLARED; the rest was read), all figures,\n"
		"memory, stacks.\n\nExample:\n  rtbench show latest --logs\n",
	.run = run,
};
