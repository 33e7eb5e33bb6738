/* link_serial.c - a real port, through libserialport.
 *
 * libserialport knows ports by the names in /sys/class/tty alone, so a stable name such as
 * /dev/serial/by-id/... is resolved first, on every try: the number behind it changes with each
 * replug. After a hang-up its reading calls return 0 as if it were quiet, and its waiting calls
 * return at once, so waiting is poll()'s and a read of 0 asks sp_input_waiting whether the
 * device is still there.
 */
#include <errno.h>
#include <libserialport.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "link/latency.h"
#include "link/link_ops.h"

enum { MAX_LINKS = 8 };

/* errno of the call that has just failed, and nothing else's. */
static int sp_errno(enum sp_return r)
{
	return r == SP_ERR_FAIL ? sp_last_error_code() : r == SP_ERR_SUPP ? ENOTSUP : EINVAL;
}

static enum rtb_status serial_read(struct rtb_link *l, void *buf, size_t cap, int timeout_ms, size_t *got,
				   struct rtb_error *e)
{
	struct sp_port *port = l->ctx;
	int events = rtb_link_poll(l->fd, POLLIN, timeout_ms);
	if (events == 0)
		return RTB_OK;
	enum sp_return n = sp_nonblocking_read(port, buf, cap);
	if (n > 0) {
		*got = (size_t)n;
		return RTB_OK;
	}
	if (n < 0)
		return rtb_fail(e, RTB_LINK_LOST, "%s: %s", l->name, strerror(sp_errno(n)));
	if ((events & (POLLHUP | POLLERR | POLLNVAL)) || sp_input_waiting(port) < 0)
		return rtb_fail(e, RTB_LINK_LOST, "%s: the device went away", l->name);
	return RTB_OK;
}

static enum rtb_status serial_write(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
				    struct rtb_error *e)
{
	const char *p = buf;
	size_t left = n;
	uint64_t deadline = rtb_deadline_ms(l->clock, (uint64_t)timeout_ms);
	while (left) {
		enum sp_return k = sp_nonblocking_write(l->ctx, p, left);
		if (k < 0)
			return rtb_fail(e, RTB_LINK_LOST, "%s: %s", l->name, strerror(sp_errno(k)));
		p += k;
		left -= (size_t)k;
		int ms = rtb_ms_left(l->clock, deadline);
		if (left && ms == 0)
			return rtb_fail(e, RTB_LINK_LOST, "%s: took only %zu of %zu bytes in %d ms", l->name,
					n - left, n, timeout_ms);
		if (left && rtb_link_poll(l->fd, POLLOUT, ms) & (POLLHUP | POLLERR | POLLNVAL))
			return rtb_fail(e, RTB_LINK_LOST, "%s: the device went away", l->name);
	}
	return RTB_OK;
}

static void serial_close(struct rtb_link *l)
{
	sp_close(l->ctx);
	sp_free_port(l->ctx);
	l->ctx = NULL;
	l->fd = -1;
}

static const struct rtb_link_ops serial_ops = {serial_read, serial_write, serial_close};

/* Same vendor, product and serial at another place on the bus: udev then has one by-id name for
 * two adapters, and which of them it names is chance. */
static bool is_twin(const struct sp_port *a, const struct sp_port *b)
{
	int vid[2], pid[2], bus[2], address[2];
	const char *sa = sp_get_port_usb_serial(a), *sb = sp_get_port_usb_serial(b);
	return sp_get_port_usb_vid_pid(a, &vid[0], &pid[0]) == SP_OK &&
	       sp_get_port_usb_vid_pid(b, &vid[1], &pid[1]) == SP_OK &&
	       sp_get_port_usb_bus_address(a, &bus[0], &address[0]) == SP_OK &&
	       sp_get_port_usb_bus_address(b, &bus[1], &address[1]) == SP_OK &&
	       vid[0] == vid[1] && pid[0] == pid[1] && strcmp(sa ? sa : "", sb ? sb : "") == 0 &&
	       (bus[0] != bus[1] || address[0] != address[1]);
}

