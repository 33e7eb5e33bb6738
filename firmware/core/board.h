/* board.h - what a board gives the bench. Each targets/<board>/ has a board_impl.h (constants
 * and what must be inline) and the sources that implement the rest.
 *
 * board_impl.h defines
 *   BOARD_NAME, BOARD_CLOCK_SOURCE   strings for hello
 *   BOARD_HCLK                       core clock in Hz, as set up by board_init()
 *   BOARD_IRQ_COUNT                  external interrupt lines in the vector table
 *   BOARD_SOFT_IRQ                   a line that only software pends
 *   BOARD_EVENT_IRQ                  the event timer's line
 *   BOARD_TIMER_SHIFT                the time source counts every 2^shift core cycles
 *   board_event_count(), board_event_ack(), BOARD_EVENT_COUNT_ADDR
 */
#ifndef RTB_BOARD_H
#define RTB_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/armv7m.h"
#include "board_impl.h"

/* Clock tree, pins, UART and time source; interrupts stay off. Called once, first. */
void board_init(void);

/* UART, polled. board_put waits for room and meanwhile keeps what arrives (so that a command
 * sent during a `ready` is not lost); board_drain waits until the last stop bit is out. */
void board_put(uint8_t byte);
bool board_try_put(uint8_t byte); /* false: no room yet */
int board_get(void);              /* next received byte, -1 when there is none */
void board_drain(void);

/* Second time source: 16 bits, BOARD_HCLK >> BOARD_TIMER_SHIFT a second, free running and
 * independent of the core's debug block. board_timer_reset() starts it again from 0. */
uint32_t board_timer_now(void);
void board_timer_reset(void);

/* Event timer: an interrupt at BOARD_EVENT_IRQ each time its count wraps to 0, first `cycles`
 * after the call. cycles is 2..65536, or beyond that a multiple of (cycles - 1) / 65536 + 1.
 * Up to 65536 it counts core cycles from 0 at the event, which is how a handler knows how
 * late it is. Starting it again begins a new period. */
void board_event_start(uint32_t cycles);
void board_event_stop(void);

/* Why the board reset: a "+"-separated list of power pin software watchdog. Valid after
 * board_init(), which clears the chip's flags. */
const char *board_reset_cause(void);
bool board_reset_was_power(void);

/* Registers that hello shows as read: calls each(name, value). */
void board_registers(void (*each)(const char *name, uint32_t value));

/* Does not return. */
void board_reset(void) __attribute__((noreturn));

/* GNU build-id of the image, 20 bytes. */
const uint8_t *board_build_id(void);

/* Memory, from the linker script. The arena is all RAM between .bss and the main stack. */
extern uint32_t rtb_arena_start[], rtb_arena_end[];
extern uint32_t rtb_main_stack_low[], rtb_main_stack_top[];

/* The default vector table; see vectors.h for a case's own. */
typedef void (*rtb_vector)(void);
extern const rtb_vector rtb_vectors[16 + BOARD_IRQ_COUNT];

#endif
