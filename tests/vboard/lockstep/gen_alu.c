/* gen_alu.c - data processing of all kinds. */
#include "generate.h"

static void shift_imm(struct gen *g)
{
	gen16(g, gen_below(g, 0x1800)); /* LSL, LSR, ASR */
}

static void add_sub(struct gen *g)
{
	gen16(g, 0x1800 | gen_below(g, 0x800));
}

static void imm8(struct gen *g)
{
	gen16(g, 0x2000 | gen_below(g, 0x2000));
}

static void dp16(struct gen *g)
{
	gen16(g, 0x4000 | gen_below(g, 0x400));
}

static uint32_t high_pair(unsigned rd, unsigned rm)
{
	return (rd & 8) << 4 | (rd & 7) | rm << 3;
}

static void add_high(struct gen *g)
{
	unsigned rm = gen_below(g, 16) == 0 ? 15 : gen_reg(g);
	gen16(g, 0x4400 | high_pair(gen_reg(g), rm));
}

static void cmp_high(struct gen *g)
{
	unsigned rn = gen_reg(g), rm = gen_reg(g);
	if (rn < 8 && rm < 8) /* UNPREDICTABLE */
		rn |= 8;
	if (rn == 13 || rn == 15)
		rn = 12;
	gen16(g, 0x4500 | high_pair(rn, rm));
}

static void mov_high(struct gen *g)
{
	unsigned pick = gen_below(g, 16), rm = pick == 0 ? 15 : pick == 1 ? 13 : gen_reg(g);
	gen16(g, 0x4600 | high_pair(gen_reg(g), rm));
}

static void to_sp(struct gen *g)
{
	if (gen_coin(g))
		gen16(g, 0x4600 | high_pair(13, gen_reg(g)));
	else
		gen16(g, 0x4400 | high_pair(13, gen_reg(g)));
}

static void extend16(struct gen *g)
{
	gen16(g, 0xB200 | gen_below(g, 0x100));
}

static void rev16(struct gen *g)
{
	static const uint32_t op[3] = { 0xBA00, 0xBA40, 0xBAC0 };
	gen16(g, op[gen_below(g, 3)] | gen_below(g, 64));
}

static void adr16(struct gen *g)
{
	gen16(g, 0xA000 | gen_below(g, 0x800));
}

static void add_rd_sp(struct gen *g)
{
	gen16(g, 0xA800 | gen_below(g, 0x800));
}

static void adjust_sp(struct gen *g)
{
	gen16(g, 0xB000 | gen_below(g, 0x100));
}

/* Opcodes of the 32-bit data-processing forms. */
static const uint8_t opcodes[] = { 0, 1, 2, 3, 4, 8, 10, 11, 13, 14 };

static uint32_t dp_fields(struct gen *g)
{
	uint32_t opcode = opcodes[gen_below(g, 10)], s = gen_below(g, 2), rn = gen_reg(g), rd = gen_reg(g);
	if ((opcode == 2 || opcode == 3) && gen_below(g, 3) == 0)
		rn = 15; /* MOV, MVN */
	if ((opcode == 0 || opcode == 4 || opcode == 8 || opcode == 13) && gen_below(g, 4) == 0) {
		rd = 15; /* TST, TEQ, CMN, CMP */
		s = 1;
	}
	return opcode << 21 | s << 20 | rn << 16 | rd << 8;
}

static void dp_shifted(struct gen *g)
{
	uint32_t amount = gen_below(g, 4) ? gen_below(g, 32) : 0;
	gen32(g, 0xEA000000 | dp_fields(g) | (amount >> 2) << 12 | (amount & 3) << 6 |
		 gen_below(g, 4) << 4 | gen_reg(g));
}

static uint32_t expandable(struct gen *g)
{
	uint32_t imm = gen_rand(g), i = imm >> 11 & 1, imm3 = imm >> 8 & 7;
	if (!i && imm3 < 4 && imm3 && (imm & 0xFF) == 0)
		imm |= 1; /* a zero byte in the spread forms is UNPREDICTABLE */
	return i << 26 | imm3 << 12 | (imm & 0xFF);
}

