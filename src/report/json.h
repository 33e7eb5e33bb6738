/* json.h - the one thing that JSON written as a stream needs: strings. Documents that fit into
 * memory as a whole are cJSON's. */
#ifndef RTB_REPORT_JSON_H
#define RTB_REPORT_JSON_H

#include <stddef.h>

#include "base/buf.h"

/* Appends text in quotes. Control characters are escaped; a byte that is not part of valid
 * UTF-8 becomes \ufffd, so that the document always parses. NULL becomes null. */
void rtb_json_string(struct rtb_buf *out, const char *text);
void rtb_json_string_n(struct rtb_buf *out, const char *text, size_t n);

#endif
