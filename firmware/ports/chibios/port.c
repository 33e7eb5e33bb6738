/* port.c - ChibiOS/RT behind port.h, what need not be inline. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"

const char rtb_kernel_name[] = "chibios";
const char rtb_kernel_version[] = CH_KERNEL_VERSION;
const char rtb_port_version[] = RTB_PORT_VERSION;

/* The kernel makes a thread of the code that calls chSysInit(), which has to stand on the
 * process stack already; it asks for that stack's bounds by these two symbols. The thread runs
 * setup() above all others and ends. */
#if CH_KERNEL_MAJOR < 8
typedef stkalign_t stkline_t;
#endif
extern stkline_t __main_thread_stack_base__, __main_thread_stack_end__;
__asm__(".pushsection .bss.rtb_chibios_first_stack,\"aw\",%nobits\n\t"
	".balign 32\n\t"
	".global __main_thread_stack_base__, __main_thread_stack_end__\n"
	"__main_thread_stack_base__:\n\t"
	".space 512\n"
	"__main_thread_stack_end__:\n\t"
	".popsection");

void rtb_chibios_tick(void);

CH_IRQ_HANDLER(rtb_chibios_tick)
{
	CH_IRQ_PROLOGUE();
	chSysLockFromISR();
	chSysTimerHandlerI();
	chSysUnlockFromISR();
	CH_IRQ_EPILOGUE();
}

static void tick_start(void)
{
	NVIC_SetPriority(SysTick_IRQn, CORTEX_MINIMUM_PRIORITY);
	SYST_RVR = BOARD_HCLK / RTB_TICK_HZ - 1;
	SYST_CVR = 0;
	SYST_CSR = 7;
}

__attribute__((used)) static void first_thread(void (*setup)(void))
{
	chSysInit();
	(void)chThdSetPriority(HIGHPRIO);
	setup();
	tick_start();
	chThdExit(MSG_OK);
}

__attribute__((naked)) void rtb_kernel_run(void (*setup)(void) __attribute__((unused)))
{
	__asm volatile(
		"ldr   r1, =__main_thread_stack_end__\n\t"
		"msr   psp, r1\n\t"
		"movs  r1, #2\n\t"
		"msr   control, r1\n\t"
		"isb\n\t"
		"b     first_thread\n\t"
		".ltorg");
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
#if CH_KERNEL_MAJOR >= 8
	const THD_DECL(thread, name, stack, stack + bytes / sizeof(*stack), LOWPRIO + prio, fn, arg, NULL);
	(void)chThdSpawnRunning(t, &thread);
#else
	const thread_descriptor_t thread = THD_DESCRIPTOR(name, (stkalign_t *)stack,
		(stkalign_t *)(stack + bytes / sizeof(*stack)), LOWPRIO + prio, fn, arg);
	*t = chThdCreate(&thread);
#endif
}
