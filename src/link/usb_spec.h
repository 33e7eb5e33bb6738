/* usb_spec.h - how a serial port is named by its identity. */
#ifndef RTB_LINK_USB_SPEC_H
#define RTB_LINK_USB_SPEC_H

#include <stdbool.h>

struct rtb_usb_spec {
	unsigned vid, pid; /* 0: by serial */
	char serial[64];
	int interface;     /* -1: any */
};

/* "SERIAL", "SERIAL:IF" (decimal) or "VID:PID" (four hex digits each). */
bool rtb_usb_spec_parse(const char *where, struct rtb_usb_spec *out);
/* serial may be NULL. */
bool rtb_usb_spec_matches(const struct rtb_usb_spec *s, int vid, int pid, const char *serial, int interface);

#endif
