#include "build/thumb.h"

#define REG(n) ((uint16_t)(1u << (n)))
#define PC     15

static uint32_t field(uint32_t word, unsigned top, unsigned bottom)
{
	return (word >> bottom) & ((2u << (top - bottom)) - 1);
}

static uint32_t sign_extend(uint32_t value, unsigned bits)
{
	uint32_t sign = 1u << (bits - 1);
	return (value ^ sign) - sign;
}

static void writes(struct rtb_thumb *t, unsigned reg)
{
	if (reg == PC)
		t->flow = THUMB_LEAVE;
	else
		t->writes |= REG(reg);
}

static void set(struct rtb_thumb *t, enum rtb_thumb_op op, unsigned rd, unsigned rn, uint32_t imm)
{
	t->op = op;
	t->rd = (uint8_t)rd;
	t->rn = (uint8_t)rn;
	t->imm = imm;
	if (op != THUMB_STORE)
		writes(t, rd);
}

static void list(struct rtb_thumb *t, uint32_t regs)
{
	t->writes |= (uint16_t)(regs & 0x7fff);
	if (regs & REG(PC))
		t->flow = THUMB_LEAVE;
}

static void branch(struct rtb_thumb *t, enum rtb_thumb_flow flow, uint32_t addr, uint32_t offset)
{
	t->flow = flow;
	t->target = addr + 4 + offset;
}

/* ---- 16 bits: A5.2 ---- */

static void short_immediate(struct rtb_thumb *t, uint16_t h)
{
	unsigned rd = field(h, 10, 8);
	if (h < 0x1800) { /* shifts; lsl #0 is a move */
		set(t, field(h, 12, 6) == 0 ? THUMB_COPY : THUMB_OTHER, field(h, 2, 0), field(h, 5, 3), 0);
	} else if (h < 0x2000) { /* three operands */
		uint32_t imm = field(h, 8, 6);
		bool number = h & 0x0400, minus = h & 0x0200;
		set(t, number ? THUMB_ADD : THUMB_OTHER, field(h, 2, 0), field(h, 5, 3), minus ? 0u - imm : imm);
	} else if (h < 0x2800) {
		set(t, THUMB_CONST, rd, 0, field(h, 7, 0));
	} else if (h >= 0x3000) {
		uint32_t imm = field(h, 7, 0);
		set(t, THUMB_ADD, rd, rd, h < 0x3800 ? imm : 0u - imm);
	} /* else: compare */
}

static void short_register(struct rtb_thumb *t, uint16_t h)
{
	unsigned rd = field(h, 2, 0) | field(h, 7, 7) << 3, rm = field(h, 6, 3);
	if (h < 0x4400) {
		unsigned op = field(h, 9, 6);
		if (op != 8 && op != 10 && op != 11) /* tst, cmp, cmn */
			writes(t, field(h, 2, 0));
	} else if (h < 0x4500) {
		writes(t, rd);
	} else if (h >= 0x4700) {
		t->flow = h & 0x80 ? THUMB_CALL : THUMB_LEAVE;
	} else if (h >= 0x4600) {
		set(t, THUMB_COPY, rd, rm, 0);
	}
}

static void short_memory(struct rtb_thumb *t, uint32_t addr, uint16_t h)
{
	unsigned low = field(h, 2, 0), rd = field(h, 10, 8), imm = field(h, 10, 6);
	if (h < 0x5000) {
		set(t, THUMB_LITERAL, rd, PC, ((addr + 4) & ~3u) + field(h, 7, 0) * 4);
	} else if (h < 0x6000) { /* register offset: stores are the first three */
		if (field(h, 11, 9) >= 3)
			writes(t, low);
	} else if (h < 0x9000) {
		unsigned shift = h < 0x7000 ? 2 : h < 0x8000 ? 0 : 1;
		set(t, h & 0x800 ? THUMB_LOAD : THUMB_STORE, low, field(h, 5, 3), imm << shift);
	} else if (h < 0xa000) {
		if (h & 0x800)
			writes(t, rd);
	} else { /* address from pc or sp */
		writes(t, rd);
	}
}

static unsigned it_length(uint16_t h)
{
	for (unsigned n = 4; n > 1; n--)
		if (h & (1u << (4 - n)))
			return n;
	return 1;
}

