#include "adapter/ftdi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

bool rtb_ftdi_same(const struct rtb_ftdi_spec *a, const struct rtb_ftdi_spec *b)
{
	return a->interface == b->interface && a->vid == b->vid && a->pid == b->pid && strcmp(a->serial, b->serial) == 0;
}

static bool matches(const struct rtb_usb_device *d, const struct rtb_ftdi_spec *s)
{
	if (s->vid ? d->vid != s->vid || d->pid != s->pid : d->vid != 0x0403 || d->role != USB_SERIAL)
		return false;
	return !*s->serial || strcmp(s->serial, d->serial) == 0;
}

static enum rtb_status no_such(const struct rtb_ftdi_spec *s, const char *where, struct rtb_error *e)
{
	char id[16] = "";
	if (s->vid)
		snprintf(id, sizeof id, " %04x:%04x", s->vid, s->pid);
	return rtb_fail(e, RTB_LINK_ABSENT, "%s: no such device on the USB (an FTDI chip%s%s%s)", where, id,
			*s->serial ? " with serial " : "", s->serial);
}

/* The one device that is meant. */
static enum rtb_status find(const struct rtb_ftdi_spec *s, const char *where, struct rtb_usb_device *out,
			    struct rtb_error *e)
{
	struct rtb_usb_device *all;
	struct rtb_buf seen = {0};
	size_t count = rtb_usb_list("/sys", &all), hits = 0;
	for (size_t i = 0; i < count; i++)
		if (matches(&all[i], s)) {
			rtb_buf_fmt(&seen, "%s%s (serial \"%s\", at %s)", hits++ ? ", " : "", all[i].what,
				    all[i].serial, all[i].name);
			*out = all[i];
		}
	free(all);
	enum rtb_status st = RTB_OK;
	if (hits == 0)
		st = no_such(s, where, e);
	else if (hits > 1)
		st = rtb_fail(e, RTB_CONFIG, "%s: %zu devices answer to this: %s; name one by its serial",
			      where, hits, seen.data);
	else if (access(out->node, F_OK) == 0 && !out->writable)
		st = rtb_fail(e, RTB_LINK_DENIED, "%s: %s may not be opened by this user", where, out->node);
	rtb_buf_free(&seen);
	return st;
}

static enum rtb_status open_device(struct ftdi_context *c, const struct rtb_ftdi_spec *spec,
				   const struct rtb_usb_device *d, const char *where, struct rtb_error *e)
{
	unsigned bus = 0, address = 0;
	if (sscanf(d->node, "/dev/bus/usb/%u/%u", &bus, &address) != 2)
		return rtb_fail(e, RTB_LINK_ABSENT, "%s: has no device node", where);
	c->module_detach_mode = AUTO_DETACH_REATACH_SIO_MODULE;
	ftdi_set_interface(c, (enum ftdi_interface)spec->interface);
	int r = ftdi_usb_open_bus_addr(c, (uint8_t)bus, (uint8_t)address);
	if (r == 0)
		return RTB_OK;
	enum rtb_status s = rtb_ftdi_open_status(r);
	return rtb_fail(e, s, "%s: %s%s", where, s == RTB_LINK_BUSY ? "another program or driver has it: " : "",
			ftdi_get_error_string(c));
}

enum rtb_status rtb_ftdi_open(const struct rtb_ftdi_spec *spec, const char *where, struct ftdi_context **out,
			      struct rtb_usb_device *device, struct rtb_error *e)
{
	*out = NULL;
	*device = (struct rtb_usb_device){0};
	enum rtb_status s = find(spec, where, device, e);
	if (s != RTB_OK)
		return s;
	struct ftdi_context *c = ftdi_new();
	if (!c)
		return rtb_fail(e, RTB_INTERNAL, "%s: libftdi1 cannot be initialised", where);
	s = open_device(c, spec, device, where, e);
	if (s != RTB_OK)
		ftdi_free(c);
	else
		*out = c;
	return s;
}

void rtb_ftdi_close(struct ftdi_context *f)
{
	if (!f)
		return;
	ftdi_usb_close(f);
	ftdi_free(f);
}
