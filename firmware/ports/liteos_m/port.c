/* port.c - LiteOS-M behind port.h, what need not be inline. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"

#include "los_debug.h"

const char rtb_kernel_name[] = "liteos_m";
const char rtb_kernel_version[] = "not stated";
const char rtb_port_version[] = RTB_PORT_VERSION;

/* Objects of the kernel, and counted to it. */
UINT8 rtb_liteos_heap[LOSCFG_SYS_HEAP_SIZE] __attribute__((aligned(8), section(".bss.rtb_objects")));

#if RTB_INSTR
static VOID failed(EXC_TYPE what)
{
	(void)what;
	rtb_panic((uint32_t)__builtin_return_address(0));
}
#endif

void rtb_liteos_need(UINT32 status)
{
	if (status != LOS_OK)
		rtb_panic((uint32_t)__builtin_return_address(0));
}

void rtb_kernel_run(void (*setup)(void))
{
	rtb_liteos_need(LOS_KernelInit());
#if RTB_INSTR
	OsExcHookRegister(failed);
#endif
	setup();
	rtb_liteos_need(LOS_Start());
	__builtin_unreachable();
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	TSK_INIT_PARAM_S task = {
		.pfnTaskEntry = (TSK_ENTRY_FUNC)(void (*)(void))fn,
		.usTaskPrio = (UINT16)(OS_TASK_PRIORITY_LOWEST - 1 - prio),
		.uwArg = (UINT32)(UINTPTR)arg,
		.stackAddr = (UINTPTR)stack,
		.uwStackSize = bytes,
		.pcName = (CHAR *)(UINTPTR)name,
	};
	rtb_liteos_need(LOS_TaskCreate(t, &task));
}
