/* gdbremote.c - packets "$data#sum", acknowledged by '+'. */
#include "gdbremote.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PACKET_MAX 8192

static void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void die(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fputs("lockstep: reference: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(2);
}

static int get_byte(struct gdb *g)
{
	static unsigned char buf[PACKET_MAX];
	static ssize_t have, at;
	if (at == have) {
		struct pollfd p = { .fd = g->fd, .events = POLLIN };
		if (poll(&p, 1, 20000) <= 0)
			die("no answer within 20 s");
		have = read(g->fd, buf, sizeof(buf));
		at = 0;
		if (have <= 0)
			die("connection closed");
	}
	return buf[at++];
}

static void send_all(struct gdb *g, const char *p, size_t n)
{
	while (n) {
		ssize_t k = write(g->fd, p, n);
		if (k <= 0)
			die("cannot write");
		p += k;
		n -= (size_t)k;
	}
}

static void send_packet(struct gdb *g, const char *data, size_t n)
{
	static char out[2 * PACKET_MAX];
	unsigned char sum = 0;
	out[0] = '$';
	memcpy(out + 1, data, n);
	for (size_t i = 0; i < n; i++)
		sum += (unsigned char)data[i];
	int tail = snprintf(out + 1 + n, 4, "#%02x", sum);
	send_all(g, out, n + 1 + (size_t)tail);
	if (get_byte(g) != '+')
		die("packet not acknowledged");
}

static size_t receive_packet(struct gdb *g, char *data)
{
	size_t n = 0;
	while (get_byte(g) != '$')
		;
	for (int c = get_byte(g); c != '#'; c = get_byte(g)) {
		if (n == PACKET_MAX - 1)
			die("packet too long");
		data[n++] = (char)c;
	}
	get_byte(g);
	get_byte(g);
	send_all(g, "+", 1);
	data[n] = 0;
	return n;
}

static size_t exchange(struct gdb *g, const char *ask, char *answer)
{
	send_packet(g, ask, strlen(ask));
	return receive_packet(g, answer);
}

static void expect_ok(struct gdb *g, const char *ask)
{
	char answer[PACKET_MAX];
	exchange(g, ask, answer);
	if (strcmp(answer, "OK"))
		die("'%.20s' answered '%.40s'", ask, answer);
}

void gdb_connect(struct gdb *g, const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	g->fd = socket(AF_UNIX, SOCK_STREAM, 0);
	/* The socket appears when QEMU has come up; there is nothing to be woken by. */
	for (int i = 0; connect(g->fd, (struct sockaddr *)&a, sizeof(a)) < 0; i++) {
		struct timespec wait = { .tv_nsec = 10 * 1000 * 1000 };
		if (i == 1000)
			die("%s: not there after 10 s", path);
		nanosleep(&wait, NULL);
	}
	/* Asking for the register description is what makes QEMU accept single registers. */
	char answer[PACKET_MAX];
	exchange(g, "qXfer:features:read:target.xml:0,ffb", answer);
	exchange(g, "?", answer);
}

static uint32_t hex_word(const char *p)
{
	uint32_t v = 0;
	for (int i = 0; i < 4; i++) {
		unsigned byte;
		if (sscanf(p + 2 * i, "%2x", &byte) != 1)
			die("bad register '%.8s'", p);
		v |= byte << 8 * i;
	}
	return v;
}

static void word_hex(char *p, uint32_t v)
{
	static const char digit[] = "0123456789abcdef";
	for (int i = 0; i < 4; i++) {
		p[2 * i] = digit[v >> (8 * i + 4) & 0xF];
		p[2 * i + 1] = digit[v >> 8 * i & 0xF];
	}
}

/* Register 25 is xPSR whatever else the 'g' packet holds. */
void gdb_read_regs(struct gdb *g, struct gdb_regs *regs)
{
	char answer[PACKET_MAX];
	if (exchange(g, "g", answer) < 128)
		die("short register packet");
	for (int i = 0; i < 16; i++)
		regs->r[i] = hex_word(answer + 8 * i);
	if (exchange(g, "p19", answer) < 8)
		die("no xPSR");
	regs->xpsr = hex_word(answer);
}

void gdb_write_regs(struct gdb *g, const struct gdb_regs *regs)
{
	char packet[PACKET_MAX];
	packet[0] = 'G';
	exchange(g, "g", packet + 1);
	for (int i = 0; i < 16; i++)
		word_hex(packet + 1 + 8 * i, regs->r[i]);
	expect_ok(g, packet);
	memcpy(packet, "P19=", 4);
	word_hex(packet + 4, regs->xpsr);
	packet[12] = 0;
	expect_ok(g, packet);
}

void gdb_read_mem(struct gdb *g, uint32_t addr, void *buf, unsigned n)
{
	unsigned char *out = buf;
	while (n) {
		char ask[32], answer[PACKET_MAX];
		unsigned k = n > 1024 ? 1024 : n;
		snprintf(ask, sizeof(ask), "m%x,%x", addr, k);
		if (exchange(g, ask, answer) != 2 * k)
			die("cannot read %u bytes at %08x", k, addr);
		for (unsigned i = 0; i < k; i++) {
			unsigned byte;
			sscanf(answer + 2 * i, "%2x", &byte);
			out[i] = (unsigned char)byte;
		}
		addr += k;
		out += k;
		n -= k;
	}
}

void gdb_write_mem(struct gdb *g, uint32_t addr, const void *buf, unsigned n)
{
	const unsigned char *in = buf;
	while (n) {
		char packet[PACKET_MAX];
		unsigned k = n > 1024 ? 1024 : n;
		int at = snprintf(packet, sizeof(packet), "M%x,%x:", addr, k);
		for (unsigned i = 0; i < k; i++)
			at += snprintf(packet + at, 3, "%02x", in[i]);
		expect_ok(g, packet);
		addr += k;
		in += k;
		n -= k;
	}
}

void gdb_breakpoint(struct gdb *g, uint32_t addr, int set)
{
	char ask[32];
	snprintf(ask, sizeof(ask), "%c0,%x,2", set ? 'Z' : 'z', addr);
	expect_ok(g, ask);
}

static void run(struct gdb *g, const char *how)
{
	char answer[PACKET_MAX];
	send_packet(g, how, 1);
	receive_packet(g, answer);
	if (answer[0] != 'T' && answer[0] != 'S')
		die("unexpected stop '%.40s'", answer);
}

void gdb_continue(struct gdb *g)
{
	run(g, "c");
}

void gdb_step(struct gdb *g)
{
	run(g, "s");
}
