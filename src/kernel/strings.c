/* strings.c */
#include "kernel/strings.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

void rtb_strings_add(struct rtb_strings *s, const char *text)
{
	s->v = rtb_realloc(s->v, (s->n + 2) * sizeof *s->v);
	s->v[s->n++] = rtb_strdup(text);
	s->v[s->n] = NULL;
}

bool rtb_strings_has(const struct rtb_strings *s, const char *text)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->v[i], text) == 0)
			return true;
	return false;
}

bool rtb_strings_add_new(struct rtb_strings *s, const char *text)
{
	if (rtb_strings_has(s, text))
		return false;
	rtb_strings_add(s, text);
	return true;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void rtb_strings_sort(struct rtb_strings *s)
{
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, by_bytes);
}

void rtb_strings_copy(struct rtb_strings *to, const struct rtb_strings *from)
{
	for (size_t i = 0; i < from->n; i++)
		rtb_strings_add(to, from->v[i]);
}

void rtb_strings_free(struct rtb_strings *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i]);
	free(s->v);
	*s = (struct rtb_strings){0};
}
