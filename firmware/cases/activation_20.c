/* activation_20 - twenty tasks of different priorities wake with one tick; how late is the
 * highest.
 *
 * Start: SysTick's count reaches 0 and the tick interrupt becomes pending.
 * End:   the highest task, after its delay of one tick has returned, by SysTick's own count.
 * Between: what keeps the tick out, exception entry, the kernel's tick with twenty delays that
 * end, the switch from idle, the rest of delay.
 *
 * Each task sleeps one tick, counts and sleeps again; the stacks are small (RTB_STACK_SMALL).
 * SysTick must run from the core clock with one wrap a tick, as every port has it.
 */
#include "core/bench.h"

#define TASKS 20
#define LOWEST_PRIO 2

struct state {
	volatile uint32_t others_ran;
	rtb_task task[TASKS];
	uint32_t stack[TASKS][RTB_STACK_SPACE(RTB_STACK_SMALL) / 4] __attribute__((aligned(RTB_STACK_ALIGN)));
};
RTB_CASE(activation_20, struct state, setup);

RTB_MEASURED static uint32_t rtb_measured_activation_20(void)
{
	rtb_delay(1);
	return SYST_CVR;
}

static void highest(void *arg)
{
	(void)arg;
	for (;;) {
		uint32_t left = rtb_measured_activation_20();
		uint32_t period = SYST_RVR + 1;
		rtb_check(s.others_ran);
		if (!rtb_sample((int32_t)((period - left) % period)))
			rtb_case_end();
	}
}

static void other(void *arg)
{
	(void)arg;
	for (;;) {
		rtb_delay(1);
		s.others_ran++;
	}
}

static const char *const name[TASKS] = {
	"task20", "task19", "task18", "task17", "task16", "task15", "task14", "task13", "task12", "task11",
	"task10", "task9", "task8", "task7", "task6", "task5", "task4", "task3", "task2", "highest",
};

static void setup(void)
{
	for (unsigned i = 0; i < TASKS; i++)
		rtb_spawn(&s.task[i], name[i], i + 1 == TASKS ? highest : other, NULL, LOWEST_PRIO + i,
			  s.stack[i], sizeof(s.stack[i]));
}
