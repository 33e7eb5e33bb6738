#include "report/json.h"

#include <stdint.h>
#include <string.h>

/* Length of the valid UTF-8 sequence at p, 0 when there is none (Unicode 15, table 3-7). */
static size_t sequence(const unsigned char *p, size_t n)
{
	if (p[0] < 0x80)
		return 1;
	size_t len = p[0] >= 0xc2 && p[0] <= 0xdf ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 :
		     p[0] >= 0xf0 && p[0] <= 0xf4 ? 4 : 0;
	if (len == 0 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

static void escaped(struct rtb_buf *out, unsigned char c)
{
	static const char from[] = "\"\\\n\r\t\b\f", to[] = "\"\\nrtbf";
	const char *at = c ? strchr(from, c) : NULL;
	if (at)
		rtb_buf_fmt(out, "\\%c", to[at - from]);
	else
		rtb_buf_fmt(out, "\\u%04x", c);
}

void rtb_json_string_n(struct rtb_buf *out, const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + n, *plain = p;
	rtb_buf_add(out, "\"", 1);
	while (p < end) {
		size_t len = sequence(p, (size_t)(end - p));
		if (len == 1 ? *p >= 0x20 && *p != '"' && *p != '\\' && *p != 0x7f : len > 1) {
			p += len;
			continue;
		}
		rtb_buf_add(out, plain, (size_t)(p - plain));
		if (len == 0)
			rtb_buf_str(out, "\\ufffd");
		else
			escaped(out, *p);
		plain = ++p;
	}
	rtb_buf_add(out, plain, (size_t)(p - plain));
	rtb_buf_add(out, "\"", 1);
}

void rtb_json_string(struct rtb_buf *out, const char *text)
{
	if (text)
		rtb_json_string_n(out, text, strlen(text));
	else
		rtb_buf_str(out, "null");
}
