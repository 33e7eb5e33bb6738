/* test_cpu_faults.c - what faults, with which status, and where it goes; privilege; lockup
 * (ARMv7-M ARM B1.5.14, B1.5.15, B3.2.15). */
#include "core_fixture.h"

enum { ALL = SHCSR_MEMENA | SHCSR_BUSENA | SHCSR_USGENA };
#define NOTHING_THERE 0x60000000u

struct fault {
	const char *name;
	uint16_t code[4];
	unsigned n;
	uint32_t r0, ccr;
	unsigned exc;
	uint32_t cfsr;
	uint32_t return_address; /* 0: CODE */
};

static const struct fault faults[] = {
	{ "UDF", { 0xDE00 }, 1, 0, 0, VB_EXC_USAGE, CFSR_UNDEFINSTR, 0 },
	{ "UDF.W", { 0xF7F0, 0xA000 }, 2, 0, 0, VB_EXC_USAGE, CFSR_UNDEFINSTR, 0 },
	{ "coprocessor", { 0xEE00, 0x0E15 }, 2, 0, 0, VB_EXC_USAGE, CFSR_NOCP, 0 },
	{ "BX to an even address", { 0x4700 }, 1, CODE + 8, 0, VB_EXC_USAGE, CFSR_INVSTATE, CODE + 8 },
	{ "LDM unaligned", { 0xE890, 0x000C }, 2, DATA + 2, 0, VB_EXC_USAGE, CFSR_UNALIGNED, 0 },
	{ "LDR unaligned, trapped", { 0x6802 }, 1, DATA + 2, CCR_UNALIGN_TRP, VB_EXC_USAGE, CFSR_UNALIGNED, 0 },
	{ "STR unaligned, trapped", { 0x6002 }, 1, DATA + 1, CCR_UNALIGN_TRP, VB_EXC_USAGE, CFSR_UNALIGNED, 0 },
	{ "LDREX unaligned", { 0xE850, 0x2F00 }, 2, DATA + 2, 0, VB_EXC_USAGE, CFSR_UNALIGNED, 0 },
	{ "UDIV by 0, trapped", { 0xFBB3, 0xF2F4 }, 2, 0, CCR_DIV_0_TRP, VB_EXC_USAGE, CFSR_DIVBYZERO, 0 },
	{ "load from nowhere", { 0x6802 }, 1, NOTHING_THERE, 0, VB_EXC_BUS, CFSR_PRECISERR | CFSR_BFARVALID, 0 },
	{ "store to nowhere", { 0x6002 }, 1, NOTHING_THERE, 0, VB_EXC_BUS, CFSR_IMPRECISERR, CODE + 2 },
	{ "store to nowhere on the PPB", { 0x6002 }, 1, 0xE0050000, 0, VB_EXC_BUS, CFSR_PRECISERR | CFSR_BFARVALID, 0 },
	{ "branch to nowhere", { 0x4700 }, 1, NOTHING_THERE | 1, 0, VB_EXC_BUS, CFSR_IBUSERR, NOTHING_THERE },
	{ "branch to a peripheral", { 0x4700 }, 1, 0x40000001, 0, VB_EXC_MEM, CFSR_IACCVIOL, 0x40000000 },
	{ "branch to the system space", { 0x4700 }, 1, 0xE000E001, 0, VB_EXC_MEM, CFSR_IACCVIOL, 0xE000E000 },
	{ "EXC_RETURN in thread mode", { 0x4700 }, 1, 0xFFFFFFF9, 0, VB_EXC_MEM, CFSR_IACCVIOL, 0xFFFFFFF8 },
};

static void raise_fault(struct board *b, const struct fault *f)
{
	poke(b, R_CCR, 0x200 | f->ccr);
	put_code(b, CODE, f->code, f->n);
	CODE_AT(b, CODE + 2 * f->n, BKPT_STAMP);
	b->c->r[0] = f->r0;
	run_to_stamp(b);
}

static void test_faults(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		const struct fault *f = &faults[i];
		struct board *b = board_new();
		print_message("    %s\n", f->name);
		poke(b, R_SHCSR, ALL);
		raise_fault(b, f);
		assert_int_equal(b->c->ipsr, f->exc);
		assert_int_equal(peek(b, R_CFSR), f->cfsr);
		assert_int_equal(peek(b, b->c->r[13] + 24), f->return_address ? f->return_address : CODE);
		if (f->cfsr & CFSR_BFARVALID)
			assert_int_equal(peek(b, R_BFAR), f->r0);
		assert_int_equal(peek(b, R_HFSR), 0);
		poke(b, R_CFSR, f->cfsr); /* written ones clear */
		assert_int_equal(peek(b, R_CFSR), 0);
		board_free(b);
	}
}

/* Disabled handlers escalate: same status, HardFault, FORCED. */
static void test_escalation(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct board *b = board_new();
		raise_fault(b, &faults[i]);
		assert_int_equal(b->c->ipsr, VB_EXC_HARD);
		assert_int_equal(peek(b, R_CFSR), faults[i].cfsr);
		assert_int_equal(peek(b, R_HFSR), HFSR_FORCED);
		board_free(b);
	}
}

/* A fault of the same priority inside its own handler goes to HardFault too. */
static void test_fault_in_handler(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_SHCSR, ALL);
	CODE_AT(b, HANDLER(VB_EXC_USAGE), 0xDE00);
	raise_fault(b, &faults[0]);
	assert_int_equal(b->c->ipsr, VB_EXC_HARD);
	assert_int_equal(peek(b, R_HFSR), HFSR_FORCED);
	assert_int_equal(b->c->r[14], 0xFFFFFFF1u);
	board_free(b);
}

