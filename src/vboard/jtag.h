/* jtag.h - the chip's scan chain (RM0008 section 31.6): TDI -> boundary-scan TAP (5-bit IR)
 * -> Cortex-M3 JTAG-DP (4-bit IR) -> TDO. Both TAPs share TCK and TMS and so always stand in
 * the same state of the IEEE 1149.1 controller.
 */
#ifndef VB_JTAG_H
#define VB_JTAG_H

#include <stdbool.h>
#include <stdint.h>

#include "vboard/dap.h"

#define VB_BS_IDCODE 0x790007A3u /* GigaDevice, GD32F10x medium density */

enum vb_tap_state {
	VB_TAP_RESET, VB_TAP_IDLE,
	VB_TAP_DR_SELECT, VB_TAP_DR_CAPTURE, VB_TAP_DR_SHIFT, VB_TAP_DR_EXIT1,
	VB_TAP_DR_PAUSE, VB_TAP_DR_EXIT2, VB_TAP_DR_UPDATE,
	VB_TAP_IR_SELECT, VB_TAP_IR_CAPTURE, VB_TAP_IR_SHIFT, VB_TAP_IR_EXIT1,
	VB_TAP_IR_PAUSE, VB_TAP_IR_EXIT2, VB_TAP_IR_UPDATE,
};

struct vb_tap {
	unsigned ir_len;
	uint32_t ir;         /* the instruction in force */
	uint32_t ir_shift;
	uint64_t dr_shift;
	unsigned dr_len;
};

struct vb_jtag {
	enum vb_tap_state state;
	struct vb_tap dp, bs;
	uint32_t dp_idcode;  /* VB_DP_IDCODE unless a test asks for another */
	bool tck, tdo;
	struct vb_dap *dap;  /* borrowed */
};

void vb_jtag_init(struct vb_jtag *j, struct vb_dap *dap);
/* TRST: both TAPs to Test-Logic-Reset with IDCODE selected. */
void vb_jtag_reset(struct vb_jtag *j);
/* Sets the pins. State moves on the rising edge of TCK, TDO on the falling one. */
void vb_jtag_pins(struct vb_jtag *j, bool tck, bool tms, bool tdi);

#endif
