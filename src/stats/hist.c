#include "stats/hist.h"

#include <stdlib.h>

#include "base/buf.h"

void rtb_hist_free(struct rtb_hist *h)
{
	free(h->bin);
	*h = (struct rtb_hist){0};
}

void rtb_hist_add(struct rtb_hist *h, int64_t lo, int64_t hi, uint64_t count)
{
	if (count == 0)
		return;
	struct rtb_bin *last = h->count ? &h->bin[h->count - 1] : NULL;
	if (last && last->lo == lo && last->hi == hi) {
		last->count += count;
		return;
	}
	if (h->count == h->cap) {
		h->cap = h->cap ? h->cap * 2 : 16;
		h->bin = rtb_realloc(h->bin, h->cap * sizeof *h->bin);
	}
	h->bin[h->count++] = (struct rtb_bin){lo, hi, count};
}

static int by_lo(const void *a, const void *b)
{
	const struct rtb_bin *x = a, *y = b;
	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->hi < y->hi ? -1 : x->hi > y->hi;
}

int rtb_hist_sort(struct rtb_hist *h)
{
	if (h->count < 2)
		return 1;
	qsort(h->bin, h->count, sizeof *h->bin, by_lo);
	size_t out = 0;
	int disjoint = 1;
	for (size_t i = 1; i < h->count; i++) {
		struct rtb_bin *last = &h->bin[out], *b = &h->bin[i];
		if (b->lo == last->lo && b->hi == last->hi) {
			last->count += b->count;
			continue;
		}
		if (b->lo <= last->hi)
			disjoint = 0;
		h->bin[++out] = *b;
	}
	h->count = out + 1;
	return disjoint;
}

uint64_t rtb_hist_total(const struct rtb_hist *h)
{
	uint64_t n = 0;
	for (size_t i = 0; i < h->count; i++)
		n += h->bin[i].count;
	return n;
}
