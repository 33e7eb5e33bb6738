/* index.h - what a forest offers: headers by name, definitions by symbol; and which of several
 * files that offer one thing is to be taken. */
#ifndef RTB_KERNEL_INDEX_H
#define RTB_KERNEL_INDEX_H

#include "kernel/names.h"
#include "kernel/forest.h"

struct rtb_index {
	const struct rtb_forest *forest; /* borrowed */
	struct rtb_namemap by_name;        /* last path component -> files */
	struct rtb_namemap by_symbol;      /* C and assembler sources that may define it */
	bool symbols_done;
	size_t sources_read, bytes_read;
};

/* Names only; reads no file. */
void rtb_index_init(struct rtb_index *x, const struct rtb_forest *f);
/* Reads every source once; later calls do nothing. Files over 8 MiB are left out. */
void rtb_index_symbols(struct rtb_index *x);
void rtb_index_free(struct rtb_index *x);

enum rtb_verdict {
	RTB_CHOICE_NONE,      /* nothing suitable */
	RTB_CHOICE_ONLY,      /* one file and no other */
	RTB_CHOICE_PREFERRED, /* several, and a rule decides; `why` says which */
	RTB_CHOICE_OPEN,      /* several, and no rule decides */
};

struct rtb_choice {
	enum rtb_verdict verdict;
	const struct rtb_tree_file *file;   /* ONLY, PREFERRED */
	const char *why;                    /* static */
	const struct rtb_tree_file **rest;  /* OPEN: the files in question; else what was passed over */
	size_t rest_count;
};
void rtb_choice_free(struct rtb_choice *c);

/* Files that end in `name` ("sub/x.h" too), of any kind. Free *out. */
size_t rtb_index_named(const struct rtb_index *x, const char *name, const struct rtb_tree_file ***out);
/* Sources that may define `symbol`. Free *out. */
size_t rtb_index_defining(const struct rtb_index *x, const char *symbol, const struct rtb_tree_file ***out);

/* Takes one of several. Files that name another core or compiler, or that --skip names, are
 * never taken; then the order is: --use, the path's rank, nearness to one of the anchors
 * (files that are in use already; the includer first), equal contents (then any will do).
 * files is reordered. */
struct rtb_choice rtb_choose(const struct rtb_tree_file **files, size_t n,
			     const struct rtb_tree_file *const *anchors, size_t anchor_count);

/* Steps from one file's directory to another's, through the directories above; SIZE_MAX in
 * different trees. */
size_t rtb_file_distance(const struct rtb_tree_file *a, const struct rtb_tree_file *b);
/* Which words of its path, or --use, speak for a file. Static. */
const char *rtb_why_by_rank(const struct rtb_tree_file *f);
/* Penalty with --use in it. */
int rtb_file_penalty(const struct rtb_tree_file *f);
/* Whether it may be taken at all. */
bool rtb_file_eligible(const struct rtb_tree_file *f);

#endif
