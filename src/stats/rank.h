/* rank.h - is there a difference between two small sets of figures? By ranks, so that nothing
 * is assumed of their distribution. Numbers only. */
#ifndef RTB_STATS_RANK_H
#define RTB_STATS_RANK_H

#include <stdbool.h>
#include <stddef.h>

struct rtb_rank_test {
	double u;      /* the smaller of the two U */
	double p;      /* two-sided; 1 when every value is the same */
	bool exact;    /* counted over all orders; false: normal approximation with tie and
	                * continuity correction */
};

/* Mann-Whitney U of a against b (na, nb >= 1). Exact while there are no ties and na, nb <= 20. */
void rtb_rank_test(const double *a, size_t na, const double *b, size_t nb, struct rtb_rank_test *out);

/* The smallest equal number of repeats on both sides that can reach p <= alpha at all, when
 * every value of one side lies above every value of the other. 0 < alpha < 1. */
unsigned rtb_rank_repeats(double alpha);

/* Median of n >= 1 values; sorts v. */
double rtb_median(double *v, size_t n);

#endif
