/* cpu_decode32.c - the 32-bit encodings (ARMv7-M ARM A5.3). Field numbers count over both
 * half-words: the first one is bits 31:16. */
#include "vboard/cpu_decode.h"

#define FIELD(hi, lo) vb_bits(d->hw, hi, lo)
#define RN FIELD(19, 16)
#define RT FIELD(15, 12)
#define RD FIELD(11, 8)
#define RM FIELD(3, 0)

/* SP and PC where the architecture allows neither (BadReg, A5.1.1). */
static bool bad(unsigned r)
{
	return r == 13 || r == 15;
}

/* --- data processing -------------------------------------------------------------------- */

/* Opcode of both data-processing forms to operation; the flags-only and move variants follow
 * from rd or rn being 15. */
static void data_processing(struct vb_dec *d, enum vb_operand kind)
{
	static const int8_t table[16] = {
		ALU_AND, ALU_BIC, ALU_ORR, ALU_ORN, ALU_EOR, -1, -1, -1,
		ALU_ADD, -1, ALU_ADC, ALU_SBC, -1, ALU_SUB, ALU_RSB, -1,
	};
	int alu = table[FIELD(24, 21)];
	bool s = FIELD(20, 20);
	unsigned rd = RD, rn = RN;
	if (alu < 0) {
		vb_dec_undefined(d);
		return;
	}
	if (rd == 15 && s) {
		switch (alu) {
		case ALU_AND: alu = ALU_TST; break;
		case ALU_EOR: alu = ALU_TEQ; break;
		case ALU_ADD: alu = ALU_CMN; break;
		case ALU_SUB: alu = ALU_CMP; break;
		default: break;
		}
	} else if (rn == 15) {
		if (alu == ALU_ORR)
			alu = ALU_MOV;
		else if (alu == ALU_ORN)
			alu = ALU_MVN;
	}
	if (alu == ALU_MOV && kind == OPERAND_SHIFTED)
		vb_dec_move_shifted(d, d->op->ra, d->op->imm, s, rd, RM);
	else
		vb_dec_alu(d, (enum vb_alu)alu, kind, s, rd, rn);
}

static void dp_shifted(struct vb_dec *d)
{
	unsigned type = FIELD(5, 4), amount = FIELD(14, 12) << 2 | FIELD(7, 6);
	if (amount == 0 && type == SHIFT_ROR) {
		type = SHIFT_RRX;
		amount = 1;
	} else if (amount == 0 && type != SHIFT_LSL) {
		amount = 32;
	}
	d->op->rm = (uint8_t)RM;
	d->op->ra = (uint8_t)type;
	d->op->imm = amount;
	bool plain = type == SHIFT_LSL && amount == 0;
	/* MOV goes by its shift even when that is none. */
	bool move = FIELD(24, 21) == 2 && RN == 15;
	data_processing(d, plain && !move ? OPERAND_REG : OPERAND_SHIFTED);
}

static uint32_t imm12(const struct vb_dec *d)
{
	return FIELD(26, 26) << 11 | FIELD(14, 12) << 8 | FIELD(7, 0);
}

/* ThumbExpandImm_C (A5.3.2). */
static void dp_modified_imm(struct vb_dec *d)
{
	uint32_t i = imm12(d), b = i & 0xFF;
	if (i >> 10 == 0) {
		static const uint32_t spread[4] = { 0x1, 0x00010001, 0x01000100, 0x01010101 };
		d->op->imm = b * spread[i >> 8];
	} else {
		unsigned by = i >> 7;
		uint32_t v = 0x80 | (i & 0x7F);
		d->op->imm = v >> by | v << (32 - by);
		d->op->ra = 1;
	}
	data_processing(d, OPERAND_IMM);
}

static void add_sub_wide(struct vb_dec *d)
{
	bool sub = FIELD(23, 23);
	if (RN == 15) { /* ADR */
		uint32_t base = (d->pc & ~3u) + 4;
		vb_dec_constant(d, RD, sub ? base - imm12(d) : base + imm12(d));
		return;
	}
	d->op->imm = imm12(d);
	vb_dec_alu(d, sub ? ALU_SUB : ALU_ADD, OPERAND_IMM, false, RD, RN);
}

