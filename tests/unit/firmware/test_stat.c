/* The board's statistics against a brute-force computation over the same samples. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/stat.h"

/* xorshift: the same sequences on every machine. */
static uint32_t rnd_state;
static uint32_t rnd(void)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 17;
	rnd_state ^= rnd_state << 5;
	return rnd_state;
}

static int compare(const void *a, const void *b)
{
	int32_t l = *(const int32_t *)a, r = *(const int32_t *)b;
	return (l > r) - (l < r);
}

struct expected {
	uint32_t exact[RTB_HIST_EXACT], tail[RTB_HIST_TAIL], neg, over;
};

static void expect(struct expected *e, const int32_t *sorted, size_t n)
{
	memset(e, 0, sizeof(*e));
	for (size_t i = 0; i < n; i++) {
		int64_t offset = (int64_t)sorted[i] - sorted[0];
		if (offset < RTB_HIST_EXACT)
			e->exact[offset]++;
		else if (sorted[i] < 0)
			e->neg++;
		else if (sorted[i] >= RTB_HIST_OVER)
			e->over++;
		else
			e->tail[rtb_hist_index((unsigned)sorted[i])]++;
	}
}

static void check_against_brute_force(const int32_t *v, size_t n)
{
	struct rtb_stat *s = malloc(sizeof(*s));
	struct expected *e = malloc(sizeof(*e));
	int32_t *sorted = malloc(n * sizeof(*v));
	stat_reset(s);
	int64_t sum = 0;
	unsigned __int128 sumsq = 0;
	size_t imax = 0;
	for (size_t i = 0; i < n; i++) {
		stat_add(s, v[i]);
		sum += v[i];
		sumsq += (uint64_t)((int64_t)v[i] * v[i]);
		if (v[i] > v[imax])
			imax = i;
	}
	memcpy(sorted, v, n * sizeof(*v));
	qsort(sorted, n, sizeof(*v), compare);
	expect(e, sorted, n);
	assert_int_equal(s->n, n);
	assert_int_equal(s->min, sorted[0]);
	assert_int_equal(s->max, sorted[n - 1]);
	assert_int_equal(s->imax, imax);
	assert_true(s->sum == sum);
	assert_true(s->sumsq == (sumsq > UINT64_MAX ? UINT64_MAX : (uint64_t)sumsq));
	for (unsigned i = 0; i < RTB_HIST_EXACT; i++)
		assert_int_equal(stat_exact(s, i), e->exact[i]);
	for (unsigned i = 0; i < RTB_HIST_TAIL; i++)
		assert_int_equal(stat_tail(s, i), e->tail[i]);
	assert_int_equal(s->neg, e->neg);
	assert_int_equal(s->over, e->over);
	free(sorted);
	free(e);
	free(s);
}

/* Kinds of sequence, each with its own way of hurting: tight, wide, signed, falling so that
 * the window moves at every sample, jumping between far ends. */
static int32_t draw(unsigned kind, size_t i)
{
	switch (kind) {
	case 0: return (int32_t)(200 + rnd() % 40);
	case 1: return (int32_t)(rnd() % 5000);
	case 2: return (int32_t)(rnd() % 2000) - 1000;
	case 3: return 300000 - (int32_t)(i * 7) + (int32_t)(rnd() % 5);
	case 4: return rnd() % 2 ? (int32_t)(rnd() % 600000) : -(int32_t)(rnd() % 600000);
	case 5: return (int32_t)(rnd() % 3 * 255);
	case 6: return -(int32_t)i;
	default: return (int32_t)(rnd() >> (1 + rnd() % 28));
	}
}

static void test_random_sequences(void **state)
{
	(void)state;
	static int32_t v[20000];
	for (unsigned round = 0; round < 400; round++) {
		rnd_state = 0x9e3779b9u + round;
		size_t n = 1 + rnd() % (round % 20 == 0 ? 20000 : 500);
		for (size_t i = 0; i < n; i++)
			v[i] = draw(round % 8, i);
		check_against_brute_force(v, n);
	}
}

static void test_edges_of_the_window(void **state)
{
	(void)state;
	const int32_t sequences[][6] = {
		{ 100, 355, 356, 100, 99, 354 },
		{ 255, 0, 256, 255, -1, 254 },
		{ 0, -1, 255, 256, -256, -257 },
		{ RTB_HIST_OVER, RTB_HIST_OVER - 1, RTB_HIST_OVER + 300, 5, 0, 64 },
		{ 63, 64, 65, 127, 128, -300 },
		{ INT32_MAX, INT32_MAX, INT32_MAX - 255, INT32_MAX - 256, 7, 0 },
	};
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		for (size_t n = 1; n <= 6; n++)
			check_against_brute_force(sequences[i], n);
}

/* Counts beyond 16 bits, then the window moves under them: partly, and all the way. */
static void test_carries_move_with_the_window(void **state)
{
	(void)state;
	size_t n = 400000;
	int32_t *v = malloc(n * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i] = i < 150000 ? 1000 : i < 300000 ? 1000 - (int32_t)(i % 2) * 200 : 400;
	check_against_brute_force(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = i < 200000 ? 1000 : i < 390000 ? 1001 : -5;
	check_against_brute_force(v, n);
	free(v);
}

static void test_as_many_as_may_be_in_one_bucket(void **state)
{
	(void)state;
	int32_t *v = malloc(RTB_SAMPLES_MAX * sizeof(*v));
	for (size_t i = 0; i < RTB_SAMPLES_MAX; i++)
		v[i] = i + 1 == RTB_SAMPLES_MAX ? 0 : 70000;
	check_against_brute_force(v, RTB_SAMPLES_MAX);
	free(v);
}

static void test_sum_of_squares_says_when_it_is_too_large(void **state)
{
	(void)state;
	struct rtb_stat s;
	stat_reset(&s);
	for (unsigned i = 0; i < 5; i++)
		stat_add(&s, INT32_MAX);
	assert_true(s.sumsq == UINT64_MAX);
	stat_add(&s, 0);
	stat_add(&s, 1);
	assert_true(s.sumsq == UINT64_MAX);
}

static void test_tail_buckets_are_a_partition(void **state)
{
	(void)state;
	for (unsigned v = 0; v < RTB_HIST_OVER; v++) {
		unsigned i = rtb_hist_index(v);
		assert_true(i < RTB_HIST_TAIL);
		assert_true(rtb_hist_low(i) <= v && v < rtb_hist_low(i + 1));
	}
	for (unsigned i = 64; i < RTB_HIST_TAIL; i++)
		assert_true((rtb_hist_low(i + 1) - rtb_hist_low(i)) * 32 <= rtb_hist_low(i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_sequences),
		cmocka_unit_test(test_edges_of_the_window),
		cmocka_unit_test(test_carries_move_with_the_window),
		cmocka_unit_test(test_as_many_as_may_be_in_one_bucket),
		cmocka_unit_test(test_sum_of_squares_says_when_it_is_too_large),
		cmocka_unit_test(test_tail_buckets_are_a_partition),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
