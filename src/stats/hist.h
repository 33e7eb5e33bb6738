/* hist.h - a histogram as sorted, non-overlapping bins; numbers only. */
#ifndef RTB_STATS_HIST_H
#define RTB_STATS_HIST_H

#include <stddef.h>
#include <stdint.h>

/* Values lo..hi inclusive fell in here count times. lo == hi: exact. */
struct rtb_bin {
	int64_t lo, hi;
	uint64_t count;
};

struct rtb_hist {
	struct rtb_bin *bin; /* owned; ascending */
	size_t count, cap;
};

void rtb_hist_free(struct rtb_hist *h);
/* Adds at the end or merges with an equal bin; bins may come in any order until sorted. */
void rtb_hist_add(struct rtb_hist *h, int64_t lo, int64_t hi, uint64_t count);
/* Sorts and joins equal bins. False when two bins overlap without being equal. */
int rtb_hist_sort(struct rtb_hist *h);
uint64_t rtb_hist_total(const struct rtb_hist *h);

#endif
