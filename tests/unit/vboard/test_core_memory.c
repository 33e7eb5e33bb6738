/* test_core_memory.c - bit-band, unaligned accesses, decoded code that changes, scheduler. */
#include "core_fixture.h"

static void run_code(struct board *b)
{
	b->c->r[15] = CODE;
	run_to_stamp(b);
}

/* Alias of bit n of the byte at addr in SRAM (ARMv7-M ARM B3.1.1). */
static uint32_t alias(uint32_t addr, unsigned bit)
{
	return 0x22000000u + (addr - 0x20000000u) * 32 + bit * 4;
}

static void test_bit_band_sram(void **state)
{
	struct board *b = board_new();
	(void)state;
	vb_put(b->sram + 0x100, 4, 0x80000000);
	CODE_AT(b, CODE, 0x6802, 0x600B, BKPT_STAMP); /* ldr r2,[r0]; str r3,[r1] */
	b->c->r[0] = alias(DATA + 3, 7);
	b->c->r[1] = alias(DATA + 1, 2);
	b->c->r[3] = 0xFFFFFFFF;
	run_code(b);
	assert_int_equal(b->c->r[2], 1);
	assert_int_equal(peek(b, DATA), 0x80000400);
	b->c->r[0] = alias(DATA + 3, 6);
	b->c->r[1] = alias(DATA + 3, 7);
	b->c->r[3] = 0xFFFFFFFE; /* only bit 0 counts */
	run_code(b);
	assert_int_equal(b->c->r[2], 0);
	assert_int_equal(peek(b, DATA), 0x00000400);
	board_free(b);
}

struct device {
	uint32_t value;
	unsigned reads, writes, size;
};

static uint32_t device_read(void *ctx, uint32_t offset, unsigned size)
{
	struct device *d = ctx;
	d->reads++;
	d->size = size;
	return offset == 4 ? d->value : 0;
}

static void device_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct device *d = ctx;
	d->writes++;
	d->size = size;
	if (offset == 4)
		d->value = value;
}

static void test_bit_band_peripheral(void **state)
{
	static const struct vb_device_ops ops = { device_read, device_write };
	struct device d = { .value = 0x10 };
	struct board *b = board_new();
	(void)state;
	vb_bus_map_device(&b->m.bus, 0x40001000, 0x400, &ops, &d);
	CODE_AT(b, CODE, 0x600B, BKPT_STAMP); /* str r3, [r1] */
	b->c->r[1] = 0x42000000 + 0x1004 * 32 + 5 * 4;
	b->c->r[3] = 1;
	run_code(b);
	assert_int_equal(d.value, 0x30);
	assert_int_equal(d.reads, 1);
	assert_int_equal(d.writes, 1);
	assert_int_equal(d.size, 4);
	/* A plain access afterwards, narrow. */
	CODE_AT(b, CODE, 0x700B, BKPT_STAMP); /* strb r3, [r1] */
	b->c->r[1] = 0x40001004;
	run_code(b);
	assert_int_equal(d.size, 1);
	board_free(b);
}

static void test_unaligned(void **state)
{
	struct board *b = board_new();
	(void)state;
	for (unsigned i = 0; i < 16; i++)
		b->sram[0x100 + i] = (uint8_t)(0x10 + i);
	/* ldr r2,[r0]; ldrh r3,[r0]; ldrsh r4,[r0,r5]; str r6,[r1] */
	CODE_AT(b, CODE, 0x6802, 0x8803, 0x5F44, 0x600E, BKPT_STAMP);
	for (uint32_t k = 0; k < 4; k++) {
		b->c->r[0] = DATA + k;
		b->c->r[1] = DATA + 0x40 + k;
		b->c->r[5] = 2;
		b->c->r[6] = 0xAABBCCDD;
		run_code(b);
		assert_int_equal(b->c->r[2], 0x13121110u + 0x01010101u * k);
		assert_int_equal(b->c->r[3], 0x1110u + 0x0101u * k);
		assert_int_equal(b->c->r[4], 0x1312u + 0x0101u * k);
		assert_int_equal(vb_get(b->sram + 0x140 + k, 4), 0xAABBCCDD);
	}
	board_free(b);
}

