#include "vboard/ports.h"

#include <stddef.h>

#define GPIOA_BASE 0x40010800u
#define AFIO_BASE  0x40010000u
#define EXTI_BASE  0x40010400u
#define EXTI_LINES 0x0007FFFFu /* 16 pins, PVD, RTC alarm, USB wake-up */
#define EXTI_PINS  16

#define SWJ_CFG     0x07000000u /* in AFIO_MAPR */
#define SWJ_CFG_OFF 0x04000000u

static uint32_t lane(uint32_t word, uint32_t offset, unsigned size)
{
	word >>= 8 * (offset & 3);
	return size == 4 ? word : word & ((1u << 8 * size) - 1);
}

/* ---- EXTI ---- */

/* NVIC line of an EXTI line (RM0008 table 63). */
static unsigned exti_irq(unsigned line)
{
	static const uint8_t special[3] = { 1, 41, 42 };

	if (line < 5)
		return 6 + line;
	if (line < 10)
		return 23;
	if (line < EXTI_PINS)
		return 40;
	return special[line - EXTI_PINS];
}

static void exti_update(struct vb_exti *x)
{
	uint64_t level = 0, known = 0;

	for (unsigned line = 0; line < 19; line++) {
		known |= 1ull << exti_irq(line);
		if (x->pr >> line & 1)
			level |= 1ull << exti_irq(line);
	}
	for (unsigned irq = 0; irq < VB_IRQ_COUNT; irq++)
		if (known >> irq & 1)
			vb_irq_set(x->ports->m, irq, level >> irq & 1);
}

/* A line is asked for, by software or by an edge. Only an unmasked one is remembered. */
static void exti_raise(struct vb_exti *x, uint32_t lines)
{
	x->pr |= lines & x->imr;
	exti_update(x);
}

static uint32_t *exti_reg(struct vb_exti *x, uint32_t at)
{
	switch (at) {
	case 0x00: return &x->imr;
	case 0x04: return &x->emr;
	case 0x08: return &x->rtsr;
	case 0x0C: return &x->ftsr;
	case 0x10: return &x->swier;
	case 0x14: return &x->pr;
	default:   return NULL;
	}
}

static uint32_t exti_read(void *ctx, uint32_t offset, unsigned size)
{
	uint32_t *p = exti_reg(ctx, offset & ~3u);

	return p ? lane(*p, offset, size) : 0;
}

static void exti_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_exti *x = ctx;
	uint32_t *p = exti_reg(x, offset);

	(void)size;
	if (!p)
		return;
	value &= EXTI_LINES;
	if (p == &x->pr) { /* a one clears, the software trigger with it */
		x->pr &= ~value;
		x->swier &= ~value;
		exti_update(x);
	} else if (p == &x->swier) {
		uint32_t fresh = value & ~x->swier;
		x->swier |= value;
		exti_raise(x, fresh);
	} else {
		*p = value;
	}
}

static void exti_reset(void *ctx)
{
	struct vb_exti *x = ctx;

	x->imr = x->emr = x->rtsr = x->ftsr = x->swier = x->pr = 0;
	exti_update(x);
}

/* ---- AFIO ---- */

static uint32_t *afio_reg(struct vb_afio *a, uint32_t at)
{
	switch (at) {
	case 0x00: return &a->evcr;
	case 0x04: return &a->mapr;
	case 0x08: case 0x0C: case 0x10: case 0x14: return &a->exticr[(at - 8) / 4];
	case 0x1C: return &a->mapr2;
	default:   return NULL;
	}
}

static uint32_t afio_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_afio *a = ctx;
	uint32_t *p = afio_reg(a, offset & ~3u);

	return p && vb_rcc_gate_on(a->ports->rcc, a->gate) ? lane(*p, offset, size) : 0;
}

static void afio_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_afio *a = ctx;
	uint32_t *p = afio_reg(a, offset);

	(void)size;
	if (!p || !vb_rcc_gate_on(a->ports->rcc, a->gate))
		return;
	if (p == &a->mapr) {
		/* RM0008 9.4.2. JTAG stands in for the SWD of a bench, so the setting that leaves SWD
		 * alone (010) leaves this port alone too. */
		a->debug_off = (value & SWJ_CFG) == SWJ_CFG_OFF;
		*p = value & ~SWJ_CFG; /* reads as zero: write-only */
	} else {
		*p = value & 0xFFFF;
	}
}

void vb_afio_reset(struct vb_afio *a)
{
	a->evcr = a->mapr = a->mapr2 = 0;
	a->debug_off = false;
	for (unsigned i = 0; i < 4; i++)
		a->exticr[i] = 0;
}

