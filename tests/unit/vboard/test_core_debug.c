/* test_core_debug.c - halting debug through the registers a debug port uses (ARMv7-M ARM C1). */
#include "core_fixture.h"

#define KEY 0xA05F0000u
enum { C_DEBUGEN = 1, C_HALT = 2, C_STEP = 4, C_MASKINTS = 8 };
enum { S_HALT = 1 << 17, S_SLEEP = 1 << 18, S_LOCKUP = 1 << 19, S_RETIRE = 1 << 24, S_RESET = 1 << 25 };
enum { FP_CTRL = 0xE0002000, FP_COMP0 = 0xE0002008, DWT_COMP0 = 0xE0001020, DWT_MASK0 = 0xE0001024,
       DWT_FUNCTION0 = 0xE0001028 };

static void halt(struct board *b)
{
	poke(b, R_DHCSR, KEY | C_DEBUGEN | C_HALT);
}

static uint32_t core_reg(struct board *b, uint32_t n)
{
	poke(b, R_DCRSR, n);
	assert_true(peek(b, R_DHCSR) >> 16 & 1);
	return peek(b, R_DCRDR);
}

static void set_core_reg(struct board *b, uint32_t n, uint32_t v)
{
	poke(b, R_DCRDR, v);
	poke(b, R_DCRSR, n | 1u << 16);
}

static void test_identification(void **state)
{
	struct board *b = board_new();
	(void)state;
	assert_int_equal(peek(b, R_CPUID), 0x412FC231);
	assert_int_equal(peek(b, R_DWT_CTRL) >> 28, 4);
	assert_int_equal(peek(b, FP_CTRL), 0x260);
	assert_int_equal(peek(b, 0xE00FF000) & 0xFFFFF000u, 0xFFF0F000u);
	assert_int_equal(peek(b, 0xE00FFFF0), 0x0D);
	assert_int_equal(peek(b, 0xE00FFFF4), 0x10);
	assert_int_equal(peek(b, 0xE000EFE0), 0x00);
	assert_int_equal(peek(b, 0xE000EFF4), 0xE0);
	board_free(b);
}

static void test_halt_and_resume(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0x3001, 0xE7FD); /* 1: adds r0, #1; b 1b */
	assert_true(peek(b, R_DHCSR) & S_RESET);
	assert_false(peek(b, R_DHCSR) & S_RESET);
	vb_machine_run(&b->m, 300);
	poke(b, R_DHCSR, C_DEBUGEN | C_HALT); /* without the key */
	assert_false(peek(b, R_DHCSR) & S_HALT);
	vb_machine_run(&b->m, 330);
	halt(b);
	uint32_t dhcsr = peek(b, R_DHCSR);
	assert_true(dhcsr & S_HALT && dhcsr & S_RETIRE);
	assert_int_equal(peek(b, R_DFSR), DFSR_HALTED);
	uint32_t r0 = core_reg(b, 0);
	assert_true(r0 >= 109 && r0 <= 111);
	/* Time passes, the core does not move. */
	assert_int_equal(vb_machine_run(&b->m, 10000), VB_STOP_HALTED);
	assert_int_equal(b->c->cycles, 10000);
	assert_int_equal(core_reg(b, 0), r0);
	assert_false(peek(b, R_DHCSR) & S_RETIRE);
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	assert_int_equal(vb_machine_run(&b->m, 10300), VB_STOP_CYCLES);
	halt(b);
	assert_true(core_reg(b, 0) > r0 + 95);
	board_free(b);
}

static void test_registers(void **state)
{
	struct board *b = board_new();
	(void)state;
	halt(b);
	for (uint32_t i = 0; i < 13; i++)
		set_core_reg(b, i, 0x100 + i);
	set_core_reg(b, 14, 0x77);
	set_core_reg(b, 15, CODE + 4);
	set_core_reg(b, 16, 0xF9000000);
	set_core_reg(b, 17, 0x20004001);
	set_core_reg(b, 18, 0x20003002);
	set_core_reg(b, 20, 0x02014001);
	for (uint32_t i = 0; i < 13; i++)
		assert_int_equal(core_reg(b, i), 0x100 + i);
	assert_int_equal(core_reg(b, 13), 0x20003000); /* CONTROL.SPSEL is set */
	assert_int_equal(core_reg(b, 14), 0x77);
	assert_int_equal(core_reg(b, 15), CODE + 4);
	assert_int_equal(core_reg(b, 16), 0xF9000000);
	assert_int_equal(core_reg(b, 17), 0x20004000);
	assert_int_equal(core_reg(b, 18), 0x20003000);
	assert_int_equal(core_reg(b, 20), 0x02014001);
	board_free(b);
}

