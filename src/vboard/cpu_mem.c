/* cpu_mem.c - single loads and stores (ARMv7-M ARM A5.2.4, A5.3.7-A5.3.10). */
#include "vboard/cpu_exec.h"

#define EXECUTOR(name) \
	static struct vb_op *name(struct vb_cpu *c, struct vb_op *op)

/* Address, and the base register's new value where the form writes it back. */
#define ADDRESS_imm  c->r[op->rn] + op->imm
#define ADDRESS_reg  c->r[op->rn] + (c->r[op->rm] << op->ra)
#define ADDRESS_pre  c->r[op->rn] + op->imm
#define ADDRESS_post c->r[op->rn]
#define ADDRESS_lit  op->imm
#define WRITE_BACK_imm
#define WRITE_BACK_reg
#define WRITE_BACK_pre  c->r[op->rn] = addr;
#define WRITE_BACK_post c->r[op->rn] = addr + op->imm;
#define WRITE_BACK_lit

#define LOAD(name, form, size, convert) \
EXECUTOR(name##_##form) \
{ \
	uint32_t addr = ADDRESS_##form, v; \
	if (VB_UNLIKELY(!vb_load(c, addr, size, &v))) \
		return op; \
	WRITE_BACK_##form \
	c->r[op->rd] = (uint32_t)(convert)v; \
	return VB_NEXT(op); \
}

#define STORE(name, form, size) \
EXECUTOR(name##_##form) \
{ \
	uint32_t addr = ADDRESS_##form; \
	if (VB_UNLIKELY(!vb_store(c, addr, size, c->r[op->rd]))) \
		return op; \
	WRITE_BACK_##form \
	return VB_NEXT(op); \
}

#define LOADS(form) \
	LOAD(ldr, form, 4, uint32_t) \
	LOAD(ldrh, form, 2, uint16_t) \
	LOAD(ldrb, form, 1, uint8_t) \
	LOAD(ldrsh, form, 2, int16_t) \
	LOAD(ldrsb, form, 1, int8_t)
#define STORES(form) \
	STORE(str, form, 4) \
	STORE(strh, form, 2) \
	STORE(strb, form, 1)

LOADS(imm)
LOADS(reg)
LOADS(pre)
LOADS(post)
LOADS(lit)
STORES(imm)
STORES(reg)
STORES(pre)
STORES(post)

#define FORMS(name) { name##_imm, name##_reg, name##_pre, name##_post, name##_lit }

vb_exec_fn *const vb_load_exec[W_COUNT][ADDR_COUNT] = {
	[W_WORD] = FORMS(ldr), [W_HALF] = FORMS(ldrh), [W_BYTE] = FORMS(ldrb),
	[W_SHALF] = FORMS(ldrsh), [W_SBYTE] = FORMS(ldrsb),
};
vb_exec_fn *const vb_store_exec[3][ADDR_COUNT] = {
	[W_WORD] = { str_imm, str_reg, str_pre, str_post, NULL },
	[W_HALF] = { strh_imm, strh_reg, strh_pre, strh_post, NULL },
	[W_BYTE] = { strb_imm, strb_reg, strb_pre, strb_post, NULL },
};

struct vb_op *vb_x_ldr_pc(struct vb_cpu *c, struct vb_op *op)
{
	uint32_t addr = 0, v;
	switch (op->imm2) {
	case ADDR_IMM: case ADDR_PRE: addr = c->r[op->rn] + op->imm; break;
	case ADDR_REG: addr = c->r[op->rn] + (c->r[op->rm] << op->ra); break;
	case ADDR_POST: addr = c->r[op->rn]; break;
	default: addr = op->imm; break;
	}
	if (!vb_load(c, addr, 4, &v))
		return op;
	if (op->imm2 == ADDR_PRE)
		c->r[op->rn] = addr;
	else if (op->imm2 == ADDR_POST)
		c->r[op->rn] = addr + op->imm;
	return vb_branch_exchange(c, op, v, VB_REFILL_LOADED);
}

struct vb_op *vb_x_unprivileged(struct vb_cpu *c, struct vb_op *op)
{
	unsigned width = op->imm2 & 7;
	vb_exec_fn *exec = op->imm2 & 8 ? vb_store_exec[width][ADDR_IMM] : vb_load_exec[width][ADDR_IMM];
	c->unprivileged_access = true;
	struct vb_op *next = exec(c, op);
	c->unprivileged_access = false;
	return next;
}
