/* cycles.h - the cycle counter. */
#ifndef RTB_CYCLES_H
#define RTB_CYCLES_H

#include "core/armv7m.h"

/* DWT CYCCNT: core cycles, wraps after 2^32. The memory clobber keeps every access of the
 * measured code on its side of the read; the address is a register operand so that two reads
 * of one function differ by nothing but the load. What a read costs is itself measured (case
 * calibrate), and never subtracted on the board. */
RTB_INLINE uint32_t cycles_now(void)
{
	uint32_t now;
	__asm volatile("ldr %0, [%1]" : "=r"(now) : "r"(DWT_CYCCNT_ADDR) : "memory");
	return now;
}

struct rtb_selftest {
	uint32_t start, end; /* the counter around a loop of known length */
	uint32_t read_cost;  /* least difference of two reads back to back */
};

/* Switches the counter on, whatever state a debugger has left it in, and measures what
 * selftest holds afterwards. A counter that stands still shows as start == end. */
void cycles_init(struct rtb_selftest *selftest);
/* Sets the counter to 0. */
void cycles_reset(void);

#endif
