/* gen_mem.c - loads and stores. Each unit points its base register into the data or stack
 * window first; single accesses are unaligned now and then. */
#include "generate.h"

enum { MARGIN = 0x120 }; /* covers every offset the units use */

static uint32_t data_address(struct gen *g, bool word_aligned)
{
	uint32_t a = DATA_BASE + MARGIN + gen_below(g, DATA_SIZE - 2 * MARGIN);
	return word_aligned || gen_below(g, 4) ? a & ~3u : a;
}

static void point_sp(struct gen *g, unsigned scratch)
{
	gen_constant(g, scratch, STACK_BASE + STACK_SIZE / 2 + 4 * gen_below(g, 16));
	gen16(g, 0x4685 | scratch << 3); /* MOV SP, rm */
}

static void reg16(struct gen *g)
{
	unsigned rn = gen_lo(g), rm = (rn + 1 + gen_below(g, 7)) & 7;
	gen_constant(g, rn, data_address(g, false));
	gen_constant(g, rm, gen_below(g, 0x100));
	gen_final(g);
	gen16(g, 0x5000 | gen_below(g, 8) << 9 | rm << 6 | rn << 3 | gen_lo(g));
}

static void imm16(struct gen *g)
{
	unsigned rn = gen_lo(g);
	gen_constant(g, rn, data_address(g, false));
	gen_final(g);
	gen16(g, (0x6000 + (gen_below(g, 6) << 11)) | gen_below(g, 32) << 6 | rn << 3 | gen_lo(g));
}

static void sp16(struct gen *g)
{
	point_sp(g, gen_lo(g));
	gen_final(g);
	gen16(g, 0x9000 | gen_below(g, 2) << 11 | gen_lo(g) << 8 | gen_below(g, 64));
}

static void literal16(struct gen *g)
{
	gen_final(g);
	gen16(g, 0x4800 | gen_lo(g) << 8 | gen_below(g, 256));
}

static uint32_t size_bits(struct gen *g, bool *load)
{
	/* STRB STRH STR LDRB LDRH LDR LDRSB LDRSH */
	static const uint32_t op[8] = { 0xF8000000, 0xF8200000, 0xF8400000, 0xF8100000, 0xF8300000,
					0xF8500000, 0xF9100000, 0xF9300000 };
	unsigned i = gen_below(g, 8);
	*load = i >= 3;
	return op[i];
}

static void imm12(struct gen *g)
{
	bool load;
	uint32_t op = size_bits(g, &load) | 0x00800000;
	unsigned rn = gen_reg(g);
	gen_constant(g, rn, data_address(g, false));
	gen_final(g);
	gen32(g, op | rn << 16 | gen_reg(g) << 12 | gen_below(g, 0x100));
}

static void far12(struct gen *g)
{
	bool load;
	uint32_t op = size_bits(g, &load) | 0x00800000, offset = gen_below(g, 0x1000);
	unsigned rn = gen_reg(g);
	gen_constant(g, rn, data_address(g, false) - offset);
	gen_final(g);
	gen32(g, op | rn << 16 | gen_reg(g) << 12 | offset);
}

/* Negative offset, pre- and post-indexed, unprivileged. */
static void imm8(struct gen *g)
{
	static const uint32_t form[6] = { 0xC00, 0xF00, 0xD00, 0xB00, 0x900, 0xE00 };
	bool load;
	uint32_t op = size_bits(g, &load);
	unsigned rn = gen_reg(g), rt = gen_other(g, rn);
	gen_constant(g, rn, data_address(g, false));
	gen_final(g);
	gen32(g, op | rn << 16 | rt << 12 | form[gen_below(g, 6)] | gen_below(g, 0x100));
}

static void reg32(struct gen *g)
{
	bool load;
	uint32_t op = size_bits(g, &load), shift = gen_below(g, 4);
	unsigned rn = gen_reg(g), rm = gen_other(g, rn);
	gen_constant(g, rn, data_address(g, false));
	gen_constant(g, rm, gen_below(g, 0x100 >> shift));
	gen_final(g);
	gen32(g, op | rn << 16 | gen_reg(g) << 12 | shift << 4 | rm);
}

/* PC-relative, within the code window on both sides. */
static void literal32(struct gen *g)
{
	static const uint32_t op[5] = { 0xF81F0000, 0xF83F0000, 0xF85F0000, 0xF91F0000, 0xF93F0000 };
	gen_final(g);
	gen32(g, op[gen_below(g, 5)] | gen_below(g, 2) << 23 | gen_reg(g) << 12 | gen_below(g, 0xFFC));
}

static void preload(struct gen *g)
{
	unsigned rn = gen_reg(g);
	gen_constant(g, rn, data_address(g, false));
	gen_final(g);
	gen32(g, 0xF890F000 | rn << 16 | gen_below(g, 0x100));
}

static void sp32(struct gen *g)
{
	bool load;
	uint32_t op = size_bits(g, &load);
	point_sp(g, gen_lo(g));
	gen_final(g);
	if (gen_coin(g)) /* PUSH and POP of one register, and an SP that must stay aligned */
		gen32(g, op | 13u << 16 | gen_reg(g) << 12 | (gen_coin(g) ? 0xD00 : 0xB00) | gen_below(g, 64));
	else
		gen32(g, op | 0x00800000 | 13u << 16 | gen_reg(g) << 12 | gen_below(g, 0x100));
}

