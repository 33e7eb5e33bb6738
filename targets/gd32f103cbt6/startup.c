/* startup.c - vector table and the way from reset to main(). */
#include "core/board.h"
#include "core/vectors.h"

extern uint32_t rtb_data_load[], rtb_data_start[], rtb_data_end[], rtb_bss_start[], rtb_bss_end[];
int main(void);

__attribute__((section(".vectors"), used))
RTB_VECTOR_TABLE(rtb_vectors, 1, rtb_fault_handler);

/* Runs before .data and .bss are there, so it touches neither; a loop of its own rather than
 * memcpy, whose symbol a kernel's tree might bring. */
void rtb_reset_handler(void)
{
	volatile uint32_t *to = rtb_data_start;
	const uint32_t *from = rtb_data_load;
	while (to < rtb_data_end)
		*to++ = *from++;
	for (to = rtb_bss_start; to < rtb_bss_end; to++)
		*to = 0;
	main();
	for (;;)
		;
}
