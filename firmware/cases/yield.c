/* yield - context switch between two tasks of one priority.
 *
 * Start: task ping, before its call of yield.
 * End:   task ping, after that call has returned.
 * Between: yield, switch to pong; pong's return from its own yield, one turn of its loop, its
 * next yield; switch back to ping. Two switches and two calls, so the figure is half the
 * sample; the sample is stored whole. pong's loop (count, branch) is part of it.
 *
 * Both tasks are ready all the time and nothing else is but the kernel's idle task. A tick may
 * fall into a sample; the record's `ticks` says how many did or could have.
 */
#include "core/bench.h"

struct state {
	uint32_t turns; /* of pong */
	RTB_TASK(ping);
	RTB_TASK(pong);
};
RTB_CASE(yield, struct state, setup);

RTB_MEASURED static int32_t rtb_measured_yield(void)
{
	uint32_t start = cycles_now();
	rtb_yield();
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

static void ping(void *arg)
{
	(void)arg;
	rtb_yield(); /* pong gets to its loop */
	for (;;) {
		uint32_t before = s.turns;
		int32_t sample = rtb_measured_yield();
		/* not turns itself: which of two equal tasks starts first is the kernel's choice */
		rtb_check(s.turns - before);
		if (!rtb_sample(sample))
			rtb_case_end();
	}
}

static void pong(void *arg)
{
	(void)arg;
	for (;;) {
		rtb_yield();
		*(volatile uint32_t *)&s.turns += 1;
	}
}

static void setup(void)
{
	RTB_SPAWN(ping, ping, RTB_PRIO_MID);
	RTB_SPAWN(pong, pong, RTB_PRIO_MID);
}
