/* Bytes to frames: the cases by hand, then random damage of every kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>

#include "frames.h"
#include "link/decoder.h"
#include "rtbench/frame.h"

/* Frames as they were found, one line each. */
static void collect(void *ctx, const char *json, size_t length)
{
	assert_int_equal(strlen(json), length);
	assert_int_equal(json[0], '{');
	assert_int_equal(json[length - 1], '}');
	rtb_buf_add(ctx, json, length);
	rtb_buf_str(ctx, "\n");
}

struct result {
	struct rtb_buf found;
	struct rtb_decoder_counts counts;
};

static struct result decode(const void *bytes, size_t n, size_t chunk)
{
	struct result r = {0};
	struct rtb_decoder d;
	rtb_decoder_init(&d, collect, &r.found);
	for (size_t i = 0; i < n; i += chunk)
		rtb_decoder_feed(&d, (const char *)bytes + i, n - i < chunk ? n - i : chunk);
	rtb_decoder_reset(&d);
	r.counts = d.counts;
	rtb_decoder_free(&d);
	return r;
}

/* Feeds the bytes whole and in pieces of every small size; all must give the same. */
static struct rtb_decoder_counts finds(const void *bytes, size_t n, const char *want)
{
	struct result r = {0};
	for (size_t chunk = n; chunk > 0; chunk = chunk > 17 ? 17 : chunk - 1) {
		struct result part = decode(bytes, n, chunk);
		assert_string_equal(rtb_buf_cstr(&part.found), want);
		if (chunk < n)
			assert_memory_equal(&part.counts, &r.counts, sizeof r.counts);
		r.counts = part.counts;
		rtb_buf_free(&part.found);
	}
	assert_int_equal(r.counts.bytes, n);
	return r.counts;
}

#define FINDS(bytes, want) finds(bytes, sizeof(bytes) - 1, want)
#define A "\x1e{\"t\":\"a\"} 5c5651ac"
#define A_JSON "{\"t\":\"a\"}\n"

static void the_literal_frame_is_right(void **state)
{
	(void)state;
	char digits[16];
	snprintf(digits, sizeof digits, "%08lx", crc32(0, (const Bytef *)"{\"t\":\"a\"}", 9));
	assert_string_equal(digits, "5c5651ac");
}

static void line_ends(void **state)
{
	(void)state;
	struct rtb_decoder_counts c = FINDS(A "\n" A "\r\n" A "\r" A "\n" A "\r", A_JSON A_JSON A_JSON A_JSON A_JSON);
	assert_int_equal(c.frames, 5);
	assert_int_equal(c.cr_only, 2);
	assert_int_equal(c.noise_bytes, 0);
	assert_int_equal(c.bad_frame + c.bad_crc, 0);
}

/* B21 */
static void nul_ff_and_noise(void **state)
{
	(void)state;
	struct rtb_decoder_counts c = FINDS("\x94\xff\0" A "\r\n", A_JSON);
	assert_int_equal(c.noise_bytes, 3);
	c = FINDS("\x1e{\"t\":\0\"a\"} 5c5651ac\n" A "\n", A_JSON);
	assert_int_equal(c.bad_frame, 1);
}

/* A NUL is refused even where the CRC was made over it. */
static void nul_with_a_right_crc(void **state)
{
	(void)state;
	struct rtb_buf b = {0};
	const char json[] = "{\"t\":\0\"a\"}";
	rtb_buf_str(&b, "\x1e");
	rtb_buf_add(&b, json, sizeof json - 1);
	rtb_buf_fmt(&b, " %08lx\n", crc32(0, (const Bytef *)json, sizeof json - 1));
	assert_int_equal(finds(b.data, b.len, "").bad_frame, 1);
	rtb_buf_free(&b);
}

/* B22: a good frame glued to a cut one survives. */
static void glued(void **state)
{
	(void)state;
	struct rtb_decoder_counts c = FINDS("\x1e{\"t\":\"rec" A "\n", A_JSON);
	assert_int_equal(c.bad_frame, 1);
	c = FINDS("\x1e\x1e\x1e" A "\n" A, A_JSON);
	assert_int_equal(c.bad_frame, 4);
}

