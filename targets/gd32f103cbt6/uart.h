/* uart.h - the bench's serial line, within this board. */
#ifndef BOARD_UART_H
#define BOARD_UART_H

/* USART0, PA9 out and PA10 in, RTB_BAUD 8N1, polled. */
void uart_init(void);

#endif
