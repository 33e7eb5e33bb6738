/* The flash controller: unlock, erase, program, and every refusal. */
#include "chip_fixture.h"

#define KEYR    0x40022004u
#define OPTKEYR 0x40022008u
#define SR      0x4002200Cu
#define CR      0x40022010u
#define AR      0x40022014u
#define OBR     0x4002201Cu
#define WRPR    0x40022020u
#define FLASH   0x08000000u
#define OPTIONS 0x1FFFF800u

#define PG 1u
#define PER 2u
#define MER 4u
#define OPTPG 0x10u
#define OPTER 0x20u
#define STRT 0x40u
#define LOCK 0x80u
#define OPTWRE 0x200u
#define BSY 1u
#define PGERR 4u
#define WRPRTERR 0x10u
#define EOP 0x20u

static void unlock(void)
{
	wr(KEYR, 0x45670123);
	wr(KEYR, 0xCDEF89AB);
}

/* Waits for the end and returns SR, cleared. */
static uint32_t finish(void)
{
	for (unsigned i = 0; (rd(SR) & BSY) && i < 1000; i++)
		pass(10000);
	uint32_t sr = rd(SR);
	wr(SR, sr);
	return sr;
}

static uint32_t program(uint32_t addr, uint16_t value)
{
	wr(CR, PG);
	wr16(addr, value);
	uint32_t sr = finish();
	wr(CR, 0);
	return sr;
}

static void test_locked_after_reset(void **state)
{
	(void)state;
	assert_int_equal(rd(CR), LOCK);
	wr(CR, PG);
	assert_int_equal(rd(CR), LOCK);
	wr16(FLASH, 0x1234);
	assert_int_equal(rd(SR), PGERR);
	assert_int_equal(rd(FLASH), 0xFFFFFFFF);
}

static void test_unlock_and_lock(void **state)
{
	(void)state;
	unlock();
	assert_int_equal(rd(CR), 0);
	wr(CR, LOCK);
	assert_int_equal(rd(CR), LOCK);
	unlock(); /* the right keys open it again */
	assert_int_equal(rd(CR), 0);
}

static void test_wrong_key_locks_until_reset(void **state)
{
	(void)state;
	wr(KEYR, 0x45670123);
	wr(KEYR, 0xDEADBEEF);
	unlock();
	assert_int_equal(rd(CR), LOCK);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	unlock();
	assert_int_equal(rd(CR), 0);
}

static void test_program_takes_time(void **state)
{
	(void)state;
	unlock();
	wr(CR, PG);
	wr16(FLASH + 0x100, 0xBEEF);
	assert_int_equal(rd(SR), BSY);
	uint64_t start = chip->m.cpu.cycles;
	pass_until(start + 390); /* 50 us at 8 MHz are 400 cycles */
	assert_int_equal(rd(SR), BSY);
	pass_until(start + 400);
	assert_int_equal(rd(SR), EOP);
	assert_int_equal(rd(FLASH + 0x100), 0xFFFFBEEF);
	assert_int_equal(rd(0x100), 0xFFFFBEEF); /* the alias at 0 */
	wr(SR, EOP);
	assert_int_equal(rd(SR), 0);
}

static void test_only_erased_cells_take_a_value(void **state)
{
	(void)state;
	unlock();
	assert_int_equal(program(FLASH + 2, 0x00FF), EOP);
	assert_int_equal(program(FLASH + 2, 0x0000), EOP); /* zero is always allowed */
	assert_int_equal(program(FLASH + 2, 0x1234), PGERR);
	assert_int_equal(rd(FLASH), 0x0000FFFF);
	assert_int_equal(program(FLASH + 4, 0x5555), EOP);
	assert_int_equal(program(FLASH + 4, 0x5554), PGERR);
}

static void test_widths(void **state)
{
	(void)state;
	unlock();
	wr(CR, PG);
	wr(FLASH + 8, 0x11223344); /* words: this chip can */
	assert_int_equal(finish(), EOP);
	assert_int_equal(rd(FLASH + 8), 0x11223344);
	assert_true(vb_bus_write(&chip->m.bus, FLASH + 12, 1, 0));
	assert_int_equal(finish(), PGERR);
	assert_int_equal(rd(FLASH + 12), 0xFFFFFFFF);
}

static void test_page_erase(void **state)
{
	(void)state;
	unlock();
	program(FLASH + 0x3FE, 1);
	program(FLASH + 0x400, 2);
	program(FLASH + 0x7FE, 3);
	program(FLASH + 0x800, 4);
	wr(CR, PER);
	wr(AR, FLASH + 0x456); /* any address in the page */
	wr(CR, PER | STRT);
	assert_int_equal(rd(CR), PER | STRT);
	assert_int_equal(rd(SR), BSY);
	pass(8000 * 20); /* 20 ms: still at it */
	assert_int_equal(rd(SR), BSY);
	assert_int_equal(finish(), EOP);
	assert_int_equal(rd(CR), PER);
	assert_int_equal(rd(FLASH + 0x3FC), 0x0001FFFF);
	assert_int_equal(rd(FLASH + 0x400), 0xFFFFFFFF);
	assert_int_equal(rd(FLASH + 0x7FC), 0xFFFFFFFF);
	assert_int_equal(rd(FLASH + 0x800), 0xFFFF0004);
}

static void test_mass_erase(void **state)
{
	(void)state;
	unlock();
	program(FLASH, 0);
	program(FLASH + 0x1FFFE, 0);
	wr(CR, MER);
	wr(CR, MER | STRT);
	assert_int_equal(finish(), EOP);
	assert_int_equal(rd(FLASH), 0xFFFFFFFF);
	assert_int_equal(rd(FLASH + 0x1FFFC), 0xFFFFFFFF);
}