/* The CRC's own digits must not be read kindly: 'A' is a damaged 'a'. */
static void near_misses(void **state)
{
	(void)state;
	struct rtb_decoder_counts c = FINDS("\x1e{\"t\":\"a\"} 5C5651ac\n\x1e{\"t\":\"a\"}  5c5651ac\n"
		"\x1e{\"t\":\"a\"} 5c5651ac \n\x1e {\"t\":\"a\"} 5c5651ac\n\x1e{\"t\":\"a\"}\t5c5651ac\n"
		"\x1e{} \n\x1e\n\x1e 00000000\n\x1e{ 00000000\n", "");
	assert_int_equal(c.bad_frame, 9);
	c = FINDS("\x1e{\"t\":\"b\"} 5c5651ac\n", "");
	assert_int_equal(c.bad_crc, 1);
}

/* B22: digits dropped and doubled. */
static void every_single_edit_is_noticed(void **state)
{
	(void)state;
	static const char good[] = "\x1e{\"max\":\"110\",\"n\":10} 00000000\n";
	char frame[sizeof good];
	memcpy(frame, good, sizeof good);
	size_t json = strlen(good) - 11;
	snprintf(frame + 1 + json + 1, 10, "%08lx", crc32(0, (const Bytef *)frame + 1, (uInt)json));
	frame[sizeof good - 2] = '\n';
	size_t n = sizeof good - 1;
	finds(frame, n, "{\"max\":\"110\",\"n\":10}\n");
	char edited[sizeof good + 1];
	for (size_t i = 1; i + 1 < n; i++) { /* without byte i */
		memcpy(edited, frame, i);
		memcpy(edited + i, frame + i + 1, n - i - 1);
		finds(edited, n - 1, "");
	}
	for (size_t i = 1; i + 1 < n; i++) { /* byte i twice */
		memcpy(edited, frame, i + 1);
		memcpy(edited + i + 1, frame + i, n - i);
		finds(edited, n + 1, "");
	}
	for (size_t i = 1; i + 1 < n; i++)
		for (int bit = 0; bit < 8; bit++) {
			memcpy(edited, frame, n);
			edited[i] ^= (char)(1 << bit);
			struct result r = decode(edited, n, n);
			assert_string_equal(rtb_buf_cstr(&r.found), "");
			rtb_buf_free(&r.found);
		}
}

static void longest_frame(void **state)
{
	(void)state;
	for (int more = 0; more <= 1; more++) {
		size_t json = RTB_FRAME_MAX - 11 + (size_t)more;
		char *s = rtb_alloc(json + 1);
		memset(s, 'x', json);
		s[0] = '{';
		s[json - 1] = '}';
		struct rtb_buf b = {0};
		add_frame(&b, s);
		assert_int_equal(b.len, RTB_FRAME_MAX + more);
		rtb_buf_str(&b, A "\n");
		for (size_t chunk = b.len; chunk > 1; chunk /= 3) {
			struct result r = decode(b.data, b.len, chunk);
			assert_int_equal(r.counts.frames, 2 - more);
			assert_int_equal(r.counts.bad_frame, more);
			assert_int_equal(r.counts.noise_bytes, more ? 2 : 0); /* what did not fit, and its LF */
			rtb_buf_free(&r.found);
		}
		rtb_buf_free(&b);
		free(s);
	}
}

/* A stream without an end must not make the buffer grow. */
static void memory_is_bounded(void **state)
{
	(void)state;
	struct rtb_buf found = {0};
	struct rtb_decoder d;
	rtb_decoder_init(&d, collect, &found);
	char chunk[4096];
	memset(chunk, '{', sizeof chunk);
	rtb_decoder_feed(&d, "\x1e", 1);
	for (int i = 0; i < 1000; i++)
		rtb_decoder_feed(&d, chunk, sizeof chunk);
	assert_true(d.buf.cap <= 2 * RTB_FRAME_MAX);
	assert_int_equal(d.counts.bad_frame, 1);
	assert_int_equal(found.len, 0);
	rtb_decoder_free(&d);
}

static uint32_t rng;
static uint32_t rnd(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 17;
	rng ^= rng << 5;
	return rng % n;
}

