# GD32F103CBT6: what the firmware build needs to know of the board.
BOARD_CPU  := cortex-m3
BOARD_SRCS := startup.c clock.c uart.c board.c
BOARD_BAUD := 921600
