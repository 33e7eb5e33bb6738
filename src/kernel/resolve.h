/* resolve.h - from what compiler and linker ask for to the file of a tree that has it. */
#ifndef RTB_KERNEL_RESOLVE_H
#define RTB_KERNEL_RESOLVE_H

#include "kernel/index.h"
#include "kernel/probe.h"

/* One thing taken, and why. Strings are owned. */
struct rtb_taken {
	bool header;         /* an include directory, found by a header; else a source or library */
	char *asked, *by;    /* header or symbol; who wants it, as far as known */
	char *file;          /* as rtb_forest_show has it */
	const char *why;     /* static */
	bool only, aside;    /* nothing else offered it; lies among tests, examples, templates */
	struct rtb_strings passed_over;
};

/* One question that is open. */
struct rtb_question {
	bool header;
	char *asked, *by;
	char *text;                    /* what is wrong */
	struct rtb_strings candidates; /* files it may be in, with a remark on each */
};

struct rtb_tried; /* what came of compiling a candidate */

struct rtb_resolver {
	struct rtb_forest *forest;
	struct rtb_index index;
	struct rtb_probe *probe;
	struct rtb_entry *entry;       /* tree[i] goes with forest->roots[i] */
	struct rtb_level level;        /* to compile candidates at */

	struct rtb_taken *taken;
	size_t taken_count;
	struct rtb_question *question;
	size_t question_count;

	const struct rtb_tree_file **anchors; /* files taken */
	size_t anchor_count;
	struct rtb_tried **tried;      /* by file; NULL: not yet */
	unsigned searched;             /* compiled without being pointed to by their text */
};

/* forest, probe and entry are borrowed and must outlive it. */
void rtb_resolver_init(struct rtb_resolver *r, struct rtb_forest *f, struct rtb_probe *p, struct rtb_entry *n);
/* From now on candidates are compiled at this level; what was learnt at another is forgotten. */
void rtb_resolver_level(struct rtb_resolver *r, struct rtb_level l);
void rtb_resolver_free(struct rtb_resolver *r);
/* Once an image links, nothing that was asked on the way is open. */
void rtb_resolver_drop_questions(struct rtb_resolver *r);

/* Answers what an attempt asked for; *progress says whether the entry grew. What could not be
 * answered becomes a question; older questions are dropped. Fails only where the tools themselves fail. */
enum rtb_status rtb_resolve(struct rtb_resolver *r, const struct rtb_diags *asked, bool *progress,
			    struct rtb_error *e);
/* Makes a question of everything asked, with the files that may have it. Takes nothing. */
void rtb_resolve_explain(struct rtb_resolver *r, const struct rtb_diags *asked);

#endif
