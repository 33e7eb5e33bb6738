/* cycles.c - switching the cycle counter on and proving that it moves. */
#include "core/cycles.h"

void cycles_reset(void)
{
	DWT_CYCCNT = 0;
}

/* TRCENA first: without it writes to the DWT are lost and the counter stands (on F103 at
 * 2^30). All bits are set unconditionally; a probe may have left any of them in any state. */
static void counter_on(void)
{
	DCB_DEMCR |= DCB_DEMCR_TRCENA;
	armv7m_sync();
	DWT_CYCCNT = 0;
	DWT_CTRL |= DWT_CTRL_CYCCNTENA;
	armv7m_sync();
}

void cycles_init(struct rtb_selftest *selftest)
{
	counter_on();
	uint32_t turns = 1000;
	selftest->start = cycles_now();
	__asm volatile("1: subs %0, #1\n\tbne 1b" : "+r"(turns) : : "cc");
	selftest->end = cycles_now();

	selftest->read_cost = UINT32_MAX;
	for (unsigned i = 0; i < 16; i++) {
		uint32_t first = cycles_now();
		uint32_t second = cycles_now();
		if (second - first < selftest->read_cost)
			selftest->read_cost = second - first;
	}
}
