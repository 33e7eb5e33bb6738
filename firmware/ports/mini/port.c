/* port.c - mini behind port.h, what need not be inline. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"
#include "mini_debug.h"

const char rtb_kernel_name[] = "mini";
const char rtb_kernel_version[] = MINI_VERSION;
const char rtb_port_version[] = RTB_PORT_VERSION;

void rtb_kernel_run(void (*setup)(void))
{
	mini_init();
	setup();
	mini_start(BOARD_HCLK, RTB_TICK_HZ);
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	mini_task_create(t, name, fn, arg, prio, stack, bytes);
}

#if MINI_DEBUG
void mini_assert_failed(void)
{
	rtb_panic((uint32_t)__builtin_return_address(0));
}
#endif
