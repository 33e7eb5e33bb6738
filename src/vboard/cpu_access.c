/* cpu_access.c - data accesses off the direct path: devices, bit-band, unaligned, faults
 * (ARMv7-M ARM A3.2, B3.1; Cortex-M3 TRM 3.4, 3.7 bit-banding). */
#include "vboard/cpu_core.h"

void vb_access_setup(struct vb_cpu *c)
{
	const struct vb_bus *b = &c->m->bus;
	bool watching = false;
	if (c->debug.demcr & DEMCR_TRCENA)
		for (unsigned i = 0; i < 4; i++)
			watching |= (c->dwt.function[i] & 0xF) >= 5 && (c->dwt.function[i] & 0xF) <= 7;
	c->watching = watching;
	c->sram = b->sram;
	c->flash = b->flash;
	c->sram_span = !watching && b->sram_size > 3 ? b->sram_size - 3 : 0;
	c->flash_span = !watching && b->flash_size > 3 ? b->flash_size - 3 : 0;
}

/* The vector table is looked up once, when it moves. */
void vb_vectors_setup(struct vb_cpu *c)
{
	const struct vb_bus *b = &c->m->bus;
	uint32_t base = c->scb.vtor;
	c->vectors = NULL;
	for (unsigned i = 0; i < b->count && !c->vectors; i++) {
		const struct vb_window *w = &b->window[i];
		uint32_t off = base - w->base;
		if (w->mem && off < w->size && w->size - off >= 4 * VB_EXC_COUNT)
			c->vectors = w->mem + off;
	}
}

bool vb_vector_read(struct vb_cpu *c, unsigned exc, uint32_t *value)
{
	if (VB_UNLIKELY(!c->vectors))
		return vb_bus_read(&c->m->bus, c->scb.vtor + 4 * exc, 4, value);
	*value = vb_get(c->vectors + 4 * exc, 4);
	return true;
}

static bool bus_fault(struct vb_cpu *c, uint32_t addr)
{
	if (c->scb.ccr & CCR_BFHFNMIGN && vb_exec_priority(c) <= -1)
		return true; /* HardFault and NMI handlers probe memory with this bit */
	c->scb.bfar = addr;
	vb_fault(c, VB_EXC_BUS, CFSR_PRECISERR | CFSR_BFARVALID);
	return false;
}

/* A store through the write buffer fails after the instruction has ended: the fault is pended,
 * not raised, and carries no address (TRM 6.2). */
static bool buffered_store_fault(struct vb_cpu *c, uint32_t addr)
{
	if (c->scb.actlr & ACTLR_DISDEFWBUF)
		return bus_fault(c, addr);
	if (c->scb.ccr & CCR_BFHFNMIGN && vb_exec_priority(c) <= -1)
		return true;
	if (!(c->scb.shcsr & SHCSR_BUSENA)) {
		vb_fault(c, VB_EXC_BUS, CFSR_IMPRECISERR);
		return !c->lockup;
	}
	c->scb.cfsr |= CFSR_IMPRECISERR;
	vb_exc_pend(c, VB_EXC_BUS);
	return true;
}

/* The private peripheral bus is privileged, but for the software trigger where allowed. */
static bool may_access(const struct vb_cpu *c, uint32_t addr)
{
	if (addr >> 20 != 0xE00)
		return true;
	if (vb_privileged(c) && !c->unprivileged_access)
		return true;
	return addr == 0xE000EF00u && c->scb.ccr & CCR_USERSETMPEND;
}

static bool bit_band(uint32_t addr, uint32_t *target, unsigned size, unsigned *bit)
{
	uint32_t region = addr & 0xFE000000u;
	if (region != 0x22000000u && region != 0x42000000u)
		return false;
	uint32_t index = (addr & 0x01FFFFFFu) >> 2, byte = index >> 3;
	*target = (addr & 0xF0000000u) + (byte & ~(uint32_t)(size - 1));
	*bit = (byte & (size - 1)) * 8 + (index & 7);
	return true;
}

static bool bus_read(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t *value)
{
	uint32_t target;
	unsigned bit;
	if (bit_band(addr, &target, size, &bit)) {
		bool ok = vb_bus_read(&c->m->bus, target, size, value);
		*value = *value >> bit & 1;
		return ok;
	}
	return vb_bus_read(&c->m->bus, addr, size, value);
}