static void movw_movt(struct vb_dec *d)
{
	uint32_t imm16 = RN << 12 | imm12(d);
	if (FIELD(23, 23)) {
		d->op->imm = imm16;
		vb_dec_result(d, vb_x_movt, 1, RD);
	} else {
		vb_dec_constant(d, RD, imm16);
	}
}

static void saturate(struct vb_dec *d)
{
	unsigned shift = FIELD(14, 12) << 2 | FIELD(7, 6), asr = FIELD(21, 21);
	bool is_unsigned = FIELD(23, 23);
	if ((asr && shift == 0) || RN == 15) { /* the 16-bit pair forms belong to the DSP extension */
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)RN;
	d->op->imm = FIELD(4, 0) + (is_unsigned ? 0 : 1);
	d->op->imm2 = asr << 8 | shift;
	vb_dec_result(d, is_unsigned ? vb_x_usat : vb_x_ssat, 1, RD);
}

static void bit_field(struct vb_dec *d)
{
	unsigned lsb = FIELD(14, 12) << 2 | FIELD(7, 6), last = FIELD(4, 0), op = FIELD(23, 21);
	bool insert = op == 3;
	unsigned width = insert ? last - lsb + 1 : last + 1;
	if ((insert && last < lsb) || (!insert && (lsb + width > 32 || RN == 15))) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)RN;
	d->op->ra = (uint8_t)lsb;
	d->op->imm = width == 32 ? ~0u : (1u << width) - 1;
	if (insert)
		vb_dec_result(d, RN == 15 ? vb_x_bfc : vb_x_bfi, 1, RD);
	else
		vb_dec_result(d, op == 2 ? vb_x_sbfx : vb_x_ubfx, 1, RD);
}

static void shift_reg(struct vb_dec *d)
{
	if (RN == 15 || RM == 15) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)RN;
	d->op->rm = (uint8_t)RM;
	vb_dec_result(d, vb_shift_reg_exec[FIELD(22, 21)][FIELD(20, 20)], 1, RD);
}

static void extend(struct vb_dec *d)
{
	static vb_exec_fn *const exec[8] = { vb_x_sxth, vb_x_uxth, NULL, NULL, vb_x_sxtb, vb_x_uxtb };
	vb_exec_fn *fn = exec[FIELD(22, 20)];
	if (!fn || RN != 15 || RM == 15) { /* with an addend: DSP extension */
		vb_dec_undefined(d);
		return;
	}
	d->op->rm = (uint8_t)RM;
	d->op->ra = (uint8_t)(8 * FIELD(5, 4));
	vb_dec_result(d, fn, 1, RD);
}

static void miscellaneous(struct vb_dec *d)
{
	static vb_exec_fn *const rev[4] = { vb_x_rev, vb_x_rev16, vb_x_rbit, vb_x_revsh };
	vb_exec_fn *fn = NULL;
	if (FIELD(21, 20) == 1)
		fn = rev[FIELD(5, 4)];
	else if (FIELD(21, 20) == 3 && FIELD(5, 4) == 0)
		fn = vb_x_clz;
	if (!fn || RM == 15) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rm = (uint8_t)RM;
	vb_dec_result(d, fn, 1, RD);
}

static void multiply(struct vb_dec *d)
{
	unsigned ra = RT, kind = FIELD(7, 4);
	if (RN == 15 || RM == 15 || kind > 1 || (kind == 1 && ra == 15)) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)RN;
	d->op->rm = (uint8_t)RM;
	d->op->ra = (uint8_t)ra;
	if (kind == 1)
		vb_dec_result(d, vb_x_mls, 2, RD);
	else if (ra == 15)
		vb_dec_result(d, vb_x_mul, 1, RD);
	else
		vb_dec_result(d, vb_x_mla, 2, RD);
}

