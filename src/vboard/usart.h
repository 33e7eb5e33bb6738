/* usart.h - USART1 (USART0 in GigaDevice's naming; RM0008 section 27) with its wire.
 *
 * A character lasts as long as BRR says, on the time line. What the board sends leaves through
 * `sink` at the end of its stop bit; what it is to receive is queued with vb_usart_wire and
 * arrives one character time after another, whether the software is ready or not.
 */
#ifndef VB_USART_H
#define VB_USART_H

#include <stdbool.h>
#include <stdint.h>

#include "vboard/rcc.h"

#define VB_USART_WIRE 4096 /* characters under way to the board */

struct vb_usart {
	struct vb_machine *m;
	struct vb_rcc *rcc;
	struct vb_gate gate;
	uint32_t sr, brr, cr1, cr2, cr3, gtpr;
	uint16_t rdr, tdr, shift;
	bool tdr_full, shifting, tc_armed, rx_flags_armed;
	struct vb_event tx_done, rx_done;
	bool receiving;

	uint8_t wire[VB_USART_WIRE];
	unsigned wire_head, wire_len;

	uint32_t host_baud;  /* what the other end is set to; 0: whatever the board uses */
	void (*sink)(void *ctx, uint8_t byte); /* may be NULL */
	void *sink_ctx;

	uint64_t sent, received, overruns;
	uint64_t last_activity; /* cycle of the last character in either direction */
	uint64_t idle_polls;    /* reads of SR that found nothing since then */
};

void vb_usart_init(struct vb_usart *u, struct vb_machine *m, struct vb_rcc *rcc);
/* Puts bytes onto the wire towards the board; returns how many fitted. */
unsigned vb_usart_wire(struct vb_usart *u, const uint8_t *p, unsigned n);
unsigned vb_usart_wire_free(const struct vb_usart *u);
/* Whether a character is on its way out or in. */
bool vb_usart_busy(const struct vb_usart *u);

/* What a receiver set to rx_baud samples when a sender at tx_baud sends byte: the byte itself
 * while the two differ by no more than 4 %, else what the shifted sampling points see. */
uint8_t vb_usart_resample(uint8_t byte, double tx_baud, double rx_baud);

#endif
