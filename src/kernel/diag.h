/* diag.h - what a compiler, assembler or linker asked for, from what they printed (LC_ALL=C). */
#ifndef RTB_KERNEL_DIAG_H
#define RTB_KERNEL_DIAG_H

#include <stddef.h>

enum rtb_diag_kind {
	RTB_DIAG_HEADER,    /* `name` was not found; `where` includes it */
	RTB_DIAG_UNDEFINED, /* symbol `name` is missing; `where` is the object that wants it */
	RTB_DIAG_MULTIPLE,  /* symbol `name` is defined twice; `where` is the second object */
	RTB_DIAG_ERROR,     /* anything else; `name` is the whole line, `where` the file, or "" */
};

struct rtb_diag {
	enum rtb_diag_kind kind;
	char *name, *where;
};

struct rtb_diags {
	struct rtb_diag *v;
	size_t n;
};

/* Each (kind, name) once, in order of appearance. */
void rtb_diag_parse(const char *text, struct rtb_diags *out);
void rtb_diags_free(struct rtb_diags *d);
size_t rtb_diags_count(const struct rtb_diags *d, enum rtb_diag_kind kind);
/* The first of a kind, NULL when there is none. */
const struct rtb_diag *rtb_diags_first(const struct rtb_diags *d, enum rtb_diag_kind kind);

#endif
