/* mutex_inherit - a high task wants a mutex that a low task holds, while a middle task is ready.
 *
 * Start: task high, before its call of lock.
 * End:   task high, after lock has returned.
 * Between: lock finds the owner and lends it high's priority, switch to low (not to middle,
 * which is ready all along), low's unlock, switch back to high, the rest of lock. Low unlocks
 * at once: what it does besides is one return from a give.
 *
 * Whether middle really stayed out is part of the checksum.
 */
#include "core/bench.h"

struct state {
	volatile uint32_t middle_ran;
	uint32_t turns;
	rtb_mutex mutex;
	rtb_sem start_high, start_middle;
	RTB_TASK(low);
	RTB_TASK(middle);
	RTB_TASK(high);
};
RTB_CASE(mutex_inherit, struct state, setup);

RTB_MEASURED static int32_t rtb_measured_mutex_inherit(void)
{
	uint32_t start = cycles_now();
	rtb_mutex_lock(&s.mutex);
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

static void high(void *arg)
{
	(void)arg;
	for (;;) {
		rtb_sem_take(&s.start_high);
		rtb_sem_give(&s.start_middle);
		uint32_t before = s.middle_ran;
		int32_t sample = rtb_measured_mutex_inherit();
		rtb_check(s.middle_ran - before);
		rtb_mutex_unlock(&s.mutex);
		rtb_check(++s.turns);
		if (!rtb_sample(sample))
			rtb_case_end();
	}
}

static void middle(void *arg)
{
	(void)arg;
	for (;;) {
		rtb_sem_take(&s.start_middle);
		s.middle_ran++;
	}
}

static void low(void *arg)
{
	(void)arg;
	for (;;) {
		rtb_mutex_lock(&s.mutex);
		rtb_sem_give(&s.start_high);
		rtb_mutex_unlock(&s.mutex);
	}
}

static void setup(void)
{
	rtb_mutex_init(&s.mutex);
	rtb_sem_init(&s.start_high, 0);
	rtb_sem_init(&s.start_middle, 0);
	RTB_SPAWN(high, high, RTB_PRIO_HIGH);
	RTB_SPAWN(middle, middle, RTB_PRIO_MID);
	RTB_SPAWN(low, low, RTB_PRIO_LOW);
}
