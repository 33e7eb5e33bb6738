/* vboard_load.c - what the virtual core and QEMU are both timed on: ROUNDS of sorting, CRC and
 * 64-bit arithmetic, or (EXCEPTIONS) of PendSV taken and returned from. Ends by semihosting. */
#include <stdint.h>

extern uint32_t bss_start[], bss_end[], stack_top[];
void start(void);
void pendsv(void);
void stuck(void);

__attribute__((section(".header"), used)) void (*const vectors[16])(void) = {
	(void (*)(void))stack_top, start, stuck, stuck, stuck, stuck, stuck, 0, 0, 0, 0,
	stuck, stuck, 0, pendsv, stuck,
};

static uint32_t numbers[256];
static volatile uint32_t switches;

void stuck(void)
{
	for (;;)
		;
}

void pendsv(void)
{
	switches++;
}

static void sort(uint32_t *v, int n)
{
	for (int gap = n / 2; gap; gap /= 2) {
		for (int i = gap; i < n; i++) {
			uint32_t x = v[i];
			int j = i;
			for (; j >= gap && v[j - gap] > x; j -= gap)
				v[j] = v[j - gap];
			v[j] = x;
		}
	}
}

static uint32_t crc(const uint8_t *p, uint32_t n)
{
	uint32_t c = ~0u;
	while (n--) {
		c ^= *p++;
		for (int k = 0; k < 8; k++)
			c = c >> 1 ^ (0xEDB88320u & -(c & 1));
	}
	return ~c;
}

static uint32_t round_of_work(uint32_t seed)
{
	uint64_t sum = seed;
	for (int i = 0; i < 256; i++) {
		seed = seed * 1664525u + 1013904223u;
		numbers[i] = seed;
	}
	sort(numbers, 256);
	for (int i = 1; i < 256; i++)
		sum += (uint64_t)numbers[i] * numbers[i - 1] >> (i & 15);
	return (uint32_t)sum ^ crc((const uint8_t *)numbers, sizeof(numbers));
}

static void round_of_switches(void)
{
	for (int i = 0; i < 1000; i++) {
		*(volatile uint32_t *)0xE000ED04 = 1u << 28;
		__asm volatile("dsb\n\tisb" ::: "memory");
	}
}

void start(void)
{
	uint32_t sum = 1;
	for (uint32_t *p = bss_start; p < bss_end;)
		*p++ = 0;
	for (int i = 0; i < ROUNDS; i++) {
		if (EXCEPTIONS)
			round_of_switches();
		else
			sum = round_of_work(sum);
	}
	/* SYS_EXIT, application exit; the sum where a curious debugger finds it. */
	register uint32_t r0 __asm("r0") = 0x18, r1 __asm("r1") = 0x20026, r2 __asm("r2") = sum;
	__asm volatile("bkpt 0xab" : : "r"(r0), "r"(r1), "r"(r2) : "memory");
	stuck();
}
