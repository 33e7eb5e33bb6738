/* Any bytes, cut into pieces in any way: the same frames and counts, bounded memory, and nothing
 * accepted that does not stand in the input with its CRC. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "link/decoder.h"
#include "rtbench/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(x) do { if (!(x)) { fprintf(stderr, "%d: %s\n", __LINE__, #x); abort(); } } while (0)

struct run {
	const uint8_t *input;
	size_t size;
	uint32_t digest;
};

static void on_frame(void *ctx, const char *json, size_t length)
{
	struct run *r = ctx;
	struct rtb_buf wire = {0};
	REQUIRE(json[length] == '\0' && strlen(json) == length);
	rtb_buf_fmt(&wire, "\x1e%s %08lx", json, crc32(0, (const Bytef *)json, (uInt)length));
	REQUIRE(memmem(r->input, r->size, wire.data, wire.len));
	r->digest = (uint32_t)crc32(r->digest, (const Bytef *)wire.data, (uInt)wire.len);
	rtb_buf_free(&wire);
}

static struct rtb_decoder_counts decode(struct run *r, size_t piece)
{
	struct rtb_decoder d;
	rtb_decoder_init(&d, on_frame, r);
	for (size_t i = 0; i < r->size; i += piece)
		rtb_decoder_feed(&d, r->input + i, r->size - i < piece ? r->size - i : piece);
	rtb_decoder_reset(&d);
	REQUIRE(d.buf.cap <= 2 * RTB_FRAME_MAX);
	struct rtb_decoder_counts c = d.counts;
	rtb_decoder_free(&d);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run whole = {data, size, 0}, bytes = whole, pieces = whole;
	struct rtb_decoder_counts a = decode(&whole, size ? size : 1), b = decode(&bytes, 1),
				  c = decode(&pieces, 7);
	REQUIRE(whole.digest == bytes.digest && whole.digest == pieces.digest);
	REQUIRE(memcmp(&a, &b, sizeof a) == 0 && memcmp(&a, &c, sizeof a) == 0);
	REQUIRE(a.bytes == size && a.noise_bytes <= size);
	return 0;
}
