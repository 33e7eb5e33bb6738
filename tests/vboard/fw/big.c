/* 30 KiB of table, so that programming has something to do. Wrong data means a wrong sum. */
#include "fw.h"

#define N 7600
#define V(i) (((i) * 2654435761u) ^ 0x5A5A0000u)
#define X4(i) V(i), V((i) + 1), V((i) + 2), V((i) + 3)
#define X16(i) X4(i), X4((i) + 4), X4((i) + 8), X4((i) + 12)
#define X64(i) X16(i), X16((i) + 16), X16((i) + 32), X16((i) + 48)
#define X256(i) X64(i), X64((i) + 64), X64((i) + 128), X64((i) + 192)
#define X1024(i) X256(i), X256((i) + 256), X256((i) + 512), X256((i) + 768)

static const uint32_t table[N] = {
	X1024(0u), X1024(1024u), X1024(2048u), X1024(3072u), X1024(4096u), X1024(5120u), X1024(6144u),
	X256(7168u), X64(7424u), X64(7488u), X16(7552u), X16(7568u), X16(7584u),
};

volatile uint32_t verdict;

int main(void)
{
	const volatile uint32_t *at = table; /* what is in flash, not what the compiler knows */

	for (uint32_t i = 0; i < N; i++)
		if (at[i] != V(i)) {
			verdict = 2;
			return 1;
		}
	verdict = 1;
	return 0;
}
