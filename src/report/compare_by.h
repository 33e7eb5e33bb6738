/* compare_by.h - one set of runs held against itself, by a coordinate. */
#ifndef RTB_REPORT_COMPARE_BY_H
#define RTB_REPORT_COMPARE_BY_H

#include "report/compare.h"

#define RTB_BY_MAX 32 /* values of a coordinate, and conditions, that are looked at */

struct rtb_by {
	enum rtb_coord coord;
	const char *value[RTB_BY_MAX];       /* borrowed from the side; the first is the base */
	size_t values;
	char *percent_title[RTB_BY_MAX], *mark_title[RTB_BY_MAX]; /* of the table's columns */
	struct rtb_side part[RTB_BY_MAX];    /* runs borrowed from the side */
	struct rtb_comparison pair[RTB_BY_MAX]; /* [i]: value i against value 0; [0] is empty */
	size_t changed;
	unsigned different, missing;         /* most factors over all pairs */
};

/* base: the value that the others are held against; NULL: the first in alphabetical order.
 * rtb_by_free also after a failure. */
enum rtb_status rtb_compare_by(const struct rtb_side *s, enum rtb_coord c, const char *base,
			       const struct rtb_compare_options *o, struct rtb_by *out, struct rtb_error *e);
void rtb_by_free(struct rtb_by *b);
/* A column for each value, the others with their difference in percent. */
void rtb_by_write(const struct rtb_by *b, const struct rtb_compare_options *o, enum rtb_table_format format,
		  bool color, struct rtb_buf *out);

/* Appends a line for each case and pair of kernels of which one leads in one condition (target,
 * level, instrumentation) and the other in another: where, and by what averages. How many. */
size_t rtb_rank_reversals(const struct rtb_side *s, struct rtb_buf *out);

#endif
