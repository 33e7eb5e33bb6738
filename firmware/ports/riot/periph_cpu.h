/* periph_cpu.h - what RIOT's drivers want to know of the chip's peripherals: nothing, since the
 * bench uses none of them. Headers of the core ask for the file all the same. */
