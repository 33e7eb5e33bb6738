/* bitfields.c - packed registers, signed fields, masks and rotations. */
#include <stdint.h>

struct control {
	unsigned enable : 1, mode : 3;
	signed gain : 6;
	unsigned level : 11;
	signed trim : 5;
	unsigned channel : 6;
};

union word {
	struct control c;
	uint32_t u;
};

static volatile union word regs[16];

static unsigned ones(uint32_t x)
{
	unsigned n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
}

static uint32_t rotate(uint32_t x, unsigned by)
{
	by &= 31;
	return by ? x << by | x >> (32 - by) : x;
}

static uint32_t reverse(uint32_t x)
{
	uint32_t r = 0;
	for (int i = 0; i < 32; i++, x >>= 1)
		r = r << 1 | (x & 1);
	return r;
}

int main(void)
{
	uint32_t sum = 0, x = 0x1234567;
	for (int round = 0; round < 200; round++) {
		volatile union word *w = &regs[round & 15];
		x = x * 69069 + 1;
		w->u ^= x;
		w->c.gain = (int)(x >> 9);
		w->c.mode = x >> 3;
		w->c.trim = w->c.gain - 3;
		w->c.level += x >> 20;
		w->c.enable = !w->c.enable;
		w->c.channel ^= (unsigned)round;
		sum = rotate(sum, (unsigned)w->c.mode) + w->u + ones(w->u);
		sum ^= reverse(sum) + (uint32_t)(w->c.gain * w->c.trim);
		if ((x & 0xF0) == 0x50)
			sum = __builtin_bswap32(sum) + (uint32_t)__builtin_clz(sum | 1);
	}
	return (int)sum;
}
