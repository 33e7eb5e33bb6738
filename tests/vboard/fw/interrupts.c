/* Device interrupts through the NVIC: EXTI by software, TIM2 by compare, USART by TXE. */
#include "fw.h"

static volatile unsigned exti, tim, usart;

void irq_handler(unsigned exception)
{
	switch (exception) {
	case 16 + 6:
		REG(0x40010414) = 1;
		exti++;
		break;
	case 16 + 28:
		REG(0x40000010) = 0;
		tim++;
		break;
	case 16 + 37:
		if (usart < 3)
			USART_DR = 'a' + usart;
		else
			USART_CR1 &= ~0x80u;
		usart++;
		break;
	default:
		say("an exception that the program does not expect\n");
		leave(1);
	}
}

int main(void)
{
	NVIC_ISER(6) = 1u << 6;
	NVIC_ISER(28) = 1u << 28;
	NVIC_ISER(37) = 1u << 5;

	REG(0x40010400) = 1;
	for (unsigned i = 0; i < 5; i++) {
		REG(0x40010410) = 1;
		__asm__ volatile("dsb; isb");
		CHECK(exti == i + 1);
	}

	RCC_APB1ENR = 1;
	REG(0x4000002C) = 999;  /* ARR */
	REG(0x40000034) = 500;  /* CCR1 */
	REG(0x4000000C) = 2;    /* CC1IE */
	REG(0x40000000) = 1;
	while (tim < 3)
		__asm__ volatile("wfi");
	CHECK(REG(0x40000024) >= 500);
	REG(0x40000000) = 0;

	RCC_APB2ENR = 1u << 14;
	USART_BRR = 69;
	USART_CR1 = 0x2088;
	while (!(USART_SR & 0x40) || usart < 4)
		;
	CHECK(usart == 4);
	return 0;
}
