/* A program that erases and programs flash by itself, and meets each refusal. */
#include "fw.h"

#define KEYR REG(0x40022004)
#define SR   REG(0x4002200C)
#define CR   REG(0x40022010)
#define AR   REG(0x40022014)
#define PAGE 0x0801FC00u

static uint32_t wait(void)
{
	while (SR & 1)
		;
	uint32_t sr = SR;
	SR = sr;
	return sr;
}

static uint32_t program(uint32_t addr, uint16_t v)
{
	CR = 1;
	*(volatile uint16_t *)addr = v;
	return wait();
}

int main(void)
{
	cycle_counter_on();
	CHECK(REG(0x1FFFF7E0) << 16 == 128u << 16);
	CHECK(CR == 0x80);
	CHECK(program(PAGE, 0x1234) == 4); /* locked */
	KEYR = 0x45670123;
	KEYR = 0xCDEF89AB;
	CHECK(CR == 0);

	CR = 2;
	AR = PAGE;
	uint32_t t = DWT_CYCCNT;
	CR = 2 | 0x40;
	CHECK(wait() == 0x20);
	t = DWT_CYCCNT - t;
	CHECK(t > 8000 * 20 && t < 8000 * 40); /* 20 to 40 ms at 8 MHz */

	t = DWT_CYCCNT;
	CHECK(program(PAGE, 0x1234) == 0x20);
	t = DWT_CYCCNT - t;
	CHECK(t > 8 * 40 && t < 8 * 70);
	CHECK(*(volatile uint16_t *)PAGE == 0x1234);
	CHECK(program(PAGE, 0x5678) == 4);
	CHECK(program(PAGE, 0) == 0x20);
	CHECK(*(volatile uint32_t *)PAGE == 0xFFFF0000);
	CR = 0x80;
	CHECK(CR == 0x80);
	return 0;
}
