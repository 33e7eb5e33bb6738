/* fault.c - faults, and interrupts that nobody expects: say so, reset. */
#include "core/fault.h"
#include "core/boot.h"
#include "core/report.h"
#include "core/vectors.h"

extern const uint32_t rtb_ram_start[], rtb_ram_end[]; /* linker script */

static const char *const kind_word[] = {
	[2] = "nmi", [3] = "hard", [4] = "memory", [5] = "bus", [6] = "usage",
};

/* The exception frame, unless the stack pointer has left RAM. */
static struct rtb_fault stacked(const uint32_t *frame)
{
	if (frame < rtb_ram_start || frame + 8 > rtb_ram_end)
		return (struct rtb_fault){ 0 };
	return (struct rtb_fault){ .lr = frame[5], .pc = frame[6], .xpsr = frame[7] };
}

__attribute__((used, noreturn)) static void fault_report(const uint32_t *frame)
{
	uint32_t number = armv7m_exception();
	bool known = number < sizeof(kind_word) / sizeof(kind_word[0]) && kind_word[number];
	struct rtb_fault fault = stacked(frame);
	report_fault(known ? kind_word[number] : "unexpected", &fault);
	boot_again();
}

/* Takes a fresh main stack, for the old one may be what is wrong. */
__attribute__((naked)) void rtb_fault_handler(void)
{
	__asm volatile(
		"cpsid i\n\t"
		"tst   lr, #4\n\t"
		"ite   eq\n\t"
		"mrseq r0, msp\n\t"
		"mrsne r0, psp\n\t"
		"ldr   r1, =rtb_main_stack_top\n\t"
		"msr   msp, r1\n\t"
		"b     fault_report\n\t"
		".ltorg");
}

void rtb_panic(uint32_t pc)
{
	struct rtb_fault fault = { .pc = pc & ~1u };
	armv7m_irq_save();
	report_fault("assert", &fault);
	boot_again();
}
