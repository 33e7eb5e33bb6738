/* stat.h - statistics of one series, kept while measuring. No hardware, compiles on the host.
 *
 * Everything is exact: n, min, max, sum, sum of squares, and a histogram that is exact to one
 * cycle in the RTB_HIST_EXACT values above the smallest (include/rtbench/frame.h has the form
 * of what lies beyond). Counts are 16 bits to save RAM; each time one passes 65535 its bucket
 * is noted in a short list of carries worth 65536 each.
 */
#ifndef RTB_STAT_H
#define RTB_STAT_H

#include <stdint.h>

#include "rtbench/frame.h"

/* Carries for RTB_SAMPLES_MAX samples, all in one bucket: 1 000 000 / 65536. */
#define RTB_STAT_CARRIES 16
#define RTB_SAMPLES_MAX  1000000u

struct rtb_stat {
	int64_t sum;
	uint64_t sumsq; /* UINT64_MAX: too large to hold */
	int32_t min, max;
	uint32_t n;
	uint32_t imax; /* index of the first sample that equals max */
	uint32_t neg;  /* below zero and above the exact window */
	uint32_t over; /* RTB_HIST_OVER and more, above the exact window */
	uint16_t exact[RTB_HIST_EXACT]; /* [i] counts min + i */
	uint16_t tail[RTB_HIST_TAIL];
	uint16_t carry[RTB_STAT_CARRIES]; /* exact bucket, or RTB_HIST_EXACT + tail bucket */
	uint16_t carries;
};
_Static_assert(sizeof(struct rtb_stat) <= 1536, "one record's statistics are to fit 1.5 KB");

void stat_reset(struct rtb_stat *s);
/* Adds the n-th sample; at most RTB_SAMPLES_MAX of them. Of two samples neither may be more
 * than 2^31 - 1 above the other. */
void stat_add(struct rtb_stat *s, int32_t value);
/* Counts with their carries: of the value min + offset (offset < RTB_HIST_EXACT), and of tail
 * bucket `index` (< RTB_HIST_TAIL). */
uint32_t stat_exact(const struct rtb_stat *s, unsigned offset);
uint32_t stat_tail(const struct rtb_stat *s, unsigned index);

#endif
