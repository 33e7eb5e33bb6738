/* uart.c - USART0 polled. 921600 baud divides 108 MHz to within 0.16 %; what IRC8M adds (1 %)
 * both ends bear. Received bytes wait in a small ring, filled whenever anyone waits to send. */
#include "core/board.h"
#include "uart.h"

#define RX_SIZE 64 /* the longest command fits */

static uint8_t rx_ring[RX_SIZE];
static uint8_t rx_head, rx_tail;

void uart_init(void)
{
	RCC_APB2ENR |= RCC_APB2ENR_IOPA | RCC_APB2ENR_USART1;
	GPIOA_ODR |= 1u << 10;                                        /* an open line reads idle */
	GPIOA_CRH = (GPIOA_CRH & ~0x00000FF0u) | 0x8u << 8 | 0xBu << 4; /* PA10 pull-up, PA9 AF */
	USART1_BRR = (BOARD_HCLK + RTB_BAUD / 2) / RTB_BAUD;
	USART1_CR1 = USART_CR1_UE | USART_CR1_TE | USART_CR1_RE;
}

static void poll_rx(void)
{
	if (!(USART1_SR & USART_SR_RXNE))
		return;
	uint8_t byte = (uint8_t)USART1_DR;
	uint8_t next = (uint8_t)((rx_head + 1) % RX_SIZE);
	if (next == rx_tail)
		return;
	rx_ring[rx_head] = byte;
	rx_head = next;
}

bool board_try_put(uint8_t byte)
{
	if (!(USART1_SR & USART_SR_TXE))
		return false;
	USART1_DR = byte;
	return true;
}

void board_put(uint8_t byte)
{
	while (!board_try_put(byte))
		poll_rx();
}

int board_get(void)
{
	poll_rx();
	if (rx_tail == rx_head)
		return -1;
	uint8_t byte = rx_ring[rx_tail];
	rx_tail = (uint8_t)((rx_tail + 1) % RX_SIZE);
	return byte;
}

void board_drain(void)
{
	while (!(USART1_SR & USART_SR_TC))
		poll_rx();
}
