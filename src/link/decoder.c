/* decoder.c - splits a byte stream at RS, LF and CR and keeps what its CRC vouches for.
 *
 * A frame is one line, so any of the three bytes ends what was begun: an RS inside a damaged
 * frame starts the next one, and a good frame glued to a cut one survives. The three next
 * positions are found with memchr and remembered, so each byte of a piece is looked at a fixed
 * number of times whatever it holds.
 */
#include "link/decoder.h"

#include <string.h>
#include <zlib.h>

#include "rtbench/frame.h"

enum { CRC_DIGITS = 8, TAIL = 1 + CRC_DIGITS }; /* SP and the digits */
/* The line without its RS and LF. */
enum { LINE_MAX_BYTES = RTB_FRAME_MAX - 2 };

void rtb_decoder_init(struct rtb_decoder *d, rtb_decoder_frame *on_frame, void *ctx)
{
	*d = (struct rtb_decoder){.on_frame = on_frame, .ctx = ctx};
}

void rtb_decoder_free(struct rtb_decoder *d)
{
	rtb_buf_free(&d->buf);
}

/* Lower case only: bit 5 of a letter may be the damaged one. */
static bool hex32(const char *s, uint32_t *out)
{
	uint32_t v = 0;
	for (int i = 0; i < CRC_DIGITS; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c >= '0' && c <= '9')
			v = v << 4 | (uint32_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint32_t)(c - 'a' + 10);
		else
			return false;
	}
	*out = v;
	return true;
}

static void waste(struct rtb_decoder *d, bool damaged, const void *bytes, size_t n)
{
	if (d->on_waste && (n || damaged))
		d->on_waste(d->ctx, damaged, bytes, n);
}

static void bad_frame(struct rtb_decoder *d)
{
	d->counts.bad_frame++;
	waste(d, true, rtb_buf_cstr(&d->buf), d->buf.len);
}

/* Judges the line in buf and hands it on when it is whole. */
static bool take_line(struct rtb_decoder *d)
{
	char *line = d->buf.data;
	size_t len = d->buf.len;
	uint32_t crc;
	if (len < 2 + TAIL || line[0] != '{' || line[len - TAIL - 1] != '}' ||
	    line[len - TAIL] != ' ' || !hex32(line + len - CRC_DIGITS, &crc) ||
	    memchr(line, '\0', len)) {
		bad_frame(d);
		return false;
	}
	size_t json = len - TAIL;
	if (crc32_z(0, (const Bytef *)line, json) != crc) {
		d->counts.bad_crc++;
		waste(d, true, line, len);
		return false;
	}
	d->counts.frames++;
	line[json] = '\0';
	d->on_frame(d->ctx, line, json);
	return true;
}

/* Next positions of the bytes that end a line; `end` when there is none in this piece. */
struct next {
	const char *rs, *lf, *cr;
};

static const char *ahead(const char *known, int byte, const char *p, const char *end)
{
	if (known && known >= p)
		return known;
	const char *at = memchr(p, byte, (size_t)(end - p));
	return at ? at : end;
}

static const char *line_end(struct next *next, const char *p, const char *end)
{
	next->rs = ahead(next->rs, RTB_FRAME_RS, p, end);
	next->lf = ahead(next->lf, '\n', p, end);
	next->cr = ahead(next->cr, '\r', p, end);
	const char *at = next->rs < next->lf ? next->rs : next->lf;
	return at < next->cr ? at : next->cr;
}

/* Between frames: everything up to the next RS is noise. */
static const char *hunt(struct rtb_decoder *d, struct next *next, const char *p, const char *end)
{
	if (d->after_cr) {
		d->after_cr = false;
		if (*p == '\n')
			return p + 1;
		d->counts.cr_only++;
	}
	next->rs = ahead(next->rs, RTB_FRAME_RS, p, end);
	d->counts.noise_bytes += (uint64_t)(next->rs - p);
	waste(d, false, p, (size_t)(next->rs - p));
	if (next->rs == end)
		return end;
	d->in_frame = true;
	rtb_buf_clear(&d->buf);
	return next->rs + 1;
}

static const char *collect(struct rtb_decoder *d, struct next *next, const char *p, const char *end)
{
	const char *stop = line_end(next, p, end);
	size_t take = (size_t)(stop - p), room = LINE_MAX_BYTES - d->buf.len;
	if (take > room) {
		rtb_buf_add(&d->buf, p, room);
		bad_frame(d);
		d->in_frame = false;
		return p + room;
	}
	rtb_buf_add(&d->buf, p, take);
	if (stop == end)
		return end;
	d->in_frame = false;
	if (*stop == RTB_FRAME_RS) {
		bad_frame(d); /* cut short; hunt() takes this RS as a new beginning */
		return stop;
	}
	bool good = take_line(d);
	d->after_cr = good && *stop == '\r';
	return stop + 1;
}

void rtb_decoder_feed(struct rtb_decoder *d, const void *bytes, size_t n)
{
	const char *p = bytes, *end = p + n;
	struct next next = {0};
	d->counts.bytes += n;
	while (p < end)
		p = d->in_frame ? collect(d, &next, p, end) : hunt(d, &next, p, end);
}

void rtb_decoder_reset(struct rtb_decoder *d)
{
	if (d->in_frame)
		bad_frame(d);
	if (d->after_cr)
		d->counts.cr_only++;
	d->in_frame = d->after_cr = false;
	rtb_buf_clear(&d->buf);
}
