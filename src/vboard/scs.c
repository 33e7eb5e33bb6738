/* scs.c - the system control space at 0xE000E000: which register belongs to whom, narrow
 * accesses, component identification (ARMv7-M ARM B3.2). */
#include "vboard/cpu_core.h"

static uint32_t read_word(struct vb_cpu *c, uint32_t reg)
{
	if (reg >= 0x010 && reg < 0x020)
		return vb_systick_read(c, reg);
	if (reg == 0x004 || (reg >= 0x100 && reg < 0x500))
		return vb_nvic_read(c, reg);
	if (reg >= 0xDF0 && reg < 0xE00)
		return vb_debug_read(c, reg);
	if (reg >= 0xFD0)
		return vb_component_id(reg, 0x4000BB000ull, 0xE);
	return vb_scb_read(c, reg);
}

static void write_word(struct vb_cpu *c, uint32_t reg, uint32_t value)
{
	if (reg >= 0x010 && reg < 0x020)
		vb_systick_write(c, reg, value);
	else if ((reg >= 0x100 && reg < 0x500) || reg == 0xF00)
		vb_nvic_write(c, reg, value);
	else if (reg >= 0xDF0 && reg < 0xE00)
		vb_debug_write(c, reg, value);
	else
		vb_scb_write(c, reg, value);
}

static uint32_t scs_read(void *ctx, uint32_t offset, unsigned size)
{
	uint32_t word = read_word(ctx, offset & ~3u) >> 8 * (offset & 3);
	return size == 4 ? word : word & ((1u << 8 * size) - 1);
}

/* Priorities may be written by byte and half-word; the write-one-to-clear status as well, where
 * the other bytes must see zeros. */
static void scs_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	uint32_t reg = offset & ~3u;
	unsigned shift = 8 * (offset & 3);
	if (size < 4) {
		uint32_t mask = ((1u << 8 * size) - 1) << shift;
		bool clears = reg == 0xD28 || reg == 0xD2C || reg == 0xD30;
		value = value << shift & mask;
		if (!clears)
			value |= read_word(ctx, reg) & ~mask;
	}
	write_word(ctx, reg, value);
}

void vb_scs_map(struct vb_cpu *c)
{
	static const struct vb_device_ops ops = { scs_read, scs_write };
	vb_bus_map_device(&c->m->bus, 0xE000E000u, 0x1000, &ops, c);
}