static enum rtb_status no_twin(const struct sp_port *port, const char *where, struct rtb_error *e)
{
	struct sp_port **list;
	enum rtb_status s = RTB_OK;
	if (!strstr(where, "/by-id/") || sp_list_ports(&list) != SP_OK)
		return RTB_OK;
	for (size_t i = 0; list[i] && s == RTB_OK; i++)
		if (is_twin(port, list[i]))
			s = rtb_fail(e, RTB_CONFIG, "%s: %s and %s both answer to this name; use the one "
				     "under /dev/serial/by-path", where, sp_get_port_name(port),
				     sp_get_port_name(list[i]));
	sp_free_port_list(list);
	return s;
}

/* What is plugged in must be what the target says. */
static enum rtb_status right_device(const struct sp_port *port, const struct rtb_link_options *o,
				    const char *where, struct rtb_error *e)
{
	int vid, pid;
	char have[16] = "no USB device";
	if (sp_get_port_usb_vid_pid(port, &vid, &pid) == SP_OK)
		snprintf(have, sizeof have, "%04x:%04x", (unsigned)vid & 0xffff, (unsigned)pid & 0xffff);
	if (o->usb_vid_pid && strcasecmp(o->usb_vid_pid, have) != 0)
		return rtb_fail(e, RTB_LINK_ABSENT, "%s: is %s, not %s", where, have, o->usb_vid_pid);
	const char *serial = sp_get_port_usb_serial(port);
	if (o->usb_serial && strcmp(o->usb_serial, serial ? serial : "") != 0)
		return rtb_fail(e, RTB_LINK_ABSENT, "%s: has serial \"%s\", not \"%s\"", where,
				serial ? serial : "", o->usb_serial);
	return no_twin(port, where, e);
}

/* A missing modem line is worth a warning; a board that needs it for its reset will be silent. */
static void set_lines(struct sp_port *port, const struct rtb_link_options *o)
{
	if (o->dtr >= 0 && sp_set_dtr(port, o->dtr ? SP_DTR_ON : SP_DTR_OFF) != SP_OK)
		rtb_log(RTB_LOG_WARN, "link: %s: DTR cannot be set", sp_get_port_name(port));
	if (o->rts >= 0 && sp_set_rts(port, o->rts ? SP_RTS_ON : SP_RTS_OFF) != SP_OK)
		rtb_log(RTB_LOG_WARN, "link: %s: RTS cannot be set", sp_get_port_name(port));
}

/* Raw to the last bit: no flow control that a byte could stop, no marks for parity or break.
 * Hang-up on close is off, so that closing does not move DTR and reset a board wired to it. */
static enum rtb_status set_up(struct sp_port *port, int fd, const struct rtb_link_options *o,
			      const char *where, struct rtb_error *e)
{
	struct termios t;
	if (tcgetattr(fd, &t) != 0)
		return rtb_link_open_failed(where, errno, e);
	cfmakeraw(&t);
	t.c_iflag |= IGNBRK | IGNPAR;
	t.c_iflag &= ~(tcflag_t)(IXOFF | IXANY);
	t.c_cflag &= ~(tcflag_t)HUPCL;
	t.c_cflag |= CLOCAL | CREAD;
	t.c_cc[VMIN] = 0;
	t.c_cc[VTIME] = 0;
	if (tcsetattr(fd, TCSANOW, &t) != 0)
		return rtb_link_open_failed(where, errno, e);
	set_lines(port, o);
	enum sp_return r = sp_set_baudrate(port, (int)o->baud);
	if (r != SP_OK)
		return rtb_fail(e, RTB_CONFIG, "%s: baud rate %u is not possible: %s", where, o->baud,
				strerror(sp_errno(r)));
	if (sp_set_bits(port, 8) != SP_OK || sp_set_parity(port, SP_PARITY_NONE) != SP_OK ||
	    sp_set_stopbits(port, 1) != SP_OK || sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE) != SP_OK)
		return rtb_fail(e, RTB_CONFIG, "%s: cannot be set to 8N1 without flow control", where);
	return RTB_OK;
}

