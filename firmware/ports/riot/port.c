/* port.c - RIOT behind port.h, what need not be inline. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"
#include "irq.h"
#include "panic.h"

/* No header of RIOT has a version; its makefile hands one to the compiler, and here the tree's
 * entry can (--define). */
#ifndef RIOT_VERSION
#define RIOT_VERSION "not stated"
#endif

const char rtb_kernel_name[] = "riot";
const char rtb_kernel_version[] = RIOT_VERSION;
const char rtb_port_version[] = RTB_PORT_VERSION;

#if RTB_INSTR
#include "schedstatistics.h"

static uint32_t cycles(ztimer_clock_t *clock)
{
	(void)clock;
	return DWT_CYCCNT;
}

/* The statistics' clock: cycles in place of microseconds. Nobody reads the sums; what they cost,
 * a call and a register, is what a timer's driver costs. */
static const ztimer_ops_t cycle_ops = { .now = cycles };
static ztimer_clock_t cycle_clock = { .ops = &cycle_ops };
ztimer_clock_t *const ZTIMER_USEC = &cycle_clock;
#endif

void rtb_kernel_run(void (*setup)(void))
{
	NVIC_SetPriority(PendSV_IRQn, CPU_CORTEXM_PENDSV_IRQ_PRIO);
	setup();
#if RTB_INSTR
	init_schedstatistics();
#endif
	irq_disable();
	cpu_switch_context_exit();
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	/* fn does not return, so its result is never looked at. The bench has painted the stack. */
	*t = thread_create((char *)stack, (int)bytes, (uint8_t)(RTB_PRIO_MAX + 1 - prio),
			   THREAD_CREATE_WOUT_YIELD | THREAD_CREATE_NO_STACKTEST,
			   (thread_task_func_t)(void (*)(void))fn, arg, name);
	if (*t <= KERNEL_PID_UNDEF)
		rtb_panic((uint32_t)__builtin_return_address(0));
}

void core_panic(core_panic_t crash_code, const char *message)
{
	(void)crash_code;
	(void)message;
	rtb_panic((uint32_t)__builtin_return_address(0));
}

void _assert_panic(void)
{
	rtb_panic((uint32_t)__builtin_return_address(0));
}
