/* Requests and their meaning: FTDI's application notes AN232R-01 and AN_130 and libftdi1's own
 * constants; standard requests: USB 2.0 chapter 9. */
#include "chip.h"

#include <errno.h>
#include <linux/usbdevice_fs.h>
#include <sys/ioctl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PENDING_MAX 64

/* What the chips differ in. */
static const struct {
	unsigned pid, bcd, packet;
	int interfaces;
	const char *product;
} kinds[] = {
	[CHIP_FT232R] = {0x6001, 0x0600, 64, 1, "FT232R USB UART"},
	[CHIP_FT2232H] = {0x6010, 0x0700, 512, 2, "Dual RS232-HS"},
};

struct pending {
	UMockdevIoctlData *urb, *buffer;
};

struct chip {
	enum chip_kind kind;
	char serial[32], node[64], *syspath;
	UMockdevIoctlBase *handler;
	pthread_mutex_t lock;
	GString *in, *sent, *requests;
	struct pending pending[PENDING_MAX];
	size_t pending_count;
	unsigned char latency; /* ms */
	bool pulled;
	int wire; /* 0: none */
};

typedef struct { UMockdevIoctlBase parent; struct chip *chip; } ChipHandler;
typedef struct { UMockdevIoctlBaseClass parent; } ChipHandlerClass;
static GType chip_handler_get_type(void);
G_DEFINE_TYPE(ChipHandler, chip_handler, umockdev_ioctl_base_get_type())

static void __attribute__((format(printf, 2, 3))) note(struct chip *c, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	g_string_append_vprintf(c->requests, fmt, ap);
	va_end(ap);
	g_string_append_c(c->requests, '\n');
}

/* ---- control requests ---- */

static int string_descriptor(const struct chip *c, int index, unsigned char *out)
{
	const char *text = index == 1 ? "FTDI" : index == 2 ? kinds[c->kind].product : c->serial;
	int n = 2;
	if (index == 0) {
		memcpy(out, (const unsigned char[]){4, 3, 0x09, 0x04}, 4);
		return 4;
	}
	for (const char *p = text; *p; p++, n += 2) {
		out[n] = (unsigned char)*p;
		out[n + 1] = 0;
	}
	out[0] = (unsigned char)n;
	out[1] = 3;
	return n;
}

/* Answers into data what a vendor request asks; its length. */
static int vendor(struct chip *c, int request, int value, int index, unsigned char *data)
{
	static const char *const names[] = {"RESET", "SET_MODEM_CTRL", "SET_FLOW_CTRL", "SET_BAUDRATE", "SET_DATA",
		"POLL_MODEM_STATUS", "SET_EVENT_CHAR", "SET_ERROR_CHAR", "?", "SET_LATENCY_TIMER", "GET_LATENCY_TIMER",
		"SET_BITMODE", "READ_PINS"};
	const char *name = request < 13 ? names[request] : "?";
	note(c, "%s value %04x index %04x", name, value, index);
	if (request == 9)
		c->latency = (unsigned char)value;
	if (request == 0 && (value == 0 || value == 1))
		g_string_truncate(c->in, 0); /* resets and purges of what was received */
	if (request == 10) {
		data[0] = c->latency;
		return 1;
	}
	if (request == 5) {
		data[0] = 0x01;
		data[1] = 0x60;
		return 2;
	}
	return 0;
}

/* One control transfer: setup packet, then data. How many bytes of data there are. */
static int control(struct chip *c, unsigned char *p)
{
	int type = p[0], request = p[1], value = p[2] | p[3] << 8, index = p[4] | p[5] << 8;
	if ((type & 0x60) == 0x40)
		return vendor(c, request, value, index, p + 8);
	int wanted = p[6] | p[7] << 8, n = request == 6 && value >> 8 == 3 ? string_descriptor(c, value & 0xff, p + 8) : 0;
	return n < wanted ? n : wanted;
}

/* ---- bulk ---- */

/* What has come in at the other end of the wire; up to the latency timer's end is waited for it. */
static void hear(struct chip *c)
{
	char buf[4096];
	struct pollfd p = {.fd = c->wire, .events = POLLIN};
	if (c->wire <= 0 || c->in->len >= sizeof buf || poll(&p, 1, c->in->len ? 0 : c->latency) <= 0)
		return;
	ssize_t n = recv(c->wire, buf, sizeof buf, MSG_DONTWAIT);
	if (n > 0)
		g_string_append_len(c->in, buf, n);
}

/* Two bytes of modem status ahead of each packet's data. */
static int bulk_in(struct chip *c, unsigned char *out, int cap)
{
	int n = 0, packet = (int)kinds[c->kind].packet;
	hear(c);
	do {
		int room = cap - n < packet ? cap - n : packet;
		if (room < 2)
			break;
		size_t k = c->in->len < (size_t)room - 2 ? c->in->len : (size_t)room - 2;
		out[n] = 0x01;
		out[n + 1] = 0x60;
		memcpy(out + n + 2, c->in->str, k);
		g_string_erase(c->in, 0, (gssize)k);
		n += 2 + (int)k;
		if (k < (size_t)room - 2)
			break;
	} while (c->in->len);
	return n;
}

