/* stack.h - painted stacks and their high-water marks. No hardware but the main stack's. */
#ifndef RTB_STACK_H
#define RTB_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rtbench/port.h"

void stack_paint(uint32_t *stack, size_t bytes);
/* Bytes from the top down to the lowest word that no longer holds the paint; the lowest
 * `guard` words, which belong to the kernel, are passed over. */
size_t stack_used(const uint32_t *stack, size_t bytes, unsigned guard, uint32_t paint);
/* The lowest word of ours was overwritten: the stack was too small, or exactly full. */
bool stack_touched(const uint32_t *stack, unsigned guard, uint32_t paint);

/* Main stack, which serves the handlers. Leaves the calling function for good: paints the
 * whole stack, sets MSP to its top and jumps to fn. */
void stack_main_restart(void (*fn)(void)) __attribute__((noreturn));
/* Runs fn on the main stack with interrupts off, so that what it needs does not show in the
 * high-water mark of the calling task; from a handler just calls it. fn need not return. */
void stack_main_run(void (*fn)(void));
/* What was used below the present stack pointer counts no more. */
void stack_main_forget(void);
/* Greatest use of the main stack by handlers so far, whatever stack_main_run() used. */
size_t stack_main_used(void);
size_t stack_main_bytes(void);
bool stack_main_touched(void);

#endif
