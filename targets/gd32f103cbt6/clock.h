/* clock.h - the clock tree, within this board. */
#ifndef BOARD_CLOCK_H
#define BOARD_CLOCK_H

/* From reset state to BOARD_HCLK. */
void clock_init(void);

#endif
