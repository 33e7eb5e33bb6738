/* systick.c - the system timer (ARMv7-M ARM B3.3). The chip's reference clock for
 * CLKSOURCE = 0 is HCLK / 8 (GD32F10x user manual, RCU clock tree). */
#include "vboard/cpu_core.h"

enum { CSR = 0x10, RVR = 0x14, CVR = 0x18, CALIB = 0x1C };
enum { ENABLE = 1, TICKINT = 2, CLKSOURCE = 4, COUNTFLAG = 1 << 16 };

static uint64_t divider(const struct vb_systick *t)
{
	return t->csr & CLKSOURCE ? 1 : 8;
}

static bool running(const struct vb_cpu *c)
{
	return c->systick.csr & ENABLE && !c->debug.halted;
}

/* Clocks from the counter at `value` until it reaches 0; from 0 it first takes the reload. */
static uint64_t clocks_to_zero(const struct vb_systick *t)
{
	return t->value ? t->value : (uint64_t)t->reload + 1;
}

static uint32_t current(const struct vb_cpu *c)
{
	const struct vb_systick *t = &c->systick;
	if (!running(c))
		return t->value;
	uint64_t clocks = (c->cycles - t->since) / divider(t), zero = clocks_to_zero(t);
	if (clocks == 0)
		return t->value;
	if (clocks <= zero)
		return (uint32_t)(zero - clocks);
	uint64_t period = (uint64_t)t->reload + 1;
	return (uint32_t)((period - (clocks - zero) % period) % period);
}

static void schedule(struct vb_cpu *c)
{
	struct vb_systick *t = &c->systick;
	if (!running(c) || (t->value == 0 && t->reload == 0)) {
		vb_sched_cancel(&c->m->sched, &t->wrap);
		return;
	}
	vb_sched_at(&c->m->sched, &t->wrap, t->since + clocks_to_zero(t) * divider(t));
	vb_attention(c);
}

/* From here on the counter is `value` at this cycle. */
static void restart(struct vb_cpu *c, uint32_t value)
{
	c->systick.value = value;
	c->systick.since = c->cycles;
}

static void wrap(void *ctx, uint64_t at)
{
	struct vb_cpu *c = ctx;
	struct vb_systick *t = &c->systick;
	t->value = 0;
	t->since = at;
	t->counted = true;
	if (t->csr & TICKINT)
		vb_exc_pend(c, VB_EXC_SYSTICK);
	schedule(c);
}

void vb_systick_init(struct vb_cpu *c)
{
	c->systick.wrap = (struct vb_event){ .fire = wrap, .ctx = c };
}

void vb_systick_reset(struct vb_cpu *c)
{
	c->systick.csr = c->systick.reload = c->systick.value = 0;
	c->systick.counted = false;
	schedule(c);
}

void vb_systick_hold(struct vb_cpu *c, bool hold)
{
	/* Called while debug.halted still says what was before. */
	restart(c, current(c));
	c->debug.halted = hold;
	schedule(c);
}

uint32_t vb_systick_read(struct vb_cpu *c, uint32_t reg)
{
	struct vb_systick *t = &c->systick;
	switch (reg) {
	case CSR: {
		uint32_t v = t->csr | (t->counted ? COUNTFLAG : 0);
		if (c->core_access) /* the debug port does not clear it (B3.3.3) */
			t->counted = false;
		return v;
	}
	case RVR: return t->reload;
	case CVR: return current(c);
	default: return 9000u; /* CALIB: GD32F10x gives 1 ms at HCLK/8 of 72 MHz, exact */
	}
}

void vb_systick_write(struct vb_cpu *c, uint32_t reg, uint32_t value)
{
	struct vb_systick *t = &c->systick;
	restart(c, current(c));
	switch (reg) {
	case CSR: t->csr = value & (ENABLE | TICKINT | CLKSOURCE); break;
	case RVR: t->reload = value & 0xFFFFFF; break;
	case CVR:
		t->value = 0;
		t->counted = false;
		break;
	default: return;
	}
	schedule(c);
}
