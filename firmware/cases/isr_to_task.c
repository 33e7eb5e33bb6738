/* isr_to_task - an interrupt wakes a high task.
 *
 * Start: the handler, at the head of its body: after exception entry, what the kernel asks a
 *        handler to begin with (RTB_ISR_ENTER) and the count of interrupts.
 * End:   task high, after its call of take has returned.
 * Between: give from the handler, what the kernel asks a handler to end with, exception return
 * or the switch in its place, the rest of take. Exception entry is not in it; isr_latency has
 * that.
 *
 * The interrupt is pended by task low through NVIC_STIR, on a line that nothing else uses, so
 * it always comes at the same place of low's loop and outside the kernel.
 */
#include "core/bench.h"
#include "core/vectors.h"

struct state {
	volatile uint32_t start;
	uint32_t interrupts;
	rtb_sem wake;
	RTB_TASK(low);
	RTB_TASK(high);
};

void rtb_measured_isr_to_task(void);
static RTB_VECTOR_TABLE(vectors, BOARD_SOFT_IRQ, rtb_measured_isr_to_task);
RTB_CASE_VECTORS(isr_to_task, struct state, setup, vectors);

RTB_MEASURED void rtb_measured_isr_to_task(void)
{
	RTB_ISR_ENTER();
	s.interrupts++;
	s.start = cycles_now();
	rtb_sem_give_isr(&s.wake);
	RTB_ISR_EXIT();
}

RTB_MEASURED static uint32_t rtb_measured_isr_to_task_end(void)
{
	rtb_sem_take(&s.wake);
	return cycles_now();
}

static void high(void *arg)
{
	(void)arg;
	for (;;) {
		uint32_t end = rtb_measured_isr_to_task_end();
		rtb_check(s.interrupts);
		if (!rtb_sample((int32_t)(end - s.start)))
			rtb_case_end();
	}
}

static void low(void *arg)
{
	(void)arg;
	for (;;) {
		NVIC_STIR = BOARD_SOFT_IRQ;
		armv7m_sync();
	}
}

static void setup(void)
{
	rtb_sem_init(&s.wake, 0);
	armv7m_irq_enable(BOARD_SOFT_IRQ, RTB_ISR_PRIO);
	RTB_SPAWN(high, high, RTB_PRIO_HIGH);
	RTB_SPAWN(low, low, RTB_PRIO_LOW);
}
