/* tidy.h - keeps the work directory from growing for ever. */
#ifndef RTB_SWEEP_TIDY_H
#define RTB_SWEEP_TIDY_H

#include <stddef.h>
#include <stdint.h>

/* Removes images under work/cells that no sweep has asked for, and logs under work/logs that
 * none has written, in so many days before wall_ns (Unix time); 0 days: nothing. What is not
 * ours, or being built, stays. Returns how many directories went. */
size_t rtb_tidy(const char *work, unsigned days, uint64_t wall_ns);

#endif
