/* The scan chain, the JTAG-DP and the MEM-AP, driven by the bytes that OpenOCD sends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "probe.h"

static uint8_t ram[8192];
static struct vb_bus bus;
static struct vb_dap dap;
static struct vb_lines bb;

static int setup(void **state)
{
	(void)state;
	memset(&bus, 0, sizeof bus);
	for (unsigned i = 0; i < sizeof ram; i++)
		ram[i] = (uint8_t)(i * 7 + 1);
	vb_bus_map_memory(&bus, VB_SRAM_BASE, sizeof ram, ram, true);
	vb_dap_init(&dap, &bus);
	vb_lines_init(&bb, &dap);
	return 0;
}

static uint32_t word_at(unsigned i)
{
	return ram[i] | (uint32_t)ram[i + 1] << 8 | (uint32_t)ram[i + 2] << 16 | (uint32_t)ram[i + 3] << 24;
}

static void test_idcodes_after_reset(void **state)
{
	(void)state;
	probe_tlr(&bb);
	assert_int_equal(probe_bits(&bb, 0, 32, 0), VB_DP_IDCODE);
	probe_tlr(&bb);
	uint64_t both = probe_bits(&bb, 0, 64, UINT64_MAX);
	assert_int_equal((uint32_t)both, 0x3BA00477);
	assert_int_equal((uint32_t)(both >> 32), 0x790007A3);
}

static void test_ir_capture_and_bypass(void **state)
{
	(void)state;
	probe_tlr(&bb);
	/* 4 bits of the DP (0001), 5 of the other TAP (00001), then what was put in. */
	uint64_t got = probe_bits(&bb, 1, 20, 0x1FF | 0x5Aull << 11);
	assert_int_equal(got & 0x1FF, 0x011);
	assert_int_equal(got >> 9 & 0x1FF, 0x1FF);
	/* both in bypass: two bits of delay, starting at 0 */
	probe_ir(&bb, IR_BYPASS, BS_BYPASS);
	assert_int_equal(probe_bits(&bb, 0, 18, 0xA5C3), 0xA5C3 << 2);
}

static void test_trst_selects_idcode(void **state)
{
	(void)state;
	probe_tlr(&bb);
	probe_ir(&bb, IR_BYPASS, BS_BYPASS);
	probe_feed(&bb, "t");
	assert_int_equal(bb.jtag.state, VB_TAP_RESET);
	probe_feed(&bb, "0246"); /* no clock gets through while it is asserted */
	assert_int_equal(bb.jtag.state, VB_TAP_RESET);
	probe_feed(&bb, "r");
	probe_clock(&bb, 0, 0);
	assert_int_equal(probe_bits(&bb, 0, 32, 0), VB_DP_IDCODE);
}

static unsigned srst_edges;
static bool srst_level;
static void on_srst(void *ctx, bool asserted)
{
	(void)ctx;
	srst_edges++;
	srst_level = asserted;
}

static void test_srst_is_told_once_a_change(void **state)
{
	(void)state;
	srst_edges = 0;
	bb.on_srst = on_srst;
	probe_feed(&bb, "srsss");
	assert_int_equal(srst_edges, 3);
	assert_true(srst_level);
	vb_lines_released(&bb);
	assert_false(srst_level);
	vb_lines_released(&bb);
	assert_int_equal(srst_edges, 4);
}

static void test_pins_that_lead_nowhere(void **state)
{
	(void)state;
	bool off = true;
	bb.cut_off = &off;
	probe_tlr(&bb);
	assert_int_equal(probe_bits(&bb, 0, 32, 0), UINT32_MAX); /* the pull-up alone */
	off = false;
	probe_tlr(&bb);
	assert_int_equal(probe_bits(&bb, 0, 32, 0), VB_DP_IDCODE);
	off = true;
	probe_feed(&bb, "tr"); /* the test reset is one of these pins */
	assert_int_equal(bb.jtag.state, VB_TAP_IDLE);
}

