/* cpu_alu.c - data processing (ARMv7-M ARM A5.3.1, A5.3.11; A2.2.1 for shifts and carry). */
#include "vboard/cpu_exec.h"

/* Shift_C: amount is 1..32 for the constant shifts, any byte for those by register. */
static inline uint32_t shift_c(uint32_t x, unsigned type, unsigned amount, uint32_t *carry)
{
	if (type == SHIFT_RRX) {
		uint32_t r = *carry << 31 | x >> 1;
		*carry = x & 1;
		return r;
	}
	if (amount == 0)
		return x;
	switch (type) {
	case SHIFT_LSL:
		*carry = amount <= 32 ? (uint32_t)((uint64_t)x << amount >> 32) & 1 : 0;
		return amount < 32 ? x << amount : 0;
	case SHIFT_LSR:
		*carry = amount <= 32 ? x >> (amount - 1) & 1 : 0;
		return amount < 32 ? x >> amount : 0;
	case SHIFT_ASR:
		if (amount > 31) {
			*carry = x >> 31;
			return (uint32_t)-(int32_t)(x >> 31);
		}
		*carry = x >> (amount - 1) & 1;
		return (uint32_t)((int32_t)x >> amount);
	default: {
		unsigned by = amount & 31;
		uint32_t r = by ? x >> by | x << (32 - by) : x;
		*carry = r >> 31;
		return r;
	}
	}
}

static inline uint32_t operand_imm(struct vb_cpu *c, const struct vb_op *op, uint32_t *carry)
{
	/* ThumbExpandImm_C: a rotated constant carries its top bit (op->ra). */
	(void)c;
	if (op->ra)
		*carry = op->imm >> 31;
	return op->imm;
}

static inline uint32_t operand_reg(struct vb_cpu *c, const struct vb_op *op, uint32_t *carry)
{
	(void)carry;
	return c->r[op->rm];
}

static inline uint32_t operand_shifted(struct vb_cpu *c, const struct vb_op *op, uint32_t *carry)
{
	return shift_c(c->r[op->rm], op->ra, op->imm, carry);
}

#define EXECUTOR(name) \
	static struct vb_op *name(struct vb_cpu *c, struct vb_op *op)

