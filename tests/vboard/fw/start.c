/* Start-up of the small programs: RAM, main, and one handler for everything. */
#include "fw.h"

extern uint32_t stack_top[], data_start[], data_end[], data_load[], bss_start[], bss_end[];

void reset_handler(void);
void any_handler(void);

void reset_handler(void)
{
	uint32_t *from = data_load;

	for (uint32_t *to = data_start; to < data_end; )
		*to++ = *from++;
	for (uint32_t *to = bss_start; to < bss_end; )
		*to++ = 0;
	leave(main() == 0 ? 0 : 1);
}

__attribute__((weak)) void irq_handler(unsigned exception)
{
	(void)exception;
	say("an exception that the program does not expect\n");
	leave(1);
}

void any_handler(void)
{
	unsigned ipsr;
	__asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
	irq_handler(ipsr);
}

#define FOUR any_handler, any_handler, any_handler, any_handler
#define SIXTEEN FOUR, FOUR, FOUR, FOUR

__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
	(void (*)(void))stack_top, reset_handler, any_handler, any_handler, FOUR, FOUR, FOUR,
	SIXTEEN, SIXTEEN, SIXTEEN, FOUR, FOUR, FOUR,
};
