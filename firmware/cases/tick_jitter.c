/* tick_jitter - jitter of a periodic timer interrupt under four loads.
 *
 * Start: the handler's first two instructions of one event have read the cycle counter.
 * End:   those of the next event have.
 * The sample is that interval less the timer's period, so it is negative when the later of the
 * two came early or the earlier was late; the mean tends to 0 and the spread is the figure.
 *
 * The period is 99 998 cycles, just below a millisecond, so that the phase to the kernel's tick
 * goes through all values. Series: idle, then two tasks that hand each other a semaphore, a
 * message, or sleep a tick at a time (load.h). The handler deals with the sample itself, after
 * its reading.
 */
#include "cases/load.h"
#include "core/vectors.h"

#define PERIOD (2 * 49999)

struct state {
	struct load load;
	uint32_t previous;
	bool have_previous;
	uint32_t turns;
};

void rtb_measured_tick_jitter(void);
static RTB_VECTOR_TABLE(vectors, BOARD_EVENT_IRQ, rtb_measured_tick_jitter);
RTB_CASE_VECTORS(tick_jitter, struct state, setup, vectors);

static void begin(void)
{
	s.have_previous = false;
	board_event_start(PERIOD);
}

/* True: the series is complete. */
static bool take_sample(uint32_t now)
{
	bool complete = false;
	if (s.have_previous) {
		rtb_check(++s.turns);
		complete = !rtb_sample((int32_t)(now - s.previous - PERIOD));
	}
	s.have_previous = true;
	s.previous = now;
	return complete;
}

__attribute__((used)) static void tick_jitter_body(uint32_t now)
{
	RTB_ISR_ENTER();
	board_event_ack();
	if (take_sample(now)) {
		board_event_stop();
		if (s.load.kind + 1 == LOAD_COUNT)
			rtb_case_end();
		rtb_series_end();
		load_next_isr(&s.load);
		begin();
	}
	RTB_ISR_EXIT();
}

/* DWT CYCCNT; the address is the architecture's (DDI 0403E C1.8). */
__attribute__((naked, used)) void rtb_measured_tick_jitter(void)
{
	__asm volatile(
		"ldr   r0, =0xE0001004\n\t"
		"ldr   r0, [r0]\n\t"
		"b     tick_jitter_body\n\t"
		".ltorg");
}

static void setup(void)
{
	load_setup(&s.load, RTB_PRIO_MID);
	armv7m_irq_enable(BOARD_EVENT_IRQ, RTB_ISR_PRIO);
	begin();
}
