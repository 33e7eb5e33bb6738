/* wide.c - 64-bit arithmetic: products, quotients, shifts by variables, comparisons. */
#include <stdint.h>

static uint64_t results[64];

static uint64_t power_mod(uint64_t b, uint32_t e, uint32_t m)
{
	uint64_t r = 1;
	for (b %= m; e; e >>= 1) {
		if (e & 1)
			r = r * b % m;
		b = b * b % m;
	}
	return r;
}

static uint32_t root(uint64_t v)
{
	uint64_t r = 0;
	for (uint64_t bit = 1ull << 62; bit; bit >>= 2) {
		if (v >= r + bit) {
			v -= r + bit;
			r = (r >> 1) + bit;
		} else {
			r >>= 1;
		}
	}
	return (uint32_t)r;
}

int main(void)
{
	uint64_t x = 0x9E3779B97F4A7C15ull, sum = 0;
	for (int i = 0; i < 64; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		int64_t s = (int64_t)x >> (i & 31);
		uint64_t q = x / ((x >> (i % 48 + 1)) | 1), r = x % (uint32_t)(x >> 32 | 1);
		int64_t d = s / (int32_t)(i - 40 ? i - 40 : 1), m = s % 1000003;
		results[i] = q + r + (uint64_t)d + (uint64_t)m + (x >> i) + (x << (63 - i));
		results[i] += power_mod(x, 65537, 1000000007u) + root(x);
		if (s < (int64_t)results[i] && x > results[(i + 7) & 63])
			sum += results[i] * 3;
		else
			sum -= (uint64_t)((int64_t)(int32_t)x * (int32_t)(x >> 32));
		sum = sum << 1 | sum >> 63;
	}
	return (int)((uint32_t)sum ^ (uint32_t)(sum >> 32));
}
