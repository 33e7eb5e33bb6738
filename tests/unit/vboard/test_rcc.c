/* The clock tree: a wrong set-up must give a wrong clock. */
#include "chip_fixture.h"

#define CR   0x40021000u
#define CFGR 0x40021004u
#define APB2RSTR 0x4002100Cu
#define APB2ENR  0x40021018u
#define BDCR 0x40021020u
#define CSR  0x40021024u

#define PLL_ON  (1u << 24)
#define PLL_RDY (1u << 25)
#define HX_ON   (1u << 16)
#define HX_RDY  (1u << 17)

/* Long enough for every oscillator at 8 MHz. */
static void settle(void) { pass(40000); }

static uint32_t pllmf(unsigned mul)
{
	return mul <= 16 ? (mul - 2) << 18 : ((mul - 17) << 18 | 1u << 27);
}

static void test_multipliers(void **state)
{
	(void)state;
	for (unsigned mul = 2; mul <= 32; mul++)
		assert_int_equal(vb_rcc_pll_mul(pllmf(mul)), mul);
	assert_int_equal(vb_rcc_pll_mul(15u << 18), 16); /* 01110b and 01111b are both 16 */
}

static void test_dividers(void **state)
{
	static const uint16_t ahb[16] = { 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 64, 128, 256, 512 };
	static const uint8_t apb[8] = { 1, 1, 1, 1, 2, 4, 8, 16 };
	(void)state;
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(vb_rcc_ahb_div(i << 4), ahb[i]);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(vb_rcc_apb_div(i), apb[i]);
}

static void test_reset_state(void **state)
{
	(void)state;
	assert_int_equal(rd(CR) & 0xFF, 0x83);
	assert_int_equal(rd(CFGR), 0);
	assert_int_equal(rd(0x40021014), 0x14);
	assert_int_equal(chip->rcc.hclk_hz, 8000000);
	assert_int_equal(rd(CSR), 0x0C000000); /* power-on and pin */
}

static void pll_108(void)
{
	wr(CFGR, pllmf(27) | 4u << 8); /* IRC8M/2 x 27, APB1 /2 */
	wr(CR, rd(CR) | PLL_ON);
	settle();
	wr(CFGR, rd(CFGR) | 2);
}

static void test_108_mhz_from_the_internal_oscillator(void **state)
{
	(void)state;
	wr(CFGR, pllmf(27) | 4u << 8);
	wr(CR, rd(CR) | PLL_ON);
	assert_int_equal(rd(CR) & PLL_RDY, 0); /* not at once */
	settle();
	assert_int_equal(rd(CR) & PLL_RDY, PLL_RDY);
	assert_int_equal(chip->rcc.hclk_hz, 8000000);
	wr(CFGR, rd(CFGR) | 2);
	assert_int_equal(rd(CFGR) >> 2 & 3, 2);
	assert_int_equal(chip->rcc.hclk_hz, 108000000);
	assert_int_equal(vb_rcc_tim2_ratio(&chip->rcc), 1); /* 54 MHz doubled */
}

static void test_forgetting_the_fifth_bit_gives_another_clock(void **state)
{
	(void)state;
	wr(CFGR, pllmf(27) & ~(1u << 27));
	wr(CR, rd(CR) | PLL_ON);
	settle();
	wr(CFGR, rd(CFGR) | 2);
	assert_int_equal(chip->rcc.hclk_hz, 48000000); /* x12 */
}

static void test_pll_settings_are_locked_while_it_runs(void **state)
{
	(void)state;
	pll_108();
	wr(CFGR, pllmf(2) | 2);
	assert_int_equal(chip->rcc.hclk_hz, 108000000);
	wr(CR, rd(CR) & ~PLL_ON); /* it feeds the core: stays on */
	assert_int_equal(rd(CR) & PLL_ON, PLL_ON);
}

static void test_switch_waits_for_the_source(void **state)
{
	(void)state;
	wr(CFGR, pllmf(18));
	wr(CR, rd(CR) | PLL_ON);
	wr(CFGR, rd(CFGR) | 2);
	assert_int_equal(rd(CFGR) >> 2 & 3, 0);
	settle();
	assert_int_equal(rd(CFGR) >> 2 & 3, 2);
	assert_int_equal(chip->rcc.hclk_hz, 72000000);
}

