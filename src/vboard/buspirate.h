/* buspirate.h - the binary protocol of a Bus Pirate in its OpenOCD mode, bytes in and bytes out;
 * no ports here.
 *
 * Twenty zeros lead from the console to binary mode, which answers "BBIO1"; 0x06 there leads to
 * the OpenOCD mode, which answers "OCD1" and hands over whole scans: up to 8192 bits of TDI and
 * TMS at a time, answered by as many of TDO. That makes programming many times faster than
 * remote_bitbang, where OpenOCD asks for each word.
 */
#ifndef VB_BUSPIRATE_H
#define VB_BUSPIRATE_H

#include "base/buf.h"
#include "vboard/lines.h"

enum vb_buspirate_mode { VB_BP_CONSOLE, VB_BP_BINARY, VB_BP_OPENOCD };

struct vb_buspirate {
	enum vb_buspirate_mode mode;
	struct vb_lines *lines;  /* borrowed */
	unsigned zeros;          /* console: that came in a row */
	bool speed_change;       /* 0xAA 0x55 at the new speed is awaited */
	uint8_t speed;
	struct rtb_buf command;  /* OpenOCD mode: what has come of the present one */
};

void vb_buspirate_init(struct vb_buspirate *p, struct vb_lines *lines);
void vb_buspirate_free(struct vb_buspirate *p);
/* Carries out n bytes and appends the answers to out. */
void vb_buspirate_feed(struct vb_buspirate *p, const uint8_t *bytes, size_t n, struct rtb_buf *out);
/* Whoever had the port open has closed it: to the console, all pins released. */
void vb_buspirate_released(struct vb_buspirate *p);

#endif
