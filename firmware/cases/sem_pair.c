/* sem_pair - a semaphore given and taken by one task; nobody waits, nothing switches.
 *
 * give   from before to after give; the semaphore's count goes from 0 to 1
 * take   from before to after take; the count goes from 1 to 0
 * The other half of each pair happens outside the measured section.
 */
#include "core/bench.h"

struct state {
	uint32_t turns;
	rtb_sem sem;
	RTB_TASK(worker);
};
RTB_CASE(sem_pair, struct state, setup);

RTB_MEASURED static int32_t rtb_measured_sem_pair_give(void)
{
	uint32_t start = cycles_now();
	rtb_sem_give(&s.sem);
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

RTB_MEASURED static int32_t rtb_measured_sem_pair_take(void)
{
	uint32_t start = cycles_now();
	rtb_sem_take(&s.sem);
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

static void worker(void *arg)
{
	(void)arg;
	int32_t sample;
	do {
		sample = rtb_measured_sem_pair_give();
		rtb_sem_take(&s.sem);
		rtb_check(++s.turns);
	} while (rtb_sample(sample));
	rtb_series_end();
	do {
		rtb_sem_give(&s.sem);
		sample = rtb_measured_sem_pair_take();
		rtb_check(++s.turns);
	} while (rtb_sample(sample));
	rtb_case_end();
}

static void setup(void)
{
	rtb_sem_init(&s.sem, 0);
	RTB_SPAWN(worker, worker, RTB_PRIO_MID);
}
