#include "store/codec.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put_varint(struct rtb_buf *out, uint64_t v)
{
	unsigned char b[10];
	size_t n = 0;
	do {
		b[n] = (unsigned char)(v & 0x7f);
		v >>= 7;
		if (v)
			b[n] |= 0x80;
		n++;
	} while (v);
	rtb_buf_add(out, b, n);
}

static uint64_t zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}

static int64_t unzigzag(uint64_t z)
{
	return (int64_t)(z >> 1) ^ -(int64_t)(z & 1);
}

struct reader {
	const unsigned char *p, *end;
	bool bad;
};

static uint64_t get_varint(struct reader *r)
{
	uint64_t v = 0;
	for (unsigned shift = 0; r->p < r->end && shift < 64; shift += 7) {
		unsigned char b = *r->p++;
		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	r->bad = true;
	return 0;
}

/* The differences wrap like the numbers themselves, so that the extremes survive. */
static int64_t plus(int64_t a, uint64_t b)
{
	return (int64_t)((uint64_t)a + b);
}

void rtb_pack_hist(const struct rtb_hist *h, struct rtb_buf *out)
{
	int64_t before = 0;
	for (size_t i = 0; i < h->count; i++) {
		const struct rtb_bin *b = &h->bin[i];
		put_varint(out, zigzag((int64_t)((uint64_t)b->lo - (uint64_t)before)));
		put_varint(out, (uint64_t)b->hi - (uint64_t)b->lo);
		put_varint(out, b->count);
		before = b->hi;
	}
}

bool rtb_unpack_hist(const void *p, size_t n, struct rtb_hist *h)
{
	struct reader r = {p, (const unsigned char *)p + n, false};
	int64_t before = 0;
	*h = (struct rtb_hist){0};
	while (r.p < r.end && !r.bad) {
		int64_t lo = plus(before, (uint64_t)unzigzag(get_varint(&r)));
		int64_t hi = plus(lo, get_varint(&r));
		uint64_t count = get_varint(&r);
		if (hi < lo || (h->count && lo <= before))
			r.bad = true;
		if (!r.bad)
			rtb_hist_add(h, lo, hi, count);
		before = hi;
	}
	if (r.bad)
		rtb_hist_free(h);
	return !r.bad;
}

void rtb_pack_raw(const int32_t *v, size_t count, struct rtb_buf *out)
{
	int64_t before = 0;
	for (size_t i = 0; i < count; i++) {
		put_varint(out, zigzag(v[i] - before));
		before = v[i];
	}
}

bool rtb_unpack_raw(const void *p, size_t n, int32_t **v, size_t *count)
{
	struct reader r = {p, (const unsigned char *)p + n, false};
	int64_t sample = 0;
	size_t k = 0;
	int32_t *out = rtb_alloc(n * sizeof *out); /* at least one byte a sample */
	while (r.p < r.end && !r.bad) {
		sample = plus(sample, (uint64_t)unzigzag(get_varint(&r)));
		if (sample < INT32_MIN || sample > INT32_MAX)
			r.bad = true;
		else
			out[k++] = (int32_t)sample;
	}
	if (r.bad) {
		free(out);
		out = NULL;
		k = 0;
	}
	*v = out;
	*count = k;
	return !r.bad;
}

void rtb_pack_log(const char *text, size_t n, struct rtb_buf *out, size_t *cut)
{
	char *kept = NULL;
	*cut = 0;
	if (n > RTB_LOG_KEPT) {
		size_t half = RTB_LOG_KEPT / 2;
		kept = rtb_alloc(RTB_LOG_KEPT);
		memcpy(kept, text, half);
		memcpy(kept + half, text + n - half, half);
		*cut = n - RTB_LOG_KEPT;
		text = kept;
		n = RTB_LOG_KEPT;
	}
	uLongf size = compressBound(n);
	unsigned char *packed = rtb_alloc(size);
	/* cannot fail: the buffer has the bound's size and the level is valid */
	compress2(packed, &size, (const Bytef *)text, n, Z_BEST_SPEED);
	rtb_buf_add(out, packed, size);
	free(packed);
	free(kept);
}

bool rtb_unpack_log(const void *p, size_t n, size_t bytes, size_t cut, struct rtb_buf *out)
{
	if (cut > bytes || bytes - cut > RTB_LOG_KEPT)
		return false;
	uLongf size = bytes - cut;
	char *text = rtb_alloc(size + 1);
	bool good = uncompress((Bytef *)text, &size, p, n) == Z_OK && size == bytes - cut;
	if (good && cut) {
		rtb_buf_add(out, text, size / 2);
		rtb_buf_fmt(out, "\n[%zu bytes were not kept]\n", cut);
		rtb_buf_add(out, text + size / 2, size - size / 2);
	} else if (good) {
		rtb_buf_add(out, text, size);
	}
	free(text);
	return good;
}
