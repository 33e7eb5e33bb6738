/* dwt.c - data watchpoint and trace: cycle counter and comparators (ARMv7-M ARM C1.8). The
 * event counters (CPICNT and its like) read as zero. */
#include "vboard/cpu_core.h"

enum { CTRL = 0x00, CYCCNT = 0x04, PCSR = 0x1C, COMP0 = 0x20, CYCCNTENA = 1, MATCHED = 1 << 24 };
enum { FUNC_PC = 4, FUNC_READ = 5, FUNC_WRITE = 6, FUNC_READ_WRITE = 7 };
#define CTRL_RESET 0x40000000u /* NUMCOMP = 4 */

uint32_t vb_dwt_cyccnt(const struct vb_cpu *c)
{
	const struct vb_dwt *d = &c->dwt;
	return d->running ? d->cyccnt + (uint32_t)(c->cycles - d->since) : d->cyccnt;
}

/* The counter follows the core's clock: it stands still in a halt and, unless the debug block
 * keeps the clock on, in sleep. */
void vb_dwt_update(struct vb_cpu *c)
{
	struct vb_dwt *d = &c->dwt;
	d->cyccnt = vb_dwt_cyccnt(c);
	d->since = c->cycles;
	d->running = !d->stuck && d->ctrl & CYCCNTENA && c->debug.demcr & DEMCR_TRCENA && !c->debug.halted &&
		     (!c->sleeping || c->clock_in_sleep);
}

static unsigned function(const struct vb_cpu *c, unsigned i)
{
	return c->debug.demcr & DEMCR_TRCENA ? c->dwt.function[i] & 0xF : 0;
}

/* MASK ignores that many low address bits. */
static bool covers(const struct vb_dwt *d, unsigned i, uint32_t addr, unsigned size)
{
	uint32_t span = 1u << (d->mask[i] & 31), base = d->comp[i] & ~(span - 1);
	return addr < base + span && addr + size > base;
}

bool vb_dwt_match_pc(const struct vb_cpu *c, uint32_t pc, unsigned *comparator)
{
	for (unsigned i = 0; i < 4; i++) {
		if (function(c, i) == FUNC_PC && covers(&c->dwt, i, pc, 2)) {
			*comparator = i;
			return true;
		}
	}
	return false;
}

void vb_dwt_watch(struct vb_cpu *c, uint32_t addr, unsigned size, bool write)
{
	for (unsigned i = 0; i < 4; i++) {
		unsigned f = function(c, i);
		bool wanted = f == FUNC_READ_WRITE || f == (write ? FUNC_WRITE : FUNC_READ);
		if (wanted && covers(&c->dwt, i, addr, size)) {
			c->dwt.function[i] |= MATCHED;
			vb_debug_event(c, DFSR_DWTTRAP);
			vb_attention(c);
		}
	}
}

static uint32_t dwt_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_cpu *c = ctx;
	struct vb_dwt *d = &c->dwt;
	uint32_t reg = offset & ~3u;
	(void)size;
	if (reg >= 0xFD0)
		return vb_component_id(reg, 0x4003BB002ull, 0xE);
	/* Without TRCENA the unit has no clock; this chip's bus then shows the reset value of
	 * CTRL wherever one looks. */
	if (!(c->debug.demcr & DEMCR_TRCENA))
		return CTRL_RESET;
	if (reg >= COMP0 && reg < COMP0 + 0x40) {
		unsigned i = (reg - COMP0) >> 4;
		uint32_t f = d->function[i];
		switch (reg & 0xF) {
		case 0x0: return d->comp[i];
		case 0x4: return d->mask[i];
		case 0x8: d->function[i] &= ~(uint32_t)MATCHED; return f;
		default: return 0;
		}
	}
	switch (reg) {
	case CTRL: return CTRL_RESET | d->ctrl;
	case CYCCNT: return vb_dwt_cyccnt(c);
	case PCSR: return c->debug.halted ? 0xFFFFFFFFu : c->r[15];
	default: return 0;
	}
}

static void write_comparator(struct vb_cpu *c, uint32_t reg, uint32_t value)
{
	unsigned i = (reg - COMP0) >> 4;
	switch (reg & 0xF) {
	case 0x0: c->dwt.comp[i] = value; break;
	case 0x4: c->dwt.mask[i] = value & 0x1F; break;
	case 0x8: c->dwt.function[i] = value & 0x000FFFBFu; break;
	default: return;
	}
	/* Rare enough to begin anew: comparators may stand on any instruction. */
	vb_code_forget_all(c);
	vb_access_setup(c);
}

static void dwt_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_cpu *c = ctx;
	uint32_t reg = offset & ~3u;
	(void)size;
	if (!(c->debug.demcr & DEMCR_TRCENA))
		return;
	if (reg >= COMP0 && reg < COMP0 + 0x40) {
		write_comparator(c, reg, value);
	} else if (reg == CTRL) {
		vb_dwt_update(c);
		c->dwt.ctrl = value & 0x007F1FFFu;
		vb_dwt_update(c);
	} else if (reg == CYCCNT) {
		vb_dwt_update(c);
		c->dwt.cyccnt = value;
	}
}

void vb_dwt_map(struct vb_cpu *c)
{
	static const struct vb_device_ops ops = { dwt_read, dwt_write };
	vb_bus_map_device(&c->m->bus, 0xE0001000u, 0x1000, &ops, c);
}