static void step(struct board *b, uint32_t more)
{
	poke(b, R_DHCSR, KEY | C_DEBUGEN | C_STEP | more);
	assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 1000), VB_STOP_HALTED);
}

static void test_step(void **state)
{
	struct board *b = board_new();
	(void)state;
	/* movs r0,#1; itt ne; addne r0,#2; addne r0,#4; bl next; next: nop */
	CODE_AT(b, CODE, 0x2001, 0xBF1C, 0x3002, 0x3004, 0xF000, 0xF800, NOP, NOP);
	halt(b);
	static const uint32_t at[] = { CODE + 2, CODE + 4, CODE + 6, CODE + 8, CODE + 12, CODE + 14 };
	for (unsigned i = 0; i < 6; i++) {
		step(b, 0);
		assert_int_equal(core_reg(b, 15), at[i]);
	}
	assert_int_equal(core_reg(b, 0), 7);
	board_free(b);
}

static void test_step_over_wfi(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0xBF30, NOP); /* wfi */
	halt(b);
	step(b, 0);
	assert_int_equal(core_reg(b, 15), CODE + 2);
	assert_in_range(b->c->cycles, 1, 2);
	step(b, 0);
	assert_int_equal(core_reg(b, 15), CODE + 4);
	board_free(b);
}

/* A step with an interrupt pending goes into the handler, unless interrupts are masked. */
static void test_step_and_interrupts(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, NOP, NOP, NOP);
	halt(b);
	poke(b, R_ISER, 1);
	poke(b, R_ISPR, 1);
	poke(b, R_DHCSR, KEY | C_DEBUGEN | C_HALT | C_MASKINTS);
	step(b, C_MASKINTS);
	assert_int_equal(core_reg(b, 15), CODE + 2);
	poke(b, R_DHCSR, KEY | C_DEBUGEN | C_HALT);
	step(b, 0);
	assert_int_equal(core_reg(b, 15), HANDLER(VB_EXC_IRQ0));
	assert_int_equal(core_reg(b, 16) & 0x1FF, VB_EXC_IRQ0);
	board_free(b);
}

static void test_bkpt_instruction(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0xBE01, NOP);
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	assert_int_equal(vb_machine_run(&b->m, 100), VB_STOP_HALTED);
	assert_int_equal(core_reg(b, 15), CODE);
	assert_int_equal(peek(b, R_DFSR), DFSR_BKPT);
	board_free(b);

	/* No debugger: HardFault with DEBUGEVT. */
	b = board_new();
	CODE_AT(b, CODE, 0xBE01);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_HARD);
	assert_int_equal(peek(b, R_HFSR), HFSR_DEBUGEVT);
	board_free(b);

	/* The monitor takes it. */
	b = board_new();
	CODE_AT(b, CODE, 0xBE01);
	poke(b, R_DEMCR, DEMCR_MON_EN);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_DEBUGMON);
	board_free(b);
}

/* Six comparators, set and cleared while the code is already decoded. */
static void test_fpb(void **state)
{
	struct board *b = board_new();
	(void)state;
	for (uint32_t i = 0; i < 31; i++)
		CODE_AT(b, CODE + 2 * i, 0x3001);
	CODE_AT(b, CODE + 62, 0xE7DF); /* back to CODE */
	vb_machine_run(&b->m, 1000);
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	poke(b, FP_CTRL, 3);
	for (uint32_t i = 0; i < 6; i++) {
		uint32_t at = CODE + 10 * i + 2;
		poke(b, FP_COMP0 + 4 * i, (at & 0x1FFFFFFC) | (at & 2 ? 2u : 1u) << 30 | 1);
	}
	for (uint32_t i = 0; i < 6; i++) {
		poke(b, R_DHCSR, KEY | C_DEBUGEN);
		assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 1000), VB_STOP_HALTED);
		uint32_t pc = core_reg(b, 15);
		assert_int_equal((pc - CODE) % 10, 2);
		poke(b, FP_COMP0 + 4 * ((pc - CODE) / 10), 0);
	}
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 1000), VB_STOP_CYCLES);
	board_free(b);
}

static void test_fpb_inside_it(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0x4280, 0xBF0C, 0x3201, 0x3202, NOP, 0xE7FE); /* cmp; ite eq; add 1; add 2 */
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	poke(b, FP_CTRL, 3);
	poke(b, FP_COMP0, ((CODE + 6) & 0x1FFFFFFC) | 2u << 30 | 1);
	assert_int_equal(vb_machine_run(&b->m, 100), VB_STOP_HALTED);
	assert_int_equal(core_reg(b, 15), CODE + 6);
	poke(b, FP_COMP0, 0);
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	vb_machine_run(&b->m, 200);
	halt(b);
	assert_int_equal(core_reg(b, 2), 1);
	board_free(b);
}