static void test_quit_ends_and_nonsense_is_counted(void **state)
{
	struct rtb_buf out = { 0 };
	(void)state;
	assert_true(vb_bitbang_feed(&bb, (const uint8_t *)"BbRx\n", 5, &out));
	assert_int_equal(bb.ignored, 2);
	assert_int_equal(out.len, 1);
	assert_false(vb_bitbang_feed(&bb, (const uint8_t *)"RQR", 3, &out));
	assert_int_equal(out.len, 2);
	rtb_buf_free(&out);
}

static void test_power_up_is_acknowledged(void **state)
{
	(void)state;
	probe_tlr(&bb);
	assert_int_equal(probe_dp_read(&bb, 4), 0);
	probe_dp_write(&bb, 4, 0x50000000);
	assert_int_equal(probe_dp_read(&bb, 4), 0xF0000000);
	probe_dp_write(&bb, 4, 0);
	assert_int_equal(probe_dp_read(&bb, 4), 0);
}

static void test_ap_ids_and_dead_without_power(void **state)
{
	(void)state;
	probe_tlr(&bb);
	assert_int_equal(probe_ap_read(&bb, 0xFC), 0);
	probe_power_up(&bb);
	assert_int_equal(probe_ap_read(&bb, 0xFC), 0x14770011);
	assert_int_equal(probe_ap_read(&bb, 0xF8), 0xE00FF003);
	assert_int_equal(probe_ap_read(&bb, 0xF4), 0);
	probe_dp_write(&bb, 8, 0x010000F0); /* there is no second AP */
	probe_acc(&bb, IR_APACC, 0xC, 1, 0, NULL);
	assert_int_equal(probe_dp_read(&bb, 0xC), 0);
}

static void test_posted_reads_and_increment(void **state)
{
	uint32_t got[4];
	(void)state;
	probe_power_up(&bb);
	probe_ap_write(&bb, 0x00, 0x23000052); /* words, single increment */
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE + 0xFF8);
	probe_dp_write(&bb, 8, 0);
	probe_acc(&bb, IR_APACC, 0xC, 1, 0, NULL);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(probe_acc(&bb, IR_APACC, 0xC, 1, 0, &got[i]), 2);
	probe_acc(&bb, IR_DPACC, 0xC, 1, 0, &got[2]);
	assert_int_equal(got[0], word_at(0xFF8));
	assert_int_equal(got[1], word_at(0xFFC));
	/* the third came from the start of the 4 KiB block: twelve bits wrap */
	assert_int_equal(got[2], word_at(0x000));
	assert_int_equal(probe_ap_read(&bb, 0x04), VB_SRAM_BASE + 4);
}

static void test_byte_lanes(void **state)
{
	(void)state;
	probe_power_up(&bb);
	probe_ap_write(&bb, 0x00, 0x23000050); /* bytes */
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE + 2);
	probe_ap_write(&bb, 0x0C, 0x00AB0000);
	assert_int_equal(ram[2], 0xAB);
	assert_int_equal(ram[1], 8);
	assert_int_equal(ram[3], 22);
	probe_ap_write(&bb, 0x00, 0x23000041); /* half-words, no increment */
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE + 2);
	assert_int_equal(probe_ap_read(&bb, 0x0C), 0x16AB0000);
	assert_int_equal(probe_ap_read(&bb, 0x04), VB_SRAM_BASE + 2);
}

static void test_packed_transfer(void **state)
{
	(void)state;
	probe_power_up(&bb);
	probe_ap_write(&bb, 0x00, 0x23000060); /* packed bytes */
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE + 8);
	probe_ap_write(&bb, 0x0C, 0x44332211);
	assert_int_equal(word_at(8), 0x44332211);
	assert_int_equal(probe_ap_read(&bb, 0x04), VB_SRAM_BASE + 12);
	probe_ap_write(&bb, 0x00, 0x23000061); /* packed half-words */
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE + 8);
	assert_int_equal(probe_ap_read(&bb, 0x0C), 0x44332211);
}

