/* strings.h - a growing list of owned strings. */
#ifndef RTB_KERNEL_STRINGS_H
#define RTB_KERNEL_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

struct rtb_strings {
	char **v; /* NULL, or NULL-terminated */
	size_t n;
};

void rtb_strings_add(struct rtb_strings *s, const char *text);         /* copies */
bool rtb_strings_has(const struct rtb_strings *s, const char *text);
bool rtb_strings_add_new(struct rtb_strings *s, const char *text);     /* false: it was there */
void rtb_strings_sort(struct rtb_strings *s);                          /* by byte value */
void rtb_strings_copy(struct rtb_strings *to, const struct rtb_strings *from); /* adds all */
void rtb_strings_free(struct rtb_strings *s);

#endif
