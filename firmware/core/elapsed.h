/* elapsed.h - time since the counters were set to zero, by both time sources, extended past
 * their width by software. Two sources because one may stop without anyone noticing: the cycle
 * counter does while the core sleeps, unless a debugger has been there. */
#ifndef RTB_ELAPSED_H
#define RTB_ELAPSED_H

#include <stdint.h>

struct rtb_elapsed {
	uint64_t cycles; /* DWT */
	uint64_t timer;  /* board's time source, in core cycles, in steps of 1 << BOARD_TIMER_SHIFT */
};

/* Sets both counters and the elapsed time to zero. */
void elapsed_reset(void);
/* Elapsed time now. To be called at least once in each 65536 steps of the board's timer. */
struct rtb_elapsed elapsed_now(void);

#endif
