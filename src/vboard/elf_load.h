/* elf_load.h - puts an ELF32 ARM executable into the chip's memories, for starting a program
 * without a debugger. The file is checked before a byte is stored.
 */
#ifndef VB_ELF_LOAD_H
#define VB_ELF_LOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A memory that a segment may be loaded into. mem stays the caller's. */
struct vb_region {
	const char *name;
	uint32_t base, size;
	uint8_t *mem;
};

/* Stores every PT_LOAD segment with file contents at its physical address, where the start-up
 * code expects to find it. RTB_IMAGE says what is wrong and leaves the memories as they were:
 * not a 32-bit little-endian ARM executable, headers or contents outside the file, a segment
 * outside the regions, two segments over one another, nothing to load. name is for the text. */
enum rtb_status vb_elf_load(const uint8_t *data, size_t size, const char *name,
			    const struct vb_region *region, unsigned regions, struct rtb_error *e);

/* The same from a file; RTB_NOT_FOUND when it cannot be read. At most 64 MiB are looked at. */
enum rtb_status vb_elf_load_file(const char *path, const struct vb_region *region,
				 unsigned regions, struct rtb_error *e);

#endif