static void dp_imm(struct gen *g)
{
	gen32(g, 0xF0000000 | dp_fields(g) | expandable(g));
}

static uint32_t imm12(struct gen *g)
{
	uint32_t v = gen_rand(g);
	return (v >> 11 & 1) << 26 | (v >> 8 & 7) << 12 | (v & 0xFF);
}

static void add_sub_wide(struct gen *g)
{
	unsigned pick = gen_below(g, 8), rn = pick == 0 ? 15 : pick == 1 ? 13 : gen_reg(g);
	gen32(g, (gen_coin(g) ? 0xF2000000 : 0xF2A00000) | imm12(g) | rn << 16 | gen_reg(g) << 8);
}

static void mov_wide(struct gen *g)
{
	gen32(g, (gen_coin(g) ? 0xF2400000 : 0xF2C00000) | imm12(g) | gen_below(g, 16) << 16 |
		 gen_reg(g) << 8);
}

static void saturate(struct gen *g)
{
	uint32_t asr = gen_below(g, 2), shift = gen_below(g, 32);
	if (asr && shift == 0)
		shift = 1;
	gen32(g, (gen_coin(g) ? 0xF3000000 : 0xF3800000) | asr << 21 | (shift >> 2) << 12 |
		 (shift & 3) << 6 | gen_below(g, 32) | gen_reg(g) << 16 | gen_reg(g) << 8);
}

static void bit_field(struct gen *g)
{
	uint32_t lsb = gen_below(g, 32), width = 1 + gen_below(g, 32 - lsb), fields;
	fields = (lsb >> 2) << 12 | (lsb & 3) << 6 | gen_reg(g) << 8;
	switch (gen_below(g, 4)) {
	case 0: gen32(g, 0xF3400000 | fields | gen_reg(g) << 16 | (width - 1)); break;
	case 1: gen32(g, 0xF3C00000 | fields | gen_reg(g) << 16 | (width - 1)); break;
	case 2: gen32(g, 0xF3600000 | fields | gen_reg(g) << 16 | (lsb + width - 1)); break;
	default: gen32(g, 0xF36F0000 | fields | (lsb + width - 1)); break;
	}
}

static void shift_reg(struct gen *g)
{
	gen32(g, 0xFA00F000 | gen_below(g, 8) << 20 | gen_reg(g) << 16 | gen_reg(g) << 8 | gen_reg(g));
}

static void extend32(struct gen *g)
{
	static const uint32_t op[4] = { 0xFA0FF080, 0xFA1FF080, 0xFA4FF080, 0xFA5FF080 };
	gen32(g, op[gen_below(g, 4)] | gen_below(g, 4) << 4 | gen_reg(g) << 8 | gen_reg(g));
}

static void misc32(struct gen *g)
{
	static const uint32_t op[5] = { 0xFA90F080, 0xFA90F090, 0xFA90F0A0, 0xFA90F0B0, 0xFAB0F080 };
	unsigned rm = gen_reg(g);
	gen32(g, op[gen_below(g, 5)] | rm << 16 | gen_reg(g) << 8 | rm);
}

static void multiply(struct gen *g)
{
	uint32_t regs = gen_reg(g) << 16 | gen_reg(g) << 8 | gen_reg(g);
	switch (gen_below(g, 3)) {
	case 0: gen32(g, 0xFB00F000 | regs); break;
	case 1: gen32(g, 0xFB000000 | regs | gen_reg(g) << 12); break;
	default: gen32(g, 0xFB000010 | regs | gen_reg(g) << 12); break;
	}
}

static void multiply_long(struct gen *g)
{
	static const uint32_t op[4] = { 0xFB800000, 0xFBA00000, 0xFBC00000, 0xFBE00000 };
	unsigned lo = gen_reg(g);
	gen32(g, op[gen_below(g, 4)] | gen_reg(g) << 16 | lo << 12 | gen_other(g, lo) << 8 | gen_reg(g));
}