/* ---- GPIO ---- */

static unsigned pin_config(const struct vb_gpio *g, unsigned pin)
{
	uint32_t cr = pin < 8 ? g->crl : g->crh;

	return cr >> (4 * (pin & 7)) & 0xF; /* CNF in bits 3:2, MODE in bits 1:0 */
}

static bool pin_level(const struct vb_gpio *g, unsigned pin)
{
	unsigned cfg = pin_config(g, pin);
	bool driven = (cfg & 3) && !(cfg & 8);          /* general-purpose output */
	bool pulled = (cfg & 3) == 0 && (cfg >> 2) == 2; /* input with pull: ODR is its direction */

	return (driven || pulled) && (g->odr >> pin & 1);
}

/* Pin levels follow the configuration; edges go to EXTI where AFIO has chosen this port. */
static void settle(struct vb_gpio *g)
{
	struct vb_ports *p = g->ports;
	uint32_t was = g->idr, now = 0, lines = 0;
	unsigned self = (unsigned)(g - p->gpio);

	for (unsigned pin = 0; pin < EXTI_PINS; pin++)
		now |= (uint32_t)pin_level(g, pin) << pin;
	g->idr = now;
	for (unsigned pin = 0; pin < EXTI_PINS; pin++)
		if ((p->afio.exticr[pin / 4] >> (4 * (pin % 4)) & 0xF) == self)
			lines |= 1u << pin;
	uint32_t edges = ((now & ~was) & p->exti.rtsr) | ((was & ~now) & p->exti.ftsr);
	if (edges & lines)
		exti_raise(&p->exti, edges & lines);
}

static uint32_t gpio_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_gpio *g = ctx;
	uint32_t word = 0;

	if (!vb_rcc_gate_on(g->ports->rcc, g->gate))
		return 0;
	switch (offset & ~3u) {
	case 0x00: word = g->crl; break;
	case 0x04: word = g->crh; break;
	case 0x08: word = g->idr; break;
	case 0x0C: word = g->odr; break;
	case 0x18: word = g->lckr; break;
	default: break;
	}
	return lane(word, offset, size);
}

static void gpio_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_gpio *g = ctx;

	(void)size;
	if (!vb_rcc_gate_on(g->ports->rcc, g->gate))
		return;
	switch (offset) {
	case 0x00: g->crl = value; break;
	case 0x04: g->crh = value; break;
	case 0x0C: g->odr = value & 0xFFFF; break;
	case 0x10: g->odr = ((g->odr & ~(value >> 16)) | value) & 0xFFFF; break; /* set wins */
	case 0x14: g->odr &= ~value & 0xFFFF; break;
	case 0x18: g->lckr = value & 0x1FFFF; break;
	default: break;
	}
	settle(g);
}

void vb_gpio_reset(struct vb_gpio *g)
{
	g->crl = g->crh = 0x44444444;
	g->odr = g->lckr = g->idr = 0;
}

static void gpio_reset(void *ctx) { vb_gpio_reset(ctx); }
static void afio_reset(void *ctx) { vb_afio_reset(ctx); }

static const struct vb_device_ops gpio_ops = { gpio_read, gpio_write };
static const struct vb_device_ops afio_ops = { afio_read, afio_write };
static const struct vb_device_ops exti_ops = { exti_read, exti_write };

void vb_ports_init(struct vb_ports *p, struct vb_machine *m, struct vb_rcc *rcc)
{
	static const char *const name[VB_GPIO_COUNT] = { "gpioa", "gpiob", "gpioc", "gpiod" };

	*p = (struct vb_ports){ .m = m, .rcc = rcc };
	p->afio = (struct vb_afio){ .ports = p, .gate = { 0x18, 1u << 0 } };
	p->exti.ports = p;
	vb_bus_map_device(&m->bus, AFIO_BASE, 0x400, &afio_ops, &p->afio);
	vb_machine_add(m, (struct vb_device){ "afio", &p->afio, afio_reset });
	vb_bus_map_device(&m->bus, EXTI_BASE, 0x400, &exti_ops, &p->exti);
	vb_machine_add(m, (struct vb_device){ "exti", &p->exti, exti_reset });
	for (unsigned i = 0; i < VB_GPIO_COUNT; i++) {
		struct vb_gpio *g = &p->gpio[i];
		g->ports = p;
		g->gate = (struct vb_gate){ 0x18, 4u << i };
		vb_gpio_reset(g);
		vb_bus_map_device(&m->bus, GPIOA_BASE + i * 0x400, 0x400, &gpio_ops, g);
		vb_machine_add(m, (struct vb_device){ name[i], g, gpio_reset });
	}
}