static void multiply_long(struct vb_dec *d)
{
	static const struct { vb_exec_fn *fn; uint8_t low, cycles; } form[8] = {
		{ vb_x_smull, 0, 3 }, { vb_x_sdiv, 15, 2 }, { vb_x_umull, 0, 3 }, { vb_x_udiv, 15, 2 },
		{ vb_x_smlal, 0, 4 }, { NULL, 0, 0 }, { vb_x_umlal, 0, 4 }, { NULL, 0, 0 },
	};
	unsigned i = FIELD(22, 20);
	bool divide = i == 1 || i == 3;
	if (!form[i].fn || FIELD(7, 4) != form[i].low || RN == 15 || RM == 15 ||
	    (!divide && (RT == 15 || RD == 15 || RT == RD))) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)RN;
	d->op->rm = (uint8_t)RM;
	d->op->ra = (uint8_t)RD; /* upper half */
	vb_dec_result(d, form[i].fn, form[i].cycles, divide ? RD : RT);
}

/* --- loads and stores ------------------------------------------------------------------- */

static void load_store_multiple(struct vb_dec *d)
{
	bool load = FIELD(20, 20), down = FIELD(24, 24), write_back = FIELD(21, 21);
	uint32_t list = FIELD(15, 0);
	if (down == FIELD(23, 23) || list >> 13 & 1 || (!load && list >> 15) || (write_back && list >> RN & 1)) {
		vb_dec_undefined(d);
		return;
	}
	if (load)
		vb_dec_multiple(d, down ? vb_x_ldmdb : vb_x_ldmia, RN, list, write_back);
	else
		vb_dec_multiple(d, down ? vb_x_stmdb : vb_x_stmia, RN, list, write_back);
}

static enum vb_addressing addressing(bool index, bool write_back)
{
	return !index ? ADDR_POST : write_back ? ADDR_PRE : ADDR_IMM;
}

static void load_store_double(struct vb_dec *d)
{
	bool load = FIELD(20, 20), write_back = FIELD(21, 21);
	uint32_t offset = 4 * FIELD(7, 0);
	unsigned rt = RT, rt2 = RD;
	if (bad(rt) || bad(rt2) || (load && rt == rt2) || (RN == 15 && (write_back || !load)) ||
	    (write_back && (RN == rt || RN == rt2))) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rd = (uint8_t)rt;
	d->op->ra = (uint8_t)rt2;
	d->op->rn = (uint8_t)RN;
	d->op->rm = (uint8_t)addressing(FIELD(24, 24), write_back);
	d->op->imm = FIELD(23, 23) ? offset : 0 - offset;
	d->op->imm2 = (d->pc & ~3u) + 4;
	d->address_regs = (uint16_t)(1u << RN);
	vb_dec_exec(d, load ? vb_x_ldrd : vb_x_strd, 3);
}

static void exclusive(struct vb_dec *d, bool load, unsigned size, unsigned rd, uint32_t offset)
{
	unsigned rt = RT;
	if (bad(rt) || RN == 15 || (!load && (bad(rd) || rd == rt || rd == RN))) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)RN;
	d->op->rm = (uint8_t)rt; /* STREX: the value */
	d->op->imm = offset;
	d->op->imm2 = size;
	vb_dec_result(d, load ? vb_x_ldrex : vb_x_strex, 2, load ? rt : rd);
	/* Timed as LDR, both of them (TRM 3.3.3). */
	d->address_regs = (uint16_t)(1u << RN);
	d->is_load = true;
	d->follows_load = true;
}

static void exclusive_word(struct vb_dec *d)
{
	exclusive(d, FIELD(20, 20), 4, RD, 4 * FIELD(7, 0));
}

static void exclusive_narrow(struct vb_dec *d)
{
	exclusive(d, FIELD(20, 20), FIELD(4, 4) ? 2 : 1, RM, 0);
}

static void table_branch(struct vb_dec *d)
{
	if (bad(RM) || RN == 13) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)RN;
	d->op->rm = (uint8_t)RM;
	d->op->imm2 = d->pc + 4;
	d->address_regs = (uint16_t)(1u << RM | (RN == 15 ? 0 : 1u << RN));
	vb_dec_exec(d, FIELD(4, 4) ? vb_x_tbh : vb_x_tbb, 2);
}

