/* Timers 2 and 3, GPIO and EXTI. */
#include "chip_fixture.h"

#define TIM2 0x40000000u
#define T_CR1 (TIM2 + 0x00)
#define T_DIER (TIM2 + 0x0C)
#define T_SR  (TIM2 + 0x10)
#define T_EGR (TIM2 + 0x14)
#define T_CNT (TIM2 + 0x24)
#define T_PSC (TIM2 + 0x28)
#define T_ARR (TIM2 + 0x2C)
#define T_CCR1 (TIM2 + 0x34)
#define EXTI 0x40010400u
#define IMR  (EXTI + 0x00)
#define RTSR (EXTI + 0x08)
#define FTSR (EXTI + 0x0C)
#define SWIER (EXTI + 0x10)
#define PR   (EXTI + 0x14)
#define GPIOA 0x40010800u
#define GPIOB 0x40010C00u
#define EXTICR1 0x40010008u
#define APB1ENR 0x4002101Cu
#define APB2ENR 0x40021018u
#define IRQ_TIM2 28

static void timer_on(void) { wr(APB1ENR, 1); }

static void test_timer_needs_its_clock(void **state)
{
	(void)state;
	wr(T_ARR, 9);
	wr(T_CR1, 1);
	assert_int_equal(rd(T_CR1), 0);
	pass(100);
	timer_on();
	assert_int_equal(rd(T_CNT), 0);
	assert_int_equal(rd(T_ARR), 0xFFFF);
}

static void test_counts_and_overflows(void **state)
{
	(void)state;
	timer_on();
	wr(T_PSC, 1); /* takes an update to come into force */
	wr(T_ARR, 99);
	wr(T_EGR, 1);
	assert_int_equal(rd(T_SR), 1);
	wr(T_SR, 0);
	uint64_t start = chip->m.cpu.cycles;
	wr(T_CR1, 1);
	pass_until(start + 21);
	assert_int_equal(rd(T_CNT), 10);
	pass_until(start + 199);
	assert_int_equal(rd(T_CNT), 99);
	assert_int_equal(rd(T_SR) & 1, 0);
	pass_until(start + 200);
	assert_int_equal(rd(T_CNT), 0);
	assert_int_equal(rd(T_SR) & 1, 1);
	wr(T_SR, 0xFFFE);
	pass_until(start + 400);
	assert_int_equal(rd(T_SR) & 1, 1);
}

static void test_new_prescaler_waits_for_the_update(void **state)
{
	(void)state;
	timer_on();
	uint64_t start = chip->m.cpu.cycles;
	wr(T_ARR, 99);
	wr(T_CR1, 1);
	wr(T_PSC, 9);
	pass_until(start + 50);
	assert_int_equal(rd(T_CNT), 50);
	pass_until(start + 100 + 55);
	assert_int_equal(rd(T_CNT), 5);
}

static void test_compare_and_interrupt(void **state)
{
	(void)state;
	timer_on();
	wr(T_CCR1, 40);
	wr(T_DIER, 2); /* compare 1 */
	uint64_t start = chip->m.cpu.cycles;
	wr(T_CR1, 1);
	pass_until(start + 39);
	assert_false(pending(IRQ_TIM2));
	pass_until(start + 40);
	assert_true(pending(IRQ_TIM2));
	assert_int_equal(rd(T_SR) & 2, 2);
	wr(T_SR, 0xFFFD);
	unpend(IRQ_TIM2);
	assert_false(pending(IRQ_TIM2));
}

/* Timer 3 is the same device, on its own clock gate and line. */
static void test_timer_3(void **state)
{
	const uint32_t tim3 = TIM2 + 0x400;

	(void)state;
	timer_on();
	wr(tim3 + 0x2C, 99);
	assert_int_equal(rd(tim3 + 0x2C), 0); /* no clock yet */
	wr(APB1ENR, 3);
	wr(tim3 + 0x2C, 99);
	wr(tim3 + 0x0C, 1);
	uint64_t start = chip->m.cpu.cycles;
	wr(tim3 + 0x00, 1);
	pass_until(start + 99);
	assert_int_equal(rd(tim3 + 0x24), 99);
	assert_false(pending(IRQ_TIM2 + 1));
	pass_until(start + 100);
	assert_true(pending(IRQ_TIM2 + 1));
	assert_false(pending(IRQ_TIM2));
	assert_int_equal(rd(T_CNT), 0);
}

static void test_one_pulse_stops(void **state)
{
	(void)state;
	timer_on();
	wr(T_ARR, 9);
	wr(T_CR1, 1u | 1u << 3);
	pass(100);
	assert_int_equal(rd(T_CR1) & 1, 0);
	assert_int_equal(rd(T_CNT), 0);
	wr(T_SR, 0);
	pass(100);
	assert_int_equal(rd(T_SR), 0);
}

static void test_disabled_update_sets_no_flag(void **state)
{
	(void)state;
	timer_on();
	wr(T_ARR, 9);
	wr(T_CR1, 1u | 1u << 1);
	pass(105);
	assert_int_equal(rd(T_SR) & 1, 0);
	assert_int_equal(rd(T_CNT), 5);
}

