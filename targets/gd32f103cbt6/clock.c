/* clock.c - 108 MHz from the internal oscillator.
 *
 * IRC8M / 2 x 27 = 108 MHz; AHB / 1, APB2 / 1 (USART0 at 108 MHz), APB1 / 2 (54 MHz, its limit;
 * the timers on it run at twice that). Flash needs no wait states on this chip, see FLASH_ACR
 * in gd32f103.h, and its register is left as reset has set it, to be reported as read.
 */
#include "clock.h"
#include "gd32f103.h"

void clock_init(void)
{
	RCC_CR |= RCC_CR_HSION;
	while (!(RCC_CR & RCC_CR_HSIRDY))
		;
	/* A PLL that never locks leaves nothing to measure and no baud rate to say so at: the
	 * host sees a board that does not answer. */
	RCC_CFGR = RCC_CFGR_PPRE1_DIV2 | RCC_CFGR_PLLMUL(27); /* PLL source 0: IRC8M / 2 */
	RCC_CR |= RCC_CR_PLLON;
	while (!(RCC_CR & RCC_CR_PLLRDY))
		;
	RCC_CFGR |= RCC_CFGR_SW_PLL;
	while ((RCC_CFGR & RCC_CFGR_SWS_MASK) != RCC_CFGR_SWS_PLL)
		;
}
