/* floats.c - the compiler's software floating point: long runs of shifts, CLZ and flags. */
#include <stdint.h>

static volatile float f[32];
static volatile double d[32];

static double series(double x)
{
	double term = x, sum = x;
	for (int k = 1; k < 12; k++) {
		term = -term * x * x / ((2 * k) * (2 * k + 1));
		sum += term;
	}
	return sum;
}

int main(void)
{
	uint32_t sum = 0;
	for (int i = 0; i < 32; i++) {
		f[i] = (float)(i * i - 200) / 7.0f;
		d[i] = series(f[i] / 16.0) + (double)f[i] * 1e-3;
		int32_t v = (int32_t)(d[i] * 1e6);
		uint64_t w = (uint64_t)(d[i] < 0 ? -d[i] * 1e12 : d[i] * 1e12);
		sum = sum * 31 + (uint32_t)v + (uint32_t)w + (f[i] > f[(i + 5) & 31]) + (d[i] == d[(i + 1) & 31]);
	}
	return (int)sum;
}
