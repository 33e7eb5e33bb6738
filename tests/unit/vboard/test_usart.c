/* USART1 and its wire: times, flags, loss, and what a wrong rate does. */
#include "chip_fixture.h"

#include <string.h>

#define SR  0x40013800u
#define DR  0x40013804u
#define BRR 0x40013808u
#define CR1 0x4001380Cu
#define CR2 0x40013810u
#define APB2ENR 0x40021018u

#define TXE 0x80u
#define TC  0x40u
#define RXNE 0x20u
#define IDLE 0x10u
#define ORE 0x08u
#define UE_TE_RE 0x200Cu
#define RXNEIE 0x20u
#define TXEIE 0x80u
#define IRQ 37

static uint8_t heard[64];
static unsigned heard_len;

static void sink(void *ctx, uint8_t byte)
{
	(void)ctx;
	heard[heard_len++ % sizeof heard] = byte;
}

static void on(uint32_t brr, uint32_t cr1)
{
	heard_len = 0;
	chip->usart.sink = sink;
	wr(APB2ENR, 1u << 14);
	wr(BRR, brr);
	wr(CR1, cr1);
}

static void test_dead_without_its_clock(void **state)
{
	(void)state;
	chip->usart.sink = sink;
	heard_len = 0;
	wr(CR1, UE_TE_RE);
	wr(BRR, 16);
	wr(DR, 'x');
	pass(10000);
	assert_int_equal(rd(SR), 0);
	assert_int_equal(rd(CR1), 0);
	assert_int_equal(heard_len, 0);
}

static void test_character_time(void **state)
{
	(void)state;
	on(69, UE_TE_RE); /* 8 MHz / 69 = 115942 baud */
	uint64_t start = chip->m.cpu.cycles;
	wr(DR, 'A');
	assert_int_equal(rd(SR) & (TXE | TC), TXE); /* moved to the shifter at once */
	pass_until(start + 689);
	assert_int_equal(heard_len, 0);
	pass_until(start + 690);
	assert_int_equal(heard_len, 1);
	assert_int_equal(heard[0], 'A');
	assert_int_equal(rd(SR) & (TXE | TC), TXE | TC);
}

static void test_two_characters_back_to_back(void **state)
{
	(void)state;
	on(100, UE_TE_RE);
	uint64_t start = chip->m.cpu.cycles;
	wr(DR, 'a');
	wr(DR, 'b');
	assert_int_equal(rd(SR) & (TXE | TC), 0);
	pass_until(start + 1000);
	assert_int_equal(rd(SR) & (TXE | TC), TXE);
	pass_until(start + 2000);
	assert_int_equal(rd(SR) & (TXE | TC), TXE | TC);
	assert_int_equal(heard_len, 2);
	wr(SR, ~TC);
	assert_int_equal(rd(SR) & TC, 0);
}

static void test_frame_lengths_and_divided_bus(void **state)
{
	(void)state;
	on(100, UE_TE_RE | 0x1000); /* nine bits */
	wr(CR2, 2u << 12);          /* two stop bits: twelve in all */
	wr(0x40021004, 4u << 11);   /* APB2 at half */
	uint64_t start = chip->m.cpu.cycles;
	wr(DR, 'z');
	pass_until(start + 2399);
	assert_int_equal(heard_len, 0);
	pass_until(start + 2400);
	assert_int_equal(heard_len, 1);
}

static void test_receive_one_after_another(void **state)
{
	(void)state;
	on(100, UE_TE_RE);
	uint64_t start = chip->m.cpu.cycles;
	assert_int_equal(vb_usart_wire(&chip->usart, (const uint8_t *)"hi", 2), 2);
	pass_until(start + 999);
	assert_int_equal(rd(SR) & RXNE, 0);
	pass_until(start + 1000);
	assert_int_equal(rd(SR) & RXNE, RXNE);
	assert_int_equal(rd(DR), 'h');
	assert_int_equal(rd(SR) & RXNE, 0);
	pass_until(start + 2000);
	assert_int_equal(rd(DR), 'i');
}

static void test_overrun_keeps_the_old_character(void **state)
{
	(void)state;
	on(100, UE_TE_RE);
	vb_usart_wire(&chip->usart, (const uint8_t *)"xyz", 3);
	pass(3000);
	assert_int_equal(rd(SR) & (RXNE | ORE), RXNE | ORE);
	assert_int_equal(rd(DR), 'x');
	assert_int_equal(rd(SR) & (RXNE | ORE), 0); /* SR, then DR */
	assert_int_equal(chip->usart.overruns, 2);
}

