#include "vboard/buspirate.h"

#define ENTER_BINARY_ZEROS 20u

/* Binary mode */
#define BINARY_AGAIN   0x00
#define BINARY_OPENOCD 0x06
#define BINARY_RESET   0x0F

/* OpenOCD mode */
#define OCD_LEAVE      0x00
#define OCD_PORT_MODE  0x01
#define OCD_FEATURE    0x02
#define OCD_READ_ADCS  0x03
#define OCD_TAP_SHIFT  0x05
#define OCD_UART_SPEED 0x07

#define MODE_HIGH_Z    0
#define FEATURE_TRST   0x04
#define FEATURE_SRST   0x08
#define MAX_BITS       8192u

#define SPEED_ACK_1    0xAA
#define SPEED_ACK_2    0x55

void vb_buspirate_init(struct vb_buspirate *p, struct vb_lines *lines)
{
	*p = (struct vb_buspirate){ .lines = lines };
}

void vb_buspirate_free(struct vb_buspirate *p)
{
	rtb_buf_free(&p->command);
}

static void to_console(struct vb_buspirate *p)
{
	p->mode = VB_BP_CONSOLE;
	p->zeros = 0;
	p->speed_change = false;
	rtb_buf_clear(&p->command);
	vb_lines_released(p->lines);
}

void vb_buspirate_released(struct vb_buspirate *p)
{
	to_console(p);
}

static void console(struct vb_buspirate *p, uint8_t c, struct rtb_buf *out)
{
	p->zeros = c ? 0 : p->zeros + 1;
	if (p->zeros < ENTER_BINARY_ZEROS)
		return;
	p->mode = VB_BP_BINARY;
	rtb_buf_str(out, "BBIO1");
}

static void binary(struct vb_buspirate *p, uint8_t c, struct rtb_buf *out)
{
	switch (c) {
	case BINARY_AGAIN:
		rtb_buf_str(out, "BBIO1");
		break;
	case BINARY_OPENOCD:
		p->mode = VB_BP_OPENOCD;
		rtb_buf_str(out, "OCD1");
		break;
	case BINARY_RESET:
		rtb_buf_add(out, "\x01", 1);
		to_console(p);
		break;
	default: /* the modes that this one does not have */
		p->lines->ignored++;
	}
}

/* TDI and TMS alternate by the byte, lowest bit first. TDO is what it is before the bit's rising
 * edge, so that a bit shifted in and the one shifted out have the same place. */
static void tap_shift(struct vb_buspirate *p, struct rtb_buf *out)
{
	const uint8_t *c = (const uint8_t *)p->command.data;
	unsigned bits = (unsigned)c[1] << 8 | c[2];
	uint8_t tdo = 0;

	rtb_buf_add(out, c, 3);
	for (unsigned i = 0; i < bits; i++) {
		unsigned at = i % 8;
		bool tdi = c[3 + i / 8 * 2] >> at & 1, tms = c[4 + i / 8 * 2] >> at & 1;
		vb_lines_pins(p->lines, false, tms, tdi);
		tdo |= (uint8_t)(vb_lines_tdo(p->lines) << at);
		vb_lines_pins(p->lines, true, tms, tdi);
		if (at == 7 || i == bits - 1) {
			rtb_buf_add(out, &tdo, 1);
			tdo = 0;
		}
	}
	vb_lines_pins(p->lines, false, false, false);
}

/* A feature that is on leaves its line high: an enabled reset line is one let go. */
static void feature(struct vb_buspirate *p, uint8_t what, bool on)
{
	if (what == FEATURE_TRST)
		vb_lines_reset(p->lines, !on, p->lines->srst);
	else if (what == FEATURE_SRST)
		vb_lines_reset(p->lines, p->lines->trst, !on);
}

/* Bytes that a command has, as far as those that came tell; 0: there is no such command. */
static size_t length(const uint8_t *c, size_t n)
{
	switch (c[0]) {
	case OCD_LEAVE:
	case OCD_READ_ADCS:  return 1;
	case OCD_PORT_MODE:
	case OCD_UART_SPEED: return 2;
	case OCD_FEATURE:    return 3;
	case OCD_TAP_SHIFT:  return n < 3 ? 3 : 3 + 2 * ((((unsigned)c[1] << 8 | c[2]) + 7) / 8);
	default:             return 0;
	}
}

static void obey(struct vb_buspirate *p, struct rtb_buf *out)
{
	static const char adcs[10] = { OCD_READ_ADCS, 8 }; /* no voltages here: all zero */
	const uint8_t *c = (const uint8_t *)p->command.data;

	switch (c[0]) {
	case OCD_LEAVE:
		p->mode = VB_BP_BINARY;
		rtb_buf_str(out, "BBIO1");
		break;
	case OCD_PORT_MODE:
		if (c[1] == MODE_HIGH_Z)
			vb_lines_released(p->lines);
		break;
	case OCD_FEATURE:
		feature(p, c[1], c[2] != 0);
		break;
	case OCD_READ_ADCS:
		rtb_buf_add(out, adcs, sizeof adcs);
		break;
	case OCD_UART_SPEED:
		p->speed = c[1];
		p->speed_change = true;
		break;
	default:
		tap_shift(p, out);
	}
}

static void await_speed(struct vb_buspirate *p, struct rtb_buf *out)
{
	const uint8_t *c = (const uint8_t *)p->command.data;

	if (c[0] == SPEED_ACK_1 && p->command.len < 2)
		return;
	if (c[0] == SPEED_ACK_1 && c[1] == SPEED_ACK_2) {
		const uint8_t answer[] = { OCD_UART_SPEED, p->speed };
		rtb_buf_add(out, answer, sizeof answer);
		p->speed_change = false;
	}
	rtb_buf_clear(&p->command);
}

static void openocd(struct vb_buspirate *p, uint8_t byte, struct rtb_buf *out)
{
	rtb_buf_add(&p->command, &byte, 1);
	if (p->speed_change) {
		await_speed(p, out);
		return;
	}
	size_t want = length((const uint8_t *)p->command.data, p->command.len);
	if (!want || want > 3 + 2 * MAX_BITS / 8) {
		p->lines->ignored += p->command.len;
		rtb_buf_clear(&p->command);
	} else if (p->command.len == want) {
		obey(p, out);
		rtb_buf_clear(&p->command);
	}
}

void vb_buspirate_feed(struct vb_buspirate *p, const uint8_t *bytes, size_t n, struct rtb_buf *out)
{
	for (size_t i = 0; i < n; i++)
		switch (p->mode) {
		case VB_BP_CONSOLE: console(p, bytes[i], out); break;
		case VB_BP_BINARY:  binary(p, bytes[i], out); break;
		case VB_BP_OPENOCD: openocd(p, bytes[i], out); break;
		}
}
