/* fault.h - the end of a run that went wrong. */
#ifndef RTB_FAULT_H
#define RTB_FAULT_H

#include <stdint.h>

/* A kernel's or the bench's own assertion failed at pc: says so in a fault frame (kind
 * "assert") and resets. */
void rtb_panic(uint32_t pc) __attribute__((noreturn));

#endif