static void test_watchpoints(void **state)
{
	struct board *b = board_new();
	(void)state;
	/* 1: ldr r2,[r0]; str r3,[r1]; b 1b */
	CODE_AT(b, CODE, 0x6802, 0x600B, 0xE7FC);
	b->c->r[0] = DATA;
	b->c->r[1] = DATA + 0x40;
	poke(b, R_DEMCR, DEMCR_TRCENA);
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	vb_machine_run(&b->m, 100);
	poke(b, DWT_COMP0, DATA + 0x40);
	poke(b, DWT_MASK0, 2);
	poke(b, DWT_FUNCTION0, 6); /* write */
	assert_int_equal(vb_machine_run(&b->m, 1000), VB_STOP_HALTED);
	assert_int_equal(core_reg(b, 15), CODE + 4);
	assert_int_equal(peek(b, R_DFSR), DFSR_DWTTRAP);
	assert_true(peek(b, DWT_FUNCTION0) >> 24 & 1);
	poke(b, DWT_FUNCTION0, 5); /* read: nothing reads there */
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 1000), VB_STOP_CYCLES);
	poke(b, DWT_COMP0 + 16, DATA);
	poke(b, DWT_FUNCTION0 + 16, 7);
	assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 1000), VB_STOP_HALTED);
	assert_int_equal(core_reg(b, 15), CODE + 2);
	board_free(b);
}

static void test_vector_catch(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	poke(b, R_DEMCR, DEMCR_VC_HARDERR);
	CODE_AT(b, CODE, 0xDE00);
	assert_int_equal(vb_machine_run(&b->m, 100), VB_STOP_HALTED);
	assert_int_equal(core_reg(b, 15), HANDLER(VB_EXC_HARD));
	assert_int_equal(peek(b, R_DFSR), DFSR_VCATCH);
	assert_int_equal(b->stamps, 0);
	board_free(b);

	b = board_new();
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	poke(b, R_DEMCR, DEMCR_VC_STATERR);
	poke(b, R_SHCSR, SHCSR_USGENA);
	CODE_AT(b, CODE, 0xDE00);
	assert_int_equal(vb_machine_run(&b->m, 100), VB_STOP_HALTED);
	assert_int_equal(core_reg(b, 15), HANDLER(VB_EXC_USAGE));
	board_free(b);
}

/* VC_CORERESET with SYSRESETREQ from the debug port: halted before the first instruction, and
 * the debug state survives. */
static void test_reset_halt(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0x3001, 0xE7FD);
	vb_machine_run(&b->m, 500);
	poke(b, FP_COMP0, 0x48000401);
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	poke(b, R_DEMCR, DEMCR_VC_CORERESET | DEMCR_TRCENA);
	poke(b, R_AIRCR, 0x05FA0004);
	assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 100), VB_STOP_HALTED);
	assert_true(peek(b, R_DHCSR) & S_RESET);
	assert_int_equal(core_reg(b, 15), CODE);
	assert_int_equal(peek(b, R_DEMCR), DEMCR_VC_CORERESET | DEMCR_TRCENA);
	assert_int_equal(peek(b, FP_COMP0), 0x48000401);
	/* Without the catch it runs. */
	poke(b, R_DEMCR, DEMCR_TRCENA);
	poke(b, R_AIRCR, 0x05FA0004);
	vb_machine_run(&b->m, b->c->cycles + 100);
	assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 100), VB_STOP_CYCLES);
	assert_true(peek(b, R_DHCSR) & C_DEBUGEN);
	vb_machine_reset(&b->m, VB_RESET_POWER_ON);
	assert_int_equal(peek(b, R_DHCSR) & C_DEBUGEN, 0);
	assert_int_equal(peek(b, R_DEMCR), 0);
	board_free(b);
}

/* VECTRESET: the core starts anew, from a halt only. */
static void test_vectreset(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0x3001, 0xE7FD);
	vb_machine_run(&b->m, 500);
	poke(b, R_AIRCR, 0x05FA0001); /* running: ignored */
	vb_machine_run(&b->m, 600);
	uint32_t r0 = b->c->r[0];
	assert_true(r0 > 190);
	poke(b, R_DEMCR, DEMCR_VC_CORERESET);
	halt(b);
	poke(b, R_AIRCR, 0x05FA0001);
	assert_int_equal(vb_machine_run(&b->m, 700), VB_STOP_HALTED);
	assert_int_equal(core_reg(b, 15), CODE);
	assert_int_equal(core_reg(b, 0), r0);
	board_free(b);
}

