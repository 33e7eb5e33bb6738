#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/log.h"
#include "cli/output.h"
#include "cli/refs.h"
#include "report/export.h"

static enum rtb_status options_from(const struct rtb_args *a, struct rtb_export_options *o, struct rtb_error *e)
{
	const char *format = rtb_arg(a, "format");
	*o = (struct rtb_export_options){.bom = rtb_arg_flag(a, "bom"), .guard = rtb_arg_flag(a, "guard-formulas")};
	if ((format && strcmp(format, "json") == 0) || (!format && a->json))
		o->format = EXPORT_JSON;
	else if (format && strcmp(format, "csv") != 0)
		return rtb_fail(e, RTB_USAGE, "--format %s: there is csv and json", format);
	if (o->format == EXPORT_JSON && (o->bom || o->guard))
		return rtb_fail(e, RTB_USAGE, "--bom and --guard-formulas are for csv");
	return RTB_OK;
}

static enum rtb_status write_rows(struct rtb_store *s, const struct rtb_run_query *q,
				  const struct rtb_export_options *o, const char *path, uint64_t *rows,
				  struct rtb_error *e)
{
	struct rtb_output out;
	enum rtb_status status = rtb_output_open(&out, path, e);
	if (status != RTB_OK)
		return status;
	status = rtb_export(s, q, o, rtb_output_write, &out, rows, e);
	if (status == RTB_OK && *rows == 0)
		status = rtb_fail(e, RTB_NOT_FOUND, "nothing to export");
	enum rtb_status closed = rtb_output_close(&out, status == RTB_OK, e);
	return status == RTB_OK ? closed : status;
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	struct rtb_export_options o;
	struct rtb_store *s = NULL;
	struct rtb_ref ref = {.query.instrumented = -1};
	const char *sweep = rtb_arg(a, "sweep"), *path = rtb_arg(a, "output");
	uint64_t rows = 0;
	enum rtb_status status = options_from(a, &o, e);
	if (status == RTB_OK)
		status = rtb_cli_open(a, STORE_READ, &s, e);
	if (status == RTB_OK && sweep)
		status = rtb_ref_parse(s, sweep, true, &ref, e);
	if (status == RTB_OK)
		status = write_rows(s, &ref.query, &o, path, &rows, e);
	if (status == RTB_OK && path && strcmp(path, "-") != 0 && !a->quiet) {
		char *said = rtb_sprintf("%s: %" PRIu64 " rows", path, rows);
		if (a->log_json)
			rtb_log_object(RTB_LOG_INFO, "cli", said, NULL);
		else
			fprintf(stderr, "%s\n", said);
		free(said);
	}
	rtb_ref_free(&ref);
	rtb_store_close(s);
	return status;
}

static const struct rtb_opt opts[] = {
	{"format", 'f', "FORMAT", "csv (default) or json", false},
	{"sweep", 's', "SWEEP", "only this: s3, latest, latest~1, kernel=mini,opt=O2 ...", false},
	{"output", 'o', "FILE", "write to FILE, which appears whole or not at all", false},
	{"bom", 0, NULL, "csv: begin with a byte order mark, for old spreadsheets", false},
	{"guard-formulas", 0, NULL, "csv: put ' before texts that a spreadsheet would run", false},
	{0},
};

const struct rtb_cmd cmd_export = {
	.name = "export",
	.summary = "write runs as CSV or JSON, every row with its provenance",
	.operands = "",
	.opts = opts,
	.help = "One row for each record of each run, and one with empty figures for a run that failed.\n"
		"CSV is RFC 4180 (lines end in CRLF); numbers have a decimal point in every locale.\n"
		"docs/store.md names the columns; the view v_export has the same rows in SQL.\n\n"
		"Examples:\n  rtbench export -o all.csv\n  rtbench export --sweep latest --format json\n",
	.run = run,
};