static void test_crystal_and_its_absence(void **state)
{
	(void)state;
	wr(CR, rd(CR) | HX_ON);
	settle();
	assert_int_equal(rd(CR) & HX_RDY, HX_RDY);
	wr(CFGR, 1u << 16 | pllmf(9) | 1);
	assert_int_equal(chip->rcc.hclk_hz, 8000000);
	wr(CR, rd(CR) | PLL_ON);
	settle();
	wr(CFGR, (rd(CFGR) & ~3u) | 2);
	assert_int_equal(chip->rcc.hclk_hz, 72000000);

	vb_chip_reset(chip, VB_CAUSE_PIN);
	chip->rcc.hxtal_hz = 0;
	wr(CR, rd(CR) | HX_ON);
	pass(1000000);
	assert_int_equal(rd(CR) & HX_RDY, 0);
	wr(CFGR, 1);
	assert_int_equal(rd(CFGR) >> 2 & 3, 0);
}

static void test_timer_clock_rule(void **state)
{
	(void)state;
	wr(CFGR, 5u << 8); /* APB1 /4: timers at half of HCLK */
	assert_int_equal(vb_rcc_tim2_ratio(&chip->rcc), 2);
	wr(CFGR, 7u << 8);
	assert_int_equal(vb_rcc_tim2_ratio(&chip->rcc), 8);
	wr(CFGR, 4u << 11);
	assert_int_equal(vb_rcc_apb2_ratio(&chip->rcc), 2);
	assert_int_equal(vb_rcc_tim2_ratio(&chip->rcc), 1);
}

static void test_real_time_over_clock_changes(void **state)
{
	(void)state;
	uint64_t start = chip->m.cpu.cycles;
	pass_until(start + 8000); /* 1 ms */
	wr(CFGR, 8u << 4);        /* 4 MHz */
	pass_until(start + 12000);
	assert_float_equal((float)vb_rcc_ns_at(&chip->rcc, start + 12000) / 1e6f, 2.0f, 0.001f);
	vb_rcc_set_factor(&chip->rcc, 2.0);
	assert_int_equal(vb_rcc_cycles_of_ns(&chip->rcc, 1e6), 8000);
}

static void test_reset_flags(void **state)
{
	(void)state;
	wr(CSR, 1u << 24);
	assert_int_equal(rd(CSR) >> 26, 0);
	wr(CSR, 0);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_int_equal(rd(CSR) >> 26, 5); /* software and pin */
	vb_chip_reset(chip, VB_CAUSE_PIN);
	assert_int_equal(rd(CSR) >> 26, 5); /* they add up until removed */
	wr(CSR, 1u << 24);
	vb_chip_reset(chip, VB_CAUSE_PIN);
	assert_int_equal(rd(CSR) >> 26, 1);
	assert_int_equal(chip->resets, 4);
}

static void test_backup_domain_outlives_a_system_reset(void **state)
{
	(void)state;
	wr(BDCR, 1);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_int_equal(rd(BDCR), 3);
	vb_chip_reset(chip, VB_CAUSE_POWER);
	assert_int_equal(rd(BDCR), 0);
}

static void test_gates_and_device_resets(void **state)
{
	(void)state;
	wr(0x4001080C, 0xFFFF); /* GPIOA is not clocked */
	assert_int_equal(rd(0x4001080C), 0);
	wr(APB2ENR, 1u << 2);
	wr(0x4001080C, 0x55AA);
	assert_int_equal(rd(0x4001080C), 0x55AA);
	wr(APB2RSTR, 1u << 2);
	wr(APB2RSTR, 0);
	assert_int_equal(rd(0x4001080C), 0);
	assert_int_equal(rd(0x40010800), 0x44444444);
}

static void test_byte_writes_keep_the_rest(void **state)
{
	(void)state;
	wr(CFGR, pllmf(27));
	assert_true(vb_bus_write(&chip->m.bus, CFGR + 1, 1, 0x04));
	assert_int_equal(rd(CFGR), pllmf(27) | 0x400);
}

#define T(f) cmocka_unit_test_setup_teardown(f, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_multipliers), T(test_dividers), T(test_reset_state),
		T(test_108_mhz_from_the_internal_oscillator),
		T(test_forgetting_the_fifth_bit_gives_another_clock),
		T(test_pll_settings_are_locked_while_it_runs), T(test_switch_waits_for_the_source),
		T(test_crystal_and_its_absence), T(test_timer_clock_rule),
		T(test_real_time_over_clock_changes), T(test_reset_flags),
		T(test_backup_domain_outlives_a_system_reset), T(test_gates_and_device_resets),
		T(test_byte_writes_keep_the_rest),
	};
	return cmocka_run_group_tests_name("vboard rcc", tests, NULL, NULL);
}
