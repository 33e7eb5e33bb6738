/* origin.h - which version of what kernel a tree holds, and under which licence; read from the
 * tree by rules that know no kernel by name. */
#ifndef RTB_KERNEL_ORIGIN_H
#define RTB_KERNEL_ORIGIN_H

#include "base/clock.h"
#include "kernel/entry.h"

/* `git describe --tags --always`, "" outside git. Free it. */
char *rtb_origin_describe(const char *path, const struct rtb_clock *clock);

/* The version by the version macros of the headers in use: one that names the kernel and holds
 * a string before one that does not, then MAJOR, MINOR, PATCH (or BUILD, REVISION) apart, then
 * a number, then a VERSION file at the top of a tree, then `git describe` of the first tree.
 * *from says which, "" when none. Free both; never NULL. */
char *rtb_origin_version(const struct rtb_entry *n, char **from);

/* SPDX identifiers, by the tags of the files in use and by the licence texts at the top of the
 * trees, joined by ", "; "" when none is known. Free it. */
char *rtb_origin_licence(const struct rtb_entry *n);
/* Identifier of a licence text, "" when it is not known. Static. */
const char *rtb_licence_of_text(const char *text);

/* One `#define NAME value` at a time. */
struct rtb_version_pick {
	char *text, *from;
	int score;
};
/* Lets pick hold the best version macro of this header's text and what it held before. */
void rtb_version_look(struct rtb_version_pick *pick, const char *header_text, const char *header_name);

#endif
