/* Decoder and message reader: bytes a second on one core, against what a 12 Mbaud line carries.
 * Exits 1 when the decoder is below a hundred such lines on clean input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/link/frames.h"
#include "base/clock.h"
#include "link/decoder.h"
#include "link/message.h"

static const double LINE = 12e6 / 10; /* bytes a second: start bit, 8 data bits, stop bit */
static const double SECONDS = 0.5;
enum { READ_SIZE = 16384 };           /* what a session reads at a time */

static uint64_t frames;

static void count(void *ctx, const char *json, size_t length)
{
	(void)ctx, (void)json;
	frames += length > 0;
}

static void parse(void *ctx, const char *json, size_t length)
{
	struct rtb_message m;
	struct rtb_error e = {0};
	(void)ctx;
	if (rtb_message_parse(json, length, &m, &e) != RTB_OK) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	rtb_message_free(&m);
	frames++;
}

/* One case's frames, as they lie on the wire. */
static void add_case(struct rtb_buf *b, unsigned seq)
{
	add_framef(b, "{\"t\":\"hello\",\"seq\":0,\"nonce\":\"00c0ffee\"," HELLO_BODY_FMT "}", TEST_BUILD,
		   "yield", 10000u, 0u);
	for (unsigned i = 0; i < 3; i++)
		add_framef(b, "{\"t\":\"mark\",\"seq\":%u,\"nonce\":\"00c0ffee\"," MARK_BODY "}", seq + i);
	add_framef(b, "{\"t\":\"record\",\"seq\":%u,\"nonce\":\"00c0ffee\"," RECORD_BODY_FMT "}", seq + 3, "yield", "");
	struct rtb_buf raw = {0};
	for (int i = 0; i < 1000; i++)
		rtb_buf_fmt(&raw, "%s%d", i ? "," : "", 90 + i % 200);
	add_framef(b, "{\"t\":\"raw\",\"seq\":%u,\"nonce\":\"00c0ffee\",\"case\":\"yield\",\"series\":\"\",\"from\":0,"
		   "\"v\":[%s]}", seq + 4, raw.data);
	rtb_buf_free(&raw);
	add_framef(b, "{\"t\":\"done\",\"seq\":%u,\"nonce\":\"00c0ffee\"," DONE_BODY_FMT "}", seq + 5, 7u);
}

static double measure(const char *name, const struct rtb_buf *b, rtb_decoder_frame *on_frame)
{
	const struct rtb_clock *clock = rtb_clock_system();
	struct rtb_decoder d;
	frames = 0;
	rtb_decoder_init(&d, on_frame, NULL);
	uint64_t begin = rtb_now_ns(clock), now;
	do {
		for (size_t i = 0; i < b->len; i += READ_SIZE)
			rtb_decoder_feed(&d, b->data + i, b->len - i < READ_SIZE ? b->len - i : READ_SIZE);
		now = rtb_now_ns(clock);
	} while ((double)(now - begin) < SECONDS * 1e9);
	double rate = (double)d.counts.bytes / ((double)(now - begin) / 1e9);
	printf("%-34s %8.1f MB/s  %7.0f x 12 Mbaud  %9llu frames, %llu damaged, %llu noise bytes\n", name,
	       rate / 1e6, rate / LINE, (unsigned long long)frames,
	       (unsigned long long)(d.counts.bad_crc + d.counts.bad_frame),
	       (unsigned long long)d.counts.noise_bytes);
	rtb_decoder_free(&d);
	return rate;
}

int main(void)
{
	struct rtb_buf clean = {0}, noisy = {0}, rs = {0}, text = {0};
	for (unsigned i = 0; i < 300; i++)
		add_case(&clean, i);
	rtb_buf_add(&noisy, clean.data, clean.len);
	srand(1);
	for (size_t i = 0; i < noisy.len; i += (size_t)(rand() % 2000)) /* one byte in a thousand */
		noisy.data[i] = (char)rand();
	char chunk[4096];
	memset(chunk, 0x1e, sizeof chunk);
	for (int i = 0; i < 256; i++)
		rtb_buf_add(&rs, chunk, sizeof chunk);
	for (int i = 0; i < 40000; i++)
		rtb_buf_str(&text, "some other program's log line\r\n");
	double rate = measure("decoder, clean", &clean, count);
	measure("decoder, 1 byte in 1000 damaged", &noisy, count);
	measure("decoder, nothing but RS", &rs, count);
	measure("decoder, text without frames", &text, count);
	measure("decoder and messages, clean", &clean, parse);
	rtb_buf_free(&clean);
	rtb_buf_free(&noisy);
	rtb_buf_free(&rs);
	rtb_buf_free(&text);
	return rate >= 100 * LINE ? 0 : 1;
}
