/* scb.c - system control block (ARMv7-M ARM B3.2.2). */
#include "vboard/cpu_core.h"

enum {
	ACTLR = 0x008, CPUID = 0xD00, ICSR = 0xD04, VTOR = 0xD08, AIRCR = 0xD0C, SCR = 0xD10,
	CCR = 0xD14, SHPR1 = 0xD18, SHPR2 = 0xD1C, SHPR3 = 0xD20, SHCSR = 0xD24, CFSR = 0xD28,
	HFSR = 0xD2C, DFSR = 0xD30, MMFAR = 0xD34, BFAR = 0xD38, ID_FIRST = 0xD40, ID_LAST = 0xD70,
};

/* Processor features of the Cortex-M3 r2p1 (TRM 4.3, table of registers), from ID_PFR0 on. */
static const uint32_t features[] = {
	0x00000030, 0x00000200, 0x00100000, 0x00000000, 0x00100030, 0x00000000, 0x01000000,
	0x00000000, 0x01100110, 0x02111000, 0x21112231, 0x01111110, 0x01310102,
};

/* SHCSR's view of single exceptions: bit, exception, active or pending. */
static const struct { uint8_t bit, exc; bool pending; } handlers[] = {
	{ 0, VB_EXC_MEM, false }, { 1, VB_EXC_BUS, false }, { 3, VB_EXC_USAGE, false },
	{ 7, VB_EXC_SVC, false }, { 8, VB_EXC_DEBUGMON, false }, { 10, VB_EXC_PENDSV, false },
	{ 11, VB_EXC_SYSTICK, false }, { 12, VB_EXC_USAGE, true }, { 13, VB_EXC_MEM, true },
	{ 14, VB_EXC_BUS, true }, { 15, VB_EXC_SVC, true },
};

void vb_scb_reset(struct vb_cpu *c)
{
	uint32_t dfsr = c->scb.dfsr;
	c->scb = (struct vb_scb){ .ccr = CCR_STKALIGN, .dfsr = dfsr };
	vb_vectors_setup(c);
}

static bool has(const uint32_t *map, unsigned exc)
{
	return map[exc >> 5] >> (exc & 31) & 1;
}

static uint32_t read_icsr(const struct vb_cpu *c)
{
	const struct vb_nvic *n = &c->nvic;
	unsigned active = 0, irqs = n->pending[0] >> VB_EXC_IRQ0 ? 1 : 0;
	for (unsigned w = 0; w < VB_EXC_WORDS; w++)
		active += (unsigned)__builtin_popcount(n->active[w]);
	for (unsigned w = 1; w < VB_EXC_WORDS; w++)
		irqs |= n->pending[w] ? 1 : 0;
	return c->ipsr | (active <= 1 ? 1u << 11 : 0) | vb_exc_highest_pending(c) << 12 | irqs << 22 |
	       (uint32_t)has(n->pending, VB_EXC_SYSTICK) << 26 |
	       (uint32_t)has(n->pending, VB_EXC_PENDSV) << 28 |
	       (uint32_t)has(n->pending, VB_EXC_NMI) << 31;
}

static void write_icsr(struct vb_cpu *c, uint32_t v)
{
	if (v & 1u << 31)
		vb_exc_pend(c, VB_EXC_NMI);
	if (v & 1u << 28)
		vb_exc_pend(c, VB_EXC_PENDSV);
	else if (v & 1u << 27)
		vb_exc_unpend(c, VB_EXC_PENDSV);
	if (v & 1u << 26)
		vb_exc_pend(c, VB_EXC_SYSTICK);
	else if (v & 1u << 25)
		vb_exc_unpend(c, VB_EXC_SYSTICK);
}

static void write_aircr(struct vb_cpu *c, uint32_t v)
{
	if (v >> 16 != 0x05FA)
		return;
	c->scb.prigroup = v >> 8 & 7;
	if (v & 4)
		c->reset_asked = true;
	if (v & 1 && c->debug.halted)
		c->vectreset_asked = true;
	if (v & 2 && c->debug.halted) {
		memset(c->nvic.active, 0, sizeof(c->nvic.active));
		c->ipsr = 0;
	}
}

