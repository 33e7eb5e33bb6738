/* cpu_multi.c - several words at once, and exclusives. Base and destination registers change
 * only after every access has succeeded, so that a faulted instruction can be restarted. */
#include "vboard/cpu_exec.h"

#define EXECUTOR(name) struct vb_op *name(struct vb_cpu *c, struct vb_op *op)

/* LDM and STM never take the unaligned support (A3.2.1). */
static bool aligned(struct vb_cpu *c, uint32_t addr)
{
	if (VB_LIKELY((addr & 3) == 0))
		return true;
	vb_fault(c, VB_EXC_USAGE, CFSR_UNALIGNED);
	return false;
}

/* Loads the registers of `list` (bit n: register n) from ascending addresses; the program
 * counter goes to *pc. */
static bool load_list(struct vb_cpu *c, uint32_t addr, uint32_t list, uint32_t *pc)
{
	uint32_t value[16];
	unsigned n = 0;
	if (!aligned(c, addr))
		return false;
	for (uint32_t left = list; left; left &= left - 1, n++)
		if (!vb_load(c, addr + 4 * n, 4, &value[n]))
			return false;
	n = 0;
	for (uint32_t left = list & 0x7FFF; left; left &= left - 1)
		c->r[__builtin_ctz(left)] = value[n++];
	if (list & 0x8000)
		*pc = value[n];
	return true;
}

static bool store_list(struct vb_cpu *c, uint32_t addr, uint32_t list)
{
	if (!aligned(c, addr))
		return false;
	for (uint32_t left = list; left; left &= left - 1, addr += 4)
		if (!vb_store(c, addr, 4, c->r[__builtin_ctz(left)]))
			return false;
	return true;
}

/* op->imm: list; op->ra: 1 writes the base back; op->imm2: bytes. */
static struct vb_op *load_multiple(struct vb_cpu *c, struct vb_op *op, uint32_t addr, uint32_t base)
{
	uint32_t pc = 0;
	if (VB_UNLIKELY(!load_list(c, addr, op->imm, &pc)))
		return op;
	if (op->ra)
		c->r[op->rn] = base;
	if (op->imm & 0x8000)
		return vb_branch_exchange(c, op, pc, VB_REFILL_LOADED);
	return VB_NEXT(op);
}

static struct vb_op *store_multiple(struct vb_cpu *c, struct vb_op *op, uint32_t addr, uint32_t base)
{
	if (VB_UNLIKELY(!store_list(c, addr, op->imm)))
		return op;
	if (op->ra)
		c->r[op->rn] = base;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_ldmia)
{
	uint32_t base = c->r[op->rn];
	return load_multiple(c, op, base, base + op->imm2);
}

EXECUTOR(vb_x_ldmdb)
{
	uint32_t low = c->r[op->rn] - op->imm2;
	return load_multiple(c, op, low, low);
}

EXECUTOR(vb_x_stmia)
{
	uint32_t base = c->r[op->rn];
	return store_multiple(c, op, base, base + op->imm2);
}

EXECUTOR(vb_x_stmdb)
{
	uint32_t low = c->r[op->rn] - op->imm2;
	return store_multiple(c, op, low, low);
}

static bool double_address(struct vb_cpu *c, struct vb_op *op, uint32_t *addr, uint32_t *base)
{
	uint32_t rn = op->rn == 15 ? op->imm2 : c->r[op->rn], sum = rn + op->imm;
	*addr = op->rm == ADDR_POST ? rn : sum;
	*base = op->rm == ADDR_IMM ? rn : sum;
	return aligned(c, *addr);
}

/* op->rd, op->ra: the registers; op->rm: addressing; op->imm2: base when it is the PC. */
EXECUTOR(vb_x_ldrd)
{
	uint32_t addr, base, lo, hi;
	if (!double_address(c, op, &addr, &base) || !vb_load(c, addr, 4, &lo) ||
	    !vb_load(c, addr + 4, 4, &hi))
		return op;
	if (op->rn != 15)
		c->r[op->rn] = base;
	c->r[op->rd] = lo;
	c->r[op->ra] = hi;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_strd)
{
	uint32_t addr, base;
	if (!double_address(c, op, &addr, &base) || !vb_store(c, addr, 4, c->r[op->rd]) ||
	    !vb_store(c, addr + 4, 4, c->r[op->ra]))
		return op;
	c->r[op->rn] = base;
	return VB_NEXT(op);
}

/* One core and no other bus master that the local monitor would see: the monitor is a flag,
 * set by LDREX, cleared by STREX, CLREX and every exception entry and return (A3.4.1, B1.5.8). */
static bool exclusive_aligned(struct vb_cpu *c, uint32_t addr, unsigned size)
{
	if ((addr & (size - 1)) == 0)
		return true;
	vb_fault(c, VB_EXC_USAGE, CFSR_UNALIGNED);
	return false;
}

EXECUTOR(vb_x_ldrex)
{
	uint32_t addr = c->r[op->rn] + op->imm, v;
	if (!exclusive_aligned(c, addr, op->imm2) || !vb_load(c, addr, op->imm2, &v))
		return op;
	c->exclusive = true;
	c->r[op->rd] = v;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_strex)
{
	uint32_t addr = c->r[op->rn] + op->imm;
	if (!exclusive_aligned(c, addr, op->imm2))
		return op;
	if (c->exclusive && !vb_store(c, addr, op->imm2, c->r[op->rm]))
		return op;
	c->r[op->rd] = !c->exclusive;
	c->exclusive = false;
	return VB_NEXT(op);
}

EXECUTOR(vb_x_clrex)
{
	c->exclusive = false;
	return VB_NEXT(op);
}
