/* resolve_parts.h - what resolve.c, resolve_headers.c and resolve_symbols.c share. */
#ifndef RTB_KERNEL_RESOLVE_PARTS_H
#define RTB_KERNEL_RESOLVE_PARTS_H

#include "kernel/resolve.h"

struct rtb_tried {
	bool ok;
	size_t includes;             /* how many directories there were when it failed */
	struct rtb_strings defines;
	struct rtb_strings include;  /* directories it needs beyond the entry's, absolute */
	const struct rtb_tree_file **found; /* the headers that these were found by */
	char **wanted;               /* the names they were asked for by */
	size_t found_count;
	char *why_not;
};

void rtb_tried_free(struct rtb_tried *t);

/* ---- notes (resolve.c) ---- */

/* A new question; text is taken over. NULL when it is open already. */
struct rtb_question *rtb_resolver_ask(struct rtb_resolver *r, bool header, const char *asked, const char *by,
				      char *text);
/* A file that may answer it, with a remark (NULL: what its path says). */
void rtb_resolver_suggest(const struct rtb_resolver *r, struct rtb_question *q, const struct rtb_tree_file *f,
			  const char *remark);
/* What was taken, for whom, and what was passed over; the file becomes an anchor. */
void rtb_resolver_note(struct rtb_resolver *r, bool header, const char *asked, const char *by,
		       const struct rtb_tree_file *file, const struct rtb_choice *c);

/* ---- headers and candidates (resolve_headers.c) ---- */

/* Directory of a header such that "sub/x.h" is found in it; relative to its tree. Free it. */
char *rtb_include_dir(const struct rtb_tree_file *f, const char *wanted);
/* rtb_choice_free() the answer. */
struct rtb_choice rtb_choose_header(struct rtb_resolver *r, const char *wanted, const char *by);
/* Its directory goes into the entry, or a question is asked. */
void rtb_take_header(struct rtb_resolver *r, const char *wanted, const char *by);
size_t rtb_include_count(const struct rtb_entry *n);
/* What came of compiling a candidate: done now unless it was before; a failure is tried again
 * once there are more include directories. NULL only when the tools failed. */
const struct rtb_tried *rtb_attempt_file(struct rtb_resolver *r, const struct rtb_tree_file *f, struct rtb_error *e);

/* ---- symbols (resolve_symbols.c) ---- */

/* A source or library goes into the entry, or a question is asked. Fails where the tools do. */
enum rtb_status rtb_take_symbol(struct rtb_resolver *r, const struct rtb_diag *want,
				const struct rtb_diags *asked, struct rtb_error *e);

#endif
