/* bus.h - the address space: memories with direct pointers, devices behind operations. */
#ifndef VB_BUS_H
#define VB_BUS_H

#include <stdbool.h>
#include <stdint.h>

/* Access widths are 1, 2 or 4 bytes; the address is aligned to the width unless the core's
 * own unaligned support has already split it. */
struct vb_device_ops {
	uint32_t (*read)(void *ctx, uint32_t offset, unsigned size);
	void (*write)(void *ctx, uint32_t offset, unsigned size, uint32_t value);
};

#define VB_MAX_WINDOWS 48

struct vb_window {
	uint32_t base, size;
	const struct vb_device_ops *ops; /* NULL for plain memory */
	void *ctx;
	uint8_t *mem;                    /* plain memory, or the readable array of flash */
	bool writable;                   /* memory: stores go straight to mem; else to ops->write */
};

struct vb_bus {
	struct vb_window window[VB_MAX_WINDOWS];
	unsigned count;
	unsigned last; /* window found last: accesses come in runs */
	/* Called after anything has changed memory the core may have decoded (stores to SRAM by
	 * the core itself are the core's own business). Set by the core. */
	void (*code_changed)(void *ctx, uint32_t addr, uint32_t size);
	void *code_ctx;
	/* The core's most used memories, found once: flash at 0x08000000 (aliased at 0) and SRAM. */
	uint8_t *flash;
	uint32_t flash_size;
	uint8_t *sram;
	uint32_t sram_size;
};

#define VB_FLASH_BASE 0x08000000u
#define VB_SRAM_BASE  0x20000000u

/* A window over plain memory (SRAM, option bytes, system memory). mem stays the caller's. */
void vb_bus_map_memory(struct vb_bus *b, uint32_t base, uint32_t size, uint8_t *mem, bool writable);
/* A window over a device. ctx stays the caller's. */
void vb_bus_map_device(struct vb_bus *b, uint32_t base, uint32_t size,
		       const struct vb_device_ops *ops, void *ctx);
/* Flash: reads come from mem, writes go to ops->write (the flash controller decides). The
 * window at VB_FLASH_BASE appears at 0 as well, as with the boot pins low. */
void vb_bus_map_flash(struct vb_bus *b, uint32_t base, uint32_t size, uint8_t *mem,
		      const struct vb_device_ops *ops, void *ctx);

/* Access from the core's data side and from the debug port alike. False: bus error (nothing
 * mapped); *value is then 0. A debug write to memory tells code_changed. */
bool vb_bus_read(struct vb_bus *b, uint32_t addr, unsigned size, uint32_t *value);
bool vb_bus_write(struct vb_bus *b, uint32_t addr, unsigned size, uint32_t value);
/* After a device has changed memory behind the bus (the flash controller after programming). */
void vb_bus_code_changed(struct vb_bus *b, uint32_t addr, uint32_t size);

#endif
