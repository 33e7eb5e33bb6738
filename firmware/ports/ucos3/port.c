/* port.c - uC/OS-III behind port.h, what need not be inline, and what the kernel expects of a
 * board: the time stamp of an instrumented build. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"

#define DIGIT(unit) (char)('0' + OS_VERSION / (unit) % 10)

/* OS_VERSION is a number: 30802 for 3.08.02. */
const char rtb_kernel_name[] = "ucos3";
const char rtb_kernel_version[] = {
	DIGIT(10000), '.', DIGIT(1000), DIGIT(100), '.', DIGIT(10), DIGIT(1), '\0',
};
const char rtb_port_version[] = RTB_PORT_VERSION;

#define SCB_SHPR3    RTB_REG(0xE000ED20) /* priorities of SysTick and PendSV, DDI 0403E B3.2.12 */
#define PRIO_SYSTICK 0xF0u

#if RTB_INSTR
static void stack_hit(OS_TCB *task)
{
	rtb_panic(task ? (uint32_t)task->TaskEntryAddr : 0);
}
#endif

/* A tick is a millisecond away when it is started, and the kernel runs before it comes. */
void rtb_kernel_run(void (*setup)(void))
{
	OS_ERR err;
	CPU_Init();
	OSInit(&err);
	OS_CPU_ExceptStkBase = (CPU_STK *)(void *)rtb_main_stack_top;
	OSSchedRoundRobinCfg(OS_TRUE, (OS_TICK)-1, &err);
#if RTB_INSTR
	OS_AppRedzoneHitHookPtr = stack_hit;
#endif
	setup();
	SYST_CVR = 0;
	OS_CPU_SysTickInitFreq(BOARD_HCLK);
	SCB_SHPR3 = (SCB_SHPR3 & 0x00ffffff) | PRIO_SYSTICK << 24;
	OSStart(&err);
	rtb_panic((uint32_t)__builtin_return_address(0));
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	OS_ERR err;
	OSTaskCreate(t, (CPU_CHAR *)(uintptr_t)name, fn, arg, (OS_PRIO)(OS_CFG_PRIO_MAX - 2 - prio),
		     (CPU_STK *)(void *)stack, 0, bytes / sizeof(CPU_STK), 0, 0, NULL, OS_OPT_NONE, &err);
}

#if RTB_INSTR

void CPU_TS_TmrInit(void)
{
	CPU_TS_TmrFreqSet(BOARD_HCLK);
}

CPU_TS_TMR CPU_TS_TmrRd(void)
{
	return DWT_CYCCNT;
}

struct trace {
	uint32_t cycles, what;
};
static struct trace ring[64];
static uint32_t traced;

/* Event in the top byte, low 24 bits of an address or count below. A handler that interrupts
 * this one loses an entry at worst. */
void rtb_ucos3_trace(uint32_t event, uint32_t object)
{
	struct trace *t = &ring[traced++ % 64];
	t->cycles = DWT_CYCCNT;
	t->what = event << 24 | (object & 0xffffff);
}

#endif