static void test_lockup(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0xDE00);
	CODE_AT(b, HANDLER(VB_EXC_HARD), 0xDE00);
	assert_int_equal(vb_machine_run(&b->m, 1000), VB_STOP_LOCKUP);
	assert_true(b->c->cycles < 100);
	assert_true(peek(b, R_DHCSR) >> 19 & 1);
	/* Time goes on, the core does not. */
	assert_int_equal(vb_machine_run(&b->m, 1000), VB_STOP_LOCKUP);
	assert_int_equal(b->c->cycles, 1000);
	vb_machine_reset(&b->m, VB_RESET_SYSTEM);
	CODE_AT(b, CODE, BKPT_STAMP);
	run_to_stamp(b);
	board_free(b);
}

/* BFHFNMIGN: a HardFault handler may probe memory. */
static void test_probing_in_hardfault(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, HANDLER(VB_EXC_HARD), 0x6802, BKPT_STAMP, BX_LR); /* ldr r2, [r0] */
	CODE_AT(b, CODE, 0xDE00);
	poke(b, R_CCR, CCR_STKALIGN | CCR_BFHFNMIGN);
	b->c->r[0] = NOTHING_THERE;
	b->c->r[2] = 7;
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_HARD);
	assert_int_equal(b->c->r[2], 0);
	board_free(b);
}

static void test_stacking_fault(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_SHCSR, ALL);
	poke(b, R_SHPR2, 0x80000000); /* SVC below BusFault */
	CODE_AT(b, CODE, 0xDF00);
	b->c->r[13] = NOTHING_THERE;
	/* The BusFault handler runs first; it finds STKERR. */
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_BUS);
	assert_int_equal(peek(b, R_CFSR), CFSR_STKERR);
	board_free(b);
}

static void invalid_return(uint32_t lr)
{
	struct board *b = board_new();
	poke(b, R_SHCSR, ALL);
	CODE_AT(b, CODE, 0xDF00, BKPT_STAMP);
	CODE_AT(b, HANDLER(VB_EXC_SVC), 0x4708); /* bx r1 */
	b->c->r[1] = lr;
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_USAGE);
	assert_int_equal(peek(b, R_CFSR), CFSR_INVPC);
	board_free(b);
}

static void test_invalid_returns(void **state)
{
	(void)state;
	invalid_return(0xFFFFFFF1); /* to a handler, but none is left */
	invalid_return(0xFFFFFFF5);
	invalid_return(0xFFFFFF09);
	invalid_return(0xF0000009);
}

/* --- privilege ----------------------------------------------------------------------------- */

/* Thread mode without privilege, then one instruction. */
static void unprivileged(struct board *b, uint16_t op1, uint16_t op2)
{
	/* msr control, r7; isb; op; bkpt */
	CODE_AT(b, CODE, 0xF387, 0x8814, 0xF3BF, 0x8F6F, op1, op2, BKPT_STAMP);
	b->c->r[7] = 1;
	run_to_stamp(b);
}

static void test_unprivileged_thread(void **state)
{
	(void)state;
	struct board *b = board_new();
	poke(b, R_SHCSR, ALL);
	b->c->r[0] = R_CPUID;
	unprivileged(b, 0x6802, NOP); /* ldr r2, [r0] */
	assert_int_equal(b->c->ipsr, VB_EXC_BUS);
	assert_int_equal(peek(b, R_CFSR), CFSR_PRECISERR | CFSR_BFARVALID);
	board_free(b);

	b = board_new();
	unprivileged(b, 0xB673, NOP); /* cpsid if */
	assert_int_equal(b->c->primask | b->c->faultmask, 0);
	board_free(b);

	b = board_new();
	b->c->r[0] = 0x40;
	unprivileged(b, 0xF380, 0x8811); /* msr basepri, r0 */
	assert_int_equal(b->c->basepri, 0);
	board_free(b);

	b = board_new();
	b->c->r[0] = 0;
	unprivileged(b, 0xF380, 0x8814); /* msr control, r0: no way back */
	assert_int_equal(b->c->control, 1);
	board_free(b);

	b = board_new();
	b->c->basepri = 0x40;
	b->c->r[3] = 1;
	unprivileged(b, 0xF3EF, 0x8311); /* mrs r3, basepri */
	assert_int_equal(b->c->r[3], 0);
	board_free(b);

	b = board_new();
	poke(b, R_CCR, CCR_STKALIGN | CCR_USERSETMPEND);
	poke(b, R_ISER, 1);
	b->c->r[0] = R_STIR;
	unprivileged(b, 0x6002, NOP); /* str r2, [r0] */
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0);
	board_free(b);
}

static void test_ldrt(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_SHCSR, ALL);
	CODE_AT(b, CODE, 0xF850, 0x2E00, BKPT_STAMP); /* ldrt r2, [r0] */
	b->c->r[0] = DATA;
	vb_put(b->sram + 0x100, 4, 99);
	run_to_stamp(b);
	assert_int_equal(b->c->r[2], 99);
	b->c->r[15] = CODE;
	b->c->r[0] = R_CPUID;
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_BUS);
	board_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_escalation),
		cmocka_unit_test(test_fault_in_handler),
		cmocka_unit_test(test_lockup),
		cmocka_unit_test(test_probing_in_hardfault),
		cmocka_unit_test(test_stacking_fault),
		cmocka_unit_test(test_invalid_returns),
		cmocka_unit_test(test_unprivileged_thread),
		cmocka_unit_test(test_ldrt),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
