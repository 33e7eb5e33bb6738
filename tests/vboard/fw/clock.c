/* The clock tree as software sees it: 108 MHz, and a timer that agrees with the cycle counter. */
#include "fw.h"

int main(void)
{
	clock_108();
	cycle_counter_on();
	RCC_APB1ENR = 1;
	REG(0x40000028) = 107;  /* PSC: TIM2 runs at 108 MHz (54 doubled): one count a microsecond */
	REG(0x40000014) = 1;
	REG(0x40000000) = 1;

	uint32_t t0 = REG(0x40000024), c0 = DWT_CYCCNT;
	while (REG(0x40000024) - t0 < 1000)
		;
	uint32_t cycles = DWT_CYCCNT - c0;
	CHECK(cycles > 107800 && cycles < 108300);

	RCC_CFGR &= ~3u; /* back to 8 MHz, the timer now at 8 MHz too */
	t0 = REG(0x40000024);
	c0 = DWT_CYCCNT;
	while (REG(0x40000024) - t0 < 100)
		;
	cycles = DWT_CYCCNT - c0;
	CHECK(cycles > 10600 && cycles < 11000);
	return 0;
}
