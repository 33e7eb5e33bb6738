/* boot.h - what outlives a reset, and what was true right after it. */
#ifndef RTB_BOOT_H
#define RTB_BOOT_H

#include <stdint.h>

#include "core/cycles.h"

struct rtb_boot {
	uint32_t resets;     /* since power-on, or since another image was programmed */
	uint32_t dhcsr;      /* debug state as a debugger left it, before we touched any of it */
	uint32_t demcr;
	struct rtb_selftest selftest;
};

extern struct rtb_boot rtb_boot;

/* Starts the board and the cycle counter, fills rtb_boot. */
void boot_init(void);

/* Which case comes next where the board walks through them by itself (RTB_HANDSHAKE=0): the
 * index kept over resets, and its successor. */
unsigned boot_case(void);
void boot_case_done(void);

#endif
