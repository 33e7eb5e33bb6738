/* mini_switch.c - the context switch. Tasks run on PSP; a task that does not run has r4-r11 on
 * its stack below the exception frame, and its sp points there. */
#include "mini_internal.h"

_Static_assert(offsetof(struct mini_task, sp) == 0, "used by the handlers below");
_Static_assert(offsetof(struct mini_kernel, current) == 0, "used by the handlers below");
_Static_assert(offsetof(struct mini_kernel, next) == 4, "used by the handlers below");

/* First task. The main stack begins anew at what the vector table says: nothing returns to
 * what called mini_start(). */
__attribute__((naked)) void mini_svc_handler(void)
{
	__asm volatile(
		"ldr   r1, =0xE000ED08\n\t" /* VTOR */
		"ldr   r1, [r1]\n\t"
		"ldr   r1, [r1]\n\t"
		"msr   msp, r1\n\t"
		"bl    mini_first_task\n\t"
		"ldmia r0!, {r4-r11}\n\t"
		"msr   psp, r0\n\t"
		"mvn   lr, #2\n\t" /* EXC_RETURN: thread mode, PSP */
		"bx    lr\n\t"
		".ltorg");
}

/* current = next must be one step to handlers above PendSV: one that came between the two
 * accesses would compare its choice with a task that is leaving. */
__attribute__((naked)) void mini_pendsv_handler(void)
{
	__asm volatile(
		"mrs   r0, psp\n\t"
		"stmdb r0!, {r4-r11}\n\t"
		"ldr   r3, =mini\n\t"
		"ldr   r1, [r3]\n\t"
		"str   r0, [r1]\n\t"
		"cpsid i\n\t"
#if MINI_DEBUG
		"push  {r3, lr}\n\t"
		"bl    mini_debug_switch\n\t"
		"pop   {r3, lr}\n\t"
#endif
		"ldr   r1, [r3, #4]\n\t"
		"str   r1, [r3]\n\t"
		"cpsie i\n\t"
		"ldr   r0, [r1]\n\t"
		"ldmia r0!, {r4-r11}\n\t"
		"msr   psp, r0\n\t"
		"bx    lr\n\t"
		".ltorg");
}
