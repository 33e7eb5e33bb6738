/* frame_out.c - writes frames. See frame_out.h. */
#include "core/frame_out.h"

#include <stddef.h>

static const char hex_digit[] = "0123456789abcdef";

static const char *const type_word[RTB_FRAME_TYPE_COUNT] = {
#define RTB_X(sym, word, text) [RTB_FRAME_##sym] = word,
	RTB_FRAME_TYPES(RTB_X)
#undef RTB_X
};

/* CRC-32, reflected polynomial 0xEDB88320, a nibble at a time: 64 bytes of table, and still
 * quicker than the line. */
static const uint32_t crc_nibble[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
	0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static void put(struct frame_out *f, char c)
{
	uint32_t crc = f->crc ^ (uint8_t)c;
	crc = crc >> 4 ^ crc_nibble[crc & 15];
	f->crc = crc >> 4 ^ crc_nibble[crc & 15];
	f->sink((uint8_t)c);
}

static void put_text(struct frame_out *f, const char *text)
{
	while (*text)
		put(f, *text++);
}

static void put_hex(struct frame_out *f, uint32_t value)
{
	for (int shift = 28; shift >= 0; shift -= 4)
		put(f, hex_digit[value >> shift & 15]);
}

static void put_quoted(struct frame_out *f, const char *text)
{
	put(f, '"');
	put_text(f, text);
	put(f, '"');
}

/* Below 10^9, where one machine word and the core's divide do. */
static void put_small(struct frame_out *f, uint32_t value, unsigned min_digits)
{
	char digit[10];
	unsigned n = 0;
	while (value != 0 || n < min_digits) {
		digit[n++] = (char)('0' + value % 10);
		value /= 10;
	}
	while (n > 0)
		put(f, digit[--n]);
}

/* value = value / 10^9, the remainder is returned. Bit by bit: slow and small, and no 64-bit
 * division of a run-time library gets into the image. */
static uint32_t divide_billion(uint64_t *value)
{
	uint64_t quotient = 0, rest = 0;
	for (int bit = 63; bit >= 0; bit--) {
		rest = rest << 1 | (*value >> bit & 1);
		quotient <<= 1;
		if (rest >= 1000000000u) {
			rest -= 1000000000u;
			quotient |= 1;
		}
	}
	*value = quotient;
	return (uint32_t)rest;
}

static void put_unsigned(struct frame_out *f, uint64_t value)
{
	uint32_t group[3];
	unsigned n = 0;
	while (value >= 1000000000u)
		group[n++] = divide_billion(&value);
	put_small(f, (uint32_t)value, 1);
	while (n > 0)
		put_small(f, group[--n], 9);
}

static void put_signed(struct frame_out *f, int64_t value)
{
	if (value < 0)
		put(f, '-');
	put_unsigned(f, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void put_key(struct frame_out *f, const char *key)
{
	if (f->comma)
		put(f, ',');
	f->comma = true;
	put_quoted(f, key);
	put(f, ':');
}

void frame_init(struct frame_out *f, frame_sink sink)
{
	*f = (struct frame_out){ .sink = sink, .nonce = "00000000" };
}

void frame_conversation(struct frame_out *f, const char *nonce)
{
	for (unsigned i = 0; i < sizeof(f->nonce); i++)
		f->nonce[i] = nonce[i];
	f->seq = 0;
}

void frame_begin(struct frame_out *f, enum rtb_frame_type type)
{
	f->sink(RTB_FRAME_RS);
	f->crc = 0xffffffff;
	f->comma = false;
	put(f, '{');
	frame_str(f, "t", type_word[type]);
	if (type == RTB_FRAME_READY)
		return;
	if (type != RTB_FRAME_ERROR && type != RTB_FRAME_FAULT)
		frame_int(f, "seq", f->seq++);
	frame_str(f, "nonce", f->nonce);
}

void frame_end(struct frame_out *f)
{
	put(f, '}');
	uint32_t crc = ~f->crc;
	put(f, ' ');
	put_hex(f, crc);
	f->sink('\n');
}

void frame_str(struct frame_out *f, const char *key, const char *value)
{
	put_key(f, key);
	put_quoted(f, value);
}

void frame_word(struct frame_out *f, const char *key, const char *words)
{
	put_key(f, key);
	put(f, '"');
	while (*words != '\0' && *words != ' ')
		put(f, *words++);
	put(f, '"');
}

void frame_int(struct frame_out *f, const char *key, int64_t value)
{
	put_key(f, key);
	put_signed(f, value);
}

void frame_bool(struct frame_out *f, const char *key, bool value)
{
	put_key(f, key);
	put_text(f, value ? "true" : "false");
}

void frame_reg(struct frame_out *f, const char *key, uint32_t value)
{
	put_key(f, key);
	put_text(f, "\"0x");
	put_hex(f, value);
	put(f, '"');
}

void frame_big(struct frame_out *f, const char *key, uint64_t value)
{
	put_key(f, key);
	put(f, '"');
	put_unsigned(f, value);
	put(f, '"');
}

void frame_big_signed(struct frame_out *f, const char *key, int64_t value)
{
	put_key(f, key);
	put(f, '"');
	put_signed(f, value);
	put(f, '"');
}

void frame_bytes(struct frame_out *f, const char *key, const uint8_t *bytes, unsigned count)
{
	put_key(f, key);
	put(f, '"');
	for (unsigned i = 0; i < count; i++) {
		put(f, hex_digit[bytes[i] >> 4]);
		put(f, hex_digit[bytes[i] & 15]);
	}
	put(f, '"');
}

void frame_list(struct frame_out *f, const char *key)
{
	put_key(f, key);
	put(f, '[');
	f->comma = false;
}

void frame_item(struct frame_out *f, int64_t value)
{
	if (f->comma)
		put(f, ',');
	f->comma = true;
	put_signed(f, value);
}

void frame_list_end(struct frame_out *f)
{
	put(f, ']');
	f->comma = true;
}
