/* junit.h - a sweep as CI servers read it: a run is a test case. */
#ifndef RTB_REPORT_JUNIT_H
#define RTB_REPORT_JUNIT_H

#include "base/buf.h"
#include "store/model.h"

/* Appends a JUnit XML document. A run that did not complete is an error with its cause, one
 * whose figures were rejected a failure with the reasons; "not run" is skipped; the reasons of a
 * suspect run, and that it was not the first attempt, are its system-out. Findings and facts must be there, logs need not. */
struct rtb_junit_gate {
	const char *name;            /* what the sweep was held against */
	enum rtb_status status;      /* RTB_OK, RTB_DIFFERENT: it grew; else why it was not judged */
	const char *text;
};
/* With gate (NULL: none) a test case more, which fails when a figure grew. */
void rtb_report_junit(const struct rtb_sweep *sweep, struct rtb_run *const *runs, size_t count,
		      const struct rtb_junit_gate *gate, struct rtb_buf *out);

#endif
