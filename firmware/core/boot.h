/* boot.h - what outlives a reset, and what was true right after it. */
#ifndef RTB_BOOT_H
#define RTB_BOOT_H

#include <stdint.h>

#include "core/cycles.h"

struct rtb_boot {
	uint32_t resets;     /* since power-on, or since another image was programmed */
	uint32_t demcr;      /* as a debugger left it, before we touched it */
	struct rtb_selftest selftest;
};

extern struct rtb_boot rtb_boot;

/* Starts the board and the cycle counter, fills rtb_boot. */
void boot_init(void);

/* Resets the board by software, remembering that it was us. */
void boot_again(void) __attribute__((noreturn));

/* Where the board walks through the cases by itself (RTB_HANDSHAKE=0): the index of the one to
 * run. It is kept over resets of our own and begins at 0 after any other. */
unsigned boot_case(void);
/* Moves on, at once and not at the end of the case: one that never ends is not tried again. */
void boot_next_case(void);

#endif
