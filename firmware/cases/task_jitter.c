/* task_jitter - jitter of a periodic task under four loads.
 *
 * Start: the task, after a delay of one tick has returned.
 * End:   the task, after the next one has.
 * The sample is that interval less one tick period, so it is negative when the later wake-up
 * came early or the earlier was late; the mean tends to 0 and the spread is the figure.
 *
 * The task is the most urgent there is. Series: idle, then two tasks below it that hand each
 * other a semaphore, a message, or sleep a tick at a time (load.h); the last of these wake with
 * the same tick as the periodic task.
 */
#include "cases/load.h"

#define PERIOD (BOARD_HCLK / RTB_TICK_HZ)

struct state {
	struct load load;
	uint32_t turns;
	RTB_TASK(periodic);
};
RTB_CASE(task_jitter, struct state, setup);

RTB_MEASURED static uint32_t rtb_measured_task_jitter(void)
{
	rtb_delay(1);
	return cycles_now();
}

static void one_series(void)
{
	uint32_t now = rtb_measured_task_jitter(), previous;
	do {
		previous = now;
		now = rtb_measured_task_jitter();
		rtb_check(++s.turns);
	} while (rtb_sample((int32_t)(now - previous - PERIOD)));
}

static void periodic(void *arg)
{
	(void)arg;
	one_series();
	while (s.load.kind + 1 < LOAD_COUNT) {
		rtb_series_end();
		load_next(&s.load);
		one_series();
	}
	rtb_case_end();
}

static void setup(void)
{
	load_setup(&s.load, RTB_PRIO_MID);
	RTB_SPAWN(periodic, periodic, RTB_PRIO_MAX);
}