/* Across the last word of SRAM: the part outside faults. */
static void test_unaligned_at_the_end(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0x6802, BKPT_STAMP);
	b->c->r[0] = 0x20004FFC;
	vb_put(b->sram + 0x4FFC, 4, 0x01020304);
	run_code(b);
	assert_int_equal(b->c->r[2], 0x01020304);
	b->c->r[0] = 0x20004FFE;
	run_code(b);
	assert_int_equal(b->c->ipsr, VB_EXC_HARD);
	board_free(b);
}

/* Code in SRAM that the core itself rewrites: the next run executes the new instruction, also
 * when it had been executed before. */
static void test_self_modifying(void **state)
{
	struct board *b = board_new();
	(void)state;
	uint32_t fn = 0x20000800;
	CODE_AT(b, fn, 0x2001, BX_LR); /* movs r0, #1; bx lr */
	/* blx r4; mov r5,r0; strh r6,[r7]; blx r4; bkpt */
	CODE_AT(b, CODE, 0x47A0, 0x4605, 0x803E, 0x47A0, BKPT_STAMP);
	b->c->r[4] = fn | 1;
	b->c->r[6] = 0x2002; /* movs r0, #2 */
	b->c->r[7] = fn;
	run_code(b);
	assert_int_equal(b->c->r[5], 1);
	assert_int_equal(b->c->r[0], 2);
	board_free(b);
}

/* Changing the second half of a 32-bit instruction, an instruction under IT, and the one after
 * a load (whose time depends on it). */
static void test_change_reaches_back(void **state)
{
	struct board *b = board_new();
	(void)state;
	uint32_t fn = 0x20000800;
	b->c->r[4] = fn | 1;
	b->c->r[3] = DATA;
	CODE_AT(b, CODE, 0x47A0, BKPT_STAMP);
	/* movw r0,#1; cmp r0,r0; it eq; moveq r1,#1; ldr r2,[r3]; nop; bx lr */
	CODE_AT(b, fn, 0xF240, 0x0001, 0x4280, 0xBF08, 0x2101, 0x681A, NOP, BX_LR);
	run_code(b);
	uint64_t start = b->c->cycles;
	run_code(b);
	uint64_t with_nop = b->c->cycles - start;
	assert_int_equal(b->c->r[0], 1);
	assert_int_equal(b->c->r[1], 1);
	CODE_AT(b, fn + 2, 0x0007);
	CODE_AT(b, fn + 8, 0x2109);
	CODE_AT(b, fn + 12, 0x681D); /* ldr r5, [r3]: 1 overlapped, where the NOP took 1 */
	start = b->c->cycles;
	run_code(b);
	assert_int_equal(b->c->r[0], 7);
	assert_int_equal(b->c->r[1], 9);
	assert_int_equal(b->c->cycles - start, with_nop);
	/* Still conditional after all that. */
	CODE_AT(b, fn + 4, 0x4298); /* cmp r0, r3: not equal */
	b->c->r[1] = 0;
	run_code(b);
	assert_int_equal(b->c->r[1], 0);
	board_free(b);
}

/* A change just behind a long IT block forgets instructions of the block, not their conditions. */
static void test_change_behind_it_block(void **state)
{
	struct board *b = board_new();
	(void)state;
	uint32_t fn = 0x20000800;
	b->c->r[4] = fn | 1;
	CODE_AT(b, CODE, 0x47A0, BKPT_STAMP);
	/* cmp r0,r0; itttt ne; addne.w r2,r2,#1 four times; nop; nop; bx lr */
	CODE_AT(b, fn, 0x4280, 0xBF1F, 0xF102, 0x0201, 0xF102, 0x0201, 0xF102, 0x0201, 0xF102, 0x0201,
		NOP, NOP, BX_LR);
	run_code(b);
	assert_int_equal(b->c->r[2], 0);
	CODE_AT(b, fn + 22, 0x2301); /* movs r3, #1 */
	run_code(b);
	assert_int_equal(b->c->r[2], 0);
	assert_int_equal(b->c->r[3], 1);
	board_free(b);
}

