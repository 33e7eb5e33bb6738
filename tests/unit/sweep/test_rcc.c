/* Register values against clocks worked out by hand from the manuals' tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sweep/rcc.h"

#define HXTAL 8000000u

static void known_settings(void **state)
{
	(void)state;
	static const struct { const char *family; uint32_t cfgr, hz; } t[] = {
		{"gd32f10x", 0x00000000, 8000000},   /* reset: internal oscillator */
		{"gd32f10x", 0x0828040a, 108000000}, /* PLL of IRC8M/2, x27 (bit 27, 10) */
		{"stm32f1", 0x0828040a, 48000000},   /* the same bits without the fifth: x12 */
		{"gd32f10x", 0x001d040a, 72000000},  /* PLL of the crystal, x9 */
		{"stm32f1", 0x001d040a, 72000000},
		{"stm32f1", 0x001f040a, 36000000},   /* crystal halved, x9 */
		{"gd32f10x", 0x0000000a, 8000000},   /* IRC8M/2 x2 */
		{"gd32f10x", 0x0038000a, 64000000},  /* x16 */
		{"gd32f10x", 0x003c000a, 64000000},  /* 15 means 16 too */
		{"gd32f10x", 0x0800000a, 68000000},  /* x17, the first with bit 27 */
		{"gd32f10x", 0x083c000a, 128000000}, /* x32, the last */
		{"gd32f10x", 0x00000005, HXTAL},     /* the crystal itself */
		{"gd32f10x", 0x082804fa, 108000000 / 512},
		{"gd32f10x", 0x0828048a, 54000000},  /* AHB halved */
		{"gd32f10x", 0x082804ca, 108000000 / 64},
		{"gd32f10x", 0x0000000c, 0},         /* a source that does not exist */
		{"other", 0x0828040a, 0},
	};
	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		assert_int_equal(rtb_rcc_hclk(t[i].family, t[i].cfgr, HXTAL), t[i].hz);
	/* what is asked for (SW) does not count before it is in use (SWS) */
	assert_int_equal(rtb_rcc_hclk("gd32f10x", 0x08280402, HXTAL), 8000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(known_settings)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
