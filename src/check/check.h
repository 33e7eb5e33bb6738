/* check.h - the questions asked of a run, and what the answers make of it. check.def is the
 * one table that drives the checks, `rtbench show`, the documentation and exported columns. */
#ifndef RTB_CHECK_CHECK_H
#define RTB_CHECK_CHECK_H

#include "store/model.h"

enum rtb_check_scope { CHECK_RUN, CHECK_SWEEP };

struct rtb_check_info {
	const char *name;     /* "counter_moves" */
	enum rtb_check_scope scope;
	enum rtb_verdict severity; /* the worst it can find */
	const char *question; /* "did the cycle counter move?" */
	const char *text;     /* why it matters, for the documentation */
};
/* The table; *count entries. Static. */
const struct rtb_check_info *rtb_checks(size_t *count);
/* NULL when there is none of that name. */
const struct rtb_check_info *rtb_check_info(const char *name);

/* Asks every question about one run, appends findings to it and sets its verdict to the worst.
 * Earlier findings (from the sweep's own eyes) stay and count. A run that did not complete
 * (status other than RTB_OK) has its status and is not asked. */
void rtb_check_run(struct rtb_run *run);

/* Asks what only several runs together can answer; findings go to the runs concerned. Runs that
 * did not complete are passed over. true when any run got a finding (its stored verdict is then
 * out of date: rtb_store_judge). */
bool rtb_check_sweep(struct rtb_run *const *runs, size_t count);

#endif
