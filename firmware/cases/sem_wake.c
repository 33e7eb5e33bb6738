/* sem_wake - a low task gives a semaphore that a high task waits for.
 *
 * Start: task low, before its call of give.
 * End:   task high, after its call of take has returned.
 * Between: give finds the waiter and makes it ready, one switch, the rest of take.
 */
#include "core/bench.h"

struct state {
	volatile uint32_t start;
	uint32_t gives;
	rtb_sem wake;
	RTB_TASK(low);
	RTB_TASK(high);
};
RTB_CASE(sem_wake, struct state, setup);

RTB_MEASURED static void rtb_measured_sem_wake(void)
{
	s.start = cycles_now();
	rtb_sem_give(&s.wake);
}

RTB_MEASURED static uint32_t rtb_measured_sem_wake_end(void)
{
	rtb_sem_take(&s.wake);
	return cycles_now();
}

static void high(void *arg)
{
	(void)arg;
	for (;;) {
		uint32_t end = rtb_measured_sem_wake_end();
		rtb_check(s.gives);
		if (!rtb_sample((int32_t)(end - s.start)))
			rtb_case_end();
	}
}

static void low(void *arg)
{
	(void)arg;
	for (;;) {
		s.gives++;
		rtb_measured_sem_wake();
	}
}

static void setup(void)
{
	rtb_sem_init(&s.wake, 0);
	RTB_SPAWN(high, high, RTB_PRIO_HIGH);
	RTB_SPAWN(low, low, RTB_PRIO_LOW);
}
