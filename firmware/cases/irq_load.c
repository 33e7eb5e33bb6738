/* irq_load - semaphore pairs without and with a 20 kHz timer interrupt.
 *
 * base     from before give to after take of a free semaphore, one task, no interrupt but the tick
 * loaded   the same while the event timer interrupts every 50 us
 * The figure is the ratio of the two averages: how much of the CPU the interrupts take, which
 * is exception entry and exit, what the kernel asks a handler to begin and end with, and a
 * handler that acknowledges and counts.
 */
#include "core/bench.h"
#include "core/vectors.h"

struct state {
	volatile uint32_t interrupts;
	uint32_t turns;
	rtb_sem sem;
	RTB_TASK(worker);
};

static void on_event(void);
static RTB_VECTOR_TABLE(vectors, BOARD_EVENT_IRQ, on_event);
RTB_CASE_VECTORS(irq_load, struct state, setup, vectors);

static void on_event(void)
{
	RTB_ISR_ENTER();
	board_event_ack();
	s.interrupts++;
	RTB_ISR_EXIT();
}

RTB_MEASURED static int32_t rtb_measured_irq_load(void)
{
	uint32_t start = cycles_now();
	rtb_sem_give(&s.sem);
	rtb_sem_take(&s.sem);
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

static void one_series(void)
{
	int32_t sample;
	do {
		sample = rtb_measured_irq_load();
		rtb_check(++s.turns);
	} while (rtb_sample(sample));
}

static void worker(void *arg)
{
	(void)arg;
	one_series();
	rtb_check(s.interrupts);
	rtb_series_end();
	board_event_start(BOARD_HCLK / 20000);
	one_series();
	board_event_stop();
	/* How many came depends on how long it took; that some came does not, but for a handful
	 * of samples. */
	rtb_check(s.turns < 1000 || s.interrupts > 0);
	rtb_case_end();
}

static void setup(void)
{
	rtb_sem_init(&s.sem, 0);
	armv7m_irq_enable(BOARD_EVENT_IRQ, RTB_ISR_PRIO);
	RTB_SPAWN(worker, worker, RTB_PRIO_MID);
}
