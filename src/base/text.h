/* text.h - text that came from outside: a board, a tool's output, a damaged file. */
#ifndef RTB_BASE_TEXT_H
#define RTB_BASE_TEXT_H

#include <stddef.h>

/* Bytes of the UTF-8 sequence at p, of which n > 0 are there: 1 to 4, or 0 when it is none. */
size_t rtb_utf8_length(const char *p, size_t n);
/* Makes it one line that a terminal, a JSON and an XML reader can take: blanks for line ends and
 * tabs, ? for other control characters and for each byte that is no UTF-8. In place, same length. */
void rtb_text_line(char *text);

#endif
