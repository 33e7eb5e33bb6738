/* romtable.c - CoreSight identification: the ROM table, and the two trace units that are only
 * present in name (ITM, TPIU: everything but their identification reads as zero). */
#include "vboard/cpu_core.h"

/* Peripheral and component ID registers 0xFD0-0xFFC (ADIv5, "Component and Peripheral ID
 * registers"): pid is the 64-bit peripheral ID, klass the component class. */
uint32_t vb_component_id(uint32_t reg, uint64_t pid, unsigned klass)
{
	static const uint8_t component[4] = { 0x0D, 0x00, 0x05, 0xB1 };
	if (reg < 0xFD0 || reg > 0xFFC)
		return 0;
	unsigned i = (reg - 0xFD0) / 4;
	if (i < 4)
		return (uint8_t)(pid >> (32 + 8 * i));
	if (i < 8)
		return (uint8_t)(pid >> 8 * (i - 4));
	return component[i - 8] | (i == 9 ? klass << 4 : 0);
}

/* Offsets from the table to the units, bit 1: 32-bit format, bit 0: present (TRM 4.2 table
 * "ROM table": SCS, DWT, FPB, ITM, TPIU, ETM). */
static const uint32_t entries[] = {
	0xFFF0F003, 0xFFF02003, 0xFFF03003, 0xFFF01003, 0xFFF41003, 0xFFF42002, 0,
};

/* Designer 7 * 127 + 0x51 is GigaDevice (JEP106), as in the boundary scan TAP's id. */
static uint32_t rom_read(void *ctx, uint32_t offset, unsigned size)
{
	(void)ctx;
	(void)size;
	if (offset / 4 < sizeof(entries) / sizeof(entries[0]))
		return entries[offset / 4];
	if (offset == 0xFCC)
		return 1; /* MEMTYPE: system memory can be reached from here */
	return vb_component_id(offset & ~3u, 0x7000D1410ull, 0x1);
}

static uint32_t itm_read(void *ctx, uint32_t offset, unsigned size)
{
	(void)ctx;
	(void)size;
	return vb_component_id(offset & ~3u, 0x4003BB001ull, 0xE);
}

static uint32_t tpiu_read(void *ctx, uint32_t offset, unsigned size)
{
	(void)ctx;
	(void)size;
	return vb_component_id(offset & ~3u, 0x4003BB923ull, 0x9);
}

static void write_nothing(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	(void)ctx;
	(void)offset;
	(void)size;
	(void)value;
}

void vb_romtable_map(struct vb_cpu *c)
{
	static const struct vb_device_ops rom = { rom_read, write_nothing };
	static const struct vb_device_ops itm = { itm_read, write_nothing };
	static const struct vb_device_ops tpiu = { tpiu_read, write_nothing };
	struct vb_bus *b = &c->m->bus;
	vb_bus_map_device(b, 0xE0000000u, 0x1000, &itm, c);
	vb_bus_map_device(b, 0xE0040000u, 0x1000, &tpiu, c);
	vb_bus_map_device(b, 0xE00FF000u, 0x1000, &rom, c);
}
