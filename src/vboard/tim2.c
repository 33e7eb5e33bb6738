#include "vboard/tim2.h"

#include <stddef.h>

#define TIM2_BASE 0x40000000u /* TIM3 follows, here and in the line and the clock gate */
#define TIM_SPAN  0x400u
#define IRQ_TIM2  28u

#define CR1_CEN  (1u << 0)
#define CR1_UDIS (1u << 1)
#define CR1_URS  (1u << 2)
#define CR1_OPM  (1u << 3)
#define CR1_ARPE (1u << 7)
#define SR_UIF   (1u << 0)
#define SR_MASK  0x1E5Fu

static void update_irq(struct vb_tim2 *t)
{
	vb_irq_set(t->m, t->irq, t->sr & t->dier & 0x5F);
}

/* HCLK cycles a count. */
static uint64_t count_cycles(const struct vb_tim2 *t)
{
	return (uint64_t)(t->psc_now + 1) * vb_rcc_tim2_ratio(t->rcc);
}

static bool running(const struct vb_tim2 *t)
{
	return (t->cr1 & CR1_CEN) && vb_rcc_gate_on(t->rcc, t->gate);
}

/* Queues the next moment at which something happens: overflow, or a compare met. */
static void plan(struct vb_tim2 *t)
{
	if (!running(t)) {
		vb_sched_cancel(&t->m->sched, &t->tick);
		return;
	}
	/* Counts until the overflow; a counter already past ARR runs on to 0xFFFF. */
	uint32_t top = t->cnt <= t->arr_now ? t->arr_now : 0xFFFF;
	uint32_t counts = top - t->cnt + 1;
	for (unsigned i = 0; i < 4; i++)
		if (t->ccr[i] > t->cnt && t->ccr[i] <= top && t->ccr[i] - t->cnt < counts)
			counts = t->ccr[i] - t->cnt;
	vb_sched_at(&t->m->sched, &t->tick, t->base + counts * count_cycles(t));
}

static void compare(struct vb_tim2 *t)
{
	for (unsigned i = 0; i < 4; i++) {
		bool output = !(t->ccmr[i / 2] >> (8 * (i % 2)) & 3);
		if (output && t->ccr[i] == t->cnt)
			t->sr |= 2u << i;
	}
}

static void load_shadows(struct vb_tim2 *t)
{
	t->psc_now = t->psc;
	t->arr_now = t->arr;
}

static void overflow(struct vb_tim2 *t)
{
	t->cnt = 0;
	if (t->cr1 & CR1_UDIS)
		return;
	load_shadows(t);
	t->sr |= SR_UIF;
	if (t->cr1 & CR1_OPM)
		t->cr1 &= ~CR1_CEN;
}

static void tick_fire(void *ctx, uint64_t at)
{
	struct vb_tim2 *t = ctx;
	uint32_t counts = (uint32_t)((at - t->base) / count_cycles(t));
	uint32_t top = t->cnt <= t->arr_now ? t->arr_now : 0xFFFF;

	t->base = at;
	if (counts > top - t->cnt)
		overflow(t);
	else
		t->cnt += counts;
	compare(t);
	update_irq(t);
	plan(t);
}

/* Brings cnt up to the present; events due by now have fired already. */
static void catch_up(struct vb_tim2 *t)
{
	uint64_t now = t->m->cpu.cycles;

	if (!running(t) || now <= t->base)
		return;
	uint64_t counts = (now - t->base) / count_cycles(t);
	uint32_t top = t->cnt <= t->arr_now ? t->arr_now : 0xFFFF;
	/* An instruction may reach past the event before the time line has fired it. */
	if (counts > top - t->cnt)
		counts = top - t->cnt;
	t->cnt += (uint32_t)counts;
	t->base += counts * count_cycles(t);
}

static void generate(struct vb_tim2 *t, uint32_t value)
{
	t->sr |= value & 0x5E;
	if ((value & 1) && !(t->cr1 & CR1_UDIS)) {
		load_shadows(t);
		t->cnt = 0;
		t->base = t->m->cpu.cycles;
		if (!(t->cr1 & CR1_URS))
			t->sr |= SR_UIF;
	}
}

