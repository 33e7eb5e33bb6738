/* mem.h - prototypes of the string functions in mem.c. <string.h> belongs to a C library,
 * which the image does without; compiled on the host these are the host's. */
#ifndef RTB_MEM_H
#define RTB_MEM_H

#include <stddef.h>

void *memset(void *to, int value, size_t n);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *left, const void *right, size_t n);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);

#endif