static void access_single(struct vb_dec *d, enum vb_width w, enum vb_addressing a)
{
	if (FIELD(20, 20))
		vb_dec_load(d, w, a, RT, RN);
	else
		vb_dec_store(d, w, a, RT, RN);
}

/* 8-bit offset forms: P (bit 10), U (9), W (8); P=1 U=1 W=0 is the unprivileged form. */
static void access_imm8(struct vb_dec *d, enum vb_width w)
{
	bool index = FIELD(10, 10), up = FIELD(9, 9), write_back = FIELD(8, 8);
	uint32_t offset = FIELD(7, 0);
	if (!index && !write_back) {
		vb_dec_undefined(d);
		return;
	}
	d->op->imm = up ? offset : 0 - offset;
	access_single(d, w, addressing(index, write_back));
	if (index && up && !write_back && d->op->exec != vb_x_undef) {
		d->op->exec = RT == 15 ? vb_x_undef : vb_x_unprivileged;
		d->op->imm2 = (unsigned)w | (FIELD(20, 20) ? 0 : 8);
	}
}

static void load_store_single(struct vb_dec *d)
{
	static const uint8_t widths[2][4] = {
		{ W_BYTE, W_HALF, W_WORD, W_COUNT }, { W_SBYTE, W_SHALF, W_COUNT, W_COUNT },
	};
	bool load = FIELD(20, 20), is_signed = FIELD(24, 24);
	enum vb_width w = (enum vb_width)widths[is_signed][FIELD(22, 21)];
	if (w == W_COUNT || (!load && (is_signed || RN == 15))) {
		vb_dec_undefined(d);
		return;
	}
	bool wide_offset = FIELD(23, 23) || RN == 15;
	if (load && RT == 15 && w != W_WORD) { /* PLD, PLI and unallocated hints */
		vb_dec_exec(d, vb_x_nop, 1);
	} else if (RN == 15) {
		uint32_t base = (d->pc & ~3u) + 4;
		d->op->imm = FIELD(23, 23) ? base + FIELD(11, 0) : base - FIELD(11, 0);
		vb_dec_load(d, w, ADDR_LIT, RT, 15);
	} else if (wide_offset) {
		d->op->imm = FIELD(11, 0);
		access_single(d, w, ADDR_IMM);
	} else if (FIELD(11, 11)) {
		access_imm8(d, w);
	} else if (FIELD(10, 6) == 0) {
		d->op->rm = (uint8_t)RM;
		d->op->ra = (uint8_t)FIELD(5, 4);
		access_single(d, w, ADDR_REG);
	} else {
		vb_dec_undefined(d);
	}
}

/* --- branches and control --------------------------------------------------------------- */

static uint32_t branch_offset(const struct vb_dec *d)
{
	uint32_t s = FIELD(26, 26), i1 = !(FIELD(13, 13) ^ s), i2 = !(FIELD(11, 11) ^ s);
	uint32_t v = s << 24 | i1 << 23 | i2 << 22 | FIELD(25, 16) << 12 | FIELD(10, 0) << 1;
	return (v ^ 1u << 24) - (1u << 24);
}

static void b_wide(struct vb_dec *d)
{
	vb_dec_branch(d, vb_x_b, vb_x_b_far, d->pc + 4 + branch_offset(d));
}

static void bl(struct vb_dec *d)
{
	d->op->imm2 = (d->pc + 4) | 1;
	vb_dec_branch(d, vb_x_bl, vb_x_bl_far, d->pc + 4 + branch_offset(d));
}

static void b_cond(struct vb_dec *d)
{
	unsigned cond = FIELD(25, 22);
	uint32_t v = FIELD(26, 26) << 20 | FIELD(11, 11) << 19 | FIELD(13, 13) << 18 |
		     FIELD(21, 16) << 12 | FIELD(10, 0) << 1;
	if (cond >= 14) {
		vb_dec_undefined(d);
		return;
	}
	d->op->ra = (uint8_t)cond;
	vb_dec_branch(d, vb_bcond_exec[cond], vb_x_bcond_far,
		      d->pc + 4 + ((v ^ 1u << 20) - (1u << 20)));
}

