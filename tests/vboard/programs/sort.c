/* sort.c - three sorts of the same numbers: recursion, nested loops, function pointers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300 };
static int32_t a[N], b[N], c[N];

static void quick(int32_t *v, int lo, int hi)
{
	int i = lo, j = hi;
	int32_t pivot = v[(lo + hi) / 2];
	while (i <= j) {
		while (v[i] < pivot)
			i++;
		while (v[j] > pivot)
			j--;
		if (i <= j) {
			int32_t t = v[i];
			v[i++] = v[j];
			v[j--] = t;
		}
	}
	if (lo < j)
		quick(v, lo, j);
	if (i < hi)
		quick(v, i, hi);
}

static void shell(int32_t *v, int n)
{
	for (int gap = n / 2; gap; gap /= 2) {
		for (int i = gap; i < n; i++) {
			int32_t x = v[i];
			int j = i;
			for (; j >= gap && v[j - gap] > x; j -= gap)
				v[j] = v[j - gap];
			v[j] = x;
		}
	}
}

static int by_value(const void *x, const void *y)
{
	int32_t p = *(const int32_t *)x, q = *(const int32_t *)y;
	return (p > q) - (p < q);
}

static void heap_like(void *base, int n, int (*order)(const void *, const void *))
{
	int32_t *v = base;
	for (int i = 1; i < n; i++)
		for (int k = i; k && order(&v[(k - 1) / 2], &v[k]) < 0; k = (k - 1) / 2) {
			int32_t t = v[k];
			v[k] = v[(k - 1) / 2];
			v[(k - 1) / 2] = t;
		}
	for (int end = n - 1; end; end--) {
		int32_t t = v[0];
		v[0] = v[end];
		v[end] = t;
		for (int k = 0, m; (m = 2 * k + 1) < end; k = m) {
			if (m + 1 < end && order(&v[m + 1], &v[m]) > 0)
				m++;
			if (order(&v[m], &v[k]) <= 0)
				break;
			t = v[k];
			v[k] = v[m];
			v[m] = t;
		}
	}
}

int main(void)
{
	uint32_t x = 12345, sum = 0;
	for (int i = 0; i < N; i++) {
		x = x * 1664525u + 1013904223u;
		a[i] = b[i] = c[i] = (int32_t)x >> (i % 20);
	}
	quick(a, 0, N - 1);
	shell(b, N);
	heap_like(c, N, by_value);
	for (int i = 0; i < N; i++)
		sum = sum * 31 + (uint32_t)a[i] + (a[i] != b[i]) + 7 * (a[i] != c[i]);
	return (int)sum;
}
