/* run_show.h - how `rtbench run` tells what it does: lines for people, or events for programs. */
#ifndef RTB_CLI_RUN_SHOW_H
#define RTB_CLI_RUN_SHOW_H

#include "report/junit.h"
#include "sweep/sweep.h"

struct rtb_run_show {
	bool json, quiet, color;
	const char *db, *config; /* --db and --config as given, for commands that go on from here; or NULL */
	bool log_json;      /* progress is log lines (cli/log.h) */
	bool live;          /* stderr is a terminal: one line that is written over */
	bool line_is_open;  /* something stands on that line */
};

/* What is going to be done (`--dry-run` ends here). */
void rtb_show_plan(const struct rtb_run_show *s, const struct rtb_project *p, const struct rtb_plan *plan,
		   bool all);
/* An rtb_event_fn; ctx is a struct rtb_run_show. */
void rtb_show_event(void *ctx, const struct rtb_event *ev);
/* The result table, where the time went, and what failed and why. */
void rtb_show_result(struct rtb_run_show *s, const struct rtb_sweep_result *r, size_t planned,
		     const char *db_path);
/* How it held up against the baseline; what went wrong with that is the program's last error. */
void rtb_show_baseline(const struct rtb_run_show *s, const struct rtb_junit_gate *gate);

#endif
