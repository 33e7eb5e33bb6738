/* link_usb.c - a serial port by what it is, not by the number it got: usb:SERIAL[:IF] or
 * usb:VID:PID. Looked up anew on every try, so a port that comes back under another name is found. */
#include <libserialport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "link/link_ops.h"
#include "link/usb_spec.h"

bool rtb_usb_spec_parse(const char *where, struct rtb_usb_spec *out)
{
	int used = 0;
	*out = (struct rtb_usb_spec){.interface = -1};
	if (sscanf(where, "%4x:%4x%n", &out->vid, &out->pid, &used) == 2 && used == 9 && where[9] == '\0')
		return out->vid != 0;
	*out = (struct rtb_usb_spec){.interface = -1};
	const char *colon = strchr(where, ':');
	size_t n = colon ? (size_t)(colon - where) : strlen(where);
	if (n == 0 || n >= sizeof out->serial)
		return false;
	memcpy(out->serial, where, n);
	if (!colon)
		return true;
	size_t digits = strspn(colon + 1, "0123456789");
	if (digits == 0 || digits > 2 || colon[1 + digits])
		return false;
	out->interface = atoi(colon + 1);
	return true;
}

bool rtb_usb_spec_matches(const struct rtb_usb_spec *s, int vid, int pid, const char *serial, int interface)
{
	if (s->vid)
		return vid == (int)s->vid && pid == (int)s->pid;
	return serial && strcmp(serial, s->serial) == 0 && (s->interface < 0 || s->interface == interface);
}

/* USB interface number of a tty; -1 when it has none. A usb-serial port hangs one level deeper
 * below its interface than a CDC ACM port. */
static int interface_of(const char *port)
{
	static const char *const places[] = {"device", "device/.."};
	const char *base = strrchr(port, '/');
	int n = -1;
	for (size_t i = 0; n < 0 && i < sizeof places / sizeof *places; i++) {
		char *path = rtb_sprintf("/sys/class/tty/%s/%s/bInterfaceNumber", base ? base + 1 : port, places[i]);
		struct rtb_buf b = {0};
		if (rtb_buf_read_file(&b, path, 16) == 0 && b.len)
			n = (int)strtol(rtb_buf_cstr(&b), NULL, 16);
		rtb_buf_free(&b);
		free(path);
	}
	return n;
}

static enum rtb_status open_usb(struct rtb_link *l, const struct rtb_link_options *o, const char *where,
				struct rtb_error *e)
{
	struct rtb_usb_spec spec;
	struct sp_port **list;
	if (!rtb_usb_spec_parse(where, &spec))
		return rtb_fail(e, RTB_CONFIG, "\"usb:%s\" is not usb:SERIAL, usb:SERIAL:IF or usb:VID:PID", where);
	if (sp_list_ports(&list) != SP_OK)
		return rtb_fail(e, RTB_LINK_ABSENT, "usb:%s: the ports of this system cannot be listed", where);
	struct rtb_buf seen = {0};
	char *port = NULL;
	size_t hits = 0;
	for (size_t i = 0; list[i]; i++) {
		const char *name = sp_get_port_name(list[i]), *serial = sp_get_port_usb_serial(list[i]);
		int vid = 0, pid = 0;
		if (sp_get_port_usb_vid_pid(list[i], &vid, &pid) != SP_OK ||
		    !rtb_usb_spec_matches(&spec, vid, pid, serial, interface_of(name)))
			continue;
		rtb_buf_fmt(&seen, "%s%s (%04x:%04x, serial \"%s\", interface %d)", hits++ ? ", " : "", name,
			    (unsigned)vid, (unsigned)pid, serial ? serial : "", interface_of(name));
		free(port);
		port = rtb_strdup(name);
	}
	sp_free_port_list(list);
	enum rtb_status s;
	if (hits == 0)
		s = rtb_fail(e, RTB_LINK_ABSENT, "usb:%s: no serial port of this kind is plugged in", where);
	else if (hits > 1)
		s = rtb_fail(e, RTB_CONFIG, "usb:%s: %zu ports answer to this: %s; write usb:SERIAL:IF or, where these are the "
			     "same, serial:/dev/serial/by-path/...", where, hits, seen.data);
	else
		s = rtb_link_serial.open(l, o, port, e);
	if (s == RTB_OK) {
		free(l->name);
		l->name = rtb_sprintf("%s via usb:%s", port, where);
	}
	rtb_buf_free(&seen);
	free(port);
	return s;
}

const struct rtb_link_kind rtb_link_usb = {"usb:", open_usb};
