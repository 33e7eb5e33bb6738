/* board_impl.h - GD32F103CBT6: Cortex-M3 at 108 MHz, 128 KB flash, 20 KB SRAM. */
#ifndef BOARD_IMPL_H
#define BOARD_IMPL_H

#include "gd32f103.h"

#define BOARD_NAME "gd32f103cbt6"
#define BOARD_HCLK 108000000u
#define BOARD_CLOCK_SOURCE "irc8m/2*27"
#define BOARD_IRQ_COUNT 43 /* user manual, interrupt table of the medium-density parts */

/* EXTI0's line; EXTI itself is never set up, so only NVIC_STIR pends it. */
#define BOARD_SOFT_IRQ 6
#define BOARD_EVENT_IRQ TIM3_IRQ

/* TIM2 at HCLK / 64: 0.59 us a step and 38.8 ms until 16 bits wrap, which every case reads
 * often enough. The APB1 prescaler is 2, so the timers' clock is twice PCLK1, that is HCLK. */
#define BOARD_TIMER_SHIFT 6

#define BOARD_EVENT_COUNT_ADDR 0x40000424 /* TIM3 CNT; no suffix, assembler reads it too */
_Static_assert(BOARD_EVENT_COUNT_ADDR == TIM3_BASE + 0x24, "TIM3 CNT");

RTB_INLINE uint32_t board_event_count(void)
{
	return TIM_CNT(TIM3_BASE);
}

/* Clears the event and waits until the write has reached the timer, else the handler that
 * returns at once would be entered again. */
RTB_INLINE void board_event_ack(void)
{
	TIM_SR(TIM3_BASE) = ~TIM_SR_UIF;
	(void)TIM_SR(TIM3_BASE);
}

#endif
