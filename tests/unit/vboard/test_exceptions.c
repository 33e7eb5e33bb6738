/* test_exceptions.c - entry, return, priorities, masks, sleep, reset (ARMv7-M ARM B1.5). */
#include "core_fixture.h"

/* Leaves the address of a register in r0 and a value in r1 for "str r1, [r0]" (0x6001). */
static void store_at_start(struct board *b, uint32_t reg, uint32_t value)
{
	CODE_AT(b, CODE, 0x6001, BKPT_STAMP);
	b->c->r[0] = reg;
	b->c->r[1] = value;
}

static void test_frame(void **state)
{
	struct board *b = board_new();
	(void)state;
	store_at_start(b, R_ICSR, 1u << 28);
	b->c->r[2] = 0x22;
	b->c->r[3] = 0x33;
	b->c->r[12] = 0xCC;
	b->c->r[14] = 0xEE;
	vb_apsr_set(b->c, 0xF8000000);
	run_to_stamp(b);
	uint32_t sp = b->c->r[13];
	assert_int_equal(sp, STACK_TOP - 32);
	assert_int_equal(peek(b, sp), R_ICSR);
	assert_int_equal(peek(b, sp + 4), 1u << 28);
	assert_int_equal(peek(b, sp + 8), 0x22);
	assert_int_equal(peek(b, sp + 12), 0x33);
	assert_int_equal(peek(b, sp + 16), 0xCC);
	assert_int_equal(peek(b, sp + 20), 0xEE);
	assert_int_equal(peek(b, sp + 24), CODE + 2);
	assert_int_equal(peek(b, sp + 28), 0xF9000000);
	assert_int_equal(b->c->r[14], 0xFFFFFFF9u);
	assert_int_equal(b->c->ipsr, VB_EXC_PENDSV);
	/* What the handler changes in the frame is what the thread finds. */
	poke(b, sp + 8, 0x2222);
	poke(b, sp + 28, 0x51000000);
	run_to_stamp(b);
	assert_int_equal(b->c->r[2], 0x2222);
	assert_int_equal(vb_apsr(b->c), 0x50000000);
	assert_int_equal(b->c->ipsr, 0);
	assert_int_equal(b->c->r[13], STACK_TOP);
	board_free(b);
}

static void stack_alignment(uint32_t ccr, uint32_t sp_before, uint32_t sp_inside, uint32_t bit9)
{
	struct board *b = board_new();
	poke(b, R_CCR, ccr);
	store_at_start(b, R_ICSR, 1u << 28);
	b->c->r[13] = sp_before;
	run_to_stamp(b);
	assert_int_equal(b->c->r[13], sp_inside);
	assert_int_equal(peek(b, sp_inside + 28) >> 9 & 1, bit9);
	run_to_stamp(b);
	assert_int_equal(b->c->r[13], sp_before);
	board_free(b);
}

static void test_stack_alignment(void **state)
{
	(void)state;
	stack_alignment(0x200, 0x20004004, 0x20004000 - 32, 1);
	stack_alignment(0x200, 0x20004000, 0x20004000 - 32, 0);
	stack_alignment(0x000, 0x20004004, 0x20004004 - 32, 0);
}

/* From the process stack the frame goes there, and the handler runs on the main stack. */
static void test_process_stack(void **state)
{
	struct board *b = board_new();
	(void)state;
	/* msr psp, r2; msr control, r3; isb; str r1, [r0]; bkpt */
	CODE_AT(b, CODE, 0xF382, 0x8809, 0xF383, 0x8814, 0xF3BF, 0x8F6F, 0x6001, BKPT_STAMP);
	b->c->r[0] = R_ICSR;
	b->c->r[1] = 1u << 28;
	b->c->r[2] = 0x20003000;
	b->c->r[3] = 2;
	run_to_stamp(b);
	assert_int_equal(b->c->r[14], 0xFFFFFFFDu);
	assert_int_equal(b->c->r[13], STACK_TOP);
	assert_int_equal(vb_cpu_reg_read(b->c, 18), 0x20003000 - 32);
	assert_int_equal(b->c->control, 0);
	run_to_stamp(b);
	assert_int_equal(b->c->r[13], 0x20003000);
	assert_int_equal(b->c->control, 2);
	board_free(b);
}

