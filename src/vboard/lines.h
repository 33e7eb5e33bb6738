/* lines.h - the wires between a debug adapter and the chip: the scan chain's four, and the two
 * reset lines. What an adapter's protocol says is done here. */
#ifndef VB_LINES_H
#define VB_LINES_H

#include "vboard/jtag.h"

struct vb_lines {
	struct vb_jtag jtag;
	bool trst, srst; /* asserted, that is low */
	/* Called when the system reset line changes. May be NULL. */
	void (*on_srst)(void *ctx, bool asserted);
	void *ctx;
	/* While it is true the pins lead nowhere: no clock arrives, TDO is pulled up. May be NULL. */
	const bool *cut_off;
	uint64_t ignored; /* bytes of the protocol that mean nothing here */
};

void vb_lines_init(struct vb_lines *l, struct vb_dap *dap);
/* Sets TCK, TMS and TDI; while TRST is asserted the scan chain does not follow. */
void vb_lines_pins(struct vb_lines *l, bool tck, bool tms, bool tdi);
bool vb_lines_tdo(const struct vb_lines *l);
void vb_lines_reset(struct vb_lines *l, bool trst, bool srst);
/* The debugger has gone: both reset lines are let go, as a probe's pull-ups would. */
void vb_lines_released(struct vb_lines *l);

#endif
