#include "adapter/ftdi_spec.h"

#include <stdio.h>
#include <string.h>

bool rtb_ftdi_parse(const char *where, struct rtb_ftdi_spec *out)
{
	*out = (struct rtb_ftdi_spec){.interface = 1};
	const char *slash = strchr(where, '/');
	size_t n = slash ? (size_t)(slash - where) : strlen(where);
	if (slash) {
		if (slash[1] < 'A' || slash[1] > 'D' || slash[2])
			return false;
		out->interface = (unsigned)(slash[1] - 'A') + 1;
	}
	if (n == 0 || n >= sizeof out->serial)
		return false;
	memcpy(out->serial, where, n);
	if (!strchr(out->serial, ':'))
		return true;
	int used = 0;
	bool ok = sscanf(out->serial, "%4x:%4x%n", &out->vid, &out->pid, &used) == 2 && (size_t)used == n;
	out->serial[0] = '\0';
	return ok && out->vid && out->pid;
}

size_t rtb_ftdi_strip(unsigned char *buf, size_t n, size_t packet, unsigned *errors)
{
	size_t out = 0;
	for (size_t at = 0; at + 2 <= n; at += packet) {
		size_t len = n - at < packet ? n - at : packet;
		*errors |= buf[at + 1] & (RTB_FTDI_OVERRUN | RTB_FTDI_FRAMING | RTB_FTDI_BREAK);
		memmove(buf + out, buf + at + 2, len - 2);
		out += len - 2;
	}
	return out;
}

double rtb_ftdi_rate(unsigned baud, bool high_speed)
{
	double clock = high_speed ? 12e6 : 3e6;
	if (baud < 300 || baud > clock)
		return 0;
	unsigned eighths = (unsigned)(clock * 8 / baud + 0.5);
	/* Between a divisor of 1 and 2 there is 1.5 alone. */
	if (eighths < 16)
		eighths = eighths < 10 ? 8 : eighths < 14 ? 12 : 16;
	return clock * 8 / eighths;
}

enum rtb_status rtb_ftdi_open_status(int result)
{
	switch (result) {
	case -3: /* "unable to set usb configuration" */
	case -5: /* "unable to claim usb device" */
		return RTB_LINK_BUSY;
	case -8: /* "inappropriate permissions on device" */
		return RTB_LINK_DENIED;
	default:
		return RTB_LINK_ABSENT;
	}
}
