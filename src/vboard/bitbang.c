#include "vboard/bitbang.h"

bool vb_bitbang_feed(struct vb_lines *l, const uint8_t *p, size_t n, struct rtb_buf *out)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t c = p[i];
		if (c >= '0' && c <= '7') {
			vb_lines_pins(l, c & 4, c & 2, c & 1);
		} else if (c == 'R') {
			rtb_buf_add(out, vb_lines_tdo(l) ? "1" : "0", 1);
		} else if (c >= 'r' && c <= 'u') {
			unsigned lines = (unsigned)(c - 'r');
			vb_lines_reset(l, lines & 2, lines & 1);
		} else if (c == 'Q') {
			return false;
		} else if (c != 'B' && c != 'b') {
			l->ignored++;
		}
	}
	return true;
}
