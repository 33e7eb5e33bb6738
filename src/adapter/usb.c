#include "adapter/usb.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/buf.h"

/* Vendor and product ids as the vendors publish them; pid 0 stands for any of that vendor. */
static const struct {
	unsigned vid, pid;
	enum rtb_usb_role role;
	const char *what;
} known[] = {
	{0x0483, 0x3748, USB_PROBE, "ST-Link V2"},
	{0x0483, 0x374b, USB_PROBE, "ST-Link V2-1"},
	{0x0483, 0x3752, USB_PROBE, "ST-Link V2-1"},
	{0x0483, 0x374e, USB_PROBE, "ST-Link V3"},
	{0x0483, 0x374f, USB_PROBE, "ST-Link V3"},
	{0x0483, 0x3753, USB_PROBE, "ST-Link V3"},
	{0x1366, 0, USB_PROBE, "J-Link"},
	{0x0d28, 0x0204, USB_PROBE, "DAPLink (CMSIS-DAP)"},
	{0x28e9, 0x058f, USB_PROBE, "GD-Link"},
	{0x1d50, 0x6018, USB_PROBE, "Black Magic Probe"},
	{0x2e8a, 0x000c, USB_PROBE, "Picoprobe (CMSIS-DAP)"},
	{0x0403, 0x6001, USB_SERIAL, "FT232R serial"},
	{0x0403, 0x6010, USB_SERIAL, "FT2232 serial/JTAG"},
	{0x0403, 0x6011, USB_SERIAL, "FT4232 serial/JTAG"},
	{0x0403, 0x6014, USB_SERIAL, "FT232H serial/JTAG"},
	{0x0403, 0x6015, USB_SERIAL, "FT-X serial"},
	{0x1a86, 0x7523, USB_SERIAL, "CH340 serial"},
	{0x1a86, 0x55d4, USB_SERIAL, "CH9102 serial"},
	{0x10c4, 0xea60, USB_SERIAL, "CP210x serial"},
	{0x067b, 0x2303, USB_SERIAL, "PL2303 serial"},
};

/* Some probes carry raw bytes for a serial number; a terminal must not see those. */
static void printable(const char *in, size_t n, char *out, size_t cap)
{
	size_t k = 0;
	for (size_t i = 0; i < n && k + 5 < cap; i++) {
		unsigned char c = (unsigned char)in[i];
		if (c >= 0x20 && c < 0x7f)
			out[k++] = (char)c;
		else
			k += (size_t)snprintf(out + k, cap - k, "\\x%02x", c);
	}
	out[k] = '\0';
}

/* *raw is as the file has it. */
static bool attribute(const char *dir, const char *name, struct rtb_buf *raw, char *out, size_t cap)
{
	char *path = rtb_sprintf("%s/%s", dir, name);
	rtb_buf_clear(raw);
	bool ok = rtb_buf_read_file(raw, path, 4096) == 0;
	if (raw->len && raw->data[raw->len - 1] == '\n')
		raw->len--;
	out[0] = '\0';
	if (ok)
		printable(raw->data, raw->len, out, cap);
	free(path);
	return ok;
}

/* An early ST-Link V2's serial number is twelve raw bytes, a UTF-16 unit each, which sysfs shows as UTF-8.
 * OpenOCD, and everybody since, writes them as 24 hex digits. False where it is not of that kind. */
static bool raw_serial(const struct rtb_buf *b, char *out, size_t cap)
{
	size_t n = 0, i = 0;
	bool odd = false;
	for (; i < b->len && 2 * n + 3 <= cap; i++, n++) {
		unsigned char c = (unsigned char)b->data[i];
		if ((c & 0xfc) == 0xc0 && i + 1 < b->len) /* U+0000 to U+00FF */
			c = (unsigned char)((c & 3) << 6 | (b->data[++i] & 0x3f));
		else if (c >= 0x80)
			return false;
		odd |= c < 0x20 || c >= 0x7f;
		snprintf(out + 2 * n, 3, "%02X", c);
	}
	return odd && n == 12 && i == b->len;
}

static void read_serial(const char *dir, struct rtb_usb_device *d)
{
	struct rtb_buf b = {0};
	char hex[25];
	attribute(dir, "serial", &b, d->serial, sizeof d->serial);
	if (d->vid == 0x0483 && raw_serial(&b, hex, sizeof hex))
		memcpy(d->serial, hex, sizeof hex);
	rtb_buf_free(&b);
}

static void classify(struct rtb_usb_device *d)
{
	d->what = "";
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].vid == d->vid && (!known[i].pid || known[i].pid == d->pid)) {
			d->role = known[i].role;
			d->what = known[i].what;
			return;
		}
	/* The CMSIS-DAP standard asks for these letters in the product string. */
	if (strstr(d->product, "CMSIS-DAP")) {
		d->role = USB_PROBE;
		d->what = "CMSIS-DAP probe";
	}
}

static bool read_device(const char *dir, const char *name, struct rtb_usb_device *d)
{
	char vid[16], pid[16], bus[16], dev[16];
	struct rtb_buf b = {0};
	*d = (struct rtb_usb_device){0};
	bool whole = attribute(dir, "idVendor", &b, vid, sizeof vid) && attribute(dir, "idProduct", &b, pid, sizeof pid);
	if (whole) { /* else an interface, or something half gone */
		snprintf(d->name, sizeof d->name, "%.31s", name);
		d->vid = (unsigned)strtoul(vid, NULL, 16);
		d->pid = (unsigned)strtoul(pid, NULL, 16);
		attribute(dir, "product", &b, d->product, sizeof d->product);
		read_serial(dir, d);
		if (attribute(dir, "busnum", &b, bus, sizeof bus) && attribute(dir, "devnum", &b, dev, sizeof dev))
			snprintf(d->node, sizeof d->node, "/dev/bus/usb/%03d/%03d", atoi(bus), atoi(dev));
		d->writable = d->node[0] && access(d->node, R_OK | W_OK) == 0;
		classify(d);
	}
	rtb_buf_free(&b);
	return whole;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct rtb_usb_device *)a)->name, ((const struct rtb_usb_device *)b)->name);
}

size_t rtb_usb_list(const char *sysfs_root, struct rtb_usb_device **out)
{
	size_t count = 0;
	char *base = rtb_sprintf("%s/bus/usb/devices", sysfs_root);
	DIR *d = opendir(base);
	*out = NULL;
	for (struct dirent *ent; d && (ent = readdir(d));) {
		if (ent->d_name[0] == '.' || strncmp(ent->d_name, "usb", 3) == 0)
			continue; /* root hubs are not devices that anybody plugged in */
		char *dir = rtb_sprintf("%s/%s", base, ent->d_name);
		struct rtb_usb_device dev;
		if (read_device(dir, ent->d_name, &dev)) {
			*out = rtb_realloc(*out, (count + 1) * sizeof **out);
			(*out)[count++] = dev;
		}
		free(dir);
	}
	if (d)
		closedir(d);
	free(base);
	if (count)
		qsort(*out, count, sizeof **out, by_name);
	return count;
}