/* Interrupts 0..3; priority, number and group decide who comes first and who preempts. */
static void test_order_of_pending(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_IPR, 0x10301020);
	poke(b, R_ISER, 0xF);
	store_at_start(b, R_ISPR, 0xF);
	static const unsigned order[] = { 1, 3, 0, 2 };
	for (unsigned i = 0; i < 4; i++) {
		run_to_stamp(b);
		assert_int_equal(b->c->ipsr, VB_EXC_IRQ0 + order[i]);
	}
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, 0);
	board_free(b);
}

/* The handler of interrupt 0 pends interrupt 1: nested when its group is higher. */
static void nesting(uint32_t prigroup, uint32_t prio0, uint32_t prio1, bool nests)
{
	struct board *b = board_new();
	poke(b, R_AIRCR, 0x05FA0000 | prigroup << 8);
	poke(b, R_IPR, prio0 | prio1 << 8);
	poke(b, R_ISER, 3);
	store_at_start(b, R_ISPR, 1);
	/* movs r1, #2; str r1, [r0]; bkpt; bx lr */
	CODE_AT(b, HANDLER(VB_EXC_IRQ0), 0x2102, 0x6001, BKPT_STAMP, BX_LR);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0 + (nests ? 1 : 0));
	if (nests)
		assert_int_equal(b->c->r[14], 0xFFFFFFF1u);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0 + (nests ? 0 : 1));
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, 0);
	board_free(b);
}

static void test_nesting(void **state)
{
	(void)state;
	nesting(0, 0x20, 0x10, true);
	nesting(0, 0x20, 0x20, false);
	nesting(0, 0x20, 0x30, false);
	nesting(5, 0x30, 0x20, false); /* bits 7:6 are the group: the same one */
	nesting(5, 0x40, 0x30, true);
	nesting(7, 0xF0, 0x00, false); /* no group bits at all */
}

static void masked(uint16_t op1, uint16_t op2, uint32_t value, uint32_t prio, bool passes)
{
	struct board *b = board_new();
	poke(b, R_IPR, prio);
	poke(b, R_ISER, 1);
	/* mask instruction with r2, then str r1, [r0] to ISPR, bkpt */
	CODE_AT(b, CODE, op1, op2, 0x6001, BKPT_STAMP);
	b->c->r[0] = R_ISPR;
	b->c->r[1] = 1;
	b->c->r[2] = value;
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, passes ? VB_EXC_IRQ0 : 0);
	board_free(b);
}

static void test_masks(void **state)
{
	(void)state;
	masked(NOP, 0xB672, 0, 0, false);            /* cpsid i */
	masked(NOP, 0xB671, 0, 0, false);            /* cpsid f */
	masked(0xF382, 0x8811, 0x30, 0x30, false);   /* msr basepri: the same level is masked */
	masked(0xF382, 0x8811, 0x30, 0x40, false);
	masked(0xF382, 0x8811, 0x30, 0x20, true);
	masked(0xF382, 0x8811, 0x00, 0xF0, true);    /* 0 masks nothing */
	masked(0xF382, 0x8811, 0x0F, 0xF0, true);    /* the lower four bits do not exist */
}

static void test_basepri_max(void **state)
{
	struct board *b = board_new();
	(void)state;
	/* msr basepri_max: r1, r2, r3, r4; bkpt */
	CODE_AT(b, CODE, 0xF381, 0x8812, 0xF382, 0x8812, BKPT_STAMP, 0xF383, 0x8812, 0xF384, 0x8812,
		BKPT_STAMP);
	b->c->r[1] = 0x80;
	b->c->r[2] = 0xA0;
	b->c->r[3] = 0x40;
	b->c->r[4] = 0;
	run_to_stamp(b);
	assert_int_equal(b->c->basepri, 0x80);
	run_to_stamp(b);
	assert_int_equal(b->c->basepri, 0x40);
	board_free(b);
}

