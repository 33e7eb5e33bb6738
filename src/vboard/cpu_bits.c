/* cpu_bits.c - extends, bit fields, reversal, saturation, multiply and divide. */
#include "vboard/cpu_exec.h"

#define EXECUTOR(name) struct vb_op *name(struct vb_cpu *c, struct vb_op *op)

static inline uint32_t rotate_right(uint32_t x, unsigned by)
{
	return by ? x >> by | x << (32 - by) : x;
}

/* The extends rotate rm by 0, 8, 16 or 24 (op->ra) first. */
EXECUTOR(vb_x_sxtb)
{
	c->r[op->rd] = (uint32_t)(int8_t)rotate_right(c->r[op->rm], op->ra);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_sxth)
{
	c->r[op->rd] = (uint32_t)(int16_t)rotate_right(c->r[op->rm], op->ra);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_uxtb)
{
	c->r[op->rd] = (uint8_t)rotate_right(c->r[op->rm], op->ra);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_uxth)
{
	c->r[op->rd] = (uint16_t)rotate_right(c->r[op->rm], op->ra);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_rev)
{
	c->r[op->rd] = __builtin_bswap32(c->r[op->rm]);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_rev16)
{
	uint32_t x = c->r[op->rm];
	c->r[op->rd] = (x & 0x00FF00FFu) << 8 | (x >> 8 & 0x00FF00FFu);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_revsh)
{
	c->r[op->rd] = (uint32_t)(int16_t)__builtin_bswap16((uint16_t)c->r[op->rm]);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_rbit)
{
	uint32_t x = __builtin_bswap32(c->r[op->rm]);
	x = (x & 0x0F0F0F0Fu) << 4 | (x >> 4 & 0x0F0F0F0Fu);
	x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
	c->r[op->rd] = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_clz)
{
	uint32_t x = c->r[op->rm];
	c->r[op->rd] = x ? (uint32_t)__builtin_clz(x) : 32;
	return VB_NEXT(op);
}

/* Bit fields: op->ra is the lowest bit, op->imm the mask of the width at bit 0. */
EXECUTOR(vb_x_bfi)
{
	uint32_t mask = op->imm << op->ra;
	c->r[op->rd] = (c->r[op->rd] & ~mask) | (c->r[op->rn] << op->ra & mask);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_bfc)
{
	c->r[op->rd] &= ~(op->imm << op->ra);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_ubfx)
{
	c->r[op->rd] = c->r[op->rn] >> op->ra & op->imm;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_sbfx)
{
	uint32_t field = c->r[op->rn] >> op->ra & op->imm, sign = (op->imm >> 1) + 1;
	c->r[op->rd] = (field ^ sign) - sign;
	return VB_NEXT(op);
}

/* Saturation: operand rn shifted by op->imm2 (bit 8: ASR, else LSL), to op->imm bits. */
static int32_t saturation_operand(const struct vb_cpu *c, const struct vb_op *op)
{
	unsigned by = op->imm2 & 31;
	if (op->imm2 & 0x100)
		return (int32_t)c->r[op->rn] >> by;
	return (int32_t)(c->r[op->rn] << by);
}

EXECUTOR(vb_x_ssat)
{
	int64_t x = saturation_operand(c, op), hi = ((int64_t)1 << (op->imm - 1)) - 1, lo = -hi - 1;
	int64_t r = x > hi ? hi : x < lo ? lo : x;
	c->q |= r != x;
	c->r[op->rd] = (uint32_t)r;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_usat)
{
	int64_t x = saturation_operand(c, op), hi = ((int64_t)1 << op->imm) - 1;
	int64_t r = x > hi ? hi : x < 0 ? 0 : x;
	c->q |= r != x;
	c->r[op->rd] = (uint32_t)r;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_movt)
{
	c->r[op->rd] = (c->r[op->rd] & 0xFFFF) | op->imm << 16;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_mul)
{
	c->r[op->rd] = c->r[op->rn] * c->r[op->rm];
	return VB_NEXT(op);
}

EXECUTOR(vb_x_muls)
{
	uint32_t r = c->r[op->rn] * c->r[op->rm];
	c->r[op->rd] = r;
	vb_flags_nz(c, r);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_mla)
{
	c->r[op->rd] = c->r[op->ra] + c->r[op->rn] * c->r[op->rm];
	return VB_NEXT(op);
}

