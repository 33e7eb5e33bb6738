/* dap.h - the debug access port: a JTAG-DP and one AHB MEM-AP (ADIv5, IHI 0031; Cortex-M3 TRM
 * DDI 0337 section 11). Transactions are carried out at once, so the answer is never WAIT.
 * Not modelled: pushed compare/verify and the transaction counter, which OpenOCD does not use.
 */
#ifndef VB_DAP_H
#define VB_DAP_H

#include <stdbool.h>
#include <stdint.h>

#include "vboard/bus.h"

/* STM32F10x reference manual RM0008 section 31.6.3; GD32F10x answers the same. */
#define VB_DP_IDCODE  0x3BA00477u
#define VB_AHB_AP_IDR 0x14770011u
#define VB_ROM_TABLE  0xE00FF003u /* BASE: table at 0xE00FF000, present, 32-bit format */

struct vb_dap {
	struct vb_bus *bus;      /* borrowed */
	/* Read-out protection: true refuses a debugger's access to addr. May be NULL. */
	bool (*denied)(void *ctx, uint32_t addr);
	void *denied_ctx;
	uint32_t select;
	uint32_t ctrl_stat;
	uint32_t result;         /* what the next capture or RDBUFF returns */
	uint32_t csw, tar;
	uint64_t accesses;       /* AP transactions so far, for whoever paces the core */
};

/* Power-on state. bus stays the caller's. */
void vb_dap_init(struct vb_dap *d, struct vb_bus *bus);
/* The debug part's own reset (TRST leaves it alone; only power-on comes here). */
void vb_dap_reset(struct vb_dap *d);

/* The 35-bit value that Capture-DR of DPACC or APACC loads: ReadResult<<3 | ACK. */
uint64_t vb_dap_capture(const struct vb_dap *d);
/* Update-DR of DPACC (ap false) or APACC: DATAIN<<3 | A[3:2]<<1 | RnW. */
void vb_dap_update(struct vb_dap *d, bool ap, uint64_t dr);
/* Update-DR of ABORT. */
void vb_dap_abort(struct vb_dap *d, uint64_t dr);

#endif
