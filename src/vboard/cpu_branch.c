/* cpu_branch.c - everything that changes the flow (ARMv7-M ARM A4.3, A5.2.6, A5.3.4). */
#include "vboard/cpu_exec.h"

#define EXECUTOR(name) struct vb_op *name(struct vb_cpu *c, struct vb_op *op)

struct vb_op *vb_branch_to(struct vb_cpu *c, uint32_t addr, unsigned p)
{
	return vb_refill(c, vb_code_goto(c, addr & ~1u), p);
}

struct vb_op *vb_branch_exchange(struct vb_cpu *c, struct vb_op *op, uint32_t addr, unsigned p)
{
	if (VB_UNLIKELY(addr >= 0xF0000000u && c->ipsr)) {
		c->exc_return = addr;
		vb_attention(c);
		return op;
	}
	c->thumb = addr & 1;
	return vb_branch_to(c, addr, p);
}

/* Targets in the same memory are reached by their distance in ops. */
static inline struct vb_op *near(struct vb_cpu *c, struct vb_op *op)
{
	return vb_refill(c, op + (int32_t)op->imm, VB_REFILL_DIRECT);
}

EXECUTOR(vb_x_b)
{
	return near(c, op);
}

EXECUTOR(vb_x_b_far)
{
	return vb_branch_to(c, op->imm, VB_REFILL_DIRECT);
}

EXECUTOR(vb_x_bl)
{
	c->r[14] = op->imm2;
	return near(c, op);
}

EXECUTOR(vb_x_bl_far)
{
	c->r[14] = op->imm2;
	return vb_branch_to(c, op->imm, VB_REFILL_DIRECT);
}

#define BCOND(name, test) \
static struct vb_op *name(struct vb_cpu *c, struct vb_op *op) \
{ \
	return (test) ? near(c, op) : VB_NEXT(op); \
}

BCOND(beq, c->z == 0)
BCOND(bne, c->z != 0)
BCOND(bcs, c->c)
BCOND(bcc, !c->c)
BCOND(bmi, c->n >> 31)
BCOND(bpl, !(c->n >> 31))
BCOND(bvs, c->v >> 31)
BCOND(bvc, !(c->v >> 31))
BCOND(bhi, c->c && c->z != 0)
BCOND(bls, !c->c || c->z == 0)
BCOND(bge, !((c->n ^ c->v) >> 31))
BCOND(blt, (c->n ^ c->v) >> 31)
BCOND(bgt, c->z != 0 && !((c->n ^ c->v) >> 31))
BCOND(ble, c->z == 0 || (c->n ^ c->v) >> 31)

vb_exec_fn *const vb_bcond_exec[14] = {
	beq, bne, bcs, bcc, bmi, bpl, bvs, bvc, bhi, bls, bge, blt, bgt, ble,
};

EXECUTOR(vb_x_bcond_far)
{
	return vb_condition(c, op->ra) ? vb_branch_to(c, op->imm, VB_REFILL_DIRECT) : VB_NEXT(op);
}

EXECUTOR(vb_x_bx)
{
	return vb_branch_exchange(c, op, c->r[op->rm], VB_REFILL_REGISTER);
}

/* BLX does not recognise EXC_RETURN (B1.5.8): the address goes to the bus as it is. */
EXECUTOR(vb_x_blx)
{
	uint32_t target = c->r[op->rm];
	c->r[14] = op->imm2;
	c->thumb = target & 1;
	return vb_branch_to(c, target, VB_REFILL_REGISTER);
}

EXECUTOR(vb_x_mov_pc)
{
	return vb_branch_to(c, c->r[op->rm], VB_REFILL_REGISTER);
}

EXECUTOR(vb_x_add_pc)
{
	return vb_branch_to(c, op->imm2 + c->r[op->rm], VB_REFILL_REGISTER);
}

EXECUTOR(vb_x_cbz)
{
	return c->r[op->rn] == 0 ? near(c, op) : VB_NEXT(op);
}

EXECUTOR(vb_x_cbnz)
{
	return c->r[op->rn] != 0 ? near(c, op) : VB_NEXT(op);
}

/* Table branches: op->imm2 is the address of the following instruction (the PC). */
static struct vb_op *table_branch(struct vb_cpu *c, struct vb_op *op, unsigned size)
{
	uint32_t base = op->rn == 15 ? op->imm2 : c->r[op->rn], entry;
	if (!vb_load(c, base + c->r[op->rm] * size, size, &entry))
		return op;
	return vb_branch_to(c, op->imm2 + 2 * entry, VB_REFILL_LOADED);
}

EXECUTOR(vb_x_tbb)
{
	return table_branch(c, op, 1);
}

EXECUTOR(vb_x_tbh)
{
	return table_branch(c, op, 2);
}