/* What was pended under a mask comes when the mask goes, before the next instruction. */
static void test_unmasking(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_ISER, 1);
	/* cpsid i; str r1,[r0]; bkpt; cpsie i; movs r5,#1; bkpt */
	CODE_AT(b, CODE, 0xB672, 0x6001, BKPT_STAMP, 0xB662, 0x2501, BKPT_STAMP);
	b->c->r[0] = R_ISPR;
	b->c->r[1] = 1;
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, 0);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0);
	assert_int_equal(b->c->r[5], 0);
	board_free(b);
}

/* NMI passes PRIMASK and FAULTMASK; its return leaves FAULTMASK alone, any other clears it. */
static void test_nmi_and_faultmask(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0xB673, 0x6001, BKPT_STAMP); /* cpsid if; str r1, [r0] */
	b->c->r[0] = R_ICSR;
	b->c->r[1] = 1u << 31;
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_NMI);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, 0);
	assert_int_equal(b->c->faultmask, 1);
	board_free(b);

	b = board_new();
	store_at_start(b, R_ICSR, 1u << 28);
	CODE_AT(b, HANDLER(VB_EXC_PENDSV), 0xB671, BKPT_STAMP, BX_LR); /* cpsid f */
	run_to_stamp(b);
	assert_int_equal(b->c->faultmask, 1);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, 0);
	assert_int_equal(b->c->faultmask, 0);
	board_free(b);
}

static void test_svc(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0xDF03, BKPT_STAMP);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_SVC);
	assert_int_equal(peek(b, b->c->r[13] + 24), CODE + 2);
	board_free(b);

	/* Masked: escalates. */
	b = board_new();
	CODE_AT(b, CODE, 0xB672, 0xDF03, BKPT_STAMP);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_HARD);
	assert_int_equal(peek(b, R_HFSR), 1u << 30);
	board_free(b);
}

/* A line that stays up asks again when its handler returns; a pulse does not. */
static void test_level_and_pulse(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_ISER, 1);
	CODE_AT(b, CODE, NOP, BKPT_STAMP);
	vb_irq_set(&b->m, 0, true);
	run_to_stamp(b);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0);
	/* While it is active and up, it is not pending a second time. */
	assert_int_equal(peek(b, R_ISPR), 0);
	assert_int_equal(peek(b, R_IABR), 1);
	vb_irq_set(&b->m, 0, false);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, 0);
	board_free(b);

	/* A new edge during the handler pends once more. */
	b = board_new();
	poke(b, R_ISER, 1);
	CODE_AT(b, CODE, NOP, BKPT_STAMP);
	vb_irq_set(&b->m, 0, true);
	vb_irq_set(&b->m, 0, false);
	run_to_stamp(b);
	vb_irq_set(&b->m, 0, true);
	vb_irq_set(&b->m, 0, false);
	assert_int_equal(peek(b, R_ISPR), 1);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, 0);
	board_free(b);
}

static void test_clearing_pending(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_ISPR, 3);
	poke(b, R_ICPR, 1);
	assert_int_equal(peek(b, R_ISPR), 2);
	vb_irq_set(&b->m, 1, true);
	poke(b, R_ICPR, 2); /* the line is up: stays pending */
	assert_int_equal(peek(b, R_ISPR), 2);
	vb_irq_set(&b->m, 1, false);
	poke(b, R_ICPR, 2);
	assert_int_equal(peek(b, R_ISPR), 0);
	poke(b, R_STIR, 59);
	assert_int_equal(peek(b, R_ISPR + 4), 1u << 27);
	poke(b, R_STIR, 60); /* there is no such interrupt */
	assert_int_equal(peek(b, R_ISPR + 4), 1u << 27);
	board_free(b);
}

