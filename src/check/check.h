/* check.h - the questions asked of a run, and what the answers make of it. check.def is the
 * one table that drives the checks, `rtbench show`, the documentation and exported columns. */
#ifndef RTB_CHECK_CHECK_H
#define RTB_CHECK_CHECK_H

#include "store/model.h"

struct rtb_check_info {
	const char *name;     /* "counter_moves" */
	const char *question; /* "did the cycle counter move?" */
	enum rtb_verdict severity;
	const char *text;     /* why it matters, for the documentation */
};
/* The table; *count entries. Static. */
const struct rtb_check_info *rtb_checks(size_t *count);

/* Asks every question, appends findings to run and sets run->verdict to the worst. Earlier
 * findings (from the sweep's own eyes, such as CRC errors) stay and count. */
void rtb_check_run(struct rtb_run *run);

#endif
