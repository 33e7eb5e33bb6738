/* chip.h - the GD32F103CBT6 put together: core, memories and devices, without anything of the
 * outside world. 128 KiB flash, 20 KiB SRAM, Cortex-M3.
 */
#ifndef VB_CHIP_H
#define VB_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "vboard/fmc.h"
#include "vboard/machine.h"
#include "vboard/ports.h"
#include "vboard/rcc.h"
#include "vboard/tim2.h"
#include "vboard/usart.h"

#define VB_SRAM_SIZE   (20u * 1024)
#define VB_SYSMEM_BASE 0x1FFFF000u
#define VB_SYSMEM_SIZE 0x800u
#define VB_UID_BYTES   12u

#define VB_DBGMCU_IDCODE 0x20036410u /* revision and device id, medium density */

/* Power control and the backup registers, as far as software looks at them. */
struct vb_backup {
	struct vb_chip *chip;
	uint32_t pwr_cr, pwr_csr;
	uint32_t reg[0x40 / 4];
};

struct vb_chip {
	struct vb_machine m;
	struct vb_rcc rcc;
	struct vb_fmc fmc;
	struct vb_usart usart;
	struct vb_tim2 tim2, tim3;
	struct vb_ports ports;
	struct vb_backup backup;
	uint32_t dbgmcu_cr; /* survives a system reset */
	uint64_t reset_cycle;   /* when the last system reset was */
	unsigned resets;        /* system resets since the program began, power-on being the first */
	bool powering_on;
	/* Told after each reset. May be NULL. */
	void (*on_reset)(void *ctx);
	void *reset_ctx;
	uint8_t flash[VB_FLASH_SIZE];
	uint8_t sram[VB_SRAM_SIZE];
	uint8_t sysmem[VB_SYSMEM_SIZE];
};

/* Builds the chip, erased and unpowered; vb_chip_reset(VB_CAUSE_POWER) starts it. c is large:
 * allocate it. Everything refers to its address, so it must not move. */
void vb_chip_init(struct vb_chip *c);
void vb_chip_free(struct vb_chip *c);
/* A reset from outside the core. */
void vb_chip_reset(struct vb_chip *c, enum vb_reset_cause cause);
void vb_chip_set_uid(struct vb_chip *c, const uint8_t uid[VB_UID_BYTES]);

#endif
