/* nvic.c - interrupt enables, pending bits, priorities (ARMv7-M ARM B3.4). */
#include "vboard/cpu_core.h"

#define IRQ_WORDS ((VB_IRQ_COUNT + 31) / 32)

static uint32_t valid(unsigned w)
{
	unsigned left = VB_IRQ_COUNT - 32 * w;
	return left >= 32 ? ~0u : (1u << left) - 1;
}

/* Interrupts begin at exception 16: 32 of them lie across two words of a map. */
static uint32_t get_irqs(const uint32_t *map, unsigned w)
{
	uint64_t both = map[w];
	if (w + 1 < VB_EXC_WORDS)
		both |= (uint64_t)map[w + 1] << 32;
	return (uint32_t)(both >> VB_EXC_IRQ0) & valid(w);
}

static void change_irqs(uint32_t *map, unsigned w, uint32_t bits, bool set)
{
	uint64_t both = (uint64_t)(bits & valid(w)) << VB_EXC_IRQ0;
	uint32_t part[2] = { (uint32_t)both, (uint32_t)(both >> 32) };
	for (unsigned i = 0; i < 2 && w + i < VB_EXC_WORDS; i++)
		map[w + i] = set ? map[w + i] | part[i] : map[w + i] & ~part[i];
}

void vb_nvic_reset(struct vb_cpu *c)
{
	uint32_t lines[VB_EXC_WORDS];
	memcpy(lines, c->nvic.line, sizeof(lines));
	c->nvic = (struct vb_nvic){ 0 };
	memcpy(c->nvic.line, lines, sizeof(lines));
	c->nvic.enabled[0] = 0xFFFFu; /* system exceptions have no enable here */
	c->nvic.prio[VB_EXC_RESET] = -3;
	c->nvic.prio[VB_EXC_NMI] = -2;
	c->nvic.prio[VB_EXC_HARD] = -1;
}

static uint32_t read_priorities(const struct vb_cpu *c, unsigned irq)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < 4 && irq + i < VB_IRQ_COUNT; i++)
		v |= (uint32_t)(uint8_t)c->nvic.prio[VB_EXC_IRQ0 + irq + i] << 8 * i;
	return v;
}

static void write_priorities(struct vb_cpu *c, unsigned irq, uint32_t value)
{
	for (unsigned i = 0; i < 4 && irq + i < VB_IRQ_COUNT; i++)
		c->nvic.prio[VB_EXC_IRQ0 + irq + i] = (int16_t)(value >> 8 * i & 0xF0);
}

uint32_t vb_nvic_read(struct vb_cpu *c, uint32_t reg)
{
	unsigned w = (reg & 0x7F) / 4;
	if (reg == 0x004)
		return IRQ_WORDS - 1; /* ICTR */
	if (reg >= 0x400)
		return read_priorities(c, reg - 0x400);
	if (w >= IRQ_WORDS)
		return 0;
	switch (reg & 0x780) {
	case 0x100: case 0x180: return get_irqs(c->nvic.enabled, w);
	case 0x200: case 0x280: return get_irqs(c->nvic.pending, w);
	case 0x300: return get_irqs(c->nvic.active, w);
	default: return 0;
	}
}

static void pend_irqs(struct vb_cpu *c, unsigned w, uint32_t bits)
{
	for (bits &= valid(w); bits; bits &= bits - 1)
		vb_exc_pend(c, VB_EXC_IRQ0 + 32 * w + (unsigned)__builtin_ctz(bits));
}

void vb_nvic_write(struct vb_cpu *c, uint32_t reg, uint32_t value)
{
	unsigned w = (reg & 0x7F) / 4;
	vb_attention(c);
	if (reg == 0xF00) { /* STIR */
		if ((value & 0x1FF) < VB_IRQ_COUNT)
			vb_exc_pend(c, VB_EXC_IRQ0 + (value & 0x1FF));
	} else if (reg >= 0x400) {
		write_priorities(c, reg - 0x400, value);
	} else if (w < IRQ_WORDS) {
		switch (reg & 0x780) {
		case 0x100: change_irqs(c->nvic.enabled, w, value, true); break;
		case 0x180: change_irqs(c->nvic.enabled, w, value, false); break;
		case 0x200: pend_irqs(c, w, value); break;
		case 0x280: /* a line that is still up keeps its interrupt pending */
			change_irqs(c->nvic.pending, w, value & ~get_irqs(c->nvic.line, w), false);
			break;
		default: break;
		}
	}
}
