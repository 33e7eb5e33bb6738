#include "vboard/jtag.h"

/* Instructions of the JTAG-DP (ADIv5, the JTAG-DP scan chains) and of the boundary-scan TAP */
#define DP_ABORT   0x8u
#define DP_DPACC   0xAu
#define DP_APACC   0xBu
#define DP_IDCODE  0xEu
#define DP_BYPASS  0xFu
#define BS_IDCODE  0x01u
#define BS_BYPASS  0x1Fu

#define ACC_BITS 35u /* three bits of address and direction, 32 of data */

/* next[state][tms]: the state diagram of IEEE 1149.1 */
static const uint8_t next[16][2] = {
	[VB_TAP_RESET]      = { VB_TAP_IDLE, VB_TAP_RESET },
	[VB_TAP_IDLE]       = { VB_TAP_IDLE, VB_TAP_DR_SELECT },
	[VB_TAP_DR_SELECT]  = { VB_TAP_DR_CAPTURE, VB_TAP_IR_SELECT },
	[VB_TAP_DR_CAPTURE] = { VB_TAP_DR_SHIFT, VB_TAP_DR_EXIT1 },
	[VB_TAP_DR_SHIFT]   = { VB_TAP_DR_SHIFT, VB_TAP_DR_EXIT1 },
	[VB_TAP_DR_EXIT1]   = { VB_TAP_DR_PAUSE, VB_TAP_DR_UPDATE },
	[VB_TAP_DR_PAUSE]   = { VB_TAP_DR_PAUSE, VB_TAP_DR_EXIT2 },
	[VB_TAP_DR_EXIT2]   = { VB_TAP_DR_SHIFT, VB_TAP_DR_UPDATE },
	[VB_TAP_DR_UPDATE]  = { VB_TAP_IDLE, VB_TAP_DR_SELECT },
	[VB_TAP_IR_SELECT]  = { VB_TAP_IR_CAPTURE, VB_TAP_RESET },
	[VB_TAP_IR_CAPTURE] = { VB_TAP_IR_SHIFT, VB_TAP_IR_EXIT1 },
	[VB_TAP_IR_SHIFT]   = { VB_TAP_IR_SHIFT, VB_TAP_IR_EXIT1 },
	[VB_TAP_IR_EXIT1]   = { VB_TAP_IR_PAUSE, VB_TAP_IR_UPDATE },
	[VB_TAP_IR_PAUSE]   = { VB_TAP_IR_PAUSE, VB_TAP_IR_EXIT2 },
	[VB_TAP_IR_EXIT2]   = { VB_TAP_IR_SHIFT, VB_TAP_IR_UPDATE },
	[VB_TAP_IR_UPDATE]  = { VB_TAP_IDLE, VB_TAP_DR_SELECT },
};

void vb_jtag_init(struct vb_jtag *j, struct vb_dap *dap)
{
	*j = (struct vb_jtag){ .dap = dap, .dp_idcode = VB_DP_IDCODE };
	j->dp.ir_len = 4;
	j->bs.ir_len = 5;
	vb_jtag_reset(j);
}

void vb_jtag_reset(struct vb_jtag *j)
{
	j->state = VB_TAP_RESET;
	j->dp.ir = DP_IDCODE;
	j->bs.ir = BS_IDCODE;
}

static void capture_dr(struct vb_jtag *j)
{
	j->dp.dr_len = 1;
	j->dp.dr_shift = 0;
	switch (j->dp.ir) {
	case DP_IDCODE:
		j->dp.dr_len = 32;
		j->dp.dr_shift = j->dp_idcode;
		break;
	case DP_ABORT:
		j->dp.dr_len = ACC_BITS;
		break;
	case DP_DPACC:
	case DP_APACC:
		j->dp.dr_len = ACC_BITS;
		j->dp.dr_shift = vb_dap_capture(j->dap);
		break;
	default:
		break; /* BYPASS, and every code without a meaning */
	}
	j->bs.dr_len = j->bs.ir == BS_IDCODE ? 32 : 1;
	j->bs.dr_shift = j->bs.ir == BS_IDCODE ? VB_BS_IDCODE : 0;
}

static void update_dr(struct vb_jtag *j)
{
	switch (j->dp.ir) {
	case DP_ABORT:
		vb_dap_abort(j->dap, j->dp.dr_shift);
		break;
	case DP_DPACC:
	case DP_APACC:
		vb_dap_update(j->dap, j->dp.ir == DP_APACC, j->dp.dr_shift);
		break;
	default:
		break;
	}
}

/* One bit through the chain: in at the boundary-scan TAP, its last bit into the DP. */
static void shift_dr(struct vb_jtag *j, bool tdi)
{
	uint64_t link = j->bs.dr_shift & 1;

	j->bs.dr_shift = j->bs.dr_shift >> 1 | (uint64_t)tdi << (j->bs.dr_len - 1);
	j->dp.dr_shift = j->dp.dr_shift >> 1 | link << (j->dp.dr_len - 1);
}

static void shift_ir(struct vb_jtag *j, bool tdi)
{
	uint32_t link = j->bs.ir_shift & 1;

	j->bs.ir_shift = j->bs.ir_shift >> 1 | (uint32_t)tdi << (j->bs.ir_len - 1);
	j->dp.ir_shift = j->dp.ir_shift >> 1 | link << (j->dp.ir_len - 1);
}

static void rising(struct vb_jtag *j, bool tms, bool tdi)
{
	if (j->state == VB_TAP_DR_SHIFT)
		shift_dr(j, tdi);
	else if (j->state == VB_TAP_IR_SHIFT)
		shift_ir(j, tdi);

	j->state = next[j->state][tms];
	switch (j->state) {
	case VB_TAP_RESET:
		vb_jtag_reset(j);
		break;
	case VB_TAP_DR_CAPTURE:
		capture_dr(j);
		break;
	case VB_TAP_IR_CAPTURE: /* both capture ...01, which lets a debugger count the bits */
		j->dp.ir_shift = 1;
		j->bs.ir_shift = 1;
		break;
	case VB_TAP_DR_UPDATE:
		update_dr(j);
		break;
	case VB_TAP_IR_UPDATE:
		j->dp.ir = j->dp.ir_shift;
		j->bs.ir = j->bs.ir_shift;
		break;
	default:
		break;
	}
}

void vb_jtag_pins(struct vb_jtag *j, bool tck, bool tms, bool tdi)
{
	if (tck && !j->tck) {
		rising(j, tms, tdi);
	} else if (!tck && j->tck) {
		if (j->state == VB_TAP_DR_SHIFT)
			j->tdo = j->dp.dr_shift & 1;
		else if (j->state == VB_TAP_IR_SHIFT)
			j->tdo = j->dp.ir_shift & 1;
	}
	j->tck = tck;
}
