#include "link/escape.h"

#include <stdio.h>
#include <string.h>

size_t rtb_escape(char *out, size_t cap, const void *p, size_t n)
{
	static const char special[] = "\r\n\t\\\"", letter[] = "rnt\\\"";
	size_t len = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = ((const unsigned char *)p)[i];
		const char *at = c ? strchr(special, c) : NULL;
		char one[8];
		if (at)
			snprintf(one, sizeof one, "\\%c", letter[at - special]);
		else
			snprintf(one, sizeof one, c >= ' ' && c <= '~' ? "%c" : "\\x%02x", c);
		size_t k = strlen(one);
		if (len + k >= cap)
			break;
		memcpy(out + len, one, k);
		len += k;
	}
	out[len] = '\0';
	return len;
}
