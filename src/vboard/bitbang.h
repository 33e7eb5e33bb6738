/* bitbang.h - OpenOCD's remote_bitbang protocol, bytes in and bytes out; no sockets here.
 *
 * '0'..'7' set TCK (4), TMS (2), TDI (1); 'R' asks for TDO, answered '0' or '1';
 * 'r' 's' 't' 'u' set TRST (2) and SRST (1), asserted being 1; 'B' and 'b' are a lamp; 'Q' ends.
 */
#ifndef VB_BITBANG_H
#define VB_BITBANG_H

#include <stddef.h>

#include "base/buf.h"
#include "vboard/lines.h"

/* Carries out n bytes and appends the answers to out. Returns false as soon as 'Q' is met;
 * what follows it is not looked at. */
bool vb_bitbang_feed(struct vb_lines *l, const uint8_t *p, size_t n, struct rtb_buf *out);

#endif