static void test_icsr(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_ISER, 4);
	poke(b, R_IPR, 0x00100000);
	store_at_start(b, R_ISPR, 4);
	run_to_stamp(b);
	poke(b, R_ICSR, 1u << 28 | 1u << 26);
	poke(b, R_SHPR3, 0x20300000);
	/* VECTACTIVE 18, RETTOBASE, VECTPENDING PendSV (0x30 against SysTick's 0x20: SysTick). */
	assert_int_equal(peek(b, R_ICSR), 18 | 1u << 11 | VB_EXC_SYSTICK << 12 | 1u << 26 | 1u << 28);
	poke(b, R_ICSR, 1u << 27 | 1u << 25);
	assert_int_equal(peek(b, R_ICSR), 18 | 1u << 11);
	board_free(b);
}

static void test_wfe(void **state)
{
	struct board *b = board_new();
	(void)state;
	/* sev; wfe falls through; the second wfe sleeps */
	CODE_AT(b, CODE, 0xBF40, 0xBF20, BKPT_STAMP, 0xBF20, BKPT_STAMP);
	run_to_stamp(b);
	assert_int_equal(vb_machine_run(&b->m, 1000), VB_STOP_CYCLES);
	assert_true(b->c->sleeping);
	assert_int_equal(b->c->cycles, 1000);
	/* SEVONPEND: a disabled interrupt that becomes pending wakes it. */
	vb_irq_set(&b->m, 0, true);
	vb_machine_run(&b->m, 2000);
	assert_true(b->c->sleeping);
	poke(b, R_SCR, 1u << 4);
	vb_irq_set(&b->m, 1, true);
	assert_int_equal(run_to_stamp(b), 2000);
	assert_int_equal(b->c->ipsr, 0);
	board_free(b);
}

static void test_sleep_on_exit(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_ISER, 1);
	poke(b, R_SCR, 1u << 1);
	store_at_start(b, R_ISPR, 1);
	run_to_stamp(b);
	vb_machine_run(&b->m, b->c->cycles + 500);
	assert_true(b->c->sleeping);
	assert_int_equal(b->stamps, 1);
	poke(b, R_ISPR, 1);
	run_to_stamp(b);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0);
	board_free(b);
}

static void test_cyccnt_in_sleep(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_DEMCR, 1u << 24);
	poke(b, R_DWT_CTRL, 1);
	CODE_AT(b, CODE, 0xBF30, BKPT_STAMP);
	vb_machine_run(&b->m, 1000);
	assert_in_range(peek(b, R_CYCCNT), 0, 1);
	vb_cpu_clock_in_sleep(b->c, true);
	vb_machine_run(&b->m, 2000);
	assert_in_range(peek(b, R_CYCCNT), 1000, 1001);
	board_free(b);
}

/* --- IT across exceptions ------------------------------------------------------------------ */

static void pend_irq(void *ctx, uint64_t at)
{
	(void)at;
	vb_irq_set(ctx, 0, true);
	vb_irq_set(ctx, 0, false);
}

/* The block: itete eq; addeq 1; addne 2; addeq 4; addne 8. An interrupt after any of them. */
static void test_interrupt_inside_it(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 6; at++) {
		struct board *b = board_new();
		struct vb_event e = { .fire = pend_irq, .ctx = &b->m };
		poke(b, R_ISER, 1);
		CODE_AT(b, CODE, 0x4280, 0xBF0B, 0x3201, 0x3202, 0x3204, 0x3208, BKPT_STAMP);
		/* the handler destroys the flags */
		CODE_AT(b, HANDLER(VB_EXC_IRQ0), 0x3501, BKPT_STAMP, BX_LR);
		vb_sched_at(&b->m.sched, &e, at);
		run_to_stamp(b);
		run_to_stamp(b);
		assert_int_equal(b->c->r[2], 5);
		assert_int_equal(b->c->ipsr, 0);
		board_free(b);
	}
}

/* A handler that clears the stacked IT bits makes the rest of the block unconditional; the block
 * is whole again the next time. */
