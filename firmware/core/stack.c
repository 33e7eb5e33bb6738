/* stack.c - painted stacks and their high-water marks. See stack.h. */
#include "core/stack.h"
#include "core/board.h"

#define PAINT 0xA5A5A5A5u /* in stack_main_restart() too */

static size_t main_used;
static bool main_touched;

void stack_paint(uint32_t *stack, size_t bytes)
{
	for (size_t i = 0; i < bytes / 4; i++)
		stack[i] = PAINT;
}

size_t stack_used(const uint32_t *stack, size_t bytes, unsigned guard, uint32_t paint)
{
	size_t i = guard;
	while (i < bytes / 4 && stack[i] == paint)
		i++;
	return bytes - i * 4;
}

bool stack_touched(const uint32_t *stack, unsigned guard, uint32_t paint)
{
	return stack[guard] != paint;
}

__attribute__((naked)) void stack_main_restart(void (*fn)(void) __attribute__((unused)))
{
	__asm volatile(
		"ldr   r1, =rtb_main_stack_low\n\t"
		"ldr   r2, =rtb_main_stack_top\n\t"
		"ldr   r3, =0xA5A5A5A5\n"
		"1:\n\t"
		"str   r3, [r1], #4\n\t"
		"cmp   r1, r2\n\t"
		"blo   1b\n\t"
		"msr   msp, r2\n\t"
		"bx    r0\n\t"
		".ltorg");
}

/* Thread mode may use either stack pointer; CONTROL says which. Interrupts are off while a
 * task stands on the main stack, so no handler sees it there. r4 and r5 survive fn. */
__attribute__((naked)) static void run_on_main(void (*fn)(void) __attribute__((unused)))
{
	__asm volatile(
		"push  {r4, r5, r6, lr}\n\t"
		"mrs   r4, primask\n\t"
		"cpsid i\n\t"
		"mrs   r5, control\n\t"
		"movs  r1, #0\n\t"
		"msr   control, r1\n\t"
		"isb\n\t"
		"blx   r0\n\t"
		"msr   control, r5\n\t"
		"isb\n\t"
		"msr   primask, r4\n\t"
		"pop   {r4, r5, r6, pc}");
}

static void main_note(void)
{
	size_t bytes = stack_main_bytes();
	size_t used = stack_used(rtb_main_stack_low, bytes, 0, PAINT);
	if (used > main_used)
		main_used = used;
	if (stack_touched(rtb_main_stack_low, 0, PAINT))
		main_touched = true;
}

/* Nothing may live below the main stack pointer while this writes there, a frame of its own
 * included: hence inline, with interrupts off. */
RTB_INLINE void main_repaint(void)
{
	uint32_t primask = armv7m_irq_save();
	uint32_t *msp;
	__asm volatile("mrs %0, msp" : "=r"(msp));
	for (uint32_t *p = rtb_main_stack_low; p < msp; p++)
		*p = PAINT;
	armv7m_irq_restore(primask);
}

void stack_main_forget(void)
{
	main_repaint();
}

void stack_main_run(void (*fn)(void))
{
	main_note();
	if (armv7m_exception() != 0)
		fn();
	else
		run_on_main(fn);
	main_repaint();
}

size_t stack_main_used(void)
{
	return main_used;
}

size_t stack_main_bytes(void)
{
	return (size_t)((const uint8_t *)rtb_main_stack_top - (const uint8_t *)rtb_main_stack_low);
}

bool stack_main_touched(void)
{
	return main_touched;
}
