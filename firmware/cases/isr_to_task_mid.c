/* isr_to_task_mid - an interrupt makes two tasks ready; what is timed is the less urgent.
 *
 * Start: the handler, at the head of its body: after exception entry and what the kernel asks
 *        a handler to begin with (RTB_ISR_ENTER).
 * End:   task middle, after its call of take has returned.
 * Between: two gives from the handler (first for high, then for middle), its end, the switch to
 * high; high's return from take, one count, its next take, which waits; the switch to middle,
 * the rest of middle's take. The difference to isr_to_task is what it costs not to be first.
 */
#include "core/bench.h"
#include "core/vectors.h"

struct state {
	volatile uint32_t start, high_ran;
	uint32_t turns;
	rtb_sem wake_high, wake_middle;
	RTB_TASK(low);
	RTB_TASK(middle);
	RTB_TASK(high);
};

void rtb_measured_isr_to_task_mid(void);
static RTB_VECTOR_TABLE(vectors, BOARD_SOFT_IRQ, rtb_measured_isr_to_task_mid);
RTB_CASE_VECTORS(isr_to_task_mid, struct state, setup, vectors);

RTB_MEASURED void rtb_measured_isr_to_task_mid(void)
{
	RTB_ISR_ENTER();
	s.start = cycles_now();
	rtb_sem_give_isr(&s.wake_high);
	rtb_sem_give_isr(&s.wake_middle);
	RTB_ISR_EXIT();
}

RTB_MEASURED static uint32_t rtb_measured_isr_to_task_mid_end(void)
{
	rtb_sem_take(&s.wake_middle);
	return cycles_now();
}

static void high(void *arg)
{
	(void)arg;
	for (;;) {
		rtb_sem_take(&s.wake_high);
		s.high_ran++;
	}
}

static void middle(void *arg)
{
	(void)arg;
	for (;;) {
		uint32_t end = rtb_measured_isr_to_task_mid_end();
		rtb_check(s.high_ran);
		rtb_check(++s.turns);
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
	rtb_sem_init(&s.wake_high, 0);
	rtb_sem_init(&s.wake_middle, 0);
	armv7m_irq_enable(BOARD_SOFT_IRQ, RTB_ISR_PRIO);
	RTB_SPAWN(high, high, RTB_PRIO_HIGH);
	RTB_SPAWN(middle, middle, RTB_PRIO_MID);
	RTB_SPAWN(low, low, RTB_PRIO_LOW);
}
