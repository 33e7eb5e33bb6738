/* ftdi_spec.h - what needs no chip of an FTDI device: its name, its packets, its divisors. */
#ifndef RTB_ADAPTER_FTDI_SPEC_H
#define RTB_ADAPTER_FTDI_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct rtb_ftdi_spec {
	unsigned vid, pid;  /* 0: any of the FTDI chips that carry a UART */
	char serial[64];    /* "": any */
	unsigned interface; /* 1 (A) to 4 (D) */
};

/* "SERIAL[/A..D]" or "VID:PID[/A..D]". */
bool rtb_ftdi_parse(const char *where, struct rtb_ftdi_spec *out);

/* Line status that a chip puts into the second byte of each packet (as a 16550's LSR; FTDI
 * AN232B-04 describes the two bytes). */
enum { RTB_FTDI_OVERRUN = 0x02, RTB_FTDI_FRAMING = 0x08, RTB_FTDI_BREAK = 0x10 };

/* Takes the two status bytes off each packet of what one bulk transfer brought, in place.
 * Returns the bytes that remain; *errors gathers the line status bits. */
size_t rtb_ftdi_strip(unsigned char *buf, size_t n, size_t packet, unsigned *errors);

/* The rate nearest to baud that a divisor in eighths gives; high_speed: the H chips, 120 MHz / 10
 * instead of 48 MHz / 16. 0 when baud is beyond what the chip can do. */
double rtb_ftdi_rate(unsigned baud, bool high_speed);

/* What a negative result of ftdi_usb_open_bus_addr means: RTB_LINK_BUSY (the interface cannot be claimed, or
 * the configuration not be set, because it is in use), _DENIED, or _ABSENT for everything else. libftdi1
 * keeps libusb's own code to itself. */
enum rtb_status rtb_ftdi_open_status(int result);

#endif