static void divide(struct gen *g)
{
	gen32(g, (gen_coin(g) ? 0xFB90F0F0 : 0xFBB0F0F0) | gen_reg(g) << 16 | gen_reg(g) << 8 | gen_reg(g));
}

static void hint(struct gen *g)
{
	static const uint32_t narrow[3] = { 0xBF00, 0xBF10, 0xBF40 };
	static const uint32_t wide[6] = { 0xF3AF8000, 0xF3AF8001, 0xF3AF8004, 0xF3BF8F4F, 0xF3BF8F5F,
					  0xF3BF8F6F };
	if (gen_coin(g))
		gen16(g, narrow[gen_below(g, 3)]);
	else
		gen32(g, wide[gen_below(g, 6)]);
}

/* SEV first, so that WFE finds its event. */
static void wait_event(struct gen *g)
{
	gen16(g, 0xBF40);
	gen16(g, 0xBF20);
}

static void read_special(struct gen *g)
{
	static const uint8_t sysm[] = { 0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20 };
	gen32(g, 0xF3EF8000 | gen_reg(g) << 8 | sysm[gen_below(g, sizeof(sysm))]);
}

static void write_flags(struct gen *g)
{
	gen32(g, 0xF3808800 | gen_reg(g) << 16);
}

static void write_masks(struct gen *g)
{
	static const uint8_t sysm[] = { 9, 16, 17, 18, 19 };
	unsigned r = gen_lo(g);
	gen_constant(g, r, gen_rand(g) & 0xFFFFFFF0u); /* PRIMASK and FAULTMASK stay clear */
	gen32(g, 0xF3808800 | r << 16 | sysm[gen_below(g, sizeof(sysm))]);
}

static void change_state(struct gen *g)
{
	uint32_t which = 1 + gen_below(g, 3);
	gen16(g, 0xB670 | which);
	read_special(g);
	gen16(g, 0xB660 | which);
}

struct gen_class gen_alu_classes[] = {
	{ "shift by constant, 16 bit", shift_imm, true, 0 },
	{ "add and subtract, 16 bit", add_sub, true, 0 },
	{ "8-bit constants", imm8, true, 0 },
	{ "data processing, 16 bit", dp16, true, 0 },
	{ "ADD high registers", add_high, true, 0 },
	{ "CMP high registers", cmp_high, true, 0 },
	{ "MOV high registers", mov_high, true, 0 },
	{ "MOV and ADD to SP", to_sp, true, 0 },
	{ "extend, 16 bit", extend16, true, 0 },
	{ "reverse, 16 bit", rev16, true, 0 },
	{ "ADR, 16 bit", adr16, true, 0 },
	{ "ADD rd, SP", add_rd_sp, true, 0 },
	{ "ADD and SUB SP", adjust_sp, true, 0 },
	{ "data processing, shifted register", dp_shifted, true, 0 },
	{ "data processing, modified constant", dp_imm, true, 0 },
	{ "ADDW, SUBW, ADR", add_sub_wide, true, 0 },
	{ "MOVW, MOVT", mov_wide, true, 0 },
	{ "SSAT, USAT", saturate, true, 0 },
	{ "bit fields", bit_field, true, 0 },
	{ "shift by register", shift_reg, true, 0 },
	{ "extend, 32 bit", extend32, true, 0 },
	{ "REV, RBIT, CLZ", misc32, true, 0 },
	{ "MUL, MLA, MLS", multiply, true, 0 },
	{ "long multiply", multiply_long, true, 0 },
	{ "SDIV, UDIV", divide, true, 0 },
	{ "hints and barriers", hint, true, 0 },
	{ "SEV, WFE", wait_event, false, 0 },
	{ "MRS", read_special, true, 0 },
	{ "MSR APSR", write_flags, true, 0 },
	{ "MSR masks and PSP", write_masks, false, 0 },
	{ "CPS", change_state, false, 0 },
};
const unsigned gen_alu_count = sizeof(gen_alu_classes) / sizeof(gen_alu_classes[0]);
