#include "report/diff.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 4000 /* the table below has the product of both */

struct lines { const char **at; size_t *len; size_t count; };

static struct lines split(const char *text)
{
	struct lines l = {0};
	size_t cap = 0;
	while (*text) {
		if (l.count == cap) {
			cap = cap ? cap * 2 : 64;
			l.at = rtb_realloc(l.at, cap * sizeof *l.at);
			l.len = rtb_realloc(l.len, cap * sizeof *l.len);
		}
		size_t n = strcspn(text, "\n");
		l.at[l.count] = text;
		l.len[l.count++] = n;
		text += n + (text[n] == '\n');
	}
	return l;
}

static bool same(const struct lines *a, size_t i, const struct lines *b, size_t j)
{
	return a->len[i] == b->len[j] && memcmp(a->at[i], b->at[j], a->len[i]) == 0;
}

static void put(struct rtb_buf *out, bool color, char mark, const struct lines *l, size_t i)
{
	rtb_buf_fmt(out, "%s%c%.*s%s\n", !color ? "" : mark == '-' ? "\x1b[31m" : "\x1b[32m", mark,
		    (int)l->len[i], l->at[i], color ? "\x1b[0m" : "");
}

/* longest[i][j]: lines in common of a from i on and b from j on. */
static uint16_t *common(const struct lines *a, size_t na, const struct lines *b, size_t nb)
{
	uint16_t *longest = rtb_alloc((na + 1) * (nb + 1) * sizeof *longest);
	for (size_t i = na; i-- > 0;)
		for (size_t j = nb; j-- > 0;) {
			uint16_t skip_a = longest[(i + 1) * (nb + 1) + j], skip_b = longest[i * (nb + 1) + j + 1];
			longest[i * (nb + 1) + j] = same(a, i, b, j) ? longest[(i + 1) * (nb + 1) + j + 1] + 1
						  : skip_a > skip_b ? skip_a : skip_b;
		}
	return longest;
}

bool rtb_line_diff(const char *ta, const char *tb, bool color, struct rtb_buf *out)
{
	struct lines a = split(ta), b = split(tb);
	size_t na = a.count < LINES_MAX ? a.count : LINES_MAX, nb = b.count < LINES_MAX ? b.count : LINES_MAX;
	uint16_t *longest = common(&a, na, &b, nb);
	bool differ = false, open = false;
	size_t i = 0, j = 0;
	while (i < a.count || j < b.count) {
		if (i < a.count && j < b.count && same(&a, i, &b, j)) {
			open = false;
			i++;
			j++;
			continue;
		}
		if (!open)
			rtb_buf_fmt(out, "@@ %zu, %zu\n", i + 1, j + 1);
		open = differ = true;
		bool from_a = j >= b.count || (i < a.count && (i >= na || j >= nb ||
			      longest[(i + 1) * (nb + 1) + j] >= longest[i * (nb + 1) + j + 1]));
		if (from_a)
			put(out, color, '-', &a, i++);
		else
			put(out, color, '+', &b, j++);
	}
	free(longest);
	free(a.at);
	free(a.len);
	free(b.at);
	free(b.len);
	return differ;
}
