/* bench.c - from main() to the last frame: one case, once. See bench.h. */
#include "core/bench.h"
#include "core/boot.h"
#include "core/elapsed.h"
#include "core/mem.h"
#include "core/report.h"
#include "core/stack.h"

/* Core cycles from the reset of the counters to the start of the kernel: longer than the mark
 * in between needs on the line. The tick's phase hangs on this and on nothing that the host
 * does. */
#define START_CYCLES (200u * 10u * (BOARD_HCLK / RTB_BAUD))

#define MAX_STACKS 21

static struct {
	const char *name;
	const uint32_t *stack;
	uint16_t bytes;
} stacks[MAX_STACKS];
static unsigned stack_count;

static struct rtb_command command;
static const struct rtb_case *bench_case;

static struct rtb_series series;
static const char *next_series;
static uint32_t warmup_left;
static uint32_t ticks_begin;
static struct rtb_elapsed begin;
static bool sampling;

/* ---- samples ---- */

static int32_t *raw_samples(void)
{
	return (int32_t *)(void *)rtb_arena_start + (bench_case->impl->state_bytes + 3) / 4;
}

static uint32_t raw_max(const struct rtb_case *c)
{
	size_t arena = (size_t)((uint8_t *)rtb_arena_end - (uint8_t *)rtb_arena_start);
	return (arena - c->impl->state_bytes - 3) / sizeof(int32_t);
}

static void series_begin(void)
{
	stat_reset(&series.stat);
	series.name = next_series;
	series.check = 0;
	warmup_left = RTB_WARMUP;
	sampling = true;
	while (*next_series != '\0' && *next_series++ != ' ')
		;
}

static bool warm_up(int32_t value)
{
	if (warmup_left == 0)
		return false;
	if (warmup_left == RTB_WARMUP)
		series.cold = value;
	if (--warmup_left == 0) {
		begin = elapsed_now();
		ticks_begin = rtb_ticks();
	}
	return true;
}

bool rtb_sample(int32_t value)
{
	if (warm_up(value))
		return true;
	uint32_t n = series.stat.n;
	if (n < command.raw)
		raw_samples()[n] = value;
	stat_add(&series.stat, value);
	if (n + 1 >= command.samples) {
		struct rtb_elapsed end = elapsed_now();
		series.cycles = end.cycles - begin.cycles;
		series.timer = end.timer - begin.timer;
		series.ticks = rtb_ticks() - ticks_begin;
		sampling = false;
		return false;
	}
	elapsed_now();
	report_heartbeat();
	return true;
}

bool rtb_sampling(void)
{
	return sampling;
}

/* FNV-1a over the four bytes, which notices order as well as values. */
void rtb_check(uint32_t value)
{
	uint32_t check = series.check ? series.check : 0x811c9dc5u;
	for (unsigned i = 0; i < 4; i++, value >>= 8)
		check = (check ^ (value & 0xff)) * 0x01000193u;
	series.check = check;
}

/* ---- the end ---- */

static void send_series(void)
{
	report_record(bench_case, &series);
	report_raw(bench_case, &series, raw_samples(), command.raw);
}

static void send_series_and_go_on(void)
{
	send_series();
	series_begin();
}

void rtb_series_end(void)
{
	stack_main_run(send_series_and_go_on);
}

static void send_stacks(void)
{
	for (unsigned i = 0; i < stack_count; i++)
		report_stack(stacks[i].name, stacks[i].bytes - RTB_STACK_OVERHEAD,
			     stack_used(stacks[i].stack, stacks[i].bytes, RTB_STACK_GUARD, RTB_STACK_PAINT) -
				     RTB_STACK_OVERHEAD,
			     stack_touched(stacks[i].stack, RTB_STACK_GUARD, RTB_STACK_PAINT));
	report_stack("handlers", stack_main_bytes(), stack_main_used(), stack_main_touched());
}

static void send_case(void)
{
	send_series();
	send_stacks();
	report_mark();
	report_done();
	boot_again();
}

void rtb_case_end(void)
{
	armv7m_irq_save();
	stack_main_run(send_case);
	__builtin_unreachable();
}

/* ---- the beginning ---- */

void rtb_spawn(rtb_task *task, const char *name, void (*fn)(void *), void *arg, unsigned prio,
	       uint32_t *stack, size_t bytes)
{
	stack_paint(stack, bytes);
	if (stack_count < MAX_STACKS) {
		stacks[stack_count].name = name;
		stacks[stack_count].stack = stack;
		stacks[stack_count].bytes = (uint16_t)bytes;
		stack_count++;
	}
	rtb_task_create(task, name, fn, arg, prio, stack, bytes);
}

/* Where the kernel lets tasks be created. The case's vectors come last: some kernels set VTOR
 * when they start. */
static void setup(void)
{
	const struct rtb_case_impl *impl = bench_case->impl;
	memset(rtb_arena_start, 0, impl->state_bytes);
	if (impl->vectors != NULL)
		SCB_VTOR = (uint32_t)impl->vectors;
	impl->setup();
	stack_main_forget();
}

/* On a fresh main stack, at a moment that depends on the cycle counter alone, or, when that one
 * stands still, on the timer: the host shall have the figures that show it. */
static void start(void)
{
	struct rtb_elapsed now;
	do
		now = elapsed_now();
	while (now.cycles < START_CYCLES && now.timer < 2 * START_CYCLES);
	if (bench_case->needs == 0)
		setup();
	else
		rtb_kernel_run(setup);
	__builtin_unreachable();
}

int main(void)
{
	boot_init();
	report_init();
	bench_case = report_conversation(&command, raw_max);
	next_series = bench_case->series;
	series_begin();
	elapsed_reset();
	report_mark();
	board_drain();
	stack_main_restart(start);
}