static int bulk_out(struct chip *c, int endpoint, const unsigned char *p, int n)
{
	char hex[64] = "";
	for (int i = 0; i < n && i < 20; i++)
		sprintf(hex + 3 * i, "%s%02x", " ", p[i]);
	note(c, "bulk out %02x:%s", (unsigned)endpoint, hex);
	g_string_append_len(c->sent, (const char *)p, n);
	if (c->wire > 0 && send(c->wire, p, (size_t)n, MSG_NOSIGNAL) != n)
		note(c, "the wire's other end is gone");
	return n;
}

/* ---- what libusb calls ---- */

static void drop(struct pending *p)
{
	g_clear_object(&p->urb);
	g_clear_object(&p->buffer);
}

static void submit(struct chip *c, UMockdevIoctlClient *client, UMockdevIoctlData *arg)
{
	struct pending *p = &c->pending[c->pending_count];
	p->urb = umockdev_ioctl_data_resolve(arg, 0, sizeof(struct usbdevfs_urb), NULL);
	struct usbdevfs_urb *u = (struct usbdevfs_urb *)(void *)p->urb->data;
	p->buffer = umockdev_ioctl_data_resolve(p->urb, offsetof(struct usbdevfs_urb, buffer), (gsize)u->buffer_length, NULL);
	if (c->pulled || c->pending_count + 1 == PENDING_MAX) {
		drop(p);
		umockdev_ioctl_client_complete(client, -1, ENODEV);
		return;
	}
	c->pending_count++;
	umockdev_ioctl_client_complete(client, 0, 0);
}

static void reap(struct chip *c, UMockdevIoctlClient *client, UMockdevIoctlData *arg)
{
	if (c->pending_count == 0) {
		umockdev_ioctl_client_complete(client, -1, c->pulled ? ENODEV : EAGAIN);
		return;
	}
	struct pending p = c->pending[0];
	memmove(c->pending, c->pending + 1, --c->pending_count * sizeof c->pending[0]);
	struct usbdevfs_urb u;
	memcpy(&u, p.urb->data, sizeof u);
	unsigned char *data = g_malloc0((gsize)u.buffer_length + 600);
	memcpy(data, p.buffer->data, (size_t)u.buffer_length);
	u.status = 0;
	if (u.type == USBDEVFS_URB_TYPE_CONTROL)
		u.actual_length = control(c, data);
	else if (u.endpoint & 0x80)
		u.actual_length = bulk_in(c, data, u.buffer_length);
	else
		u.actual_length = bulk_out(c, u.endpoint, data, u.buffer_length);
	umockdev_ioctl_data_update(p.buffer, 0, data, u.buffer_length);
	umockdev_ioctl_data_update(p.urb, offsetof(struct usbdevfs_urb, status), (guint8 *)&u.status, sizeof u.status);
	umockdev_ioctl_data_update(p.urb, offsetof(struct usbdevfs_urb, actual_length), (guint8 *)&u.actual_length,
				   sizeof u.actual_length);
	UMockdevIoctlData *where = umockdev_ioctl_data_resolve(arg, 0, sizeof(void *), NULL);
	umockdev_ioctl_data_set_ptr(where, 0, p.urb);
	umockdev_ioctl_client_complete(client, 0, 0);
	g_object_unref(where);
	g_free(data);
	drop(&p);
}

static void capabilities(UMockdevIoctlClient *client, UMockdevIoctlData *arg)
{
	guint32 none = 0;
	UMockdevIoctlData *d = umockdev_ioctl_data_resolve(arg, 0, sizeof none, NULL);
	umockdev_ioctl_data_update(d, 0, (guint8 *)&none, sizeof none);
	umockdev_ioctl_client_complete(client, 0, 0);
	g_object_unref(d);
}

static gboolean handle(UMockdevIoctlBase *base, UMockdevIoctlClient *client)
{
	struct chip *c = ((ChipHandler *)base)->chip;
	UMockdevIoctlData *arg = umockdev_ioctl_client_get_arg(client);
	gulong request = umockdev_ioctl_client_get_request(client);
	pthread_mutex_lock(&c->lock);
	if (request == (gulong)USBDEVFS_SUBMITURB)
		submit(c, client, arg);
	else if (request == (gulong)USBDEVFS_REAPURB || request == (gulong)USBDEVFS_REAPURBNDELAY)
		reap(c, client, arg);
	else if (request == (gulong)USBDEVFS_GET_CAPABILITIES)
		capabilities(client, arg);
	else
		umockdev_ioctl_client_complete(client, request == (gulong)USBDEVFS_DISCARDURB ? -1 : 0,
					       request == (gulong)USBDEVFS_DISCARDURB ? EINVAL : 0);
	pthread_mutex_unlock(&c->lock);
	return TRUE;
}

