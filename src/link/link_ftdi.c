/* link_ftdi.c - an FTDI chip's UART without the kernel's serial driver, through libftdi1.
 *
 * Reading goes to libusb directly: libftdi1 throws away the line status, which alone tells of lost bytes.
 */
#include <ftdi.h>
#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter/ftdi.h"
#include "base/buf.h"
#include "base/log.h"
#include "link/link_ops.h"

enum { READ_SIZE = 16384, LATENCY_MS = 1 };

struct ftdi_link {
	struct ftdi_context *ftdi;
	unsigned char buf[READ_SIZE];
	size_t at, end;      /* what of buf was not handed out yet */
	unsigned told;       /* line errors that were reported */
};

static void tell_errors(struct rtb_link *l, struct ftdi_link *f, unsigned errors)
{
	unsigned fresh = errors & ~f->told;
	f->told |= errors;
	if (fresh & RTB_FTDI_OVERRUN)
		rtb_log(RTB_LOG_WARN, "link: %s: the chip lost bytes (overrun)", l->name);
	if (fresh & RTB_FTDI_FRAMING)
		rtb_log(RTB_LOG_WARN, "link: %s: framing errors; is the baud rate right?", l->name);
}

static enum rtb_status fetch(struct rtb_link *l, int timeout_ms, struct rtb_error *e)
{
	struct ftdi_link *f = l->ctx;
	uint64_t deadline = rtb_deadline_ms(l->clock, (uint64_t)timeout_ms);
	for (;;) {
		int n = 0, left = rtb_ms_left(l->clock, deadline);
		/* libusb takes 0 for "wait for ever". */
		int r = libusb_bulk_transfer(f->ftdi->usb_dev, (unsigned char)f->ftdi->out_ep, f->buf, READ_SIZE,
					     &n, left > 0 ? (unsigned)left : 1);
		if (r < 0 && r != LIBUSB_ERROR_TIMEOUT && r != LIBUSB_ERROR_INTERRUPTED)
			return rtb_fail(e, RTB_LINK_LOST, "%s: port lost: %s", l->name,
					r == LIBUSB_ERROR_NO_DEVICE ? "the device was unplugged" : libusb_error_name(r));
		unsigned errors = 0;
		f->at = 0;
		f->end = rtb_ftdi_strip(f->buf, (size_t)n, f->ftdi->max_packet_size, &errors);
		tell_errors(l, f, errors);
		/* An idle chip sends its status alone each time the latency timer ends. */
		if (f->end || left <= 0 || r == LIBUSB_ERROR_INTERRUPTED)
			return RTB_OK;
	}
}

static enum rtb_status ftdi_link_read(struct rtb_link *l, void *buf, size_t cap, int timeout_ms, size_t *got,
				      struct rtb_error *e)
{
	struct ftdi_link *f = l->ctx;
	if (f->at == f->end) {
		enum rtb_status s = fetch(l, timeout_ms, e);
		if (s != RTB_OK)
			return s;
	}
	size_t n = f->end - f->at < cap ? f->end - f->at : cap;
	memcpy(buf, f->buf + f->at, n);
	f->at += n;
	*got = n;
	return RTB_OK;
}

static enum rtb_status ftdi_link_write(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
				       struct rtb_error *e)
{
	struct ftdi_link *f = l->ctx;
	f->ftdi->usb_write_timeout = timeout_ms > 0 ? timeout_ms : 1;
	int r = ftdi_write_data(f->ftdi, buf, (int)n);
	if (r == (int)n)
		return RTB_OK;
	return rtb_fail(e, RTB_LINK_LOST, "%s: took %d of %zu bytes: %s", l->name, r < 0 ? 0 : r, n,
			ftdi_get_error_string(f->ftdi));
}

static void ftdi_link_close(struct rtb_link *l)
{
	struct ftdi_link *f = l->ctx;
	rtb_ftdi_close(f->ftdi);
	free(f);
	l->ctx = NULL;
}

static const struct rtb_link_ops ftdi_ops = {ftdi_link_read, ftdi_link_write, ftdi_link_close};

