/* decoder.h - bytes to frames. Knows nothing of links; never fails on bad input, only counts it. */
#ifndef RTB_LINK_DECODER_H
#define RTB_LINK_DECODER_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct rtb_decoder_counts {
	uint64_t frames;      /* whole, CRC right */
	uint64_t bad_crc;
	uint64_t bad_frame;   /* right CRC position missing, NUL inside, too long, ... */
	uint64_t noise_bytes; /* outside frames */
	uint64_t cr_only;     /* frames ended by a lone CR */
};

/* json points at length bytes plus a NUL, valid during the call only. */
typedef void rtb_decoder_frame(void *ctx, const char *json, size_t length);

struct rtb_decoder {
	struct rtb_buf buf;   /* from the last RS on */
	struct rtb_decoder_counts counts;
	rtb_decoder_frame *on_frame;
	void *ctx;
};

void rtb_decoder_init(struct rtb_decoder *d, rtb_decoder_frame *on_frame, void *ctx);
void rtb_decoder_free(struct rtb_decoder *d);
void rtb_decoder_feed(struct rtb_decoder *d, const void *bytes, size_t n);
/* Forgets a half frame (counted bad when there was one). */
void rtb_decoder_reset(struct rtb_decoder *d);

#endif
