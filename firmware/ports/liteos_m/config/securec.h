/* securec.h - the bounds-checked string functions that LiteOS-M takes from a library outside its
 * tree: as much of their interface as the kernel uses, checked as that says and no more. */
#ifndef SECUREC_H
#define SECUREC_H

#include <stddef.h>
#include <stdint.h>

typedef int errno_t;

#define EOK 0
#define EINVAL 22
#define ERANGE 34
#define EOVERLAP_AND_RESET (54 | 128)
#define SECUREC_MEM_MAX_LEN 0x7fffffffu

static inline errno_t memset_s(void *to, size_t room, int value, size_t n)
{
	if (to == NULL || room == 0 || room > SECUREC_MEM_MAX_LEN)
		return EINVAL;
	__builtin_memset(to, value, n <= room ? n : room);
	return n <= room ? EOK : ERANGE;
}

static inline errno_t memcpy_s(void *to, size_t room, const void *from, size_t n)
{
	if (to == NULL || room == 0 || room > SECUREC_MEM_MAX_LEN)
		return EINVAL;
	uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
	errno_t wrong = from == NULL ? EINVAL : n > room ? ERANGE :
			t != f && (t < f ? f - t : t - f) < n ? EOVERLAP_AND_RESET : EOK;
	if (wrong == EOK)
		__builtin_memcpy(to, from, n);
	else
		__builtin_memset(to, 0, room);
	return wrong;
}

static inline errno_t strncpy_s(char *to, size_t room, const char *from, size_t n)
{
	if (to == NULL || from == NULL || room == 0 || room > SECUREC_MEM_MAX_LEN)
		return EINVAL;
	size_t i = 0;
	for (; i < n && from[i] != '\0'; i++) {
		if (i + 1 >= room) {
			to[0] = '\0';
			return ERANGE;
		}
		to[i] = from[i];
	}
	to[i] = '\0';
	return EOK;
}

#endif