static void short_misc(struct rtb_thumb *t, uint32_t addr, uint16_t h)
{
	if ((h & 0xf500) == 0xb100) /* cbz, cbnz */
		branch(t, THUMB_FORK, addr, field(h, 9, 9) << 6 | field(h, 7, 3) << 1);
	else if ((h & 0xff00) == 0xb200 || (h & 0xff00) == 0xba00) /* extend, reverse */
		writes(t, field(h, 2, 0));
	else if ((h & 0xffe8) == 0xb660)
		t->op = THUMB_MASK;
	else if ((h & 0xfe00) == 0xbc00)
		list(t, field(h, 7, 0) | field(h, 8, 8) << PC);
	else if ((h & 0xff00) == 0xbf00 && (h & 0xf)) {
		t->op = THUMB_IT;
		t->imm = it_length(h);
	}
}

static void short_branch(struct rtb_thumb *t, uint32_t addr, uint16_t h)
{
	unsigned condition = field(h, 11, 8);
	if (h >= 0xe000)
		branch(t, THUMB_JUMP, addr, sign_extend(field(h, 10, 0) << 1, 12));
	else if (condition == 15)
		t->op = THUMB_SVC;
	else if (condition == 14)
		t->flow = THUMB_LEAVE; /* permanently undefined */
	else
		branch(t, THUMB_FORK, addr, sign_extend(field(h, 7, 0) << 1, 9));
}

static void decode_short(struct rtb_thumb *t, uint32_t addr, uint16_t h)
{
	if (h < 0x4000)
		short_immediate(t, h);
	else if (h < 0x4800)
		short_register(t, h);
	else if (h < 0xb000)
		short_memory(t, addr, h);
	else if (h < 0xc000)
		short_misc(t, addr, h);
	else if (h < 0xd000)
		list(t, (h & 0x800 ? field(h, 7, 0) : 0) | REG(field(h, 10, 8)));
	else
		short_branch(t, addr, h);
}

/* ---- 32 bits: A5.3 ---- */

/* Modified immediate, A5.3.2. */
static uint32_t expand(uint16_t a, uint16_t b)
{
	uint32_t imm = field(b, 7, 0), how = field(a, 10, 10) << 4 | field(b, 14, 12) << 1 | field(b, 7, 7);
	switch (how >> 1) {
	case 0: return imm;
	case 1: return imm << 16 | imm;
	case 2: return imm << 24 | imm << 8;
	case 3: return imm * 0x01010101u;
	default: imm |= 0x80; return imm >> how | imm << (32 - how);
	}
}

static void long_immediate(struct rtb_thumb *t, uint16_t a, uint16_t b)
{
	unsigned rd = field(b, 11, 8), rn = field(a, 3, 0);
	uint32_t plain = field(a, 10, 10) << 11 | field(b, 14, 12) << 8 | field(b, 7, 0);
	if (rd == PC) /* tst, teq, cmn, cmp */
		return;
	switch (a & 0xfbe0) {
	case 0xf040:
	case 0xf060:
		if (rn == PC) /* mov, mvn */
			set(t, THUMB_CONST, rd, 0, a & 0x20 ? ~expand(a, b) : expand(a, b));
		else
			writes(t, rd);
		return;
	case 0xf100: set(t, THUMB_ADD, rd, rn, expand(a, b)); return;
	case 0xf1a0: set(t, THUMB_ADD, rd, rn, 0u - expand(a, b)); return;
	case 0xf200: set(t, THUMB_ADD, rd, rn, plain); break;
	case 0xf2a0: set(t, THUMB_ADD, rd, rn, 0u - plain); break;
	case 0xf240: set(t, THUMB_CONST, rd, 0, (uint32_t)rn << 12 | plain); return;
	case 0xf2c0: set(t, THUMB_TOP, rd, rd, (uint32_t)rn << 12 | plain); return;
	default: writes(t, rd); return;
	}
	if (rn == PC)
		t->op = THUMB_OTHER;
}

static void long_branch(struct rtb_thumb *t, uint32_t addr, uint16_t a, uint16_t b)
{
	uint32_t s = field(a, 10, 10), j1 = field(b, 13, 13), j2 = field(b, 11, 11);
	if ((b & 0xd000) == 0xd000 || (b & 0xd000) == 0x9000) {
		uint32_t offset = s << 24 | (j1 == s) << 23 | (j2 == s) << 22 | field(a, 9, 0) << 12 | field(b, 10, 0) << 1;
		branch(t, b & 0x4000 ? THUMB_CALL : THUMB_JUMP, addr, sign_extend(offset, 25));
	} else if ((a & 0x0380) != 0x0380) {
		uint32_t offset = s << 20 | j2 << 19 | j1 << 18 | field(a, 5, 0) << 12 | field(b, 10, 0) << 1;
		branch(t, THUMB_FORK, addr, sign_extend(offset, 21));
	} else if ((a & 0xffe0) == 0xf380) { /* msr: which one is SYSm, B5.2.3 */
		if (field(b, 7, 0) >= 8)
			t->op = THUMB_MASK;
	} else if ((a & 0xffe0) == 0xf3e0) {
		writes(t, field(b, 11, 8));
	}
}

