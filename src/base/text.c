#include "base/text.h"

#include <string.h>

/* Unicode 15, table 3-7. */
size_t rtb_utf8_length(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
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

void rtb_text_line(char *text)
{
	for (char *p = text, *end = text + strlen(text); p < end;) {
		size_t len = rtb_utf8_length(p, (size_t)(end - p));
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
		else if (len == 0 || (unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
		p += len ? len : 1;
	}
}