static void test_banked_data(void **state)
{
	(void)state;
	probe_power_up(&bb);
	probe_ap_write(&bb, 0x00, 0x23000052);
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE + 0x20);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(probe_ap_read(&bb, 0x10 + 4 * i), word_at(0x20 + 4 * i));
	probe_ap_write(&bb, 0x18, 0xCAFEBABE);
	assert_int_equal(word_at(0x28), 0xCAFEBABE);
	assert_int_equal(probe_ap_read(&bb, 0x04), VB_SRAM_BASE + 0x20);
}

static void test_sticky_error_blocks_until_cleared(void **state)
{
	(void)state;
	probe_power_up(&bb);
	probe_ap_write(&bb, 0x00, 0x23000052);
	probe_ap_write(&bb, 0x04, 0x50000000);
	assert_int_equal(probe_ap_read(&bb, 0x0C), 0);
	assert_int_equal(probe_dp_read(&bb, 4) & 0x20, 0x20);
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE); /* ignored */
	probe_dp_write(&bb, 4, 0x50000020);
	assert_int_equal(probe_dp_read(&bb, 4), 0xF0000000);
	assert_int_equal(probe_ap_read(&bb, 0x04), 0x50000000);
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE);
	assert_int_equal(probe_ap_read(&bb, 0x0C), word_at(0));
}

static void test_unaligned_address_is_an_error(void **state)
{
	(void)state;
	probe_power_up(&bb);
	probe_ap_write(&bb, 0x00, 0x23000052);
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE + 2);
	probe_ap_read(&bb, 0x0C);
	assert_int_equal(probe_dp_read(&bb, 4) & 0x20, 0x20);
}

static bool deny(void *ctx, uint32_t addr)
{
	(void)ctx;
	return addr >= VB_SRAM_BASE + 0x100;
}

static void test_protected_memory_is_an_error(void **state)
{
	(void)state;
	dap.denied = deny;
	probe_power_up(&bb);
	probe_ap_write(&bb, 0x00, 0x23000052);
	probe_ap_write(&bb, 0x04, VB_SRAM_BASE + 0xFC);
	assert_int_equal(probe_ap_read(&bb, 0x0C), word_at(0xFC));
	probe_ap_read(&bb, 0x0C);
	assert_int_equal(probe_dp_read(&bb, 4) & 0x20, 0x20);
}

static void test_abort_does_no_harm(void **state)
{
	(void)state;
	probe_power_up(&bb);
	probe_ir(&bb, IR_ABORT, BS_BYPASS);
	probe_bits(&bb, 0, 36, 8);
	assert_int_equal(probe_dp_read(&bb, 4), 0xF0000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_idcodes_after_reset, setup),
		cmocka_unit_test_setup(test_ir_capture_and_bypass, setup),
		cmocka_unit_test_setup(test_trst_selects_idcode, setup),
		cmocka_unit_test_setup(test_srst_is_told_once_a_change, setup),
		cmocka_unit_test_setup(test_pins_that_lead_nowhere, setup),
		cmocka_unit_test_setup(test_quit_ends_and_nonsense_is_counted, setup),
		cmocka_unit_test_setup(test_power_up_is_acknowledged, setup),
		cmocka_unit_test_setup(test_ap_ids_and_dead_without_power, setup),
		cmocka_unit_test_setup(test_posted_reads_and_increment, setup),
		cmocka_unit_test_setup(test_byte_lanes, setup),
		cmocka_unit_test_setup(test_packed_transfer, setup),
		cmocka_unit_test_setup(test_banked_data, setup),
		cmocka_unit_test_setup(test_sticky_error_blocks_until_cleared, setup),
		cmocka_unit_test_setup(test_unaligned_address_is_an_error, setup),
		cmocka_unit_test_setup(test_protected_memory_is_an_error, setup),
		cmocka_unit_test_setup(test_abort_does_no_harm, setup),
	};
	return cmocka_run_group_tests_name("vboard debug port", tests, NULL, NULL);
}
