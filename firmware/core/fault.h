/* fault.h - the end of a run that went wrong. */
#ifndef RTB_FAULT_H
#define RTB_FAULT_H

/* A kernel's or the bench's own assertion failed: says so in a fault frame (kind "assert",
 * pc the caller) and resets. */
void rtb_panic(void) __attribute__((noreturn));

#endif
