/* frame_out.h - writes frames, byte by byte, with the CRC as it goes. No hardware; the bytes
 * go to a sink, so no buffer is as long as a frame.
 */
#ifndef RTB_FRAME_OUT_H
#define RTB_FRAME_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "rtbench/frame.h"

/* Where bytes go. */
typedef void (*frame_sink)(uint8_t byte);

struct frame_out {
	frame_sink sink;
	uint32_t crc;
	uint32_t seq;  /* of the next numbered frame: the frames since hello, hello included */
	char nonce[9]; /* 8 hex digits */
	bool comma;    /* the next key or list element needs one before it */
};

/* Points f at its sink; nonce "00000000", sequence 0. */
void frame_init(struct frame_out *f, frame_sink sink);
/* A command was accepted: from here on frames carry this nonce and count from 0. */
void frame_conversation(struct frame_out *f, const char *nonce);

/* RS and {"t":"..."}. Numbered ones go on with seq and nonce, `error` and `fault` with the
 * nonce alone, `ready` with neither. */
void frame_begin(struct frame_out *f, enum rtb_frame_type type);
/* }, CRC, LF. */
void frame_end(struct frame_out *f);

/* Fields. Keys and strings are written as they are: no quote, no backslash, no control byte. */
void frame_str(struct frame_out *f, const char *key, const char *value);
/* The first of space-separated words. */
void frame_word(struct frame_out *f, const char *key, const char *words);
void frame_int(struct frame_out *f, const char *key, int64_t value);
void frame_bool(struct frame_out *f, const char *key, bool value);
/* A register: "0x" and eight hex digits in quotes. */
void frame_reg(struct frame_out *f, const char *key, uint32_t value);
/* Numbers beyond 2^53 travel in quotes. */
void frame_big(struct frame_out *f, const char *key, uint64_t value);
void frame_big_signed(struct frame_out *f, const char *key, int64_t value);
/* bytes as lower-case hex in quotes. */
void frame_bytes(struct frame_out *f, const char *key, const uint8_t *bytes, unsigned count);

/* "key":[ ... ] */
void frame_list(struct frame_out *f, const char *key);
void frame_item(struct frame_out *f, int64_t value);
void frame_list_end(struct frame_out *f);

#endif