/* A list of at least two registers without `not`, SP and PC. */
static uint32_t list(struct gen *g, unsigned not)
{
	uint32_t l;
	do
		l = gen_rand(g) & 0x5FFF & ~(1u << not);
	while (!(l & (l - 1)));
	return l;
}

static void multiple16(struct gen *g)
{
	unsigned rn = gen_lo(g);
	uint32_t l;
	do
		l = gen_rand(g) & 0xFF & ~(1u << rn);
	while (!l);
	gen_constant(g, rn, data_address(g, true));
	gen_final(g);
	if (gen_coin(g)) {
		gen16(g, 0xC000 | rn << 8 | l);
	} else {
		l |= gen_below(g, 4) ? 0 : 1u << rn; /* base in the list: no write-back */
		gen16(g, 0xC800 | rn << 8 | l);
	}
}

static void multiple32(struct gen *g)
{
	static const uint32_t op[4] = { 0xE8800000, 0xE9000000, 0xE8900000, 0xE9100000 };
	unsigned rn = gen_reg(g);
	uint32_t write_back = gen_below(g, 2) << 21;
	gen_constant(g, rn, data_address(g, true));
	gen_final(g);
	gen32(g, op[gen_below(g, 4)] | write_back | rn << 16 | list(g, rn));
}

static void push_pop(struct gen *g)
{
	point_sp(g, gen_lo(g));
	gen_final(g);
	switch (gen_below(g, 4)) {
	case 0: gen16(g, 0xB400 | (gen_below(g, 511) + 1)); break;
	case 1: gen16(g, 0xBC00 | (gen_below(g, 255) + 1)); break;
	case 2: gen32(g, 0xE92D0000 | list(g, 13)); break;
	default: gen32(g, 0xE8BD0000 | list(g, 13)); break;
	}
}

static void doubles(struct gen *g)
{
	/* offset, pre, post; up and down */
	static const uint32_t form[6] = { 0xE9C00000, 0xE9400000, 0xE9E00000, 0xE9600000, 0xE8E00000,
					  0xE8600000 };
	unsigned rn = gen_reg(g), rt = gen_other(g, rn), rt2;
	do
		rt2 = gen_other(g, rn);
	while (rt2 == rt);
	gen_constant(g, rn, data_address(g, true));
	gen_final(g);
	gen32(g, form[gen_below(g, 6)] | gen_below(g, 2) << 20 | rn << 16 | rt << 12 | rt2 << 8 |
		 gen_below(g, 0x40));
}

static void double_literal(struct gen *g)
{
	unsigned rt = gen_reg(g);
	gen_final(g);
	gen32(g, 0xE95F0000 | gen_below(g, 2) << 23 | rt << 12 | gen_other(g, rt) << 8 | gen_below(g, 0x100));
}

static void exclusive(struct gen *g)
{
	unsigned rn = gen_reg(g), rt = gen_other(g, rn), rd, size = gen_below(g, 3);
	do
		rd = gen_other(g, rn);
	while (rd == rt);
	bool cleared = gen_below(g, 4) == 0;
	uint32_t offset = size == 0 ? gen_below(g, 0x40) : 0;
	gen_constant(g, rn, data_address(g, true));
	switch (size) {
	case 0: gen32(g, 0xE8500F00 | rn << 16 | rt << 12 | offset); break;
	case 1: gen32(g, 0xE8D00F4F | rn << 16 | rt << 12); break;
	default: gen32(g, 0xE8D00F5F | rn << 16 | rt << 12); break;
	}
	if (cleared)
		gen32(g, 0xF3BF8F2F);
	switch (size) {
	case 0: gen32(g, 0xE8400000 | rn << 16 | rt << 12 | rd << 8 | offset); break;
	case 1: gen32(g, 0xE8C00F40 | rn << 16 | rt << 12 | rd); break;
	default: gen32(g, 0xE8C00F50 | rn << 16 | rt << 12 | rd); break;
	}
}

/* A byte of the data window through its bit-band alias would be next, but the reference
 * machine has no bit-band for its SRAM; the unit tests hold that. */

struct gen_class gen_mem_classes[] = {
	{ "register offset, 16 bit", reg16, false, 0 },
	{ "constant offset, 16 bit", imm16, false, 0 },
	{ "SP-relative, 16 bit", sp16, false, 0 },
	{ "literal, 16 bit", literal16, false, 0 },
	{ "12-bit offset", imm12, false, 0 },
	{ "12-bit offset, far", far12, false, 0 },
	{ "8-bit offset, indexed, unprivileged", imm8, false, 0 },
	{ "register offset, 32 bit", reg32, false, 0 },
	{ "literal, 32 bit", literal32, false, 0 },
	{ "preload", preload, false, 0 },
	{ "SP-relative, 32 bit", sp32, false, 0 },
	{ "LDM, STM, 16 bit", multiple16, false, 0 },
	{ "LDM, STM, 32 bit", multiple32, false, 0 },
	{ "PUSH, POP", push_pop, false, 0 },
	{ "LDRD, STRD", doubles, false, 0 },
	{ "LDRD literal", double_literal, false, 0 },
	{ "LDREX, STREX, CLREX", exclusive, false, 0 },
};
const unsigned gen_mem_count = sizeof(gen_mem_classes) / sizeof(gen_mem_classes[0]);