static void long_single(struct rtb_thumb *t, uint32_t addr, uint16_t a, uint16_t b)
{
	unsigned rt = field(b, 15, 12), rn = field(a, 3, 0);
	bool load = a & 0x10, word = field(a, 6, 5) == 2;
	if (load && rn == PC) {
		uint32_t base = (addr + 4) & ~3u, imm = field(b, 11, 0);
		if (rt != PC || word)
			set(t, word ? THUMB_LITERAL : THUMB_OTHER, rt, PC, a & 0x80 ? base + imm : base - imm);
		return;
	}
	bool indexed = !(a & 0x80) && b & 0x800, back = indexed && b & 0x100;
	bool known = a & 0x80 || indexed;
	uint32_t imm = a & 0x80 ? field(b, 11, 0) : b & 0x200 ? field(b, 7, 0) : 0u - field(b, 7, 0);
	if (indexed && !(b & 0x400))
		imm = 0; /* the base changes afterwards */
	if (load && rt == PC && !word)
		return; /* a hint to the memory system */
	if (known)
		set(t, load ? THUMB_LOAD : THUMB_STORE, rt, rn, imm);
	else if (load)
		writes(t, rt);
	if (back)
		writes(t, rn);
}

static void long_multiple(struct rtb_thumb *t, uint16_t a, uint16_t b)
{
	if (a & 0x10)
		list(t, b);
	if (a & 0x20)
		writes(t, field(a, 3, 0));
}

static void long_double(struct rtb_thumb *t, uint16_t a, uint16_t b)
{
	if ((a & 0xfff0) == 0xe8d0 && (b & 0xffe0) == 0xf000) { /* table branch */
		t->flow = THUMB_LEAVE;
		return;
	}
	bool exclusive = (a & 0xff60) == 0xe840;
	if (a & 0x10)
		t->writes |= REG(field(b, 15, 12)) | (exclusive ? 0 : REG(field(b, 11, 8)));
	else if (exclusive)
		t->writes |= REG(field(b, 11, 8)) | REG(field(b, 3, 0));
	if (!exclusive && a & 0x20)
		writes(t, field(a, 3, 0));
	t->writes &= 0x7fff;
}

static void long_register(struct rtb_thumb *t, uint16_t a, uint16_t b)
{
	unsigned rd = field(b, 11, 8);
	if ((a & 0xffef) == 0xea4f && (b & 0x70f0) == 0)
		set(t, THUMB_COPY, rd, field(b, 3, 0), 0);
	else if (rd != PC)
		writes(t, rd);
	if ((a & 0xff80) == 0xfb80)
		t->writes |= REG(field(b, 15, 12)) & 0x7fff; /* two results */
}

static void decode_long(struct rtb_thumb *t, uint32_t addr, uint16_t a, uint16_t b)
{
	if ((a & 0xf800) == 0xf000)
		b & 0x8000 ? long_branch(t, addr, a, b) : long_immediate(t, a, b);
	else if ((a & 0xfe40) == 0xe800)
		long_multiple(t, a, b);
	else if ((a & 0xfe40) == 0xe840)
		long_double(t, a, b);
	else if ((a & 0xfe00) == 0xf800)
		long_single(t, addr, a, b);
	else if ((a & 0xfe00) == 0xea00 || (a & 0xfe00) == 0xfa00)
		long_register(t, a, b);
	/* coprocessors: nothing of theirs reaches a core register here */
}

bool rtb_thumb_is_long(uint16_t first)
{
	return first >= 0xe800;
}

void rtb_thumb_decode(uint32_t addr, uint16_t first, uint16_t second, struct rtb_thumb *out)
{
	*out = (struct rtb_thumb){.bytes = rtb_thumb_is_long(first) ? 4 : 2};
	if (out->bytes == 4)
		decode_long(out, addr, first, second);
	else
		decode_short(out, addr, first);
}
