/* cpu_decode16.c - the 16-bit encodings (ARMv7-M ARM A5.2). */
#include "vboard/cpu_decode.h"

#define FIELD(hi, lo) vb_bits(d->hw, hi, lo)

static uint32_t sign_extend(uint32_t v, unsigned bits)
{
	uint32_t sign = 1u << (bits - 1);
	return (v ^ sign) - sign;
}

/* Most 16-bit data processing sets the flags exactly when it stands outside an IT block. */
static bool flags(const struct vb_dec *d)
{
	return d->it == 0;
}

static void shift_imm(struct vb_dec *d)
{
	unsigned type = FIELD(12, 11), amount = FIELD(10, 6);
	if (amount == 0 && type != SHIFT_LSL)
		amount = 32;
	vb_dec_move_shifted(d, type, amount, flags(d), FIELD(2, 0), FIELD(5, 3));
}

static void add_sub_reg(struct vb_dec *d)
{
	d->op->rm = (uint8_t)FIELD(8, 6);
	vb_dec_alu(d, FIELD(9, 9) ? ALU_SUB : ALU_ADD, OPERAND_REG, flags(d), FIELD(2, 0), FIELD(5, 3));
}

static void add_sub_imm3(struct vb_dec *d)
{
	d->op->imm = FIELD(8, 6);
	vb_dec_alu(d, FIELD(9, 9) ? ALU_SUB : ALU_ADD, OPERAND_IMM, flags(d), FIELD(2, 0), FIELD(5, 3));
}

static void imm8(struct vb_dec *d)
{
	static const enum vb_alu alu[4] = { ALU_MOV, ALU_CMP, ALU_ADD, ALU_SUB };
	unsigned r = FIELD(10, 8);
	d->op->imm = FIELD(7, 0);
	vb_dec_alu(d, alu[FIELD(12, 11)], OPERAND_IMM, flags(d), r, r);
}

static void data_processing(struct vb_dec *d)
{
	static const uint8_t alu[16] = {
		[0] = ALU_AND, [1] = ALU_EOR, [5] = ALU_ADC, [6] = ALU_SBC, [8] = ALU_TST,
		[9] = ALU_RSB, [10] = ALU_CMP, [11] = ALU_CMN, [12] = ALU_ORR, [14] = ALU_BIC,
		[15] = ALU_MVN,
	};
	unsigned opcode = FIELD(9, 6), rm = FIELD(5, 3), rd = FIELD(2, 0);
	d->op->rm = (uint8_t)rm;
	d->op->rn = (uint8_t)rd;
	switch (opcode) {
	case 2: case 3: case 4:
		vb_dec_result(d, vb_shift_reg_exec[opcode - 2][flags(d)], 1, rd);
		break;
	case 7:
		vb_dec_result(d, vb_shift_reg_exec[SHIFT_ROR][flags(d)], 1, rd);
		break;
	case 9: /* RSB rd, rm, #0 */
		d->op->imm = 0;
		vb_dec_alu(d, ALU_RSB, OPERAND_IMM, flags(d), rd, rm);
		break;
	case 13:
		vb_dec_result(d, flags(d) ? vb_x_muls : vb_x_mul, 1, rd);
		break;
	default:
		vb_dec_alu(d, (enum vb_alu)alu[opcode], OPERAND_REG, flags(d), rd, rd);
		break;
	}
}

static unsigned high_rd(const struct vb_dec *d)
{
	return FIELD(7, 7) << 3 | FIELD(2, 0);
}

static void add_high(struct vb_dec *d)
{
	unsigned rd = high_rd(d), rm = FIELD(6, 3);
	d->op->rm = (uint8_t)rm;
	if (rm == 15 && rd != 15) { /* rd += PC */
		d->op->imm = d->pc + 4;
		vb_dec_alu(d, ALU_ADD, OPERAND_IMM, false, rd, rd);
	} else if (rd == 15 && rm != 15) {
		d->op->imm2 = d->pc + 4;
		vb_dec_exec(d, vb_x_add_pc, 1);
	} else {
		vb_dec_alu(d, ALU_ADD, OPERAND_REG, false, rd, rd);
	}
}

static void cmp_high(struct vb_dec *d)
{
	d->op->rm = (uint8_t)FIELD(6, 3);
	vb_dec_alu(d, ALU_CMP, OPERAND_REG, true, 0, high_rd(d));
}