/* The debugger writes a breakpoint into SRAM code and takes it out again. */
static void test_debugger_writes_code(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, 0x20000800, 0x3001, 0xE7FD); /* 1: adds r0, #1; b 1b */
	b->c->r[15] = 0x20000800;
	vb_machine_run(&b->m, 1000);
	assert_true(vb_bus_write(&b->m.bus, 0x20000800, 2, BKPT_STAMP));
	run_to_stamp(b);
	assert_int_equal(b->c->r[15], 0x20000802);
	assert_true(vb_bus_write(&b->m.bus, 0x20000800, 2, 0x3001));
	assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 1000), VB_STOP_CYCLES);
	board_free(b);
}

/* Flash has two addresses; the flash controller reports a change at one of them. */
static void test_flash_alias(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0x2001, BKPT_STAMP);
	b->c->r[15] = CODE - VB_FLASH_BASE;
	run_to_stamp(b);
	assert_int_equal(b->c->r[0], 1);
	vb_put(b->flash + (CODE - VB_FLASH_BASE), 2, 0x2002);
	vb_bus_code_changed(&b->m.bus, CODE, 2);
	b->c->r[15] = CODE - VB_FLASH_BASE;
	run_to_stamp(b);
	assert_int_equal(b->c->r[0], 2);
	board_free(b);
}

/* Running off the end of flash is a fetch from nowhere; a 32-bit instruction cut in two as well. */
static void test_end_of_memory(void **state)
{
	(void)state;
	for (unsigned cut = 0; cut < 2; cut++) {
		struct board *b = board_new();
		CODE_AT(b, 0x0800FFFE, cut ? 0xF240 : NOP);
		b->c->r[15] = 0x0800FFFE;
		run_to_stamp(b);
		assert_int_equal(b->c->ipsr, VB_EXC_HARD);
		assert_int_equal(peek(b, R_CFSR), CFSR_IBUSERR);
		assert_int_equal(peek(b, b->c->r[13] + 24), cut ? 0x0800FFFE : 0x08010000);
		board_free(b);
	}
}

/* --- scheduler ----------------------------------------------------------------------------- */

static char order[8];
static unsigned order_n;

static void note(void *ctx, uint64_t at)
{
	(void)at;
	order[order_n++] = *(const char *)ctx;
}

static void test_schedule(void **state)
{
	struct vb_sched s = { NULL };
	char name[] = "abcd";
	struct vb_event e[4];
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		e[i] = (struct vb_event){ .fire = note, .ctx = &name[i] };
	order_n = 0;
	vb_sched_at(&s, &e[0], 30);
	vb_sched_at(&s, &e[1], 10);
	vb_sched_at(&s, &e[2], 30);
	vb_sched_at(&s, &e[3], 20);
	vb_sched_at(&s, &e[1], 40); /* moved */
	assert_int_equal(vb_sched_next(&s), 20);
	vb_sched_cancel(&s, &e[3]);
	vb_sched_cancel(&s, &e[3]);
	vb_sched_run(&s, 29);
	assert_int_equal(order_n, 0);
	vb_sched_run(&s, 100);
	assert_memory_equal(order, "acb", 3);
	assert_true(vb_sched_next(&s) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bit_band_sram),
		cmocka_unit_test(test_bit_band_peripheral),
		cmocka_unit_test(test_unaligned),
		cmocka_unit_test(test_unaligned_at_the_end),
		cmocka_unit_test(test_self_modifying),
		cmocka_unit_test(test_change_reaches_back),
		cmocka_unit_test(test_change_behind_it_block),
		cmocka_unit_test(test_debugger_writes_code),
		cmocka_unit_test(test_flash_alias),
		cmocka_unit_test(test_end_of_memory),
		cmocka_unit_test(test_schedule),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
