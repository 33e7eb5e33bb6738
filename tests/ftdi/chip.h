/* chip.h - FTDI chips at the level of USB requests: umockdev hands over every call that libusb makes
 * on the device's node, and this answers as the chip does. The product's own libftdi1 and libusb run
 * unchanged on top. Claiming interfaces and detaching the kernel's driver umockdev answers itself, so
 * these two are not seen here. */
#ifndef CHIP_H
#define CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <umockdev.h>

enum chip_kind { CHIP_FT232R, CHIP_FT2232H };

struct chip;

/* Plugs a chip in, on bus 1 as device `number`, with that serial number. */
struct chip *chip_plug(UMockdevTestbed *bed, enum chip_kind kind, int number, const char *serial);
void chip_unplug(struct chip *c, UMockdevTestbed *bed);
void chip_free(struct chip *c);

/* Bytes that the chip has received on its serial line. */
void chip_receive(struct chip *c, const void *p, size_t n);
/* Bytes that it was told to send, over all channels; NUL behind them. */
const char *chip_sent(struct chip *c);
/* Every request so far, a line each: "SET_BAUDRATE value 001a index 0000", "bulk out 02: 08". */
const char *chip_requests(struct chip *c);
void chip_forget_requests(struct chip *c);
bool chip_asked(struct chip *c, const char *request);
/* Joins the serial line to a socket, which stays the caller's: what the chip sends goes into it, and what
 * comes out of it the chip receives. */
void chip_wire(struct chip *c, int fd);
/* From now on every transfer fails as on a chip that was pulled out. */
void chip_pull(struct chip *c);

#endif