EXECUTOR(vb_x_mls)
{
	c->r[op->rd] = c->r[op->ra] - c->r[op->rn] * c->r[op->rm];
	return VB_NEXT(op);
}

/* Early termination of the 32 x 32 multiplier (docs/virtual-board-timing.md, "Multiply"): an
 * operand that fits in 16 bits saves a pass. op->cycles holds the shortest time. */
static inline bool fits16(uint32_t x, bool is_signed)
{
	return is_signed ? x + 0x8000u < 0x10000u : x < 0x10000u;
}

static inline unsigned multiply_extra(uint32_t a, uint32_t b, bool is_signed)
{
	return (unsigned)!fits16(a, is_signed) + (unsigned)!fits16(b, is_signed);
}

static inline struct vb_op *put64(struct vb_cpu *c, struct vb_op *op, uint64_t v)
{
	c->r[op->rd] = (uint32_t)v;
	c->r[op->ra] = (uint32_t)(v >> 32);
	return VB_NEXT(op);
}

static inline uint64_t get64(const struct vb_cpu *c, const struct vb_op *op)
{
	return (uint64_t)c->r[op->ra] << 32 | c->r[op->rd];
}

EXECUTOR(vb_x_smull)
{
	uint32_t a = c->r[op->rn], b = c->r[op->rm];
	c->cycles += multiply_extra(a, b, true);
	return put64(c, op, (uint64_t)((int64_t)(int32_t)a * (int32_t)b));
}

EXECUTOR(vb_x_umull)
{
	uint32_t a = c->r[op->rn], b = c->r[op->rm];
	c->cycles += multiply_extra(a, b, false);
	return put64(c, op, (uint64_t)a * b);
}

/* The accumulating forms add a pass when the accumulator's upper half takes part. */
static inline bool long_accumulator(const struct vb_cpu *c, const struct vb_op *op, bool is_signed)
{
	uint32_t sign = is_signed ? (uint32_t)-(int32_t)(c->r[op->rd] >> 31) : 0;
	return c->r[op->ra] != sign;
}

EXECUTOR(vb_x_smlal)
{
	uint32_t a = c->r[op->rn], b = c->r[op->rm];
	c->cycles += multiply_extra(a, b, true) + (unsigned)long_accumulator(c, op, true);
	return put64(c, op, get64(c, op) + (uint64_t)((int64_t)(int32_t)a * (int32_t)b));
}

EXECUTOR(vb_x_umlal)
{
	uint32_t a = c->r[op->rn], b = c->r[op->rm];
	c->cycles += multiply_extra(a, b, false) + (unsigned)long_accumulator(c, op, false);
	return put64(c, op, get64(c, op) + (uint64_t)a * b);
}

/* Divide, 2 to 12 cycles by the number of quotient bits (docs/virtual-board-timing.md,
 * "Divide"). op->cycles holds 2. */
static inline unsigned divide_extra(uint32_t n, uint32_t d)
{
	if (n < d)
		return 0;
	unsigned bits = (unsigned)__builtin_clz(d) - (unsigned)__builtin_clz(n) + 1;
	return 2 + (bits + 3) / 4;
}

static struct vb_op *divide_by_zero(struct vb_cpu *c, struct vb_op *op)
{
	if (c->scb.ccr & CCR_DIV_0_TRP)
		return vb_usage_fault(c, op, CFSR_DIVBYZERO);
	c->r[op->rd] = 0;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_sdiv)
{
	int32_t n = (int32_t)c->r[op->rn], d = (int32_t)c->r[op->rm];
	if (d == 0)
		return divide_by_zero(c, op);
	c->cycles += divide_extra(n < 0 ? 0 - (uint32_t)n : (uint32_t)n,
				  d < 0 ? 0 - (uint32_t)d : (uint32_t)d);
	/* INT32_MIN / -1 gives INT32_MIN (A7.7.127); C leaves it undefined. */
	c->r[op->rd] = (uint32_t)(int32_t)((int64_t)n / d);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_udiv)
{
	uint32_t n = c->r[op->rn], d = c->r[op->rm];
	if (d == 0)
		return divide_by_zero(c, op);
	c->cycles += divide_extra(n, d);
	c->r[op->rd] = n / d;
	return VB_NEXT(op);
}
