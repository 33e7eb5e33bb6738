/* csv.h - RFC 4180, in one place: quoting, reading, and the two concessions to spreadsheets.
 *
 * Written lines end in CRLF as the RFC says; read lines may end in CRLF or LF. A field is quoted
 * when it holds a comma, a quote, CR or LF, or begins or ends with a blank. */
#ifndef RTB_REPORT_CSV_H
#define RTB_REPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/status.h"

#define RTB_CSV_BOM "\xef\xbb\xbf" /* for old spreadsheets; never written unless asked for */

/* Appends one field. NULL is an empty field, as is "". */
void rtb_csv_field(struct rtb_buf *out, const char *text);
void rtb_csv_field_n(struct rtb_buf *out, const char *text, size_t n);
/* The same for a text that a spreadsheet must not run as a formula: one beginning with = + - @
 * tab or CR that is not a number gets an apostrophe in front. Not reversible, so an option. */
void rtb_csv_guarded(struct rtb_buf *out, const char *text);

/* Reading, a record at a time. */
struct rtb_csv {
	const char *p, *end;
	unsigned line;           /* of the record last read, from 1 */
	unsigned next_line;
	struct rtb_buf text;     /* the fields, each NUL-terminated */
	const char **field;      /* borrowed from text, valid until the next read */
	size_t *at;
	size_t fields, cap;
};
/* text stays the caller's and must outlive it; a byte order mark in front is skipped. */
void rtb_csv_begin(struct rtb_csv *c, const char *text, size_t n);
/* False at the end, or with e set (RTB_CONFIG, "line N: ...") on a quote left open or text after
 * a closing quote. Empty lines are skipped. */
bool rtb_csv_next(struct rtb_csv *c, struct rtb_error *e);
void rtb_csv_free(struct rtb_csv *c);

#endif
