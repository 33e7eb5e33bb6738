/* port.c - FreeRTOS behind port.h, what need not be inline. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"

const char rtb_kernel_name[] = "freertos";
const char rtb_kernel_version[] = tskKERNEL_VERSION_NUMBER;
const char rtb_port_version[] = RTB_PORT_VERSION;

const uint32_t rtb_freertos_hclk = BOARD_HCLK;

void rtb_kernel_run(void (*setup)(void))
{
	setup();
	vTaskStartScheduler();
	rtb_panic((uint32_t)rtb_kernel_run); /* it returns only when it could not start */
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	(void)xTaskCreateStatic(fn, name, bytes / sizeof(StackType_t), arg, prio, (StackType_t *)stack, t);
}

/* With static allocation only, the kernel asks for the idle task's memory. */
void vApplicationGetIdleTaskMemory(StaticTask_t **task, StackType_t **stack, configSTACK_DEPTH_TYPE *words)
{
	static StaticTask_t idle;
	static StackType_t idle_stack[configMINIMAL_STACK_SIZE];
	*task = &idle;
	*stack = idle_stack;
	*words = configMINIMAL_STACK_SIZE;
}

#if RTB_INSTR

void rtb_freertos_assert_failed(void)
{
	rtb_panic((uint32_t)__builtin_return_address(0));
}

struct trace {
	uint32_t cycles, what;
};
static struct trace ring[64];
static uint32_t traced;

/* Event in the top byte, low 24 bits of an address below. Handlers that the kernel does not
 * mask may not call it, so a lost entry is the worst that can happen. */
void rtb_freertos_trace(uint32_t event, const void *object)
{
	struct trace *t = &ring[traced++ % 64];
	t->cycles = DWT_CYCCNT;
	t->what = event << 24 | ((uint32_t)object & 0xffffff);
}

void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
	(void)task, (void)name;
	rtb_panic((uint32_t)__builtin_return_address(0));
}

#endif
