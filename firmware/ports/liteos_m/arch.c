/* arch.c - what LiteOS-M asks of a core and a timer, for ARMv7-M and GCC.
 *
 * Written from the ARMv7-M Architecture Reference Manual (DDI 0403E): B1.5.6 the frame that the
 * core stacks, B1.5.8 exception return, B1.4 special registers, B3.2 system control. A task's
 * context is r4-r11 below the core's frame, on the process stack; its address is the first word
 * of the task's control block. PendSV, the least urgent of all, switches; thread mode and
 * handlers ask for it by setting it pending. PRIMASK guards the kernel, and is always clear when
 * PendSV is taken, so it is no part of a context.
 */
#include "los_arch.h"
#include "los_context.h"
#include "los_interrupt.h"
#include "los_sched.h"
#include "los_task.h"
#include "los_timer.h"

#include "core/board.h"
#include "core/fault.h"

#define LEAST_URGENT 0xF0u
#define SCB_SHPR3 RTB_REG(0xE000ED20) /* B3.2.12: priorities of PendSV (16..23) and SysTick (24..31) */

struct context {
	UINT32 r4_to_r11[8];
	UINT32 r0, r1, r2, r3, r12, lr, pc, xpsr;
};
_Static_assert(sizeof(struct context) == 64, "first_task() adds it up");
_Static_assert(offsetof(LosTaskCB, stackPointer) == 0, "the switch loads it from there");
_Static_assert(offsetof(LosTask, runTask) == 0 && offsetof(LosTask, newTask) == 4, "the switch loads them from there");

/* ---- switch ---- */

void rtb_liteos_pendsv(void);

__attribute__((naked)) void rtb_liteos_pendsv(void)
{
	__asm volatile(
		"cpsid i\n\t"
		"push  {r3, lr}\n\t" /* r3 for the alignment */
		"bl    OsSchedTaskSwitch\n\t"
		"pop   {r3, lr}\n\t"
		"cbz   r0, 1f\n\t"
		"mrs   r0, psp\n\t"
		"stmdb r0!, {r4-r11}\n\t"
		"ldr   r3, =g_losTask\n\t"
		"ldrd  r1, r2, [r3]\n\t"
		"str   r0, [r1]\n\t"
		"str   r2, [r3]\n\t"
		"ldr   r0, [r2]\n\t"
		"ldmia r0!, {r4-r11}\n\t"
		"msr   psp, r0\n"
		"1:\n\t"
		"cpsie i\n\t"
		"bx    lr\n\t"
		".ltorg");
}

__attribute__((naked)) VOID ArchTaskSchedule(VOID)
{
	__asm volatile(
		"ldr   r0, =0xE000ED04\n\t" /* ICSR */
		"mov   r1, #0x10000000\n\t" /* PENDSVSET */
		"str   r1, [r0]\n\t"
		"dsb\n\t"
		"isb\n\t"
		"bx    lr\n\t"
		".ltorg");
}

/* Goes on as the task that the scheduler has chosen: what is left of its stack is as if it had
 * always run there. */
__attribute__((naked, noreturn)) static void first_task(void)
{
	__asm volatile(
		"ldr   r3, =g_losTask\n\t"
		"ldr   r3, [r3]\n\t"
		"ldr   r3, [r3]\n\t"
		"ldr   r0, [r3, #32]\n\t"
		"ldr   r1, [r3, #56]\n\t"
		"orr   r1, #1\n\t"
		"adds  r3, #64\n\t"
		"msr   psp, r3\n\t"
		"movs  r2, #2\n\t"
		"msr   control, r2\n\t"
		"isb\n\t"
		"cpsie i\n\t"
		"bx    r1\n\t"
		".ltorg");
}

VOID *ArchTskStackInit(UINT32 id, UINT32 bytes, VOID *stack)
{
	struct context *c = (struct context *)((UINT8 *)stack + bytes) - 1;
	c->r0 = id;
	c->lr = (UINT32)(UINTPTR)ArchSysExit;
	c->pc = (UINT32)(UINTPTR)OsTaskEntry & ~1u;
	c->xpsr = 1u << 24; /* Thumb */
	return c;
}

/* ---- interrupts ---- */

__attribute__((naked)) UINT32 ArchIntLock(VOID)
{
	__asm volatile("mrs r0, primask\n\tcpsid i\n\tbx lr");
}

__attribute__((naked)) UINT32 ArchIntUnLock(VOID)
{
	__asm volatile("mrs r0, primask\n\tcpsie i\n\tbx lr");
}

__attribute__((naked)) VOID ArchIntRestore(UINT32 saved __attribute__((unused)))
{
	__asm volatile("msr primask, r0\n\tbx lr");
}

UINT32 ArchIsIntActive(VOID)
{
	return armv7m_exception() != 0;
}

/* ---- time ---- */

volatile UINT32 rtb_liteos_ticks;

void rtb_liteos_tick(void);

void rtb_liteos_tick(void)
{
	rtb_liteos_ticks++;
	OsTickHandler();
}

static UINT32 timer_init(HWI_PROC_FUNC handler)
{
	(void)handler; /* OsTickHandler */
	return LOS_OK;
}

static UINT64 timer_now(UINT32 *period)
{
	(void)period;
	return rtb_liteos_ticks;
}

/* The next tick comes by itself, and so does the one after it. */
static UINT64 timer_due_in(UINT64 ticks)
{
	return ticks;
}

static VOID timer_ignore(VOID)
{
}

ArchTickTimer *ArchSysTickTimerGet(VOID)
{
	static ArchTickTimer timer = {
		.freq = LOSCFG_BASE_CORE_TICK_PER_SECOND,
		.irqNum = 15 - 16,
		.periodMax = LOSCFG_BASE_CORE_TICK_RESPONSE_MAX,
		.init = timer_init,
		.getCycle = timer_now,
		.reload = timer_due_in,
		.lock = timer_ignore,
		.unlock = timer_ignore,
	};
	return &timer;
}

UINT32 ArchEnterSleep(VOID)
{
	return LOS_OK;
}

/* ---- beginning and end ---- */

VOID ArchInit(VOID)
{
	SCB_SHPR3 = LEAST_URGENT << 16 | LEAST_URGENT << 24;
}

UINT32 ArchStartSchedule(VOID)
{
	(void)ArchIntLock();
	OsSchedStart();
	SYST_RVR = BOARD_HCLK / RTB_TICK_HZ - 1;
	SYST_CVR = 0;
	SYST_CSR = 7;
	first_task();
}

VOID ArchSysExit(VOID)
{
	rtb_panic((uint32_t)__builtin_return_address(0));
}
