/* vectors.h - the vector table, and tables of a case's own.
 *
 * A case that takes an interrupt brings a whole table in flash, so that its handler is what
 * the core fetches: no dispatcher stands between the event and the handler, and no table in
 * RAM makes the vector fetch wait for the stacking. The kernel's three handlers are named by
 * the port (port.mk).
 */
#ifndef RTB_VECTORS_H
#define RTB_VECTORS_H

#include "core/board.h"

void rtb_reset_handler(void);
void rtb_fault_handler(void); /* every fault, NMI and unexpected interrupt */
void RTB_VECTOR_SVC(void);
void RTB_VECTOR_PENDSV(void);
void RTB_VECTOR_SYSTICK(void);

/* Defines a table with `handler` on external line `line`, everything else as in the default.
 * The alignment is the table's size rounded up to a power of two (DDI 0403E B3.2.5). */
#define RTB_VECTOR_TABLE(table, line, handler) \
	__attribute__((aligned(256))) const rtb_vector table[16 + BOARD_IRQ_COUNT] = { \
		[0] = (rtb_vector)(uintptr_t)rtb_main_stack_top, \
		[1] = rtb_reset_handler, \
		[2 ... 10] = rtb_fault_handler, \
		[11] = RTB_VECTOR_SVC, \
		[12 ... 13] = rtb_fault_handler, \
		[14] = RTB_VECTOR_PENDSV, \
		[15] = RTB_VECTOR_SYSTICK, \
		[16 ... 16 + (line) - 1] = rtb_fault_handler, \
		[16 + (line)] = (handler), \
		[16 + (line) + 1 ... 16 + BOARD_IRQ_COUNT - 1] = rtb_fault_handler, \
	}
_Static_assert(sizeof(rtb_vector[16 + BOARD_IRQ_COUNT]) <= 256, "alignment of vector tables");

#endif
