/* mem.c - the few string functions that GCC calls of its own accord or kernels expect, so that
 * no C library gets into the image. -ffreestanding still lets GCC turn a copying loop into a
 * call of memcpy, which in memcpy would never end. */
#include "core/mem.h"

#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word;

#define NO_LOOP_IDIOM __attribute__((optimize("no-tree-loop-distribute-patterns")))

NO_LOOP_IDIOM void *memset(void *to, int value, size_t n)
{
	uint8_t *p = to;
	uint32_t pattern = (uint8_t)value * 0x01010101u;
	for (; n > 0 && (uintptr_t)p % 4 != 0; n--)
		*p++ = (uint8_t)value;
	for (; n >= 4; n -= 4, p += 4)
		*(word *)(void *)p = pattern;
	while (n-- > 0)
		*p++ = (uint8_t)value;
	return to;
}

NO_LOOP_IDIOM void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	uint8_t *d = to;
	const uint8_t *f = from;
	if (((uintptr_t)d | (uintptr_t)f) % 4 == 0)
		for (; n >= 4; n -= 4, d += 4, f += 4)
			*(word *)(void *)d = *(const word *)(const void *)f;
	while (n-- > 0)
		*d++ = *f++;
	return to;
}

NO_LOOP_IDIOM void *memmove(void *to, const void *from, size_t n)
{
	uint8_t *d = to;
	const uint8_t *f = from;
	if (d <= f)
		while (n-- > 0)
			*d++ = *f++;
	else
		while (n-- > 0)
			d[n] = f[n];
	return to;
}

NO_LOOP_IDIOM int memcmp(const void *left, const void *right, size_t n)
{
	const uint8_t *l = left, *r = right;
	for (; n > 0; n--, l++, r++)
		if (*l != *r)
			return *l - *r;
	return 0;
}

NO_LOOP_IDIOM size_t strlen(const char *text)
{
	size_t n = 0;
	while (text[n] != '\0')
		n++;
	return n;
}

NO_LOOP_IDIOM int strcmp(const char *left, const char *right)
{
	while (*left != '\0' && *left == *right)
		left++, right++;
	return (uint8_t)*left - (uint8_t)*right;
}