static uint32_t *plain(struct vb_tim2 *t, uint32_t at)
{
	switch (at) {
	case 0x00: return &t->cr1;
	case 0x04: return &t->cr2;
	case 0x08: return &t->smcr;
	case 0x0C: return &t->dier;
	case 0x18: return &t->ccmr[0];
	case 0x1C: return &t->ccmr[1];
	case 0x20: return &t->ccer;
	case 0x24: return &t->cnt;
	case 0x28: return &t->psc;
	case 0x2C: return &t->arr;
	case 0x34: case 0x38: case 0x3C: case 0x40: return &t->ccr[(at - 0x34) / 4];
	case 0x48: return &t->dcr;
	default:   return NULL;
	}
}

static uint32_t tim_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_tim2 *t = ctx;
	uint32_t at = offset & ~3u;

	if (!vb_rcc_gate_on(t->rcc, t->gate))
		return 0;
	catch_up(t);
	uint32_t *p = plain(t, at);
	uint32_t word = at == 0x10 ? t->sr : p ? *p : 0;
	word >>= 8 * (offset & 3);
	return size == 4 ? word : word & ((1u << 8 * size) - 1);
}

static void tim_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_tim2 *t = ctx;

	if (!vb_rcc_gate_on(t->rcc, t->gate) || (size != 4 && (offset & 3)))
		return;
	bool ran = running(t);
	catch_up(t);
	value &= 0xFFFF; /* every register of this timer has 16 bits */
	uint32_t *p = plain(t, offset);
	if (p)
		*p = value;
	switch (offset) {
	case 0x00:
		if (!ran)
			t->base = t->m->cpu.cycles;
		break;
	case 0x10: /* flags are cleared by writing zero */
		t->sr &= value | ~SR_MASK;
		break;
	case 0x14:
		generate(t, value);
		break;
	case 0x24:
		t->base = t->m->cpu.cycles;
		break;
	case 0x2C: /* without preload a new limit counts at once */
		if (!(t->cr1 & CR1_ARPE))
			t->arr_now = value;
		break;
	default:
		break;
	}
	update_irq(t);
	plan(t);
}

static void clock_changed(void *ctx, bool after)
{
	struct vb_tim2 *t = ctx;

	if (!after) {
		catch_up(t);
		return;
	}
	if (running(t))
		t->base = t->m->cpu.cycles;
	plan(t);
}

static void tim_reset(void *ctx)
{
	struct vb_tim2 *t = ctx;

	vb_sched_cancel(&t->m->sched, &t->tick);
	t->cr1 = t->cr2 = t->smcr = t->dier = t->sr = t->ccer = t->dcr = 0;
	t->ccmr[0] = t->ccmr[1] = 0;
	for (unsigned i = 0; i < 4; i++)
		t->ccr[i] = 0;
	t->psc = t->psc_now = t->cnt = 0;
	t->arr = t->arr_now = 0xFFFF;
	t->base = t->m->cpu.cycles;
	update_irq(t);
}

static const struct vb_device_ops tim_ops = { tim_read, tim_write };

void vb_tim2_init(struct vb_tim2 *t, struct vb_machine *m, struct vb_rcc *rcc, unsigned number)
{
	static const char *const name[] = { "tim2", "tim3" };
	unsigned nth = number - 2;

	*t = (struct vb_tim2){ .m = m, .rcc = rcc, .gate = { 0x1C, 1u << nth }, .irq = IRQ_TIM2 + nth,
			       .arr = 0xFFFF, .arr_now = 0xFFFF };
	t->tick = (struct vb_event){ .fire = tick_fire, .ctx = t };
	vb_bus_map_device(&m->bus, TIM2_BASE + nth * TIM_SPAN, TIM_SPAN, &tim_ops, t);
	vb_machine_add(m, (struct vb_device){ name[nth], t, tim_reset });
	vb_rcc_listen(rcc, clock_changed, t);
}
