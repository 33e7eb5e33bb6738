#include "stats/rank.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"

#define EXACT_LIMIT 20

struct item { double v; bool from_a; };

static int by_value(const void *x, const void *y)
{
	const struct item *a = x, *b = y;
	return a->v < b->v ? -1 : a->v > b->v;
}

static int by_number(const void *x, const void *y)
{
	const double *a = x, *b = y;
	return *a < *b ? -1 : *a > *b;
}

double rtb_median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_number);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* P(U <= u) for two samples without ties: how many of the C(na+nb, na) orders have that U,
 * counted by the recurrence f(m, n, u) = f(m-1, n, u-n) + f(m, n-1, u). */
static double exact_tail(unsigned u, size_t na, size_t nb)
{
	size_t most = na * nb + 1;
	double *ways = rtb_alloc((nb + 1) * most * sizeof *ways); /* of the current m, by n and u */
	for (size_t n = 0; n <= nb; n++)
		ways[n * most] = 1; /* m = 0: the one order, U = 0 */
	for (size_t m = 1; m <= na; m++) {
		/* n = 0 stays as it is: one order, U = 0 */
		for (size_t n = 1; n <= nb; n++)
			for (size_t k = most; k-- > 0;)
				ways[n * most + k] = ways[(n - 1) * most + k] +
						     (k >= n ? ways[n * most + k - n] : 0);
	}
	double below = 0, all = 0;
	for (size_t k = 0; k < most; k++) {
		all += ways[nb * most + k];
		below += k <= u ? ways[nb * most + k] : 0;
	}
	free(ways);
	return below / all;
}

static double normal_tail(double u, size_t na, size_t nb, double ties)
{
	double n = (double)(na + nb), ab = (double)na * (double)nb;
	double var = ab / 12 * (n + 1 - ties / (n * (n - 1)));
	if (var <= 0)
		return 1;
	double z = (fabs(u - ab / 2) - 0.5) / sqrt(var);
	return z > 0 ? erfc(z / sqrt(2)) : 1;
}

void rtb_rank_test(const double *a, size_t na, const double *b, size_t nb, struct rtb_rank_test *out)
{
	size_t n = na + nb;
	struct item *all = rtb_alloc(n * sizeof *all);
	for (size_t i = 0; i < n; i++)
		all[i] = i < na ? (struct item){a[i], true} : (struct item){b[i - na], false};
	qsort(all, n, sizeof *all, by_value);
	double rank_sum = 0, ties = 0;
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i; j < n && all[j].v == all[i].v;)
			j++;
		double len = (double)(j - i), rank = (double)(i + 1 + j) / 2;
		ties += len * len * len - len;
		for (size_t k = i; k < j; k++)
			rank_sum += all[k].from_a ? rank : 0;
	}
	free(all);
	double ua = rank_sum - (double)na * (double)(na + 1) / 2;
	double ub = (double)na * (double)nb - ua;
	out->u = ua < ub ? ua : ub;
	out->exact = ties == 0 && na <= EXACT_LIMIT && nb <= EXACT_LIMIT;
	if (out->exact)
		out->p = 2 * exact_tail((unsigned)out->u, na, nb);
	else
		out->p = normal_tail(out->u, na, nb, ties);
	if (out->p > 1)
		out->p = 1;
}

unsigned rtb_rank_repeats(double alpha)
{
	double orders = 1;
	for (unsigned n = 1;; n++) {
		orders *= (double)(2 * n - 1) * (2 * n) / ((double)n * n); /* C(2n, n) */
		if (2 / orders <= alpha)
			return n;
	}
}
