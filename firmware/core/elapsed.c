/* elapsed.c - time by two sources. See elapsed.h. */
#include "core/elapsed.h"
#include "core/board.h"
#include "core/cycles.h"

static struct rtb_elapsed elapsed;
static uint32_t last_cycles;
static uint16_t last_timer;

void elapsed_reset(void)
{
	cycles_reset();
	board_timer_reset();
	elapsed = (struct rtb_elapsed){ 0 };
	last_cycles = 0;
	last_timer = 0;
}

struct rtb_elapsed elapsed_now(void)
{
	uint32_t cycles = cycles_now();
	uint16_t timer = (uint16_t)board_timer_now();
	elapsed.cycles += cycles - last_cycles;
	elapsed.timer += (uint64_t)(uint16_t)(timer - last_timer) << BOARD_TIMER_SHIFT;
	last_cycles = cycles;
	last_timer = timer;
	return elapsed;
}