static void chip_handler_class_init(ChipHandlerClass *class) { class->parent.handle_ioctl = handle; }
static void chip_handler_init(ChipHandler *h) { h->chip = NULL; }

/* ---- plugging ---- */

/* Device and configuration descriptor, in hex as umockdev's device descriptions have them. */
static void descriptors(const struct chip *c, char *out)
{
	unsigned n = 9 + 23 * (unsigned)kinds[c->kind].interfaces;
	char *p = out + sprintf(out, "1201000200000040%02x04%02x%02x%02x%02x010203010902%02x00%02x0100a02d",
				0x03, kinds[c->kind].pid & 0xff, kinds[c->kind].pid >> 8, kinds[c->kind].bcd & 0xff,
				kinds[c->kind].bcd >> 8, n, (unsigned)kinds[c->kind].interfaces);
	for (unsigned i = 0; i < (unsigned)kinds[c->kind].interfaces; i++)
		p += sprintf(p, "0904%02x0002ffffff02" "0705%02x02%02x%02x00" "0705%02x02%02x%02x00", i, 0x81 + 2 * i,
			     kinds[c->kind].packet & 0xff, kinds[c->kind].packet >> 8, 2 + 2 * i,
			     kinds[c->kind].packet & 0xff, kinds[c->kind].packet >> 8);
}

struct chip *chip_plug(UMockdevTestbed *bed, enum chip_kind kind, int number, const char *serial)
{
	char hex[512], text[2048];
	GError *error = NULL;
	struct chip *c = g_new0(struct chip, 1);
	c->kind = kind;
	c->latency = 16;
	pthread_mutex_init(&c->lock, NULL);
	c->in = g_string_new("");
	c->sent = g_string_new("");
	c->requests = g_string_new("");
	snprintf(c->serial, sizeof c->serial, "%s", serial);
	snprintf(c->node, sizeof c->node, "/dev/bus/usb/001/%03d", number);
	c->syspath = g_strdup_printf("/sys/devices/pci0000:00/0000:00:14.0/usb1/1-%d", number);
	descriptors(c, hex);
	snprintf(text, sizeof text,
		 "P: %s\nN: bus/usb/001/%03d\nE: DEVNAME=/dev/bus/usb/001/%03d\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n"
		 "E: BUSNUM=001\nE: DEVNUM=%03d\nE: MAJOR=189\nE: MINOR=%d\nA: bConfigurationValue=1\\n\nA: busnum=1\\n\n"
		 "A: devnum=%d\\n\nA: devpath=%d\\n\nA: speed=%s\\n\nA: idVendor=0403\\n\nA: idProduct=%04x\\n\n"
		 "A: serial=%s\\n\nA: product=%s\\n\nH: descriptors=%s\n",
		 c->syspath + 4, number, number, number, number, number, number, kind == CHIP_FT2232H ? "480" : "12",
		 kinds[kind].pid, serial, kinds[kind].product, hex);
	if (!umockdev_testbed_add_from_string(bed, text, &error))
		g_error("device: %s", error->message);
	c->handler = g_object_new(chip_handler_get_type(), NULL);
	((ChipHandler *)c->handler)->chip = c;
	if (!umockdev_testbed_attach_ioctl(bed, c->node, c->handler, &error))
		g_error("ioctl: %s", error->message);
	return c;
}

void chip_unplug(struct chip *c, UMockdevTestbed *bed)
{
	umockdev_testbed_detach_ioctl(bed, c->node, NULL);
	umockdev_testbed_remove_device(bed, c->syspath);
	chip_free(c);
}

void chip_free(struct chip *c)
{
	for (size_t i = 0; i < c->pending_count; i++)
		drop(&c->pending[i]);
	g_object_unref(c->handler);
	g_string_free(c->in, TRUE);
	g_string_free(c->sent, TRUE);
	g_string_free(c->requests, TRUE);
	g_free(c->syspath);
	pthread_mutex_destroy(&c->lock);
	g_free(c);
}

void chip_receive(struct chip *c, const void *p, size_t n)
{
	pthread_mutex_lock(&c->lock);
	g_string_append_len(c->in, p, (gssize)n);
	pthread_mutex_unlock(&c->lock);
}

const char *chip_sent(struct chip *c) { return c->sent->str; }
const char *chip_requests(struct chip *c) { return c->requests->str; }
void chip_forget_requests(struct chip *c) { g_string_truncate(c->requests, 0); }
bool chip_asked(struct chip *c, const char *request) { return strstr(c->requests->str, request) != NULL; }
void chip_pull(struct chip *c) { c->pulled = true; }
void chip_wire(struct chip *c, int fd) { c->wire = fd; }