static void mov_high(struct vb_dec *d)
{
	unsigned rd = high_rd(d), rm = FIELD(6, 3);
	d->op->rm = (uint8_t)rm;
	if (rm == 15 && rd == 15)
		vb_dec_branch(d, vb_x_b, vb_x_b_far, d->pc + 4);
	else if (rm == 15)
		vb_dec_constant(d, rd, d->pc + 4);
	else if (rd == 15)
		vb_dec_exec(d, vb_x_mov_pc, 1);
	else
		vb_dec_alu(d, ALU_MOV, OPERAND_REG, false, rd, 0);
}

static void bx_blx(struct vb_dec *d)
{
	d->op->rm = (uint8_t)FIELD(6, 3);
	d->op->imm2 = (d->pc + 2) | 1;
	if (d->op->rm == 15)
		vb_dec_undefined(d);
	else
		vb_dec_exec(d, FIELD(7, 7) ? vb_x_blx : vb_x_bx, 1);
}

static void ldr_literal(struct vb_dec *d)
{
	d->op->imm = (d->pc & ~3u) + 4 + 4 * FIELD(7, 0);
	vb_dec_load(d, W_WORD, ADDR_LIT, FIELD(10, 8), 15);
}

static void load_store_reg(struct vb_dec *d)
{
	static const struct { uint8_t load, width; } form[8] = {
		{ 0, W_WORD }, { 0, W_HALF }, { 0, W_BYTE }, { 1, W_SBYTE },
		{ 1, W_WORD }, { 1, W_HALF }, { 1, W_BYTE }, { 1, W_SHALF },
	};
	unsigned i = FIELD(11, 9);
	d->op->rm = (uint8_t)FIELD(8, 6);
	if (form[i].load)
		vb_dec_load(d, (enum vb_width)form[i].width, ADDR_REG, FIELD(2, 0), FIELD(5, 3));
	else
		vb_dec_store(d, (enum vb_width)form[i].width, ADDR_REG, FIELD(2, 0), FIELD(5, 3));
}

static void access_imm(struct vb_dec *d, enum vb_width w, uint32_t offset, unsigned rt, unsigned rn)
{
	d->op->imm = offset;
	if (FIELD(11, 11))
		vb_dec_load(d, w, ADDR_IMM, rt, rn);
	else
		vb_dec_store(d, w, ADDR_IMM, rt, rn);
}

static void load_store_word(struct vb_dec *d)
{
	access_imm(d, W_WORD, 4 * FIELD(10, 6), FIELD(2, 0), FIELD(5, 3));
}

static void load_store_byte(struct vb_dec *d)
{
	access_imm(d, W_BYTE, FIELD(10, 6), FIELD(2, 0), FIELD(5, 3));
}

static void load_store_half(struct vb_dec *d)
{
	access_imm(d, W_HALF, 2 * FIELD(10, 6), FIELD(2, 0), FIELD(5, 3));
}

static void load_store_sp(struct vb_dec *d)
{
	access_imm(d, W_WORD, 4 * FIELD(7, 0), FIELD(10, 8), 13);
}

static void adr(struct vb_dec *d)
{
	vb_dec_constant(d, FIELD(10, 8), (d->pc & ~3u) + 4 + 4 * FIELD(7, 0));
}

static void add_rd_sp(struct vb_dec *d)
{
	d->op->imm = 4 * FIELD(7, 0);
	vb_dec_alu(d, ALU_ADD, OPERAND_IMM, false, FIELD(10, 8), 13);
}

static void adjust_sp(struct vb_dec *d)
{
	d->op->imm = 4 * FIELD(6, 0);
	vb_dec_alu(d, FIELD(7, 7) ? ALU_SUB : ALU_ADD, OPERAND_IMM, false, 13, 13);
}

static void compare_branch(struct vb_dec *d)
{
	uint32_t target = d->pc + 4 + (FIELD(9, 9) << 6 | FIELD(7, 3) << 1);
	d->op->rn = (uint8_t)FIELD(2, 0);
	/* A CBZ across the end of a memory has no far form: nothing links code that way. */
	if (target - d->code->base >= d->code->size)
		vb_dec_undefined(d);
	else
		vb_dec_branch(d, FIELD(11, 11) ? vb_x_cbnz : vb_x_cbz, NULL, target);
}

static void extend(struct vb_dec *d)
{
	static vb_exec_fn *const exec[4] = { vb_x_sxth, vb_x_sxtb, vb_x_uxth, vb_x_uxtb };
	d->op->rm = (uint8_t)FIELD(5, 3);
	vb_dec_result(d, exec[FIELD(7, 6)], 1, FIELD(2, 0));
}

