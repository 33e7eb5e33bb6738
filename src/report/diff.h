/* diff.h - two short texts line by line. */
#ifndef RTB_REPORT_DIFF_H
#define RTB_REPORT_DIFF_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends the lines that differ, "-" those of a alone, "+" those of b alone, each stretch under
 * a line "@@ line in a, line in b". false: no line differs. Beyond 4000 lines a text is taken
 * as one that differs from the first differing line on. */
bool rtb_line_diff(const char *a, const char *b, bool color, struct rtb_buf *out);

#endif