static void test_receiver_off_hears_nothing(void **state)
{
	(void)state;
	on(100, UE_TE_RE & ~4u);
	vb_usart_wire(&chip->usart, (const uint8_t *)"q", 1);
	pass(2000);
	assert_int_equal(rd(SR) & RXNE, 0);
	assert_int_equal(chip->usart.wire_len, 0);
}

static void test_idle_flag(void **state)
{
	(void)state;
	on(100, UE_TE_RE);
	vb_usart_wire(&chip->usart, (const uint8_t *)"q", 1);
	pass(1000);
	assert_int_equal(rd(SR) & IDLE, IDLE);
	rd(DR);
	assert_int_equal(rd(SR) & IDLE, 0);
}

static void test_interrupt(void **state)
{
	(void)state;
	on(100, UE_TE_RE | RXNEIE);
	assert_false(pending(IRQ));
	vb_usart_wire(&chip->usart, (const uint8_t *)"q", 1);
	pass(1000);
	assert_true(pending(IRQ));
	rd(DR);
	unpend(IRQ);
	assert_false(pending(IRQ));
	wr(CR1, UE_TE_RE | TXEIE);
	assert_true(pending(IRQ));
}

static void test_wire_is_bounded(void **state)
{
	static uint8_t much[VB_USART_WIRE + 10];
	(void)state;
	on(100, UE_TE_RE);
	assert_int_equal(vb_usart_wire(&chip->usart, much, sizeof much), VB_USART_WIRE);
	assert_int_equal(vb_usart_wire_free(&chip->usart), 0);
	pass(1000);
	assert_int_equal(vb_usart_wire_free(&chip->usart), 1);
}

static void test_reset_cuts_a_character_off(void **state)
{
	(void)state;
	on(100, UE_TE_RE);
	wr(DR, 'a');
	pass(500);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	pass(10000);
	assert_int_equal(heard_len, 0);
}

static void test_rates_within_tolerance_agree(void **state)
{
	(void)state;
	for (unsigned b = 0; b < 256; b++) {
		assert_int_equal(vb_usart_resample((uint8_t)b, 115200 * 1.039, 115200), b);
		assert_int_equal(vb_usart_resample((uint8_t)b, 115200 * 0.961, 115200), b);
	}
}

static void test_rates_too_far_apart_garble(void **state)
{
	unsigned wrong_fast = 0, wrong_slow = 0, wrong_double = 0;
	(void)state;
	for (unsigned b = 0; b < 256; b++) {
		wrong_fast += vb_usart_resample((uint8_t)b, 115200 * 1.05, 115200) != b;
		wrong_slow += vb_usart_resample((uint8_t)b, 115200 * 0.95, 115200) != b;
		wrong_double += vb_usart_resample((uint8_t)b, 57600, 115200) != b;
	}
	/* one bit in the wrong place is seen whenever it differs from its neighbour */
	assert_int_equal(wrong_fast, 128);
	assert_int_equal(wrong_slow, 128);
	assert_true(wrong_double > 200);
	/* at half the rate every bit is seen twice, the start bit once more */
	assert_int_equal(vb_usart_resample(0x55, 57600, 115200), 0x66);
}

static void test_host_at_another_rate_reads_garbage(void **state)
{
	(void)state;
	on(69, UE_TE_RE);
	chip->usart.host_baud = 115200;
	wr(DR, 'K');
	pass(2000);
	assert_int_equal(heard[0], 'K');
	wr(BRR, 138);
	wr(DR, 'K');
	pass(3000);
	assert_int_equal(heard_len, 2);
	assert_int_not_equal(heard[1], 'K');
	vb_rcc_set_factor(&chip->rcc, 2.0); /* a clock that is really twice as fast mends it */
	wr(DR, 'K');
	pass(3000);
	assert_int_equal(heard[2], 'K');
}

#define T(f) cmocka_unit_test_setup_teardown(f, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_dead_without_its_clock), T(test_character_time),
		T(test_two_characters_back_to_back), T(test_frame_lengths_and_divided_bus),
		T(test_receive_one_after_another), T(test_overrun_keeps_the_old_character),
		T(test_receiver_off_hears_nothing), T(test_idle_flag), T(test_interrupt),
		T(test_wire_is_bounded), T(test_reset_cuts_a_character_off),
		T(test_rates_within_tolerance_agree), T(test_rates_too_far_apart_garble),
		T(test_host_at_another_rate_reads_garbage),
	};
	return cmocka_run_group_tests_name("vboard usart", tests, NULL, NULL);
}
