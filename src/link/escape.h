/* escape.h - bytes as text that cannot harm a terminal, a log or a quoted string. */
#ifndef RTB_LINK_ESCAPE_H
#define RTB_LINK_ESCAPE_H

#include <stddef.h>

/* Writes as much of p[0..n) as fits into cap bytes with a NUL (cap >= 1): printable ASCII as it
 * is, except \ and ", which get a backslash; \r \n \t; the rest as \xNN, never half of one.
 * Returns the length written. */
size_t rtb_escape(char *out, size_t cap, const void *p, size_t n);

#endif
