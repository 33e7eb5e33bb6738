#include "report/json.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"

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
		size_t len = rtb_utf8_length((const char *)p, (size_t)(end - p));
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
