/* cpu.c - the core as a whole: set-up, reset, registers. */
#include <stdlib.h>

#include "base/buf.h"
#include "vboard/cpu_core.h"

void vb_cpu_init(struct vb_cpu *c, struct vb_machine *m)
{
	*c = (struct vb_cpu){ .m = m };
	c->nowhere.ops = rtb_alloc(sizeof(*c->nowhere.ops));
	c->nowhere.size = 2;
	*c->nowhere.ops = (struct vb_op){ .fn = vb_x_nowhere, .exec = vb_x_nowhere, .len = 1 };
	m->bus.code_changed = vb_code_changed;
	m->bus.code_ctx = c;
	vb_systick_init(c);
	vb_scs_map(c);
	vb_dwt_map(c);
	vb_fpb_map(c);
	vb_romtable_map(c);
}

void vb_cpu_free(struct vb_cpu *c)
{
	vb_code_free(c);
}

static void power_on(struct vb_cpu *c)
{
	memset(c->r, 0, sizeof(c->r));
	c->debug = (struct vb_coredebug){ 0 };
	c->dwt = (struct vb_dwt){ 0 };
	c->fpb = (struct vb_fpb){ 0 };
	c->scb.dfsr = 0;
	vb_code_forget_all(c);
}

/* TakeReset (B1.5.5). Vector table at 0: flash, by its alias. */
void vb_cpu_reset(struct vb_cpu *c, bool cold)
{
	uint32_t sp = 0, pc = 0;
	if (cold)
		power_on(c);
	vb_nvic_reset(c);
	vb_scb_reset(c);
	vb_systick_reset(c);
	c->sleeping = c->lockup = c->exclusive = c->event = false;
	c->exc_return = 0;
	c->primask = c->basepri = c->faultmask = c->control = 0;
	c->ipsr = 0;
	c->it = 0;
	c->on_psp = false;
	c->sp_other = 0;
	vb_apsr_set(c, 0);
	c->debug.halted = false;
	c->debug.dhcsr &= DHCSR_DEBUGEN;
	c->debug.demcr &= ~0x000F0000u;
	c->debug.halt_request = 0;
	c->debug.catch_exc = 0;
	c->debug.was_reset = true;
	vb_access_setup(c);
	vb_dwt_update(c);
	bool ok = vb_bus_read(&c->m->bus, 0, 4, &sp) && vb_bus_read(&c->m->bus, 4, 4, &pc);
	c->r[13] = sp & ~3u;
	c->r[14] = 0xFFFFFFFFu;
	c->r[15] = pc & ~1u;
	c->thumb = pc & 1;
	if (!ok)
		vb_lockup(c);
	if ((c->debug.demcr & DEMCR_VC_CORERESET) && (c->debug.dhcsr & DHCSR_DEBUGEN))
		c->debug.halt_request = DFSR_VCATCH;
	vb_attention(c);
}

/* --- registers ----------------------------------------------------------------------------- */

uint32_t vb_apsr(const struct vb_cpu *c)
{
	return (c->n & 0x80000000u) | (c->z == 0 ? 1u << 30 : 0) | c->c << 29 |
	       (c->v >> 31) << 28 | c->q << 27;
}

void vb_apsr_set(struct vb_cpu *c, uint32_t v)
{
	c->n = v;
	c->z = !(v & 1u << 30);
	c->c = v >> 29 & 1;
	c->v = v << 3;
	c->q = v >> 27 & 1;
}

uint32_t vb_xpsr(const struct vb_cpu *c)
{
	return vb_apsr(c) | (uint32_t)(c->it >> 2) << 10 | (uint32_t)(c->it & 3) << 25 |
	       (uint32_t)c->thumb << 24 | c->ipsr;
}

void vb_sp_select(struct vb_cpu *c, bool psp)
{
	if (c->on_psp == psp)
		return;
	uint32_t other = c->sp_other;
	c->sp_other = c->r[13];
	c->r[13] = other;
	c->on_psp = psp;
}

/* SPSEL can be written in thread mode only (B1.4.4). */
void vb_control_set(struct vb_cpu *c, uint32_t v)
{
	if (c->ipsr) {
		c->control = (c->control & 2) | (v & 1);
		return;
	}
	c->control = v & 3;
	vb_sp_select(c, v & 2);
}

static void xpsr_set(struct vb_cpu *c, uint32_t v)
{
	vb_apsr_set(c, v);
	c->it = (uint8_t)((v >> 10 & 0x3F) << 2 | (v >> 25 & 3));
	c->thumb = v >> 24 & 1;
	c->ipsr = v & 0x1FF;
}

uint32_t vb_cpu_reg_read(struct vb_cpu *c, unsigned regsel)
{
	switch (regsel) {
	case 16: return vb_xpsr(c);
	case 17: return c->on_psp ? c->sp_other : c->r[13];
	case 18: return c->on_psp ? c->r[13] : c->sp_other;
	case 20: return c->control << 24 | c->faultmask << 16 | c->basepri << 8 | c->primask;
	default: return regsel < 16 ? c->r[regsel] : 0;
	}
}

void vb_cpu_reg_write(struct vb_cpu *c, unsigned regsel, uint32_t value)
{
	switch (regsel) {
	case 13: c->r[13] = value & ~3u; break;
	case 15: c->r[15] = value & ~1u; break;
	case 16: xpsr_set(c, value); break;
	case 17: case 18:
		if (c->on_psp == (regsel == 18))
			c->r[13] = value & ~3u;
		else
			c->sp_other = value & ~3u;
		break;
	case 20:
		c->control = (c->control & 2) | (value >> 24 & 1);
		if (c->ipsr == 0)
			vb_control_set(c, value >> 24);
		c->faultmask = value >> 16 & 1;
		c->basepri = value >> 8 & 0xF0;
		c->primask = value & 1;
		break;
	default:
		if (regsel < 15)
			c->r[regsel] = value;
		break;
	}
}

/* --- hooks --------------------------------------------------------------------------------- */

void vb_cpu_stop(struct vb_cpu *c)
{
	c->stop_asked = true;
	vb_attention(c);
}

void vb_cpu_trace(struct vb_cpu *c, vb_trace_fn *fn, void *ctx)
{
	c->trace = fn;
	c->trace_ctx = ctx;
}

void vb_cpu_semihost(struct vb_cpu *c, vb_semihost_fn *fn, void *ctx)
{
	c->semihost = fn;
	c->semihost_ctx = ctx;
}

void vb_cpu_clock_in_sleep(struct vb_cpu *c, bool on)
{
	c->clock_in_sleep = on;
	vb_dwt_update(c);
}
