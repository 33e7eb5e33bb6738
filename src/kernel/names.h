/* names.h - from a name to the numbers of the files that go with it. */
#ifndef RTB_KERNEL_NAMES_H
#define RTB_KERNEL_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct rtb_namemap_slot;

struct rtb_namemap {
	struct rtb_namemap_slot *slots;
	size_t slot_count; /* a power of two, or 0 */
	size_t used;
};

/* Adds value to the list of a name (n bytes, not NUL-terminated) unless it is there. Values of
 * one name must be added in ascending order. */
void rtb_namemap_add(struct rtb_namemap *m, const char *name, size_t n, uint32_t value);
/* Number of values; *values is borrowed until the next add. */
size_t rtb_namemap_get(const struct rtb_namemap *m, const char *name, const uint32_t **values);
void rtb_namemap_free(struct rtb_namemap *m);

#endif