static enum rtb_status open_port(struct sp_port *port, const struct rtb_link_options *o, const char *where,
				 int *fd, struct rtb_error *e)
{
	enum rtb_status s = right_device(port, o, where, e);
	if (s != RTB_OK)
		return s;
	enum sp_return r = sp_open(port, SP_MODE_READ_WRITE);
	if (r != SP_OK)
		return rtb_link_open_failed(sp_get_port_name(port), sp_errno(r), e);
	if (sp_get_port_handle(port, fd) != SP_OK)
		s = rtb_fail(e, RTB_INTERNAL, "%s: no descriptor", where);
	if (s == RTB_OK)
		s = rtb_link_lock(*fd, sp_get_port_name(port), e);
	if (s == RTB_OK)
		s = set_up(port, *fd, o, where, e);
	if (s != RTB_OK)
		sp_close(port);
	return s;
}

/* path's directory made real, its last part left as it is. */
static bool in_real_directory(const char *path, char real[PATH_MAX])
{
	const char *base = strrchr(path, '/');
	char *dir = base ? rtb_sprintf("%.*s", (int)(base - path + 1), path) : rtb_strdup(".");
	bool ok = realpath(dir, real) != NULL;
	free(dir);
	if (ok && strlen(real) + strlen(path) + 2 > PATH_MAX) {
		errno = ENAMETOOLONG;
		ok = false;
	}
	if (ok)
		sprintf(real + strlen(real), "/%s", base ? base + 1 : path);
	return ok;
}

/* Follows a stable name link by link as far as a name of the kernel's tty class, beyond which
 * libserialport would not know it. False with errno when it leads nowhere. */
static bool resolve(const char *where, char real[PATH_MAX])
{
	char to[PATH_MAX];
	if (!in_real_directory(where, real))
		return false;
	for (int links = 0; links < MAX_LINKS; links++) {
		char *base = strrchr(real, '/') + 1;
		char *class = rtb_sprintf("/sys/class/tty/%s", base);
		bool known = access(class, F_OK) == 0;
		free(class);
		if (known)
			return access(real, F_OK) == 0;
		ssize_t n = readlink(real, to, sizeof to - 1);
		if (n < 0) /* EINVAL: a thing of its own, and no serial port */
			return errno == EINVAL;
		to[n] = '\0';
		*base = '\0';
		char *next = *to == '/' ? rtb_strdup(to) : rtb_sprintf("%s%s", real, to);
		bool ok = in_real_directory(next, real);
		free(next);
		if (!ok)
			return false;
	}
	errno = ELOOP;
	return false;
}

static enum rtb_status open_serial(struct rtb_link *l, const struct rtb_link_options *o, const char *where,
				   struct rtb_error *e)
{
	char real[PATH_MAX];
	struct sp_port *port;
	if (o->baud == 0 || o->baud > INT_MAX)
		return rtb_fail(e, RTB_CONFIG, "%s: a serial port needs a baud rate", where);
	if (!resolve(where, real))
		return rtb_link_open_failed(where, errno, e);
	if (sp_get_port_by_name(real, &port) != SP_OK)
		return rtb_fail(e, RTB_CONFIG, "%s: %s is no serial port of this system%s", where, real,
				strncmp(real, "/dev/pts/", 9) == 0 ? "; write pty:PATH" : "");
	int fd = -1;
	enum rtb_status s = open_port(port, o, where, &fd, e);
	if (s != RTB_OK) {
		sp_free_port(port);
		return s;
	}
	l->ctx = port;
	l->fd = fd;
	l->ops = &serial_ops;
	l->name = strcmp(real, where) == 0 ? rtb_strdup(real) : rtb_sprintf("%s via %s", real, where);
	l->latency_ms = rtb_latency_lower(real);
	return RTB_OK;
}

const struct rtb_link_kind rtb_link_serial = {"serial:", open_serial};
