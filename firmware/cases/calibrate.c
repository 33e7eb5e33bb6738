/* calibrate - what the measuring itself costs. No kernel runs, interrupts are off.
 *
 * read_cost   two reads of the counter with nothing between
 * empty_loop  from before to after a loop of 16 turns, two instructions a turn (subtract, branch)
 * call        from before to after a call of a function that returns at once
 *
 * Nothing is subtracted from any of the three. read_cost is what every figure of every case
 * holds of the counter; the other two tell whether core and flash run as they should: 16 turns
 * are some 48 to 64 cycles on a Cortex-M3 without wait states.
 */
#include "core/bench.h"

struct state {
	char none;
};
RTB_CASE(calibrate, struct state, setup);

#define LOOP_TURNS 16

RTB_MEASURED static int32_t rtb_measured_calibrate_read_cost(void)
{
	uint32_t start = cycles_now();
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

RTB_MEASURED static int32_t rtb_measured_calibrate_empty_loop(uint32_t turns)
{
	uint32_t start = cycles_now();
	__asm volatile("1: subs %0, #1\n\tbne 1b" : "+r"(turns) : : "cc");
	uint32_t end = cycles_now();
	rtb_check(turns);
	return (int32_t)(end - start);
}

/* Naked, so that it is one instruction at every level. */
__attribute__((naked, noinline)) static void callee(void)
{
	__asm volatile("bx lr");
}

RTB_MEASURED static int32_t rtb_measured_calibrate_call(void)
{
	uint32_t start = cycles_now();
	callee();
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

static void setup(void)
{
	armv7m_irq_save();
	while (rtb_sample(rtb_measured_calibrate_read_cost()))
		rtb_check(1);
	rtb_series_end();
	while (rtb_sample(rtb_measured_calibrate_empty_loop(LOOP_TURNS)))
		;
	rtb_series_end();
	while (rtb_sample(rtb_measured_calibrate_call()))
		rtb_check(1);
	rtb_case_end();
}
