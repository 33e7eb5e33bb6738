/* The Bus Pirate: its modes, its commands in any pieces, and that it moves the scan chain as
 * remote_bitbang does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "probe.h"
#include "vboard/buspirate.h"

static uint8_t ram[4096], other_ram[4096];
static struct vb_bus bus, other_bus;
static struct vb_dap dap, other_dap;
static struct vb_lines lines, other;
static struct vb_buspirate bp;
static struct rtb_buf out;

static void wire(struct vb_bus *b, uint8_t *memory, struct vb_dap *d, struct vb_lines *l)
{
	memset(b, 0, sizeof *b);
	memset(memory, 0x5A, sizeof ram);
	vb_bus_map_memory(b, VB_SRAM_BASE, sizeof ram, memory, true);
	vb_dap_init(d, b);
	vb_lines_init(l, d);
}

static int setup(void **state)
{
	(void)state;
	wire(&bus, ram, &dap, &lines);
	wire(&other_bus, other_ram, &other_dap, &other);
	vb_buspirate_init(&bp, &lines);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	vb_buspirate_free(&bp);
	rtb_buf_free(&out);
	return 0;
}

/* Feeds n bytes and compares what comes back. */
static void says(const void *in, size_t n, const void *want, size_t len)
{
	rtb_buf_clear(&out);
	vb_buspirate_feed(&bp, in, n, &out);
	assert_int_equal(out.len, len);
	if (len)
		assert_memory_equal(out.data, want, len);
}

static void enter_openocd(void)
{
	static const uint8_t zeros[20];

	says(zeros, 20, "BBIO1", 5);
	says("\x06", 1, "OCD1", 4);
}

static void test_the_way_in_and_out(void **state)
{
	static const uint8_t zeros[20];
	(void)state;
	says(zeros, 19, "", 0);
	says("x", 1, "", 0); /* they have to come in a row */
	says(zeros, 19, "", 0);
	says(zeros, 2, "BBIO1BBIO1", 10);
	says("\x01", 1, "", 0); /* SPI, which this one does not have */
	assert_int_equal(lines.ignored, 1);
	says("\x06", 1, "OCD1", 4);
	says("\x00", 1, "BBIO1", 5);
	says("\x0F", 1, "\x01", 1);
	says("\x06", 1, "", 0);
	enter_openocd();
}

/* An OpenOCD that was killed leaves it in the middle; the next one sends its zeros all the same. */
static void test_who_closes_the_port_finds_it_fresh(void **state)
{
	(void)state;
	enter_openocd();
	says("\x02\x08\x00\x05\x02", 5, "", 0);
	assert_true(lines.srst);
	vb_buspirate_released(&bp);
	assert_false(lines.srst);
	enter_openocd();
}

static void test_zeros_lead_back_from_openocd_mode(void **state)
{
	static const uint8_t zeros[3];
	(void)state;
	enter_openocd();
	says(zeros, 3, "BBIO1BBIO1BBIO1", 15);
}

static void test_reset_lines(void **state)
{
	(void)state;
	enter_openocd();
	says("\x02\x08\x00", 3, "", 0);
	assert_true(lines.srst && !lines.trst);
	says("\x02\x04\x00", 3, "", 0);
	assert_true(lines.srst && lines.trst);
	says("\x02\x08\x01", 3, "", 0);
	assert_true(!lines.srst && lines.trst);
	says("\x02\x02\x01", 3, "", 0); /* the voltage regulator */
	assert_true(!lines.srst && lines.trst);
	says("\x01\x00", 2, "", 0); /* all pins to high impedance */
	assert_false(lines.trst);
}

static void test_other_commands(void **state)
{
	static const uint8_t adcs[10] = { 3, 8 };
	(void)state;
	enter_openocd();
	says("\x03", 1, adcs, 10);
	says("\x07\x01", 2, "", 0);
	says("\xAA", 1, "", 0);
	says("\x55", 1, "\x07\x01", 2);
	says("\x7F", 1, "", 0);
	assert_int_equal(lines.ignored, 1);
	says("\x05\x20\x01", 3, "", 0); /* 8193 bits, one too many */
	assert_int_equal(lines.ignored, 4);
	says("\x05\x00\x00", 3, "\x05\x00\x00", 3);
}

/* The same bits by both ways, on two chips: the same TDO, the same end. */
static void shift_both(unsigned bits, unsigned cut)
{
	uint8_t command[3 + 2048] = { 5, (uint8_t)(bits >> 8), (uint8_t)bits }, want[1024] = { 0 };
	size_t bytes = (bits + 7) / 8, n = 3 + 2 * bytes;

	for (size_t i = 3; i < n; i++)
		command[i] = (uint8_t)(rand() >> 7) & (i % 2 ? 0xFF : (uint8_t)(rand() >> 9)); /* TMS is seldom high */
	for (unsigned i = 0; i < bits; i++) {
		int tdi = command[3 + i / 8 * 2] >> i % 8 & 1, tms = command[4 + i / 8 * 2] >> i % 8 & 1;
		want[i / 8] |= (uint8_t)(probe_clock(&other, tms, tdi) << i % 8);
	}
	rtb_buf_clear(&out);
	for (size_t at = 0; at < n; at += cut)
		vb_buspirate_feed(&bp, command + at, n - at < cut ? n - at : cut, &out);
	assert_int_equal(out.len, 3 + bytes);
	assert_memory_equal(out.data, command, 3);
	assert_memory_equal(out.data + 3, want, bytes);
	assert_int_equal(lines.jtag.state, other.jtag.state);
	assert_int_equal(lines.jtag.dp.ir, other.jtag.dp.ir);
}

static void test_it_shifts_as_remote_bitbang_does(void **state)
{
	(void)state;
	srand(4711);
	enter_openocd();
	for (unsigned bits = 1; bits < 70; bits++)
		shift_both(bits, 1 + bits % 5);
	for (unsigned i = 0; i < 20; i++)
		shift_both(8192 - i, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_the_way_in_and_out, setup, teardown),
		cmocka_unit_test_setup_teardown(test_who_closes_the_port_finds_it_fresh, setup, teardown),
		cmocka_unit_test_setup_teardown(test_zeros_lead_back_from_openocd_mode, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reset_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_commands, setup, teardown),
		cmocka_unit_test_setup_teardown(test_it_shifts_as_remote_bitbang_does, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
