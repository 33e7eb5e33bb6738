/* port.c - RTX5 behind port.h, what need not be inline, and the functions that the kernel
 * leaves to its user. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"
#include "RTX_Config.h"

_Static_assert(OS_TICK_FREQ == RTB_TICK_HZ, "tick of RTX_Config.h"); /* assembler reads no 1000u */

const char rtb_kernel_name[] = "rtx5";
const char rtb_kernel_version[] = osRtxKernelId;
const char rtb_port_version[] = RTB_PORT_VERSION;

uint32_t SystemCoreClock = BOARD_HCLK; /* CMSIS has it writable; the tick's reload comes from it */

void rtb_kernel_run(void (*setup)(void))
{
	(void)osKernelInitialize();
	setup();
	(void)osKernelStart();
	rtb_panic((uint32_t)__builtin_return_address(0));
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	const osThreadAttr_t attr = {
		.name = name, .cb_mem = t, .cb_size = sizeof(*t), .stack_mem = stack, .stack_size = bytes,
		.priority = (osPriority_t)((unsigned)osPriorityLow + prio),
	};
	(void)osThreadNew(fn, arg, &attr);
}

void osRtxIdleThread(void *argument)
{
	(void)argument;
	for (;;)
		;
}

/* Stack overflow, or the queue of calls from handlers overflowed. */
uint32_t osRtxErrorNotify(uint32_t code, void *object_id)
{
	(void)code, (void)object_id;
	rtb_panic((uint32_t)__builtin_return_address(0));
}

#if RTB_INSTR

#include "rtx_evr.h"

struct trace {
	uint32_t cycles, what;
};
static struct trace ring[64];
static uint32_t traced;

/* Event in the top byte, low 24 bits of an address below; as much as the other kernels' rings
 * hold. A handler that interrupts this one loses an entry at worst. */
static void trace(uint32_t event, const void *object)
{
	struct trace *t = &ring[traced++ % 64];
	t->cycles = DWT_CYCCNT;
	t->what = event << 24 | ((uint32_t)object & 0xffffff);
}

/* These stand in for the kernel's weak ones, which are empty without the recorder. */
void EvrRtxThreadSwitched(osThreadId_t id) { trace(1, id); }
void EvrRtxThreadUnblocked(osThreadId_t id, uint32_t value) { (void)value; trace(2, id); }
void EvrRtxThreadBlocked(osThreadId_t id, uint32_t timeout) { (void)timeout; trace(3, id); }
void EvrRtxDelayStarted(uint32_t ticks) { trace(4, (const void *)(uintptr_t)ticks); }
void EvrRtxSemaphoreReleased(osSemaphoreId_t id, uint32_t tokens) { (void)tokens; trace(5, id); }
void EvrRtxSemaphoreAcquired(osSemaphoreId_t id, uint32_t tokens) { (void)tokens; trace(6, id); }
void EvrRtxSemaphoreAcquirePending(osSemaphoreId_t id, uint32_t timeout) { (void)timeout; trace(7, id); }
void EvrRtxMessageQueueInserted(osMessageQueueId_t id, const void *message) { (void)message; trace(8, id); }
void EvrRtxMessageQueueRetrieved(osMessageQueueId_t id, void *message) { (void)message; trace(9, id); }
void EvrRtxMutexAcquired(osMutexId_t id, uint32_t lock) { (void)lock; trace(10, id); }
void EvrRtxMutexReleased(osMutexId_t id, uint32_t lock) { (void)lock; trace(11, id); }

#endif
