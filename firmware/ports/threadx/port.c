/* port.c - ThreadX behind port.h, what need not be inline, and what the kernel expects of a
 * board: its low-level initialisation and the tick's handler. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"

#define STR(x) #x
#define VERSION(major, minor, patch) STR(major) "." STR(minor) "." STR(patch)

const char rtb_kernel_name[] = "threadx";
const char rtb_kernel_version[] = VERSION(THREADX_MAJOR_VERSION, THREADX_MINOR_VERSION, THREADX_PATCH_VERSION);
const char rtb_port_version[] = RTB_PORT_VERSION;

#define SCB_SHPR3    RTB_REG(0xE000ED20) /* priorities of SysTick and PendSV, DDI 0403E B3.2.12 */
#define PRIO_SYSTICK 0xE0u
#define PRIO_PENDSV  0xF0u

void _tx_initialize_low_level(void);
void _tx_timer_interrupt(void);
void rtb_threadx_systick(void);

/* Interrupts stay off until the first thread runs. */
void _tx_initialize_low_level(void)
{
	__asm volatile("cpsid i" : : : "memory");
	SCB_SHPR3 = PRIO_SYSTICK << 24 | PRIO_PENDSV << 16;
}

void rtb_threadx_systick(void)
{
	RTB_ISR_ENTER();
	_tx_timer_interrupt();
	RTB_ISR_EXIT();
}

static void (*bench_setup)(void);

/* The kernel calls this where threads may be created; none runs before it has returned. */
void tx_application_define(void *free_memory)
{
	(void)free_memory;
#if RTB_INSTR
	static ULONG trace[16 * 8 + 64]; /* some 16 events after the header and four objects' names */
	(void)tx_trace_enable(trace, sizeof(trace), 4);
#endif
	bench_setup();
	SYST_RVR = BOARD_HCLK / RTB_TICK_HZ - 1;
	SYST_CVR = 0;
	SYST_CSR = 7;
}

void rtb_kernel_run(void (*setup)(void))
{
	bench_setup = setup;
	tx_kernel_enter();
	__builtin_unreachable();
}

#if RTB_INSTR
static void stack_error(TX_THREAD *thread)
{
	rtb_panic((uint32_t)thread->tx_thread_entry);
}
#endif

/* The detour over void (*)(void): an unsigned long and a pointer are passed in the same
 * register, which GCC cannot know of two function types. */
void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	UINT priority = TX_MAX_PRIORITIES - 1 - prio;
#if RTB_INSTR
	(void)tx_thread_stack_error_notify(stack_error);
#endif
	(void)tx_thread_create(t, (CHAR *)(uintptr_t)name, (VOID (*)(ULONG))(void (*)(void))fn, (ULONG)arg, stack,
			       bytes, priority, priority, TX_NO_TIME_SLICE, TX_AUTO_START);
}
