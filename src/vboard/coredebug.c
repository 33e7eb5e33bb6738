/* coredebug.c - halting debug: DHCSR, DCRSR, DCRDR, DEMCR (ARMv7-M ARM C1.6). */
#include "vboard/cpu_core.h"

enum { DHCSR = 0xDF0, DCRSR = 0xDF4, DCRDR = 0xDF8, DEMCR = 0xDFC };
enum { S_REGRDY = 1 << 16, S_HALT = 1 << 17, S_SLEEP = 1 << 18, S_LOCKUP = 1 << 19,
       S_RETIRE_ST = 1 << 24, S_RESET_ST = 1 << 25 };
#define DHCSR_KEY 0xA05Fu

void vb_debug_halt(struct vb_cpu *c)
{
	c->scb.dfsr |= c->debug.halt_request;
	c->debug.halt_request = 0;
	if (c->debug.halted)
		return;
	vb_systick_hold(c, true);
	c->debug.dhcsr |= DHCSR_HALT;
	c->sleeping = false;
	vb_dwt_update(c);
}

static void resume(struct vb_cpu *c)
{
	vb_systick_hold(c, false);
	c->lockup = false;
	vb_dwt_update(c);
	vb_attention(c);
}

bool vb_debug_event(struct vb_cpu *c, uint32_t dfsr)
{
	if (c->debug.dhcsr & DHCSR_DEBUGEN) {
		c->debug.halt_request |= dfsr;
		vb_attention(c);
		return true;
	}
	int prio = vb_exc_group(c, c->nvic.prio[VB_EXC_DEBUGMON]);
	if (!(c->debug.demcr & DEMCR_MON_EN) || prio >= vb_exec_priority(c))
		return false;
	c->scb.dfsr |= dfsr;
	vb_exc_pend(c, VB_EXC_DEBUGMON);
	return true;
}

static uint32_t read_dhcsr(struct vb_cpu *c)
{
	struct vb_coredebug *d = &c->debug;
	uint32_t v = d->dhcsr | S_REGRDY;
	v |= d->halted ? S_HALT : 0;
	v |= c->sleeping ? S_SLEEP : 0;
	v |= c->lockup ? S_LOCKUP : 0;
	v |= d->retired ? S_RETIRE_ST : 0;
	v |= d->was_reset ? S_RESET_ST : 0;
	d->retired = d->was_reset = false;
	return v;
}

static void write_dhcsr(struct vb_cpu *c, uint32_t value)
{
	struct vb_coredebug *d = &c->debug;
	if (value >> 16 != DHCSR_KEY)
		return;
	uint32_t bits = value & 0x2F;
	if (c->core_access) /* only the debug port may change C_DEBUGEN */
		bits = (bits & ~(uint32_t)DHCSR_DEBUGEN) | (d->dhcsr & DHCSR_DEBUGEN);
	if (!(bits & DHCSR_DEBUGEN))
		bits = 0;
	d->dhcsr = bits;
	if (d->halted && !(bits & DHCSR_HALT)) {
		resume(c);
	} else if (!d->halted && bits & DHCSR_HALT) {
		d->halt_request |= DFSR_HALTED;
		/* The debug port comes between instructions: the core halts here and now. */
		if (!c->core_access)
			vb_debug_halt(c);
		vb_attention(c);
	}
}

static void write_dcrsr(struct vb_cpu *c, uint32_t value)
{
	if (!c->debug.halted)
		return;
	if (value & 1u << 16)
		vb_cpu_reg_write(c, value & 0x7F, c->debug.dcrdr);
	else
		c->debug.dcrdr = vb_cpu_reg_read(c, value & 0x7F);
}

static void write_demcr(struct vb_cpu *c, uint32_t value)
{
	uint32_t changed = c->debug.demcr ^ value;
	c->debug.demcr = value & 0x010F07F1u;
	vb_dwt_update(c);
	if (changed & DEMCR_TRCENA) {
		vb_code_forget_all(c);
		vb_access_setup(c);
	}
	if (value & DEMCR_MON_PEND)
		vb_exc_pend(c, VB_EXC_DEBUGMON);
	else
		vb_exc_unpend(c, VB_EXC_DEBUGMON);
}

uint32_t vb_debug_read(struct vb_cpu *c, uint32_t reg)
{
	switch (reg) {
	case DHCSR: return read_dhcsr(c);
	case DCRDR: return c->debug.dcrdr;
	case DEMCR: return c->debug.demcr;
	default: return 0;
	}
}

void vb_debug_write(struct vb_cpu *c, uint32_t reg, uint32_t value)
{
	switch (reg) {
	case DHCSR: write_dhcsr(c, value); break;
	case DCRSR: write_dcrsr(c, value); break;
	case DCRDR: c->debug.dcrdr = value; break;
	case DEMCR: write_demcr(c, value); break;
	default: break;
	}
}