static void reverse(struct vb_dec *d)
{
	static vb_exec_fn *const exec[4] = { vb_x_rev, vb_x_rev16, vb_x_undef, vb_x_revsh };
	d->op->rm = (uint8_t)FIELD(5, 3);
	if (FIELD(7, 6) == 2)
		vb_dec_undefined(d);
	else
		vb_dec_result(d, exec[FIELD(7, 6)], 1, FIELD(2, 0));
}

static void push(struct vb_dec *d)
{
	vb_dec_multiple(d, vb_x_stmdb, 13, FIELD(8, 8) << 14 | FIELD(7, 0), true);
}

static void pop(struct vb_dec *d)
{
	vb_dec_multiple(d, vb_x_ldmia, 13, FIELD(8, 8) << 15 | FIELD(7, 0), true);
}

static void stm(struct vb_dec *d)
{
	vb_dec_multiple(d, vb_x_stmia, FIELD(10, 8), FIELD(7, 0), true);
}

static void ldm(struct vb_dec *d)
{
	unsigned rn = FIELD(10, 8);
	vb_dec_multiple(d, vb_x_ldmia, rn, FIELD(7, 0), !(FIELD(7, 0) >> rn & 1));
}

static void cps(struct vb_dec *d)
{
	d->op->imm = FIELD(4, 0);
	vb_dec_exec(d, vb_x_cps, 1);
}

static void bkpt(struct vb_dec *d)
{
	d->op->imm = FIELD(7, 0);
	vb_dec_exec(d, vb_x_bkpt, 1);
}

/* An IT fetched in the same word as the instruction before it is folded into that one. */
static void it(struct vb_dec *d)
{
	d->op->imm = FIELD(7, 0);
	vb_dec_exec(d, vb_x_it, d->pc & 2 ? 0 : 1);
}

static void hint(struct vb_dec *d)
{
	static vb_exec_fn *const exec[5] = { vb_x_nop, vb_x_nop, vb_x_wfe, vb_x_wfi, vb_x_sev };
	unsigned i = FIELD(7, 4);
	vb_dec_exec(d, i < 5 ? exec[i] : vb_x_nop, 1);
}

static void svc(struct vb_dec *d)
{
	vb_dec_exec(d, vb_x_svc, 1);
}

static void b_cond(struct vb_dec *d)
{
	unsigned cond = FIELD(11, 8);
	d->op->ra = (uint8_t)cond;
	vb_dec_branch(d, vb_bcond_exec[cond], vb_x_bcond_far,
		      d->pc + 4 + 2 * sign_extend(FIELD(7, 0), 8));
}

static void b(struct vb_dec *d)
{
	vb_dec_branch(d, vb_x_b, vb_x_b_far, d->pc + 4 + 2 * sign_extend(FIELD(10, 0), 11));
}

const struct vb_pattern vb_patterns16[] = {
	{ 0xFC00, 0x1800, add_sub_reg },
	{ 0xFC00, 0x1C00, add_sub_imm3 },
	{ 0xE000, 0x0000, shift_imm },
	{ 0xE000, 0x2000, imm8 },
	{ 0xFC00, 0x4000, data_processing },
	{ 0xFF00, 0x4400, add_high },
	{ 0xFF00, 0x4500, cmp_high },
	{ 0xFF00, 0x4600, mov_high },
	{ 0xFF00, 0x4700, bx_blx },
	{ 0xF800, 0x4800, ldr_literal },
	{ 0xF000, 0x5000, load_store_reg },
	{ 0xF000, 0x6000, load_store_word },
	{ 0xF000, 0x7000, load_store_byte },
	{ 0xF000, 0x8000, load_store_half },
	{ 0xF000, 0x9000, load_store_sp },
	{ 0xF800, 0xA000, adr },
	{ 0xF800, 0xA800, add_rd_sp },
	{ 0xFF00, 0xB000, adjust_sp },
	{ 0xF500, 0xB100, compare_branch },
	{ 0xFF00, 0xB200, extend },
	{ 0xFE00, 0xB400, push },
	{ 0xFFE8, 0xB660, cps },
	{ 0xFF00, 0xBA00, reverse },
	{ 0xFE00, 0xBC00, pop },
	{ 0xFF00, 0xBE00, bkpt },
	{ 0xFF0F, 0xBF00, hint },
	{ 0xFF00, 0xBF00, it },
	{ 0xF800, 0xC000, stm },
	{ 0xF800, 0xC800, ldm },
	{ 0xFF00, 0xDE00, vb_dec_undefined },
	{ 0xFF00, 0xDF00, svc },
	{ 0xF000, 0xD000, b_cond },
	{ 0xF800, 0xE000, b },
};
const unsigned vb_patterns16_count = sizeof(vb_patterns16) / sizeof(vb_patterns16[0]);
