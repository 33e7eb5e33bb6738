/* compare_pivot.h - figures of one selection laid out by two kinds of factors. */
#ifndef RTB_REPORT_COMPARE_PIVOT_H
#define RTB_REPORT_COMPARE_PIVOT_H

#include "report/compare.h"

#define RTB_PIVOT_CASE ((int)COORD_COUNT) /* "case" beside the coordinates */
#define RTB_PIVOT_KINDS (COORD_COUNT + 1)

struct rtb_pivot {
	int row[RTB_PIVOT_KINDS], col;   /* enum rtb_coord or RTB_PIVOT_CASE */
	size_t rows;
	enum rtb_stat stat;
	const char *case_name;           /* NULL: all; borrowed */
	bool force;                      /* though repeats of a cell differ in a factor */
};

/* "kernel", "kernel,opt", "case": what runs down (several) and across (one). A kind named twice,
 * unknown or on both sides is RTB_USAGE. */
enum rtb_status rtb_pivot_parse(const char *rows, const char *col, struct rtb_pivot *out, struct rtb_error *e);

/* A table: medians over the repeats of the figure, and their ranks in the row where not cases run
 * across. A kind that is neither row nor column and
 * has several values in the side is RTB_USAGE, naming them: their figures would share a cell. Repeats
 * of a cell that differ in one of the five factors are RTB_CONFOUNDED, unless forced. */
enum rtb_status rtb_pivot_write(const struct rtb_side *s, const struct rtb_pivot *p, enum rtb_table_format format,
				bool color, struct rtb_buf *out, struct rtb_error *e);

#endif
