#include "vboard/bitbang.h"

void vb_bitbang_init(struct vb_bitbang *b, struct vb_dap *dap)
{
	*b = (struct vb_bitbang){ 0 };
	vb_jtag_init(&b->jtag, dap);
}

static void reset_lines(struct vb_bitbang *b, bool trst, bool srst)
{
	if (trst)
		vb_jtag_reset(&b->jtag);
	b->trst = trst;
	if (srst == b->srst)
		return;
	b->srst = srst;
	if (b->on_srst)
		b->on_srst(b->ctx, srst);
}

void vb_bitbang_released(struct vb_bitbang *b)
{
	reset_lines(b, false, false);
}

bool vb_bitbang_feed(struct vb_bitbang *b, const uint8_t *p, size_t n, struct rtb_buf *out)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t c = p[i];
		if (c >= '0' && c <= '7') {
			if (!b->trst)
				vb_jtag_pins(&b->jtag, c & 4, c & 2, c & 1);
		} else if (c == 'R') {
			rtb_buf_add(out, b->jtag.tdo ? "1" : "0", 1);
		} else if (c >= 'r' && c <= 'u') {
			unsigned lines = (unsigned)(c - 'r');
			reset_lines(b, lines & 2, lines & 1);
		} else if (c == 'Q') {
			return false;
		} else if (c != 'B' && c != 'b') {
			b->ignored++;
		}
	}
	return true;
}