static void msr(struct vb_dec *d)
{
	if (bad(RN)) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)RN;
	d->op->ra = (uint8_t)FIELD(11, 10);
	d->op->imm = FIELD(7, 0);
	vb_dec_exec(d, vb_x_msr, 2);
}

static void mrs(struct vb_dec *d)
{
	d->op->imm = FIELD(7, 0);
	if (RD == 13)
		vb_dec_undefined(d);
	else
		vb_dec_result(d, vb_x_mrs, 2, RD);
}

static void hint(struct vb_dec *d)
{
	static vb_exec_fn *const exec[5] = { vb_x_nop, vb_x_nop, vb_x_wfe, vb_x_wfi, vb_x_sev };
	unsigned i = FIELD(7, 0);
	vb_dec_exec(d, i < 5 ? exec[i] : vb_x_nop, 1);
}

static void barrier(struct vb_dec *d)
{
	switch (FIELD(7, 4)) {
	case 2: vb_dec_exec(d, vb_x_clrex, 1); break;
	case 4: case 5: vb_dec_exec(d, vb_x_nop, 1); break; /* DSB, DMB: the write buffer is not modelled */
	case 6: vb_dec_exec(d, vb_x_isb, 1); break;
	default: vb_dec_undefined(d); break;
	}
}

static void coprocessor(struct vb_dec *d)
{
	vb_dec_exec(d, vb_x_nocp, 1);
}

const struct vb_pattern vb_patterns32[] = {
	{ 0xFE400000, 0xE8000000, load_store_multiple },
	{ 0xFFE00000, 0xE8400000, exclusive_word },
	{ 0xFFF0FFE0, 0xE8D0F000, table_branch },
	{ 0xFFF000E0, 0xE8C00040, exclusive_narrow },
	{ 0xFFF000E0, 0xE8D00040, exclusive_narrow },
	{ 0xFFE00000, 0xE8C00000, vb_dec_undefined },
	{ 0xFE400000, 0xE8400000, load_store_double },
	{ 0xFE000000, 0xEA000000, dp_shifted },
	{ 0xEC000000, 0xEC000000, coprocessor },
	{ 0xFA008000, 0xF0000000, dp_modified_imm },
	{ 0xFBF08000, 0xF2000000, add_sub_wide }, /* ADDW */
	{ 0xFBF08000, 0xF2A00000, add_sub_wide }, /* SUBW */
	{ 0xFB708000, 0xF2400000, movw_movt },
	{ 0xFBD08020, 0xF3000000, saturate },     /* SSAT */
	{ 0xFBD08020, 0xF3800000, saturate },     /* USAT */
	{ 0xFBF08020, 0xF3400000, bit_field },    /* SBFX */
	{ 0xFBF08020, 0xF3600000, bit_field },    /* BFI, BFC */
	{ 0xFBF08020, 0xF3C00000, bit_field },    /* UBFX */
	{ 0xF800D000, 0xF000D000, bl },
	{ 0xF800D000, 0xF0009000, b_wide },
	{ 0xFFE0D000, 0xF3808000, msr },
	{ 0xFFF0D700, 0xF3A08000, hint },
	{ 0xFFF0D000, 0xF3B08000, barrier },
	{ 0xFFE0D000, 0xF3E08000, mrs },
	{ 0xFB80D000, 0xF3808000, vb_dec_undefined },
	{ 0xF800D000, 0xF0008000, b_cond },
	{ 0xFE000000, 0xF8000000, load_store_single },
	{ 0xFF80F0F0, 0xFA00F000, shift_reg },
	{ 0xFF80F0C0, 0xFA00F080, extend },
	{ 0xFFC0F0C0, 0xFA80F080, miscellaneous },
	{ 0xFFF00000, 0xFB000000, multiply },
	{ 0xFF800000, 0xFB800000, multiply_long },
};
const unsigned vb_patterns32_count = sizeof(vb_patterns32) / sizeof(vb_patterns32[0]);
