/* mutex_pair - a mutex locked and unlocked by one task; nobody else wants it.
 *
 * lock     from before to after lock of a free mutex
 * unlock   from before to after unlock, with nobody waiting
 * The other half of each pair happens outside the measured section.
 */
#include "core/bench.h"

struct state {
	uint32_t turns;
	rtb_mutex mutex;
	RTB_TASK(worker);
};
RTB_CASE(mutex_pair, struct state, setup);

RTB_MEASURED static int32_t rtb_measured_mutex_pair_lock(void)
{
	uint32_t start = cycles_now();
	rtb_mutex_lock(&s.mutex);
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

RTB_MEASURED static int32_t rtb_measured_mutex_pair_unlock(void)
{
	uint32_t start = cycles_now();
	rtb_mutex_unlock(&s.mutex);
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

static void worker(void *arg)
{
	(void)arg;
	int32_t sample;
	do {
		sample = rtb_measured_mutex_pair_lock();
		rtb_mutex_unlock(&s.mutex);
		rtb_check(++s.turns);
	} while (rtb_sample(sample));
	rtb_series_end();
	do {
		rtb_mutex_lock(&s.mutex);
		sample = rtb_measured_mutex_pair_unlock();
		rtb_check(++s.turns);
	} while (rtb_sample(sample));
	rtb_case_end();
}

static void setup(void)
{
	rtb_mutex_init(&s.mutex);
	RTB_SPAWN(worker, worker, RTB_PRIO_MID);
}