/* One operation on one kind of operand, without and with flags. `a` is rn, `b` operand 2. */
#define LOGICAL(name, kind, expr) \
EXECUTOR(name##_##kind) \
{ \
	uint32_t carry = c->c, a = c->r[op->rn], b = operand_##kind(c, op, &carry); \
	(void)a; \
	c->r[op->rd] = (expr); \
	return VB_NEXT(op); \
} \
EXECUTOR(name##s_##kind) \
{ \
	uint32_t carry = c->c, a = c->r[op->rn], b = operand_##kind(c, op, &carry); \
	(void)a; \
	uint32_t r = (expr); \
	c->r[op->rd] = r; \
	vb_flags_nz(c, r); \
	c->c = carry; \
	return VB_NEXT(op); \
}

#define TEST(name, kind, expr) \
EXECUTOR(name##_##kind) \
{ \
	uint32_t carry = c->c, a = c->r[op->rn], b = operand_##kind(c, op, &carry); \
	vb_flags_nz(c, (expr)); \
	c->c = carry; \
	return VB_NEXT(op); \
}

/* AddWithCarry(x, y, carry): every sum and difference is one. */
#define ARITHMETIC(name, kind, x, y, cin) \
EXECUTOR(name##_##kind) \
{ \
	uint32_t carry = c->c, a = c->r[op->rn], b = operand_##kind(c, op, &carry); \
	c->r[op->rd] = (x) + (y) + (cin); \
	return VB_NEXT(op); \
} \
EXECUTOR(name##s_##kind) \
{ \
	uint32_t carry = c->c, a = c->r[op->rn], b = operand_##kind(c, op, &carry); \
	c->r[op->rd] = vb_add_flags(c, (x), (y), (cin)); \
	return VB_NEXT(op); \
}

#define COMPARE(name, kind, y, cin) \
EXECUTOR(name##_##kind) \
{ \
	uint32_t carry = c->c, a = c->r[op->rn], b = operand_##kind(c, op, &carry); \
	vb_add_flags(c, a, (y), (cin)); \
	return VB_NEXT(op); \
}

#define ALL_OF(kind) \
	LOGICAL(and, kind, a & b) \
	LOGICAL(bic, kind, a & ~b) \
	LOGICAL(orr, kind, a | b) \
	LOGICAL(orn, kind, a | ~b) \
	LOGICAL(eor, kind, a ^ b) \
	LOGICAL(mov, kind, b) \
	LOGICAL(mvn, kind, ~b) \
	TEST(tst, kind, a & b) \
	TEST(teq, kind, a ^ b) \
	ARITHMETIC(add, kind, a, b, 0) \
	ARITHMETIC(adc, kind, a, b, c->c) \
	ARITHMETIC(sub, kind, a, ~b, 1) \
	ARITHMETIC(sbc, kind, a, ~b, c->c) \
	ARITHMETIC(rsb, kind, ~a, b, 1) \
	COMPARE(cmp, kind, ~b, 1) \
	COMPARE(cmn, kind, b, 0)

ALL_OF(imm)
ALL_OF(reg)
ALL_OF(shifted)

#define WITH_FLAGS(name) \
	{ { name##_imm, name##s_imm }, { name##_reg, name##s_reg }, \
	  { name##_shifted, name##s_shifted } }
#define FLAGS_ONLY(name) \
	{ { name##_imm, name##_imm }, { name##_reg, name##_reg }, \
	  { name##_shifted, name##_shifted } }

vb_exec_fn *const vb_alu_exec[ALU_COUNT][OPERAND_COUNT][2] = {
	[ALU_AND] = WITH_FLAGS(and), [ALU_BIC] = WITH_FLAGS(bic), [ALU_ORR] = WITH_FLAGS(orr),
	[ALU_ORN] = WITH_FLAGS(orn), [ALU_EOR] = WITH_FLAGS(eor), [ALU_MOV] = WITH_FLAGS(mov),
	[ALU_MVN] = WITH_FLAGS(mvn), [ALU_TST] = FLAGS_ONLY(tst), [ALU_ADD] = WITH_FLAGS(add),
	[ALU_TEQ] = FLAGS_ONLY(teq), [ALU_ADC] = WITH_FLAGS(adc), [ALU_SBC] = WITH_FLAGS(sbc),
	[ALU_CMP] = FLAGS_ONLY(cmp), [ALU_SUB] = WITH_FLAGS(sub), [ALU_RSB] = WITH_FLAGS(rsb),
	[ALU_CMN] = FLAGS_ONLY(cmn),
};

/* Shifts as instructions of their own; the commonest deserve the direct form. */
#define SHIFT_BY(name, type, value, amount) \
EXECUTOR(name) \
{ \
	uint32_t carry = c->c; \
	c->r[op->rd] = shift_c(c->r[value], type, amount, &carry); \
	return VB_NEXT(op); \
} \
EXECUTOR(name##_s) \
{ \
	uint32_t carry = c->c, r = shift_c(c->r[value], type, amount, &carry); \
	c->r[op->rd] = r; \
	vb_flags_nz(c, r); \
	c->c = carry; \
	return VB_NEXT(op); \
}

SHIFT_BY(lsl_imm, SHIFT_LSL, op->rm, op->imm)
SHIFT_BY(lsr_imm, SHIFT_LSR, op->rm, op->imm)
SHIFT_BY(asr_imm, SHIFT_ASR, op->rm, op->imm)
SHIFT_BY(lsl_reg, SHIFT_LSL, op->rn, c->r[op->rm] & 0xFF)
SHIFT_BY(lsr_reg, SHIFT_LSR, op->rn, c->r[op->rm] & 0xFF)
SHIFT_BY(asr_reg, SHIFT_ASR, op->rn, c->r[op->rm] & 0xFF)
SHIFT_BY(ror_reg, SHIFT_ROR, op->rn, c->r[op->rm] & 0xFF)

vb_exec_fn *const vb_shift_imm_exec[3][2] = {
	{ lsl_imm, lsl_imm_s }, { lsr_imm, lsr_imm_s }, { asr_imm, asr_imm_s },
};
vb_exec_fn *const vb_shift_reg_exec[4][2] = {
	{ lsl_reg, lsl_reg_s }, { lsr_reg, lsr_reg_s }, { asr_reg, asr_reg_s }, { ror_reg, ror_reg_s },
};
