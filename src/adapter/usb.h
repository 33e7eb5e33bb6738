/* usb.h - what hangs on the USB, read from sysfs without opening anything: opening, even
 * listing through a driver library, can detach the kernel's serial driver. */
#ifndef RTB_ADAPTER_USB_H
#define RTB_ADAPTER_USB_H

#include <stdbool.h>
#include <stddef.h>

enum rtb_usb_role { USB_OTHER, USB_PROBE, USB_SERIAL };

struct rtb_usb_device {
	char name[32];             /* bus-port path: "1-1.4" */
	unsigned vid, pid;
	char product[64], serial[64]; /* "" when the device has none; unprintable bytes as \xNN, an
				       * early ST-Link's raw serial as OpenOCD's 24 hex digits */
	char node[40];             /* /dev/bus/usb/BBB/DDD */
	bool writable;             /* this user may open it */
	enum rtb_usb_role role;
	const char *what;          /* "ST-Link V2", "CH340 serial", ... static */
};

/* Lists devices under sysfs_root ("/sys") in order of name; returns how many. *out is an array
 * to free(), NULL when there are none (or no USB at all, as in a container). */
size_t rtb_usb_list(const char *sysfs_root, struct rtb_usb_device **out);

#endif
