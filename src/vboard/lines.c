#include "vboard/lines.h"

void vb_lines_init(struct vb_lines *l, struct vb_dap *dap)
{
	*l = (struct vb_lines){ 0 };
	vb_jtag_init(&l->jtag, dap);
}

static bool is_cut_off(const struct vb_lines *l)
{
	return l->cut_off && *l->cut_off;
}

bool vb_lines_tdo(const struct vb_lines *l)
{
	return l->jtag.tdo || is_cut_off(l);
}

void vb_lines_pins(struct vb_lines *l, bool tck, bool tms, bool tdi)
{
	if (!l->trst && !is_cut_off(l))
		vb_jtag_pins(&l->jtag, tck, tms, tdi);
}

void vb_lines_reset(struct vb_lines *l, bool trst, bool srst)
{
	if (trst && !is_cut_off(l))
		vb_jtag_reset(&l->jtag);
	l->trst = trst;
	if (srst == l->srst)
		return;
	l->srst = srst;
	if (l->on_srst)
		l->on_srst(l->ctx, srst);
}

void vb_lines_released(struct vb_lines *l)
{
	vb_lines_reset(l, false, false);
}
