/* ftdi.h - finds one channel of an FTDI chip and opens it through libftdi1. For the link that reads
 * the board's serial port from it and for the adapter that pulls its pins. */
#ifndef RTB_ADAPTER_FTDI_H
#define RTB_ADAPTER_FTDI_H

#include <ftdi.h>

#include "adapter/ftdi_spec.h"
#include "adapter/usb.h"
#include "base/status.h"

/* Found in sysfs, so that looking detaches nothing. A kernel driver bound to the channel is detached,
 * and attached again when the chip is closed. *device is filled as soon as one was found, also when
 * opening it fails. where is for messages. RTB_LINK_ABSENT, _BUSY, _DENIED; RTB_CONFIG when several
 * fit (they are listed). *out is NULL on failure; rtb_ftdi_close it. */
enum rtb_status rtb_ftdi_open(const struct rtb_ftdi_spec *s, const char *where, struct ftdi_context **out,
			      struct rtb_usb_device *device, struct rtb_error *e);
void rtb_ftdi_close(struct ftdi_context *f);
/* Whether both name the same channel, as far as their texts say. */
bool rtb_ftdi_same(const struct rtb_ftdi_spec *a, const struct rtb_ftdi_spec *b);

#endif