static void test_handler_changes_it(void **state)
{
	struct board *b = board_new();
	struct vb_event e = { .fire = pend_irq, .ctx = &b->m };
	(void)state;
	poke(b, R_ISER, 1);
	CODE_AT(b, CODE, 0x4280, 0xBF0B, 0x3201, 0x3202, 0x3204, 0x3208, BKPT_STAMP, 0x2200, 0xE7F7);
	vb_sched_at(&b->m.sched, &e, 2);
	run_to_stamp(b);
	uint32_t sp = b->c->r[13], xpsr = peek(b, sp + 28);
	assert_int_not_equal(xpsr & 0x0600FC00, 0);
	poke(b, sp + 28, xpsr & ~0x0600FC00u);
	uint32_t done = peek(b, sp + 24) == CODE + 6 ? 1 : 0;
	run_to_stamp(b);
	assert_int_equal(b->c->r[2], 1 * done + 2 + 4 + 8 + (done ? 0 : 1));
	run_to_stamp(b);
	assert_int_equal(b->c->r[2], 5);
	board_free(b);
}

/* --- exclusives, reset --------------------------------------------------------------------- */

static void test_exception_clears_monitor(void **state)
{
	struct board *b = board_new();
	(void)state;
	/* ldrex r2,[r0]; svc; strex r3,r2,[r0]; bkpt */
	CODE_AT(b, CODE, 0xE850, 0x2F00, 0xDF00, 0xE840, 0x2300, BKPT_STAMP);
	b->c->r[0] = DATA;
	run_to_stamp(b);
	run_to_stamp(b);
	assert_int_equal(b->c->r[3], 1);
	board_free(b);
}

static void test_system_reset(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_ISER, 1);
	poke(b, R_VTOR, 0x08000000);
	poke(b, DATA, 0x12345678);
	b->c->r[13] = 0x20001000;
	store_at_start(b, R_AIRCR, 0x00000004); /* without the key nothing happens */
	uint64_t before = run_to_stamp(b);
	assert_int_equal(peek(b, R_ISER), 1);
	b->c->r[15] = CODE;
	b->c->r[1] = 0x05FA0004;
	b->c->r[0] = R_AIRCR;
	CODE_AT(b, CODE + 2, 0xE7FE);
	vb_machine_run(&b->m, before + 2);
	assert_int_equal(b->c->r[13], STACK_TOP);
	assert_int_equal(b->c->r[15], CODE);
	assert_int_equal(b->c->r[14], 0xFFFFFFFFu);
	assert_int_equal(peek(b, R_ISER), 0);
	assert_int_equal(peek(b, R_VTOR), 0);
	assert_int_equal(peek(b, DATA), 0x12345678);
	assert_true(b->c->cycles > before);
	board_free(b);
}

static void test_vtor(void **state)
{
	struct board *b = board_new();
	(void)state;
	vb_put(b->sram + 0x400 + 4 * VB_EXC_PENDSV, 4, 0x08002001);
	CODE_AT(b, 0x08002000, BKPT_STAMP);
	poke(b, R_VTOR, 0x20000400);
	store_at_start(b, R_ICSR, 1u << 28);
	run_to_stamp(b);
	assert_int_equal(b->c->r[15], 0x08002002);
	board_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frame),
		cmocka_unit_test(test_stack_alignment),
		cmocka_unit_test(test_process_stack),
		cmocka_unit_test(test_order_of_pending),
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_basepri_max),
		cmocka_unit_test(test_unmasking),
		cmocka_unit_test(test_nmi_and_faultmask),
		cmocka_unit_test(test_svc),
		cmocka_unit_test(test_level_and_pulse),
		cmocka_unit_test(test_clearing_pending),
		cmocka_unit_test(test_icsr),
		cmocka_unit_test(test_wfe),
		cmocka_unit_test(test_sleep_on_exit),
		cmocka_unit_test(test_cyccnt_in_sleep),
		cmocka_unit_test(test_interrupt_inside_it),
		cmocka_unit_test(test_handler_changes_it),
		cmocka_unit_test(test_exception_clears_monitor),
		cmocka_unit_test(test_system_reset),
		cmocka_unit_test(test_vtor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
