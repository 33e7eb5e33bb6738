/* strings.c - searching, converting, formatting by hand; the library's string functions. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char out[512];
static const char poem[] =
	"counting cycles in the night each branch is either wrong or right "
	"0x1F 77 -123456 0 2147483647 4294967295 and nothing else";

static char *put_int(char *p, int32_t v, unsigned base)
{
	char digits[34];
	int n = 0;
	uint32_t u = v < 0 && base == 10 ? 0u - (uint32_t)v : (uint32_t)v;
	if (v < 0 && base == 10)
		*p++ = '-';
	do
		digits[n++] = "0123456789abcdef"[u % base];
	while (u /= base);
	while (n)
		*p++ = digits[--n];
	*p = 0;
	return p;
}

static unsigned words(const char *s, char longest[16])
{
	unsigned n = 0;
	size_t best = 0;
	while (*s) {
		size_t k = strcspn(s, " ");
		if (k > best && k < 16) {
			best = k;
			memcpy(longest, s, k);
			longest[k] = 0;
		}
		n += k != 0;
		s += k;
		s += strspn(s, " ");
	}
	return n;
}

int main(void)
{
	char longest[16] = "", *p = out;
	uint32_t sum = words(poem, longest);
	for (int i = -5; i < 6; i++) {
		p = put_int(p, i * 98765, 10);
		*p++ = ',';
		p = put_int(p, i * 98765, 16);
		*p++ = ';';
		*p = 0;
	}
	sum = sum * 100 + strlen(out) + strlen(longest);
	sum += (uint32_t)strtol(strstr(poem, "-1"), 0, 10) + strtoul("0x1F", 0, 0);
	for (char *q = out; (q = strchr(q, ';')); q++)
		sum = sum * 3 + (uint32_t)(q - out) + (strncmp(q - 4, out, 3) > 0);
	for (const char *q = poem; *q; q++)
		sum = (sum << 5 | sum >> 27) ^ (uint8_t)*q;
	return (int)(sum + (uint32_t)memcmp(poem, longest, 5) % 2);
}
