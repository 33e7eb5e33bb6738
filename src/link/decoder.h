/* decoder.h - bytes to frames. Knows nothing of links; never fails on bad input, only counts it. */
#ifndef RTB_LINK_DECODER_H
#define RTB_LINK_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct rtb_decoder_counts {
	uint64_t frames;      /* whole, CRC right */
	uint64_t bad_crc;     /* well-formed, but the CRC says damaged */
	uint64_t bad_frame;   /* an RS that no well-formed frame follows: cut short, glued to
			       * another, NUL inside, too long, ... */
	uint64_t noise_bytes; /* outside frames */
	uint64_t cr_only;     /* frames ended by a lone CR */
	uint64_t bytes;       /* all that was fed */
};

/* json points at length bytes plus a NUL, valid during the call only; it begins with '{', ends
 * with '}' and holds no NUL, CR or LF. The callback must not feed or reset the decoder. */
typedef void rtb_decoder_frame(void *ctx, const char *json, size_t length);

/* What is no frame, for whoever wants to show it: bytes outside frames, in the pieces in which
 * they came, and (damaged) what followed an RS without its line end. */
typedef void rtb_decoder_waste(void *ctx, bool damaged, const void *bytes, size_t n);

struct rtb_decoder {
	struct rtb_buf buf;   /* what follows the last RS; at most RTB_FRAME_MAX bytes */
	bool in_frame;        /* an RS has come and its line has not ended */
	bool after_cr;        /* the last byte was the CR that ended a good frame: LF may follow */
	struct rtb_decoder_counts counts;
	rtb_decoder_frame *on_frame;
	rtb_decoder_waste *on_waste; /* NULL after init; may be set before the first byte */
	void *ctx;            /* of both */
};

void rtb_decoder_init(struct rtb_decoder *d, rtb_decoder_frame *on_frame, void *ctx);
void rtb_decoder_free(struct rtb_decoder *d);
/* Takes any bytes in pieces of any size; the frames found and the counts do not depend on how
 * the bytes were cut into pieces. */
void rtb_decoder_feed(struct rtb_decoder *d, const void *bytes, size_t n);
/* Forgets a half frame (counted bad when there was one). Counts are kept. */
void rtb_decoder_reset(struct rtb_decoder *d);

#endif