/* 8N1 at the wanted rate without flow control, UART mode, and status each millisecond. */
static enum rtb_status set_up(struct ftdi_context *c, const struct rtb_link_options *o, const char *where,
			      struct rtb_error *e)
{
	bool fast = c->type == TYPE_2232H || c->type == TYPE_4232H || c->type == TYPE_232H;
	double rate = rtb_ftdi_rate(o->baud, fast), off = rate ? (rate / o->baud - 1) * 100 : 0;
	if (rate == 0 || off > 3 || off < -3)
		return rtb_fail(e, RTB_CONFIG, "ftdi://%s: baud rate %u is not possible; the nearest is %.0f", where,
				o->baud, rate);
	if (ftdi_usb_reset(c) < 0 || ftdi_set_bitmode(c, 0, BITMODE_RESET) < 0 ||
	    ftdi_set_baudrate(c, (int)o->baud) < 0 ||
	    ftdi_set_line_property2(c, BITS_8, STOP_BIT_1, NONE, BREAK_OFF) < 0 ||
	    ftdi_setflowctrl(c, SIO_DISABLE_FLOW_CTRL) < 0 || ftdi_set_latency_timer(c, LATENCY_MS) < 0 ||
	    (o->dtr >= 0 && ftdi_setdtr(c, o->dtr) < 0) || (o->rts >= 0 && ftdi_setrts(c, o->rts) < 0) ||
	    ftdi_tcioflush(c) < 0)
		return rtb_fail(e, RTB_LINK_ABSENT, "ftdi://%s: cannot be set up: %s", where, ftdi_get_error_string(c));
	rtb_log(off > 1 || off < -1 ? RTB_LOG_WARN : RTB_LOG_INFO, "link: ftdi://%s: %.0f baud, %+.2f %% off %u",
		where, rate, off, o->baud);
	return RTB_OK;
}

/* Another program's name says more than the chip's refusal. */
static enum rtb_status refused(enum rtb_status s, const struct rtb_usb_device *d, const char *text, struct rtb_error *e)
{
	char *who = (s == RTB_LINK_ABSENT || s == RTB_LINK_BUSY) && d->node[0] ? rtb_link_holder(d->node) : NULL;
	s = rtb_fail(e, who ? RTB_LINK_BUSY : s, "ftdi://%s%s%s", text, who ? "; held by " : "", who ? who : "");
	free(who);
	return s;
}

static enum rtb_status contradicts(const char *where, const char *key, const char *want, struct rtb_error *e)
{
	return rtb_fail(e, RTB_CONFIG, "ftdi://%s: [link] %s = \"%s\" is not what the link itself says", where, key, want);
}

/* What else the target says of the device: it must be that one. */
static enum rtb_status narrow(struct rtb_ftdi_spec *s, const struct rtb_link_options *o, const char *where,
			      struct rtb_error *e)
{
	unsigned vid, pid;
	if (o->usb_vid_pid) {
		if (sscanf(o->usb_vid_pid, "%4x:%4x", &vid, &pid) != 2)
			return rtb_fail(e, RTB_CONFIG, "[link] usb = \"%s\" is not VID:PID", o->usb_vid_pid);
		if (s->vid && (s->vid != vid || s->pid != pid))
			return contradicts(where, "usb", o->usb_vid_pid, e);
		s->vid = vid;
		s->pid = pid;
	}
	if (o->usb_serial) {
		if (strlen(o->usb_serial) >= sizeof s->serial || (*s->serial && strcmp(s->serial, o->usb_serial) != 0))
			return contradicts(where, "usb_serial", o->usb_serial, e);
		strcpy(s->serial, o->usb_serial);
	}
	return RTB_OK;
}

static enum rtb_status open_ftdi(struct rtb_link *l, const struct rtb_link_options *o, const char *where,
				 struct rtb_error *e)
{
	struct rtb_ftdi_spec spec;
	struct rtb_usb_device device;
	if (!rtb_ftdi_parse(where, &spec))
		return rtb_fail(e, RTB_CONFIG, "\"ftdi://%s\" is not ftdi://SERIAL[/A..D] or ftdi://VID:PID[/A..D]",
				where);
	enum rtb_status s = narrow(&spec, o, where, e);
	if (s != RTB_OK)
		return s;
	struct ftdi_context *c;
	struct rtb_error tried = {0};
	s = rtb_ftdi_open(&spec, where, &c, &device, &tried);
	if (s != RTB_OK)
		return refused(s, &device, tried.text, e);
	s = set_up(c, o, where, e);
	if (s != RTB_OK) {
		rtb_ftdi_close(c);
		return s;
	}
	struct ftdi_link *f = rtb_alloc(sizeof *f);
	*f = (struct ftdi_link){.ftdi = c};
	l->ctx = f;
	l->ops = &ftdi_ops;
	l->latency_ms = LATENCY_MS;
	l->name = rtb_sprintf("ftdi://%s (%s, USB %s)", where, device.what, device.name);
	return RTB_OK;
}

const struct rtb_link_kind rtb_link_ftdi = {"ftdi://", open_ftdi};
