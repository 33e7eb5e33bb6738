/* cpu_fault.c - faults, escalation, lockup, SVC, sleep (ARMv7-M ARM B1.5.14-B1.5.17). */
#include "vboard/cpu_core.h"

static bool fault_enabled(const struct vb_cpu *c, unsigned exc)
{
	switch (exc) {
	case VB_EXC_MEM: return c->scb.shcsr & SHCSR_MEMENA;
	case VB_EXC_BUS: return c->scb.shcsr & SHCSR_BUSENA;
	case VB_EXC_USAGE: return c->scb.shcsr & SHCSR_USGENA;
	default: return true;
	}
}

/* Vector catch bit of a fault (C1.6.5, table of DEMCR). */
static uint32_t catch_bit(unsigned exc, uint32_t cfsr)
{
	if (cfsr & (CFSR_STKERR | CFSR_UNSTKERR | CFSR_MSTKERR | CFSR_MUNSTKERR))
		return DEMCR_VC_INTERR;
	switch (exc) {
	case VB_EXC_MEM: return DEMCR_VC_MMERR;
	case VB_EXC_BUS: return DEMCR_VC_BUSERR;
	case VB_EXC_USAGE:
		if (cfsr & CFSR_NOCP)
			return DEMCR_VC_NOCPERR;
		return cfsr & (CFSR_UNALIGNED | CFSR_DIVBYZERO) ? DEMCR_VC_CHKERR : DEMCR_VC_STATERR;
	default: return 0;
	}
}

void vb_lockup(struct vb_cpu *c)
{
	c->lockup = true;
	vb_attention(c);
}

/* Pends exc, or HardFault in its place when exc cannot be taken at once. */
static void pend_or_escalate(struct vb_cpu *c, unsigned exc, uint32_t vc)
{
	int priority = vb_exec_priority(c);
	bool takes = fault_enabled(c, exc) && vb_exc_group(c, c->nvic.prio[exc]) < priority;
	if (!takes) {
		if (priority <= -1) {
			vb_lockup(c);
			return;
		}
		c->scb.hfsr |= HFSR_FORCED;
		exc = VB_EXC_HARD;
		vc |= DEMCR_VC_HARDERR;
	}
	if (c->debug.demcr & vc)
		c->debug.catch_exc = exc;
	vb_exc_pend(c, exc);
}

void vb_fault(struct vb_cpu *c, unsigned exc, uint32_t cfsr)
{
	c->scb.cfsr |= cfsr;
	pend_or_escalate(c, exc, catch_bit(exc, cfsr));
}

struct vb_op *vb_usage_fault(struct vb_cpu *c, struct vb_op *op, uint32_t cfsr)
{
	vb_fault(c, VB_EXC_USAGE, cfsr);
	return op;
}

void vb_svc(struct vb_cpu *c)
{
	pend_or_escalate(c, VB_EXC_SVC, 0);
}

/* --- sleep --------------------------------------------------------------------------------- */

/* WFI wakes for an exception that would be taken if PRIMASK were 0 (B1.5.17). */
static bool wakes_wfi(struct vb_cpu *c)
{
	uint32_t primask = c->primask;
	c->primask = 0;
	bool ready = vb_exc_ready(c) != 0;
	c->primask = primask;
	return ready;
}

void vb_wake_check(struct vb_cpu *c)
{
	if (c->sleep_wfe ? c->event || vb_exc_ready(c) : wakes_wfi(c)) {
		if (c->sleep_wfe)
			c->event = false;
		c->sleeping = false;
		vb_dwt_update(c);
	}
}

void vb_sleep(struct vb_cpu *c, bool wfe)
{
	c->sleeping = true;
	c->sleep_wfe = wfe;
	vb_dwt_update(c);
	vb_attention(c);
}
