/* fmc.h - the flash memory controller of the GD32F103CB (GD32F10x user manual, FMC; PM0075):
 * 128 pages of 1 KiB, option bytes, protection. Erasing and programming take real time on the
 * time line; the array changes when the operation starts.
 */
#ifndef VB_FMC_H
#define VB_FMC_H

#include <stdbool.h>
#include <stdint.h>

#include "vboard/rcc.h"

#define VB_FLASH_SIZE   (128u * 1024)
#define VB_FLASH_PAGE   1024u
#define VB_OPTION_BASE  0x1FFFF800u
#define VB_OPTION_BYTES 16u

struct vb_fmc {
	struct vb_machine *m;
	struct vb_rcc *rcc;
	uint8_t *array;         /* VB_FLASH_SIZE bytes, the chip's */
	uint8_t option[VB_OPTION_BYTES];

	uint32_t acr, sr, cr, ar;
	uint32_t obr, wrpr;     /* loaded from the option bytes at reset */
	unsigned key_step, optkey_step;
	bool key_dead;          /* a wrong key was given: locked until reset */
	uint64_t busy_until;    /* cycle */
	uint32_t done_flags;    /* SR flags that the running operation ends with */
	struct vb_event done;

	/* Half-words programmed since power-on; hook is told of each one. May be NULL. */
	uint64_t programmed;
	void (*on_program)(void *ctx, uint64_t count);
	void *program_ctx;

	/* Faults on demand */
	bool ignore;            /* operations end well and change nothing */
	bool worn;              /* the cell at worn_addr keeps its lowest bit at 0 */
	uint32_t worn_addr;
};

void vb_fmc_init(struct vb_fmc *f, struct vb_machine *m, struct vb_rcc *rcc, uint8_t *array);
/* Options of a chip fresh from the factory, or with read-out and all write protection on.
 * In force at once. */
void vb_fmc_options(struct vb_fmc *f, bool protect);
/* Whether a debugger may not read the array (read-out protection in force). */
bool vb_fmc_read_protected(const struct vb_fmc *f);

#endif