static void add_noise(struct rtb_buf *b)
{
	for (uint32_t n = rnd(40); n > 0; n--) {
		char c = (char)rnd(256);
		rtb_buf_add(b, &c, 1);
	}
}

/* Damages the frame that begins at `from`, in one of the ways that a line has. */
static void damage(struct rtb_buf *b, size_t from)
{
	size_t n = b->len - from, at = from + rnd((uint32_t)n);
	static const char special[] = "\x1e\r\n\0{}";
	switch (rnd(7)) {
	case 0: b->data[at] ^= (char)(1 << rnd(8)); break;
	case 1: b->data[at] = (char)rnd(256); break;
	case 2: b->data[at] = special[rnd(6)]; break;
	case 3: b->len = at; break; /* cut, and the next one glued to it */
	case 4: memmove(b->data + at, b->data + at + 1, b->len-- - at - 1); break;
	case 5: /* a piece twice; the whole frame twice would be no damage */
		for (size_t i = at > from ? at : from + 1, end = b->len; i < end; i++)
			rtb_buf_add(b, &(char){b->data[i]}, 1);
		break;
	case 6: memset(b->data + at, 0xff, b->len - at < 5 ? b->len - at : 5); break;
	}
}

/* No frame that was not sent, none twice, none out of order, and every undamaged one. */
static void compare(const struct rtb_buf *found, const bool *damaged, unsigned frames, uint32_t seed)
{
	unsigned next = 0, id;
	for (const char *p = rtb_buf_cstr(found); *p; p = strchr(p, '\n') + 1) {
		assert_int_equal(sscanf(p, "{\"id\":%u,", &id), 1);
		for (; next < id && next < frames; next++)
			if (!damaged[next])
				fail_msg("seed %u: frame %u was lost", seed, next);
		if (id != next || id >= frames)
			fail_msg("seed %u: frame %u was never sent there", seed, id);
		next++;
	}
	for (; next < frames; next++)
		if (!damaged[next])
			fail_msg("seed %u: frame %u was lost", seed, next);
}

static void random_damage(void **state)
{
	(void)state;
	static const char *const ends[] = {"\n", "\r\n", "\r"};
	enum { FRAMES = 60 };
	unsigned long hurt = 0, lost = 0;
	for (uint32_t seed = 1; seed <= 2000; seed++) {
		struct rtb_buf b = {0};
		bool damaged[FRAMES];
		rng = seed * 2654435761u;
		for (unsigned i = 0; i < FRAMES; i++) {
			size_t from;
			if (rnd(4) == 0)
				add_noise(&b);
			from = b.len;
			add_framef(&b, "{\"id\":%u,\"x\":%u,\"s\":\"%.*s\"}", i, rnd(1000000), (int)rnd(30),
				   "the quick brown fox jumps over");
			b.len--;
			rtb_buf_str(&b, ends[rnd(3)]);
			damaged[i] = rnd(3) == 0;
			hurt += damaged[i];
			if (damaged[i])
				damage(&b, from);
		}
		struct result r = decode(b.data, b.len, 1 + rnd(300)), whole = decode(b.data, b.len, b.len);
		compare(&r.found, damaged, FRAMES, seed);
		assert_memory_equal(&r.counts, &whole.counts, sizeof r.counts);
		assert_string_equal(rtb_buf_cstr(&r.found), rtb_buf_cstr(&whole.found));
		lost += FRAMES - r.counts.frames;
		rtb_buf_free(&r.found);
		rtb_buf_free(&whole.found);
		rtb_buf_free(&b);
	}
	/* Some damage is harmless (a CR for the LF), most must not be. */
	assert_true(hurt > 30000);
	assert_true(lost > hurt * 8 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_literal_frame_is_right),
		cmocka_unit_test(line_ends),
		cmocka_unit_test(nul_ff_and_noise),
		cmocka_unit_test(nul_with_a_right_crc),
		cmocka_unit_test(glued),
		cmocka_unit_test(near_misses),
		cmocka_unit_test(every_single_edit_is_noticed),
		cmocka_unit_test(longest_frame),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(random_damage),
	};
	return cmocka_run_group_tests_name("decoder", tests, NULL, NULL);
}
