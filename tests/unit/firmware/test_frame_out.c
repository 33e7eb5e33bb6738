/* Frames as the board writes them: numbers against printf, the CRC against zlib. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <cmocka.h>

#include "core/frame_out.h"

static char line[RTB_FRAME_MAX];
static size_t length;

static void sink(uint8_t byte)
{
	assert_true(length < sizeof(line) - 1);
	line[length++] = (char)byte;
	line[length] = '\0';
}

static struct frame_out start(void)
{
	struct frame_out f;
	length = 0;
	frame_init(&f, sink);
	return f;
}

static void test_whole_frame(void **state)
{
	(void)state;
	struct frame_out f = start();
	frame_conversation(&f, "1a2b3c4d");
	frame_begin(&f, RTB_FRAME_HELLO);
	frame_bool(&f, "yes", true);
	frame_reg(&f, "reg", 0xabcd);
	frame_list(&f, "list");
	frame_item(&f, -1);
	frame_item(&f, 2);
	frame_list_end(&f);
	frame_list(&f, "none");
	frame_list_end(&f);
	frame_word(&f, "series", "loaded base");
	frame_end(&f);
	const char *json = "{\"t\":\"hello\",\"seq\":0,\"nonce\":\"1a2b3c4d\",\"yes\":true,"
			   "\"reg\":\"0x0000abcd\",\"list\":[-1,2],\"none\":[],\"series\":\"loaded\"}";
	char whole[512];
	unsigned long crc = crc32(0, (const Bytef *)json, (uInt)strlen(json));
	snprintf(whole, sizeof(whole), "\x1e%s %08lx\n", json, crc);
	assert_string_equal(line, whole);
}

static void test_sequence_and_nonce(void **state)
{
	(void)state;
	struct frame_out f = start();
	frame_begin(&f, RTB_FRAME_READY);
	assert_string_equal(line, "\x1e{\"t\":\"ready\"");
	frame_end(&f);
	frame_conversation(&f, "cafecafe");
	for (unsigned i = 0; i < 3; i++) {
		length = 0;
		frame_begin(&f, RTB_FRAME_MARK);
		char want[64];
		snprintf(want, sizeof(want), "\x1e{\"t\":\"mark\",\"seq\":%u,\"nonce\":\"cafecafe\"", i);
		assert_string_equal(line, want);
		frame_end(&f);
	}
	length = 0;
	frame_begin(&f, RTB_FRAME_FAULT);
	assert_string_equal(line, "\x1e{\"t\":\"fault\",\"nonce\":\"cafecafe\"");
	assert_int_equal(f.seq, 3);
	frame_conversation(&f, "00000001");
	assert_int_equal(f.seq, 0);
}

static void number(int64_t value)
{
	struct frame_out f = start();
	frame_begin(&f, RTB_FRAME_READY);
	length = 0;
	frame_int(&f, "v", value);
	frame_big(&f, "u", (uint64_t)value);
	frame_big_signed(&f, "s", value);
	char want[128];
	snprintf(want, sizeof(want), ",\"v\":%" PRId64 ",\"u\":\"%" PRIu64 "\",\"s\":\"%" PRId64 "\"",
		 value, (uint64_t)value, value);
	assert_string_equal(line, want);
}

static void test_numbers(void **state)
{
	(void)state;
	const int64_t edge[] = { 0, 1, 9, 10, 999999999, 1000000000, 1000000001, INT32_MAX, UINT32_MAX,
				 999999999999999999, 1000000000000000000, INT64_MAX, INT64_MIN };
	for (size_t i = 0; i < sizeof(edge) / sizeof(edge[0]); i++)
		for (int64_t sign = -1; sign <= 1; sign += 2)
			number((int64_t)((uint64_t)edge[i] * (uint64_t)sign));
	uint64_t x = 0x9e3779b97f4a7c15u;
	for (unsigned i = 0; i < 20000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		number((int64_t)(x >> i % 64));
	}
}

/* The CRC of random frames, as whoever receives them computes it. */
static void test_crc_is_zlibs(void **state)
{
	(void)state;
	uint32_t x = 1;
	for (unsigned round = 0; round < 500; round++) {
		struct frame_out f = start();
		frame_begin(&f, RTB_FRAME_RECORD);
		frame_list(&f, "v");
		for (unsigned i = 0; i < round; i++) {
			x = x * 1664525 + 1013904223;
			frame_item(&f, (int32_t)x);
		}
		frame_list_end(&f);
		frame_end(&f);
		char *close = strrchr(line, '}');
		unsigned long crc = crc32(0, (const Bytef *)line + 1, (uInt)(close - line));
		assert_int_equal(close[1], ' ');
		assert_int_equal(strtoul(close + 2, NULL, 16), crc);
		assert_string_equal(close + 10, "\n");
		assert_null(strchr(line + 1, RTB_FRAME_RS));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_frame),
		cmocka_unit_test(test_sequence_and_nonce),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_crc_is_zlibs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
