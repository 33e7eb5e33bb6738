/* isr_latency - from a timer's event to the first instruction of its handler, by the timer's
 * own counter.
 *
 * Start: the event timer's count wraps to 0.
 * End:   the handler's first two instructions have read the count: it is the sample.
 * Between: the interrupt's way through the NVIC, whatever keeps it out (the kernel's critical
 * sections, here those of the tick alone), exception entry, two loads. The handler is written
 * in assembler up to there, so no compiler's prologue is in it.
 *
 * The kernel runs with one task, which waits for the handler in a loop. Each event is armed
 * anew, after 2000 to 2508 cycles in steps that sweep the phase to the tick and to the loop;
 * while a sample is dealt with the timer stands.
 */
#include "core/bench.h"
#include "core/vectors.h"

struct state {
	volatile uint32_t count;
	volatile bool fresh;
	uint32_t turns;
	RTB_TASK(worker);
};

void rtb_measured_isr_latency(void);
static RTB_VECTOR_TABLE(vectors, BOARD_EVENT_IRQ, rtb_measured_isr_latency);
RTB_CASE_VECTORS(isr_latency, struct state, setup, vectors);

__attribute__((used)) static void isr_latency_body(uint32_t count)
{
	RTB_ISR_ENTER();
	board_event_ack();
	s.count = count;
	s.fresh = true;
	RTB_ISR_EXIT();
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

__attribute__((naked, used)) void rtb_measured_isr_latency(void)
{
	__asm volatile(
		"ldr   r0, =" TEXT(BOARD_EVENT_COUNT_ADDR) "\n\t"
		"ldr   r0, [r0]\n\t"
		"b     isr_latency_body\n\t"
		".ltorg");
}

static void worker(void *arg)
{
	(void)arg;
	for (;;) {
		s.fresh = false;
		board_event_start(2000 + s.turns * 211 % 509);
		while (!s.fresh)
			;
		board_event_stop();
		rtb_check(++s.turns);
		if (!rtb_sample((int32_t)s.count))
			rtb_case_end();
	}
}

static void setup(void)
{
	armv7m_irq_enable(BOARD_EVENT_IRQ, RTB_ISR_PRIO);
	RTB_SPAWN(worker, worker, RTB_PRIO_MID);
}
