/* link.h - a byte link to a board. One interface, several kinds behind it:
 *   serial:/dev/...   a real port, through libserialport (by-id links are resolved first)
 *   usb:SERIAL[:IF]   a real port by its serial number and interface, or usb:VID:PID
 *   pty:PATH          a pseudo-terminal, opened plainly (libserialport refuses them)
 *   unix:PATH         a Unix stream socket
 *   tcp://HOST:PORT   a TCP socket (a serial server on the network)
 *   ftdi://SERIAL[/IF] an FTDI chip without a kernel driver, through libftdi1; IF is A to D;
 *   ftdi://VID:PID[/IF] the same where no other of the kind is plugged in
 *   file:PATH         bytes from a file, for replays; writes are thrown away
 * A bare path is guessed: /dev/pts/N is a pty, a socket file is unix:, else serial:.
 */
#ifndef RTB_LINK_LINK_H
#define RTB_LINK_LINK_H

#include <stddef.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/status.h"

struct rtb_link;

struct rtb_link_options {
	const char *spec;
	unsigned baud;          /* serial only: a pty has no line behind it */
	int dtr, rts;           /* line levels 0/1, -1: leave; serial only */
	unsigned open_wait_ms;  /* how long to retry a busy or not yet existing port */
	const char *usb_vid_pid;/* "1a86:7523" must match what was opened; NULL: any; serial, usb and ftdi only */
	const char *usb_serial; /* likewise */
	const struct rtb_clock *clock;
	const rtb_flag *cancel; /* ends the retries; may be NULL */
};

/* RTB_LINK_ABSENT, _BUSY (names the holder where the system tells), _DENIED, RTB_CONFIG for a
 * spec that cannot be, RTB_INTERRUPTED. A stable name (/dev/serial/by-id/...) is resolved anew
 * on every try, just before the open. On failure *out is NULL. */
enum rtb_status rtb_link_open(const struct rtb_link_options *o, struct rtb_link **out, struct rtb_error *e);
void rtb_link_close(struct rtb_link *l);
/* Reads what is there, waiting at most timeout_ms for the first byte. *got = 0 with RTB_OK:
 * nothing came in time, or a signal was caught. RTB_LINK_LOST: the other side is gone (never
 * confused with quiet); at the end of a file too. *got is 0 on failure. */
enum rtb_status rtb_link_read(struct rtb_link *l, void *buf, size_t cap, int timeout_ms, size_t *got,
			      struct rtb_error *e);
/* Writes all of it or fails with RTB_LINK_LOST: gone, or not taken within timeout_ms. Never
 * raises SIGPIPE. */
enum rtb_status rtb_link_write(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
			       struct rtb_error *e);
/* Throws away what comes until quiet_ms pass without a byte, at most limit_ms in all; *dropped
 * counts bytes. */
enum rtb_status rtb_link_drain(struct rtb_link *l, int quiet_ms, int limit_ms, size_t *dropped,
			       struct rtb_error *e);
/* What was really opened, for provenance ("/dev/ttyUSB0 via /dev/serial/by-id/..."). Borrowed. */
const char *rtb_link_name(const struct rtb_link *l);
/* The FTDI latency timer as read back after asking for 1 ms; -1 where the device has none. */
int rtb_link_latency_ms(const struct rtb_link *l);

#endif
