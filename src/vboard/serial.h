/* serial.h - the board's serial line between the USART and whoever has the other end open.
 *
 * With nobody there, what the board sends is lost, as on a bench. With a client that reads too
 * slowly the emulation waits for it (vb_serial_blocked); in real time, where it cannot wait,
 * characters are dropped and counted.
 */
#ifndef VB_SERIAL_H
#define VB_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "vboard/endpoint.h"
#include "vboard/faults.h"
#include "vboard/usart.h"

struct vb_serial {
	struct vb_endpoint ep;
	struct vb_usart *usart;   /* borrowed */
	struct vb_faults *faults; /* borrowed */
	struct rtb_buf out;
	bool realtime;
	uint64_t unheard, dropped;
};

/* Joins the line to the USART's sink; ep has been parsed and is opened by the caller. */
void vb_serial_init(struct vb_serial *s, struct vb_usart *usart, struct vb_faults *faults,
		    const struct vb_endpoint *ep, bool realtime);
void vb_serial_free(struct vb_serial *s);
/* Moves bytes both ways without waiting. */
void vb_serial_service(struct vb_serial *s);
/* The client must read first: do not run the core. */
bool vb_serial_blocked(const struct vb_serial *s);
unsigned vb_serial_poll(const struct vb_serial *s, struct pollfd *p);

#endif