static void test_erase_outside_is_refused(void **state)
{
	(void)state;
	unlock();
	wr(CR, PER);
	wr(AR, FLASH + 0x20000);
	wr(CR, PER | STRT);
	assert_int_equal(finish(), WRPRTERR);
}

static void test_reset_in_mid_operation(void **state)
{
	(void)state;
	unlock();
	wr(CR, PER);
	wr(AR, FLASH);
	wr(CR, PER | STRT);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_int_equal(rd(SR), 0);
	pass(1000000);
	assert_int_equal(rd(SR), 0); /* no flag from before */
}

static void open_options(void)
{
	unlock();
	wr(OPTKEYR, 0x45670123);
	wr(OPTKEYR, 0xCDEF89AB);
	assert_int_equal(rd(CR), OPTWRE);
}

static void program_option(uint32_t addr, uint16_t value)
{
	wr(CR, OPTPG | OPTWRE);
	wr16(addr, value);
	assert_int_equal(finish(), EOP);
}

static void test_options_need_their_own_key(void **state)
{
	(void)state;
	unlock();
	wr(CR, OPTPG);
	wr16(OPTIONS + 4, 0x0012);
	assert_int_equal(finish(), PGERR);
	wr(OPTKEYR, 0x45670123);
	wr(OPTKEYR, 1);
	assert_int_equal(rd(CR) & OPTWRE, 0);
}

static void test_write_protection(void **state)
{
	(void)state;
	open_options();
	wr(CR, OPTER | OPTWRE);
	wr(CR, OPTER | OPTWRE | STRT);
	assert_int_equal(finish(), EOP);
	program_option(OPTIONS, 0x00A5);
	program_option(OPTIONS + 8, 0x00FE); /* pages 0-3 */
	assert_int_equal(rd(OPTIONS + 8) & 0xFFFF, 0x01FE); /* the complement is added */
	assert_int_equal(rd(WRPR), 0xFFFFFFFF);             /* takes a reset */
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_int_equal(rd(WRPR), 0xFFFFFFFE);
	assert_false(vb_fmc_read_protected(&chip->fmc));
	unlock();
	assert_int_equal(program(FLASH + 0xFFE, 0), WRPRTERR);
	assert_int_equal(program(FLASH + 0x1000, 0), EOP);
	wr(CR, PER);
	wr(AR, FLASH);
	wr(CR, PER | STRT);
	assert_int_equal(finish(), WRPRTERR);
	wr(CR, MER);
	wr(CR, MER | STRT);
	assert_int_equal(finish(), WRPRTERR);
}

static void test_leaving_read_protection_erases_all(void **state)
{
	(void)state;
	unlock();
	program(FLASH + 0x40, 0x1234);
	wr(CR, LOCK);
	open_options();
	wr(CR, OPTER | OPTWRE);
	wr(CR, OPTER | OPTWRE | STRT);
	finish();
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_true(vb_fmc_read_protected(&chip->fmc)); /* an erased option means protected */
	assert_int_equal(rd(OBR) & 3, 2);
	open_options();
	program_option(OPTIONS, 0x00A5);
	assert_int_equal(rd(FLASH + 0x40), 0xFFFFFFFF);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_false(vb_fmc_read_protected(&chip->fmc));
}

static void test_interrupt_at_the_end(void **state)
{
	(void)state;
	unlock();
	wr(CR, PG | 1u << 12);
	wr16(FLASH, 1);
	assert_false(pending(4));
	pass(400);
	assert_true(pending(4));
}

static void test_identity(void **state)
{
	(void)state;
	assert_int_equal(rd(0x1FFFF7E0) & 0xFFFF, 128);
	assert_int_equal(rd(0xE0042000), 0x20036410);
	static const uint8_t uid[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	vb_chip_set_uid(chip, uid);
	assert_int_equal(rd(0x1FFFF7E8), 0x04030201);
	assert_int_equal(rd(0x1FFFF7F0), 0x0C0B0A09);
}

static void test_dbgmcu_cr_outlives_a_system_reset(void **state)
{
	(void)state;
	wr(0xE0042004, 0x307);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_int_equal(rd(0xE0042004), 0x307);
	vb_chip_reset(chip, VB_CAUSE_POWER);
	assert_int_equal(rd(0xE0042004), 0);
}

static void test_unmapped_is_a_bus_error(void **state)
{
	uint32_t v;
	(void)state;
	assert_false(vb_bus_read(&chip->m.bus, 0x08020000, 4, &v));
	assert_false(vb_bus_read(&chip->m.bus, 0x20005000, 4, &v));
	assert_false(vb_bus_write(&chip->m.bus, 0x40003000, 4, 0));
	assert_true(vb_bus_read(&chip->m.bus, 0x20004FFC, 4, &v));
}

#define T(f) cmocka_unit_test_setup_teardown(f, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_locked_after_reset), T(test_unlock_and_lock), T(test_wrong_key_locks_until_reset),
		T(test_program_takes_time), T(test_only_erased_cells_take_a_value), T(test_widths),
		T(test_page_erase), T(test_mass_erase), T(test_erase_outside_is_refused),
		T(test_reset_in_mid_operation), T(test_options_need_their_own_key),
		T(test_write_protection), T(test_leaving_read_protection_erases_all),
		T(test_interrupt_at_the_end), T(test_identity),
		T(test_dbgmcu_cr_outlives_a_system_reset), T(test_unmapped_is_a_bus_error),
	};
	return cmocka_run_group_tests_name("vboard flash controller", tests, NULL, NULL);
}
