/* Something to look at with a debugger: two functions in turn, three calls deep. */
#include "fw.h"

volatile uint32_t rounds, total;

__attribute__((noinline)) uint32_t work(uint32_t n)
{
	total += n;
	return total;
}

__attribute__((noinline)) uint32_t task_a(uint32_t n)
{
	return work(n) + 1;
}

__attribute__((noinline)) uint32_t task_b(uint32_t n)
{
	return work(2 * n) + 2;
}

int main(void)
{
	for (;;) {
		task_a(rounds);
		task_b(rounds);
		rounds++;
	}
}