static void test_update_by_software_with_urs(void **state)
{
	(void)state;
	timer_on();
	wr(T_CR1, 1u << 2);
	wr(T_EGR, 1);
	assert_int_equal(rd(T_SR), 0);
}

static void test_count_survives_a_clock_change(void **state)
{
	(void)state;
	timer_on();
	uint64_t start = chip->m.cpu.cycles;
	wr(T_CR1, 1);
	pass_until(start + 100);
	wr(0x40021004, 5u << 8); /* APB1 /4: half the rate from here */
	pass_until(start + 200);
	assert_int_equal(rd(T_CNT), 150);
}

static void test_software_trigger(void **state)
{
	(void)state;
	wr(SWIER, 1); /* masked: nothing */
	assert_int_equal(rd(PR), 0);
	wr(SWIER, 0); /* a zero does not clear */
	wr(PR, 1);
	wr(IMR, 1);
	assert_int_equal(rd(SWIER), 0);
	wr(SWIER, 1);
	assert_int_equal(rd(PR), 1);
	assert_true(pending(6));
	wr(PR, 1);
	assert_int_equal(rd(PR) | rd(SWIER), 0);
	unpend(6);
	assert_false(pending(6));
}

static void test_shared_interrupt_lines(void **state)
{
	(void)state;
	wr(IMR, 0x7FFFF);
	wr(SWIER, 1u << 7 | 1u << 15);
	assert_true(pending(23));
	assert_true(pending(40));
	wr(PR, 1u << 7);
	unpend(23);
	assert_false(pending(23));
	assert_true(pending(40));
}

static void test_pin_edge_reaches_exti(void **state)
{
	(void)state;
	wr(APB2ENR, 1u | 1u << 2 | 1u << 3); /* AFIO, GPIOA, GPIOB */
	wr(EXTICR1, 1);                      /* line 0 from port B */
	wr(IMR, 1);
	wr(RTSR, 1);
	wr(GPIOA, 0x44444442);
	wr(GPIOB, 0x44444442);               /* PB0 output */
	wr(GPIOA + 0x10, 1);
	assert_int_equal(rd(PR), 0);         /* the wrong port */
	wr(GPIOB + 0x10, 1);
	assert_int_equal(rd(PR), 1);
	wr(PR, 1);
	wr(GPIOB + 0x14, 1);                 /* falling: not asked for */
	assert_int_equal(rd(PR), 0);
	wr(FTSR, 1);
	wr(RTSR, 0);
	wr(GPIOB + 0x10, 1);
	assert_int_equal(rd(PR), 0);
	wr(GPIOB + 0x10, 1u << 16);
	assert_int_equal(rd(PR), 1);
}

static void test_pins_read_back(void **state)
{
	(void)state;
	wr(APB2ENR, 1u << 2);
	wr(GPIOA, 0x44444432);      /* 0: output, 1: output 50 MHz */
	wr(GPIOA + 4, 0x80000000);  /* 15: input with pull */
	wr(GPIOA + 0x0C, 0x8006);
	assert_int_equal(rd(GPIOA + 8), 0x8002); /* 2 floats */
	wr(GPIOA + 0x10, 0x00010001u | 2u << 16); /* set wins over reset */
	assert_int_equal(rd(GPIOA + 0x0C), 0x8005);
}

/* AFIO_MAPR.SWJ_CFG: 100 alone takes the port away, a reset gives it back. */
static void test_debug_pins_given_away(void **state)
{
	(void)state;
	const bool *off = &chip->ports.afio.debug_off;
	wr(0x40010004, 4u << 24);
	assert_false(*off); /* AFIO has no clock yet */
	wr(APB2ENR, 1);
	for (uint32_t cfg = 0; cfg < 8; cfg++) {
		wr(0x40010004, cfg << 24 | 4);
		assert_int_equal(*off, cfg == 4);
		assert_int_equal(rd(0x40010004), 4); /* write-only */
	}
	wr(0x40010004, 4u << 24);
	assert_true(*off);
	vb_chip_reset(chip, VB_CAUSE_PIN);
	assert_false(*off);
}

static void test_backup_registers(void **state)
{
	(void)state;
	wr(APB1ENR, 3u << 27);
	wr(0x40006C04, 0x1234); /* DBP is off */
	assert_int_equal(rd(0x40006C04), 0);
	wr(0x40007000, 0x100);
	wr(0x40006C04, 0x1234);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	wr(APB1ENR, 3u << 27);
	assert_int_equal(rd(0x40006C04), 0x1234);
}

#define T(f) cmocka_unit_test_setup_teardown(f, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_timer_needs_its_clock), T(test_counts_and_overflows),
		T(test_new_prescaler_waits_for_the_update), T(test_compare_and_interrupt),
		T(test_timer_3), T(test_one_pulse_stops), T(test_disabled_update_sets_no_flag),
		T(test_update_by_software_with_urs), T(test_count_survives_a_clock_change),
		T(test_software_trigger), T(test_shared_interrupt_lines), T(test_pin_edge_reaches_exti),
		T(test_pins_read_back), T(test_debug_pins_given_away), T(test_backup_registers),
	};
	return cmocka_run_group_tests_name("vboard timer and ports", tests, NULL, NULL);
}