/* The core itself cannot switch debugging on. */
static void test_core_cannot_enable_debug(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0x6001, BKPT_STAMP);
	b->c->r[0] = R_DHCSR;
	b->c->r[1] = KEY | C_DEBUGEN | C_HALT;
	run_to_stamp(b);
	assert_int_equal(peek(b, R_DHCSR) & (C_DEBUGEN | S_HALT), 0);
	board_free(b);
}

/* CYCCNT and SysTick stand still in a halt; events do not. */
static void test_counters_in_halt(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_DEMCR, DEMCR_TRCENA);
	poke(b, R_DWT_CTRL, 1);
	poke(b, R_RVR, 999999);
	poke(b, R_CVR, 0);
	poke(b, R_CSR, 5);
	CODE_AT(b, CODE, 0xE7FE);
	vb_machine_run(&b->m, 1000);
	halt(b);
	uint32_t cyccnt = peek(b, R_CYCCNT), tick = peek(b, R_CVR);
	assert_in_range(cyccnt, 1000, 1002);
	assert_int_equal(tick, 1000000 - cyccnt);
	vb_machine_run(&b->m, 50000);
	assert_int_equal(peek(b, R_CYCCNT), cyccnt);
	assert_int_equal(peek(b, R_CVR), tick);
	poke(b, R_DHCSR, KEY | C_DEBUGEN);
	uint64_t before = b->c->cycles;
	vb_machine_run(&b->m, before + 100);
	uint32_t ran = (uint32_t)(b->c->cycles - before);
	assert_int_equal(peek(b, R_CYCCNT), cyccnt + ran);
	assert_int_equal(peek(b, R_CVR), tick - ran);
	board_free(b);
}

static void test_cyccnt_needs_trcena(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0xE7FE);
	poke(b, R_DWT_CTRL, 1); /* ignored: no clock */
	vb_machine_run(&b->m, 1000);
	uint32_t first = peek(b, R_CYCCNT);
	vb_machine_run(&b->m, 2000);
	assert_int_equal(peek(b, R_CYCCNT), first);
	poke(b, R_DEMCR, DEMCR_TRCENA);
	assert_int_equal(peek(b, R_CYCCNT), 0);
	poke(b, R_DWT_CTRL, 1);
	vb_machine_run(&b->m, 3000);
	assert_in_range(peek(b, R_CYCCNT), 990, 1010);
	board_free(b);
}

static void test_halt_in_sleep(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0xBF30, NOP);
	vb_machine_run(&b->m, 100);
	assert_true(peek(b, R_DHCSR) & S_SLEEP);
	halt(b);
	assert_true(peek(b, R_DHCSR) & S_HALT);
	assert_int_equal(core_reg(b, 15), CODE + 2);
	board_free(b);
}

static void count_instructions(void *ctx, struct vb_cpu *c, uint32_t pc)
{
	uint32_t *seen = ctx;
	assert_int_equal(c->r[15], pc);
	seen[0]++;
	seen[1] = pc;
}

static void test_trace(void **state)
{
	struct board *b = board_new();
	uint32_t seen[2] = { 0, 0 };
	(void)state;
	CODE_AT(b, CODE, 0x2003, 0x3801, 0xD1FD, BKPT_STAMP); /* movs r0,#3; 1: subs; bne 1b */
	vb_cpu_trace(b->c, count_instructions, seen);
	uint64_t traced = run_to_stamp(b);
	assert_int_equal(seen[0], 1 + 3 + 3 + 1);
	assert_int_equal(seen[1], CODE + 6);
	vb_cpu_trace(b->c, NULL, NULL);
	assert_int_equal(traced, 1 + 3 + 2 + 2 + 1);
	board_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identification),
		cmocka_unit_test(test_halt_and_resume),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_step_over_wfi),
		cmocka_unit_test(test_step_and_interrupts),
		cmocka_unit_test(test_bkpt_instruction),
		cmocka_unit_test(test_fpb),
		cmocka_unit_test(test_fpb_inside_it),
		cmocka_unit_test(test_watchpoints),
		cmocka_unit_test(test_vector_catch),
		cmocka_unit_test(test_reset_halt),
		cmocka_unit_test(test_vectreset),
		cmocka_unit_test(test_core_cannot_enable_debug),
		cmocka_unit_test(test_counters_in_halt),
		cmocka_unit_test(test_cyccnt_needs_trcena),
		cmocka_unit_test(test_halt_in_sleep),
		cmocka_unit_test(test_trace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
