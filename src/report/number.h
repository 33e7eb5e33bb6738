/* number.h - numbers as text, the same under every locale. */
#ifndef RTB_REPORT_NUMBER_H
#define RTB_REPORT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "stats/summary.h"

void rtb_num_int(struct rtb_buf *out, int64_t v);
/* Appends v with that many decimals, '.' as the point, never "-0". */
void rtb_num_fixed(struct rtb_buf *out, double v, unsigned decimals);
/* Appends v so that reading it back gives v (at most 17 digits, the fewest of 15 and 17 that
 * do); "" for what is not finite. For machines. */
void rtb_num_exact(struct rtb_buf *out, double v);
/* Appends a figure for people: whole cycles bare, halves as ".5", else one decimal; "~" before
 * what is known to a bucket only, ">" before what lies beyond the histogram, "-" for unknown. */
void rtb_num_figure(struct rtb_buf *out, const struct rtb_figure *f);
/* Parses a whole string as a number in the C locale's spelling; false otherwise. */
bool rtb_num_parse(const char *text, double *v);

#endif
