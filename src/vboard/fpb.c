/* fpb.c - flash patch and breakpoint unit (ARMv7-M ARM C1.11): six code comparators that
 * break, two literal comparators that are kept but patch nothing (remapping is not modelled). */
#include "vboard/cpu_core.h"

enum { CTRL = 0x000, REMAP = 0x004, COMP0 = 0x008, ENABLE = 1, KEY = 2, CODE_COMPARATORS = 6 };

bool vb_fpb_breaks(const struct vb_cpu *c, uint32_t pc)
{
	if (!(c->fpb.ctrl & ENABLE) || pc >= 0x20000000u)
		return false;
	for (unsigned i = 0; i < CODE_COMPARATORS; i++) {
		uint32_t v = c->fpb.comp[i];
		if (v & 1 && (v & 0x1FFFFFFCu) == (pc & ~3u) && v >> 30 & (pc & 2 ? 2 : 1))
			return true;
	}
	return false;
}

static void forget_comparator(struct vb_cpu *c, unsigned i)
{
	if (i < CODE_COMPARATORS)
		vb_code_changed(c, c->fpb.comp[i] & 0x1FFFFFFCu, 4);
}

static uint32_t fpb_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_cpu *c = ctx;
	uint32_t reg = offset & ~3u;
	(void)size;
	if (reg >= 0xFD0)
		return vb_component_id(reg, 0x4002BB003ull, 0xE);
	if (reg >= COMP0 && reg < COMP0 + 4 * 8)
		return c->fpb.comp[(reg - COMP0) / 4];
	switch (reg) {
	case CTRL: return 0x260u | c->fpb.ctrl; /* NUM_CODE 6, NUM_LIT 2 */
	case REMAP: return 0x20000000u | c->fpb.remap;
	default: return 0;
	}
}

static void fpb_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_cpu *c = ctx;
	uint32_t reg = offset & ~3u;
	(void)size;
	if (reg == CTRL && value & KEY) {
		c->fpb.ctrl = value & ENABLE;
		for (unsigned i = 0; i < CODE_COMPARATORS; i++)
			forget_comparator(c, i);
	} else if (reg == REMAP) {
		c->fpb.remap = value & 0x1FFFFFE0u;
	} else if (reg >= COMP0 && reg < COMP0 + 4 * 8) {
		unsigned i = (reg - COMP0) / 4;
		forget_comparator(c, i);
		c->fpb.comp[i] = value & 0xDFFFFFFDu;
		forget_comparator(c, i);
	}
}

void vb_fpb_map(struct vb_cpu *c)
{
	static const struct vb_device_ops ops = { fpb_read, fpb_write };
	vb_bus_map_device(&c->m->bus, 0xE0002000u, 0x1000, &ops, c);
}
