/* port.c - bare behind port.h, what need not be inline. */
#include "core/board.h"
#include "rtbench/port.h"

const char rtb_kernel_name[] = "bare";
const char rtb_kernel_version[] = BARE_VERSION;
const char rtb_port_version[] = RTB_PORT_VERSION;

void rtb_kernel_run(void (*setup)(void))
{
	setup();
	bare_start();
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	(void)name;
	bare_create(t, fn, arg, prio, stack, bytes);
}
