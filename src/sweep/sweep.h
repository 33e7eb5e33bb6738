/* sweep.h - a whole plan: builds ahead in a thread, takes each cell through flash, boot and
 * measure on each board in a thread of its own, stores each run as it ends. One failed cell never
 * stops the others. */
#ifndef RTB_SWEEP_SWEEP_H
#define RTB_SWEEP_SWEEP_H

#include <limits.h>

#include "store/store.h"
#include "sweep/cell.h"

enum rtb_event_kind {
	EVENT_BEGIN,  /* the sweep has an id; total runs are planned */
	EVENT_RUN,    /* run `index` begins */
	EVENT_PHASE,  /* it goes to a phase, or begins a case */
	EVENT_DONE,   /* it ended and is stored: run says how */
	EVENT_KEPT,   /* of a sweep that goes on: run was complete before */
	EVENT_END,    /* nothing more comes */
};

struct rtb_event {
	enum rtb_event_kind kind;
	int64_t sweep_id;
	size_t index, total;      /* of runs, from 0 */
	const struct rtb_plan *plan;
	const struct rtb_plan_cell *cell; /* RUN, PHASE, DONE, KEPT */
	unsigned repeat;
	const char *board;        /* RUN, PHASE, DONE, KEPT: its name */
	enum rtb_phase phase;
	const char *case_name;    /* PHASE: NULL outside of cases */
	const struct rtb_run *run;/* DONE; its logs are still there */
	const char *log_dir;      /* DONE of a run that failed: where its logs are kept */
	unsigned elapsed_ms;      /* since the sweep began */
	unsigned left_ms;         /* guess from the runs done; 0: no guess yet */
};
typedef void rtb_event_fn(void *ctx, const struct rtb_event *ev);

#define RTB_WAIT_FOREVER UINT_MAX

struct rtb_sweep_spec {
	const struct rtb_project *project;
	const struct rtb_plan *plan;
	const char *db_path;
	const char *command;      /* as typed */
	const char *key;          /* shards with the same one are one sweep; NULL: a sweep of its own */
	const struct rtb_sweep *resume; /* a sweep of this database to go on with; NULL: a new one */
	unsigned wait_ms;         /* for boards in use; RTB_WAIT_FOREVER */
	bool fail_fast;
	bool always_flash;        /* also an image that the board holds already */
	const struct rtb_clock *clock;
	const rtb_flag *cancel; /* first signal: end after storing */
	rtb_event_fn *on_event;   /* may be NULL; called from the boards' threads, one at a time */
	void *ctx;
};

struct rtb_sweep_result {
	struct rtb_sweep sweep;
	struct rtb_run **run;     /* those that ended, in the plan's order; logs not included */
	char **log_dir;           /* of each; NULL where the run was good */
	size_t run_count, kept;   /* kept: of these, complete before a resume */
	unsigned total_ms;
	size_t boards;
	struct rtb_phases phases; /* summed over the runs */
	unsigned build_total_ms;  /* time make took, most of it beside measuring */
};

/* What stops a sweep before its first cell, or in its store, is the returned error. Otherwise
 * RTB_OK, and out->sweep.status is the worst way in which a run ended (highest exit code;
 * RTB_INTERRUPTED when it was cut short; a rejected verdict counts as RTB_REJECTED). */
enum rtb_status rtb_sweep_run(const struct rtb_sweep_spec *spec, struct rtb_sweep_result *out,
			      struct rtb_error *e);
void rtb_sweep_result_free(struct rtb_sweep_result *r);

#endif
