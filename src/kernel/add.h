/* add.h - `rtbench kernel add` and `check`: an entry from a tree, and whether it still holds. */
#ifndef RTB_KERNEL_ADD_H
#define RTB_KERNEL_ADD_H

#include "kernel/resolve.h"

struct rtb_add_spec {
	const char *name;
	const char *const *trees, *const *use, *const *skip, *const *include, *const *define;
	const char *port; /* NULL: find out */
	/* One line at a time on what is being done; may be NULL. */
	void (*say)(void *ctx, const char *line);
	void *ctx;
};

/* Everything there is to tell. Free with rtb_add_report_free. */
struct rtb_add_report {
	struct rtb_forest forest;
	struct rtb_resolver resolver;  /* taken, questions */
	struct rtb_entry entry;
	struct rtb_strings errors;     /* what compiler and linker said that is no question */
	struct rtb_level failed;       /* the level it stopped at; opt NULL when all went well */
	char *version_from;            /* "MACRO in header"; "" */
	const char *port_why;          /* static */
	struct rtb_strings remarks;    /* changes of the tree, and the like */
	unsigned ms;
};
void rtb_add_report_free(struct rtb_add_report *r);

/* Looks the trees over until an image links at Os and O0 plain, O0 and O2 instrumented. probe must
 * be open. RTB_OK with out->entry.complete false when something stayed open: the entry holds
 * what was found so far. RTB_NOT_FOUND (tree), RTB_USAGE, RTB_TREE when no port fits or
 * several do, or the tools' own failures. */
enum rtb_status rtb_kernel_add(const struct rtb_add_spec *spec, struct rtb_probe *probe,
			       struct rtb_add_report *out, struct rtb_error *e);

/* Builds an image of an entry at every optimisation level, plain and instrumented, and says
 * what is missing and where in the tree it may be. entry is taken over by out->entry, with
 * complete, used, commit and hashes renewed. */
enum rtb_status rtb_kernel_check(struct rtb_entry *entry, struct rtb_probe *probe,
				 void (*say)(void *ctx, const char *line), void *ctx,
				 struct rtb_add_report *out, struct rtb_error *e);

/* Ports that a forest could be measured through: those of whose quoted #includes every one is
 * there. home holds firmware/. */
void rtb_ports_matching(const char *home, const char *target, const struct rtb_index *x, struct rtb_strings *out);

#endif
