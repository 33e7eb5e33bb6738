/* cpu_system.c - conditions around instructions, hints, special registers, SVC, BKPT. */
#include "vboard/cpu_exec.h"

#define EXECUTOR(name) struct vb_op *name(struct vb_cpu *c, struct vb_op *op)

EXECUTOR(vb_x_nop)
{
	(void)c;
	return VB_NEXT(op);
}

/* The instructions of the block were decoded with their conditions together with this one, so
 * nothing is left to do at run time. */
EXECUTOR(vb_x_it)
{
	(void)c;
	return VB_NEXT(op);
}

/* An instruction of an IT block. One that does not execute takes its one cycle all the same. */
EXECUTOR(vb_x_if)
{
	if (vb_condition(c, op->it >> 4))
		return op->exec(c, op);
	c->cycles -= op->cycles - 1u;
	return VB_NEXT(op);
}

/* SP bits 1:0 are always zero (B1.4.1). */
EXECUTOR(vb_x_sp)
{
	struct vb_op *next = op->exec(c, op);
	c->r[13] &= ~3u;
	return next;
}

EXECUTOR(vb_x_if_sp)
{
	struct vb_op *next = vb_x_if(c, op);
	c->r[13] &= ~3u;
	return next;
}

EXECUTOR(vb_x_undef)
{
	return vb_usage_fault(c, op, CFSR_UNDEFINSTR);
}

EXECUTOR(vb_x_nocp)
{
	return vb_usage_fault(c, op, CFSR_NOCP);
}

EXECUTOR(vb_x_svc)
{
	vb_svc(c);
	return VB_NEXT(op);
}

/* BKPT: halt, DebugMonitor, or HardFault (C1.4.1). The return address is the BKPT itself. */
static struct vb_op *breakpoint(struct vb_cpu *c, struct vb_op *op)
{
	vb_attention(c);
	if (vb_debug_event(c, DFSR_BKPT))
		return op;
	c->scb.hfsr |= HFSR_DEBUGEVT;
	c->scb.dfsr |= DFSR_BKPT;
	if (vb_exec_priority(c) <= -1)
		vb_lockup(c);
	else
		vb_exc_pend(c, VB_EXC_HARD);
	return op;
}

EXECUTOR(vb_x_bkpt)
{
	if (op->imm == 0xAB && c->semihost && c->semihost(c->semihost_ctx, c))
		return VB_NEXT(op);
	return breakpoint(c, op);
}

/* A flash patch comparator stands on this instruction. */
EXECUTOR(vb_x_fpb)
{
	return breakpoint(c, op);
}

/* A DWT comparator watches this program counter: the event, then the instruction as if no
 * comparator were there. */
EXECUTOR(vb_x_watch_pc)
{
	unsigned comparator;
	if (vb_dwt_match_pc(c, vb_pc(c, op), &comparator)) {
		c->dwt.function[comparator] |= 1u << 24;
		vb_debug_event(c, DFSR_DWTTRAP);
		vb_attention(c);
	}
	struct vb_op *next = op->it ? vb_x_if(c, op) : op->exec(c, op);
	if (op->writes_sp)
		c->r[13] &= ~3u;
	return next;
}

/* --- special registers (B5.1) ----------------------------------------------------------- */

enum sysm {
	SYSM_MSP = 8, SYSM_PSP = 9, SYSM_PRIMASK = 16, SYSM_BASEPRI = 17, SYSM_BASEPRI_MAX = 18,
	SYSM_FAULTMASK = 19, SYSM_CONTROL = 20,
};

static uint32_t read_special(struct vb_cpu *c, unsigned sysm)
{
	if (sysm < 8) {
		uint32_t v = sysm & 1 ? c->ipsr : 0;
		return sysm & 4 ? v : v | vb_apsr(c); /* EPSR reads as zero */
	}
	if (sysm == SYSM_CONTROL)
		return c->control;
	if (!vb_privileged(c))
		return 0;
	switch (sysm) {
	case SYSM_MSP: return c->on_psp ? c->sp_other : c->r[13];
	case SYSM_PSP: return c->on_psp ? c->r[13] : c->sp_other;
	case SYSM_PRIMASK: return c->primask;
	case SYSM_BASEPRI: case SYSM_BASEPRI_MAX: return c->basepri;
	case SYSM_FAULTMASK: return c->faultmask;
	default: return 0;
	}
}

EXECUTOR(vb_x_mrs)
{
	c->r[op->rd] = read_special(c, op->imm);
	return VB_NEXT(op);
}

static void write_sp(struct vb_cpu *c, bool psp, uint32_t v)
{
	if (c->on_psp == psp)
		c->r[13] = v & ~3u;
	else
		c->sp_other = v & ~3u;
}

/* A mask was lowered: what waited for it comes before the next instruction. */
static void unmasked(struct vb_cpu *c)
{
	if (vb_exc_any_pending(c))
		vb_attention(c);
}

static void write_special(struct vb_cpu *c, unsigned sysm, uint32_t v)
{
	switch (sysm) {
	case SYSM_MSP: write_sp(c, false, v); break;
	case SYSM_PSP: write_sp(c, true, v); break;
	case SYSM_PRIMASK: c->primask = v & 1; break;
	case SYSM_BASEPRI: c->basepri = v & 0xF0; break;
	case SYSM_BASEPRI_MAX:
		v &= 0xF0;
		if (v && (v < c->basepri || c->basepri == 0))
			c->basepri = v;
		break;
	case SYSM_FAULTMASK:
		if (vb_exec_priority(c) > -1 || !(v & 1))
			c->faultmask = v & 1;
		break;
	case SYSM_CONTROL: vb_control_set(c, v); break;
	default: break;
	}
}

/* op->ra: mask bits, bit 1 for the flags. */
EXECUTOR(vb_x_msr)
{
	uint32_t v = c->r[op->rn];
	if (op->imm < 8) {
		if (!(op->imm & 4) && op->ra & 2)
			vb_apsr_set(c, v);
	} else if (vb_privileged(c)) {
		write_special(c, op->imm, v);
		unmasked(c);
	}
	return VB_NEXT(op);
}

/* op->imm: bit 4 disables, bit 1 PRIMASK, bit 0 FAULTMASK. */
EXECUTOR(vb_x_cps)
{
	uint32_t v = op->imm >> 4 & 1;
	if (!vb_privileged(c))
		return VB_NEXT(op);
	if (op->imm & 2)
		c->primask = v;
	if (op->imm & 1)
		write_special(c, SYSM_FAULTMASK, v);
	unmasked(c);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_wfi)
{
	vb_sleep(c, false);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_wfe)
{
	if (c->event)
		c->event = false;
	else
		vb_sleep(c, true);
	return VB_NEXT(op);
}

EXECUTOR(vb_x_sev)
{
	c->event = true;
	return VB_NEXT(op);
}

/* The decoded memories follow every store, so nothing has to be discarded but time. */
EXECUTOR(vb_x_isb)
{
	return vb_refill(c, VB_NEXT(op), VB_REFILL_LOADED);
}
