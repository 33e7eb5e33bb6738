/* table.h - a table of strings and the ways to write it out. Columns carry their unit, so that
 * no number needs one of its own. */
#ifndef RTB_REPORT_TABLE_H
#define RTB_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/status.h"

enum rtb_table_format { TABLE_TEXT, TABLE_MARKDOWN, TABLE_CSV, TABLE_JSON };
/* RTB_USAGE with the list of formats. */
enum rtb_status rtb_table_format_from(const char *word, enum rtb_table_format *out, struct rtb_error *e);

struct rtb_column {
	const char *title;  /* "avg"; static */
	const char *unit;   /* "cycles", "" or NULL; static */
	bool number;        /* right-aligned, never guarded or quoted as text */
};

/* A colour a row can have in text; the words say the same without it. */
enum rtb_tone { TONE_PLAIN, TONE_GOOD, TONE_BAD, TONE_DOUBT };

struct rtb_table {
	const struct rtb_column *column; /* borrowed */
	size_t columns;
	char **cell;                     /* rows * columns, owned; NULL: empty */
	enum rtb_tone *tone;             /* one a row */
	size_t rows, cap;
	size_t next;                     /* column of the next rtb_table_add */
};

void rtb_table_init(struct rtb_table *t, const struct rtb_column *column, size_t columns);
void rtb_table_free(struct rtb_table *t);
void rtb_table_row(struct rtb_table *t, enum rtb_tone tone);
/* Fills the next cell of the last row; text is copied. */
void rtb_table_add(struct rtb_table *t, const char *text);
void rtb_table_addf(struct rtb_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Takes over the buffer's text and empties it. */
void rtb_table_take(struct rtb_table *t, struct rtb_buf *text);

/* Takes out of the first `keys` columns those that say the same in every row, and of the others
 * those that are empty in every row: not worth their width to people. kept has room for all
 * columns and must live as long as the table. */
void rtb_table_squeeze(struct rtb_table *t, struct rtb_column *kept, size_t keys);

/* color: ANSI colours in text, ignored elsewhere. CSV: one header line with the titles, the
 * unit after a blank in brackets; JSON: an array of objects by title, numbers as numbers. */
void rtb_table_write(const struct rtb_table *t, enum rtb_table_format format, bool color,
		     struct rtb_buf *out);

#endif