static bool bus_write(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t value)
{
	uint32_t target, old;
	unsigned bit;
	if (bit_band(addr, &target, size, &bit)) {
		if (!vb_bus_read(&c->m->bus, target, size, &old))
			return false;
		value = (old & ~(1u << bit)) | (value & 1) << bit;
		return vb_bus_write(&c->m->bus, target, size, value);
	}
	return vb_bus_write(&c->m->bus, addr, size, value);
}

/* The size of the pieces that an unaligned access is made of. Loads pay a cycle for each piece
 * after the first; stores drain through the write buffer. */
static unsigned piece_size(uint32_t addr, unsigned size)
{
	return size == 4 && !(addr & 1) ? 2 : 1;
}

static unsigned penalty(uint32_t addr, unsigned size)
{
	return size == 4 && addr & 1 ? 2 : 1;
}

/* Unaligned accesses to the private peripheral bus always fault, elsewhere on demand. */
static bool unaligned_allowed(struct vb_cpu *c, uint32_t addr)
{
	if (!(c->scb.ccr & CCR_UNALIGN_TRP) && addr >> 20 != 0xE00)
		return true;
	vb_fault(c, VB_EXC_USAGE, CFSR_UNALIGNED);
	return false;
}

static bool read_piece(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t *value)
{
	*value = 0;
	if (!may_access(c, addr) || !bus_read(c, addr, size, value))
		return bus_fault(c, addr);
	return true;
}

/* Behind a device access anything may have changed (interrupts, events, clocks): the run loop
 * looks again. */
static void leave_core(struct vb_cpu *c, bool ok, uint32_t addr, unsigned size, bool write)
{
	const struct vb_bus *b = &c->m->bus;
	c->core_access = false;
	if (addr - VB_SRAM_BASE >= b->sram_size && addr - VB_FLASH_BASE >= b->flash_size)
		vb_attention(c);
	if (ok && c->watching)
		vb_dwt_watch(c, addr, size, write);
}

bool vb_slow_read(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t *value)
{
	bool ok = true;
	*value = 0;
	c->core_access = true;
	if ((addr & (size - 1)) == 0) {
		ok = read_piece(c, addr, size, value);
	} else if (!unaligned_allowed(c, addr)) {
		ok = false;
	} else {
		unsigned step = piece_size(addr, size);
		for (unsigned i = 0; i < size && ok; i += step) {
			uint32_t part;
			ok = read_piece(c, addr + i, step, &part);
			*value |= part << 8 * i;
		}
		c->cycles += penalty(addr, size);
	}
	leave_core(c, ok, addr, size, false);
	return ok;
}

static bool write_piece(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t value)
{
	if (!may_access(c, addr))
		return bus_fault(c, addr);
	if (bus_write(c, addr, size, value))
		return true;
	return addr >> 20 == 0xE00 ? bus_fault(c, addr) : buffered_store_fault(c, addr);
}

bool vb_slow_write(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t value)
{
	bool ok = true;
	c->core_access = true;
	if ((addr & (size - 1)) == 0) {
		ok = write_piece(c, addr, size, value);
	} else if (!unaligned_allowed(c, addr)) {
		ok = false;
	} else {
		unsigned step = piece_size(addr, size);
		for (unsigned i = 0; i < size && ok; i += step)
			ok = write_piece(c, addr + i, step, value >> 8 * i);
	}
	leave_core(c, ok, addr, size, true);
	return ok;
}

/* Straight to SRAM where it can: interrupts are what this board is for. */
bool vb_stack_read(struct vb_cpu *c, uint32_t addr, uint32_t *value)
{
	uint32_t off = addr - VB_SRAM_BASE;
	if (VB_LIKELY(off < c->sram_span)) {
		*value = vb_get(c->sram + off, 4);
		return true;
	}
	return vb_bus_read(&c->m->bus, addr, 4, value);
}

bool vb_stack_write(struct vb_cpu *c, uint32_t addr, uint32_t value)
{
	if (VB_LIKELY(addr - VB_SRAM_BASE < c->sram_span))
		return vb_store(c, addr, 4, value);
	return vb_bus_write(&c->m->bus, addr, 4, value);
}
