/* export.h - rows of the store as CSV or JSON, streamed: memory stays flat. */
#ifndef RTB_REPORT_EXPORT_H
#define RTB_REPORT_EXPORT_H

#include "report/report.h"
#include "store/store.h"

enum rtb_export_format { EXPORT_CSV, EXPORT_JSON };

struct rtb_export_options {
	enum rtb_export_format format;
	bool bom;    /* CSV: a byte order mark in front, for old spreadsheets */
	bool guard;  /* CSV: disarm texts that a spreadsheet would run (rtb_csv_guarded) */
};

/* Writes every row that q selects, with its provenance. *rows: how many. CSV has one header
 * line; JSON is {"schema": "rtbench-export-1", "rows": [...]}, one row a line, an object by
 * column name, NULL as null (schemas/export.schema.json). */
enum rtb_status rtb_export(struct rtb_store *s, const struct rtb_run_query *q,
			   const struct rtb_export_options *o, rtb_sink *sink, void *ctx,
			   uint64_t *rows, struct rtb_error *e);

#endif
