/* bus.c - the address space as an ordered search over windows. */
#include "vboard/bus.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* Where devices of the virtual chip stand is fixed in the program; overflow is a bug in it. */
static struct vb_window *new_window(struct vb_bus *b, uint32_t base, uint32_t size)
{
	if (b->count == VB_MAX_WINDOWS || size == 0)
		abort();
	struct vb_window *w = &b->window[b->count++];
	*w = (struct vb_window){ .base = base, .size = size };
	return w;
}

void vb_bus_map_memory(struct vb_bus *b, uint32_t base, uint32_t size, uint8_t *mem, bool writable)
{
	struct vb_window *w = new_window(b, base, size);
	w->mem = mem;
	w->writable = writable;
	if (base == VB_SRAM_BASE && writable) {
		b->sram = mem;
		b->sram_size = size;
	}
}

void vb_bus_map_device(struct vb_bus *b, uint32_t base, uint32_t size,
		       const struct vb_device_ops *ops, void *ctx)
{
	struct vb_window *w = new_window(b, base, size);
	w->ops = ops;
	w->ctx = ctx;
}

void vb_bus_map_flash(struct vb_bus *b, uint32_t base, uint32_t size, uint8_t *mem,
		      const struct vb_device_ops *ops, void *ctx)
{
	struct vb_window *w = new_window(b, base, size);
	w->ops = ops;
	w->ctx = ctx;
	w->mem = mem;
	if (base == VB_FLASH_BASE) {
		b->flash = mem;
		b->flash_size = size;
		vb_bus_map_flash(b, 0, size, mem, ops, ctx);
	}
}

static struct vb_window *find(struct vb_bus *b, uint32_t addr, unsigned size)
{
	struct vb_window *w = &b->window[b->last];
	if (addr - w->base < w->size && w->size - (addr - w->base) >= size)
		return w;
	for (unsigned i = 0; i < b->count; i++) {
		w = &b->window[i];
		if (addr - w->base < w->size && w->size - (addr - w->base) >= size) {
			b->last = i;
			return w;
		}
	}
	return NULL;
}

static uint32_t mem_read(const uint8_t *p, unsigned size)
{
	uint32_t v = 0;
	memcpy(&v, p, size);
	return le32toh(v);
}

bool vb_bus_read(struct vb_bus *b, uint32_t addr, unsigned size, uint32_t *value)
{
	struct vb_window *w = find(b, addr, size);
	if (!w) {
		*value = 0;
		return false;
	}
	uint32_t offset = addr - w->base;
	*value = w->mem ? mem_read(w->mem + offset, size) : w->ops->read(w->ctx, offset, size);
	return true;
}

bool vb_bus_write(struct vb_bus *b, uint32_t addr, unsigned size, uint32_t value)
{
	struct vb_window *w = find(b, addr, size);
	if (!w)
		return false;
	uint32_t offset = addr - w->base;
	if (w->mem && w->writable) {
		uint32_t le = htole32(value);
		memcpy(w->mem + offset, &le, size);
		vb_bus_code_changed(b, addr, size);
		return true;
	}
	if (!w->ops)
		return false;
	w->ops->write(w->ctx, offset, size, value);
	return true;
}

void vb_bus_code_changed(struct vb_bus *b, uint32_t addr, uint32_t size)
{
	if (b->code_changed)
		b->code_changed(b->code_ctx, addr, size);
}