static uint32_t read_shpr(const struct vb_cpu *c, unsigned first)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < 4; i++)
		v |= (uint32_t)(uint8_t)c->nvic.prio[first + i] << 8 * i;
	return v;
}

/* Numbers without an exception behind them keep priority 0. */
static void write_shpr(struct vb_cpu *c, unsigned first, uint32_t value)
{
	const unsigned exist = 1u << VB_EXC_MEM | 1u << VB_EXC_BUS | 1u << VB_EXC_USAGE |
			       1u << VB_EXC_SVC | 1u << VB_EXC_DEBUGMON | 1u << VB_EXC_PENDSV |
			       1u << VB_EXC_SYSTICK;
	for (unsigned i = 0; i < 4; i++)
		if (exist >> (first + i) & 1)
			c->nvic.prio[first + i] = (int16_t)(value >> 8 * i & 0xF0);
}

static uint32_t read_shcsr(const struct vb_cpu *c)
{
	uint32_t v = c->scb.shcsr;
	for (unsigned i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		const uint32_t *map = handlers[i].pending ? c->nvic.pending : c->nvic.active;
		v |= (uint32_t)has(map, handlers[i].exc) << handlers[i].bit;
	}
	return v;
}

static void write_shcsr(struct vb_cpu *c, uint32_t v)
{
	c->scb.shcsr = v & (SHCSR_MEMENA | SHCSR_BUSENA | SHCSR_USGENA);
	for (unsigned i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		uint32_t *map = handlers[i].pending ? c->nvic.pending : c->nvic.active;
		uint32_t bit = 1u << handlers[i].exc; /* all below 32 */
		*map = v >> handlers[i].bit & 1 ? *map | bit : *map & ~bit;
	}
}

uint32_t vb_scb_read(struct vb_cpu *c, uint32_t reg)
{
	if (reg >= ID_FIRST && reg <= ID_LAST)
		return features[(reg - ID_FIRST) / 4];
	switch (reg) {
	case ACTLR: return c->scb.actlr;
	case CPUID: return 0x412FC231u;
	case ICSR: return read_icsr(c);
	case VTOR: return c->scb.vtor;
	case AIRCR: return 0xFA050000u | c->scb.prigroup << 8;
	case SCR: return c->scb.scr;
	case CCR: return c->scb.ccr;
	case SHPR1: return read_shpr(c, 4);
	case SHPR2: return read_shpr(c, 8);
	case SHPR3: return read_shpr(c, 12);
	case SHCSR: return read_shcsr(c);
	case CFSR: return c->scb.cfsr;
	case HFSR: return c->scb.hfsr;
	case DFSR: return c->scb.dfsr;
	case MMFAR: return c->scb.mmfar;
	case BFAR: return c->scb.bfar;
	default: return 0;
	}
}

void vb_scb_write(struct vb_cpu *c, uint32_t reg, uint32_t value)
{
	vb_attention(c);
	switch (reg) {
	case ACTLR: c->scb.actlr = value & 7; break;
	case ICSR: write_icsr(c, value); break;
	case VTOR:
		c->scb.vtor = value & 0x3FFFFF80u;
		vb_vectors_setup(c);
		break;
	case AIRCR: write_aircr(c, value); break;
	case SCR: c->scb.scr = value & (SCR_SLEEPONEXIT | SCR_SLEEPDEEP | SCR_SEVONPEND); break;
	case CCR: c->scb.ccr = value & 0x31Bu; break;
	case SHPR1: write_shpr(c, 4, value); break;
	case SHPR2: write_shpr(c, 8, value); break;
	case SHPR3: write_shpr(c, 12, value); break;
	case SHCSR: write_shcsr(c, value); break;
	case CFSR: c->scb.cfsr &= ~value; break;
	case HFSR: c->scb.hfsr &= ~value; break;
	case DFSR: c->scb.dfsr &= ~value; break;
	case MMFAR: c->scb.mmfar = value; break;
	case BFAR: c->scb.bfar = value; break;
	default: break;
	}
}
