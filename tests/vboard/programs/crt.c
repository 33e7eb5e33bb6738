/* crt.c - the little that a program needs: an image header for lockstep.c (stack, entry, end),
 * data and bss, main, and an end to stand at with main's checksum in r0. */
#include <stdint.h>

extern uint32_t data_from[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
int main(void);
void prepare(void);
void start(void);
extern const char done[];

__attribute__((section(".header"), used)) const void *const header[4] = {
	stack_top, (const void *)start, done, 0,
};

__attribute__((used)) void prepare(void)
{
	const uint32_t *from = data_from;
	for (uint32_t *p = data_start; p < data_end;)
		*p++ = *from++;
	for (uint32_t *p = bss_start; p < bss_end;)
		*p++ = 0;
}

__attribute__((naked, noreturn)) void start(void)
{
	__asm volatile("bl prepare\n\tbl main\n\t.global done\n\t.thumb_func\ndone:\n\tb ."
		       : : : "memory");
}
