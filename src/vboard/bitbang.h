/* bitbang.h - OpenOCD's remote_bitbang protocol, bytes in and bytes out; no sockets here.
 *
 * '0'..'7' set TCK (4), TMS (2), TDI (1); 'R' asks for TDO, answered '0' or '1';
 * 'r' 's' 't' 'u' set TRST (2) and SRST (1), asserted being 1; 'B' and 'b' are a lamp; 'Q' ends.
 */
#ifndef VB_BITBANG_H
#define VB_BITBANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "vboard/jtag.h"

struct vb_bitbang {
	struct vb_jtag jtag;
	bool trst, srst;
	/* Called when the system reset line changes. May be NULL. */
	void (*on_srst)(void *ctx, bool asserted);
	void *ctx;
	uint64_t ignored; /* bytes that mean nothing here */
};

void vb_bitbang_init(struct vb_bitbang *b, struct vb_dap *dap);
/* Carries out n bytes and appends the answers to out. Returns false as soon as 'Q' is met;
 * what follows it is not looked at. */
bool vb_bitbang_feed(struct vb_bitbang *b, const uint8_t *p, size_t n, struct rtb_buf *out);
/* The debugger has gone: both reset lines are let go, as a probe's pull-ups would. */
void vb_bitbang_released(struct vb_bitbang *b);

#endif
