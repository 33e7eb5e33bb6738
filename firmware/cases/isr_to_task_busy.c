/* isr_to_task_busy - an interrupt wakes a high task while a low task is in and out of the kernel.
 *
 * Start: the event timer's count wraps to 0.
 * End:   task high, after its call of take has returned.
 * Between: whatever part of the kernel's critical section is left in which the event fell, the
 * exception entry, the handler with its give, the switch, the rest of take. Unlike isr_to_task
 * it begins with the event and not in the handler, for the waiting is what it is about.
 *
 * Task low gives and takes a semaphore of its own without a pause. The event comes 5000 cycles
 * and more after low began, one cycle later at each sample and over again after 1021, so it
 * meets every point of low's loop.
 *
 * The sample is put together: the timer's count as the handler saw it, plus cycles from there
 * to the end by the cycle counter.
 */
#include "core/bench.h"
#include "core/vectors.h"

struct state {
	volatile uint32_t late, start;
	volatile bool armed;
	uint32_t turns;
	rtb_sem wake, busy;
	RTB_TASK(low);
	RTB_TASK(high);
};

void rtb_measured_isr_to_task_busy(void);
static RTB_VECTOR_TABLE(vectors, BOARD_EVENT_IRQ, rtb_measured_isr_to_task_busy);
RTB_CASE_VECTORS(isr_to_task_busy, struct state, setup, vectors);

RTB_MEASURED void rtb_measured_isr_to_task_busy(void)
{
	RTB_ISR_ENTER();
	s.late = board_event_count();
	s.start = cycles_now();
	board_event_ack();
	rtb_sem_give_isr(&s.wake);
	RTB_ISR_EXIT();
}

RTB_MEASURED static uint32_t rtb_measured_isr_to_task_busy_end(void)
{
	rtb_sem_take(&s.wake);
	return cycles_now();
}

static void high(void *arg)
{
	(void)arg;
	for (;;) {
		uint32_t end = rtb_measured_isr_to_task_busy_end();
		board_event_stop();
		rtb_check(++s.turns);
		if (!rtb_sample((int32_t)(s.late + (end - s.start))))
			rtb_case_end();
		s.armed = false;
	}
}

static void low(void *arg)
{
	(void)arg;
	for (;;) {
		s.armed = true;
		board_event_start(5000 + s.turns % 1021);
		while (s.armed) {
			rtb_sem_give(&s.busy);
			rtb_sem_take(&s.busy);
		}
	}
}

static void setup(void)
{
	rtb_sem_init(&s.wake, 0);
	rtb_sem_init(&s.busy, 0);
	armv7m_irq_enable(BOARD_EVENT_IRQ, RTB_ISR_PRIO);
	RTB_SPAWN(high, high, RTB_PRIO_HIGH);
	RTB_SPAWN(low, low, RTB_PRIO_LOW);
}
