/* state.h - a sweep under way, as the files that do it share it. For this room alone.
 *
 * Each board is worked by a thread of its own. What they share is guarded by `mutex`, except the
 * database with the clock of its writer, which is guarded by `store_mutex`: a write that takes
 * long must not hold up what another board has to say. Whoever needs both takes store_mutex first.
 */
#ifndef RTB_SWEEP_STATE_H
#define RTB_SWEEP_STATE_H

#include <pthread.h>

#include "sweep/past.h"
#include "sweep/sweep.h"

struct sweeping;

struct worker {
	struct sweeping *s;
	size_t index;                   /* of its board in the plan */
	struct rtb_board board;
	unsigned sick;                  /* failed runs in a row */
	enum rtb_status last;           /* how its last attempt ended */
	enum rtb_rung rung;             /* that the next attempt stands on */
	bool aside;                     /* gets no more runs; guarded */
	bool working;                   /* has a step in hand; guarded */
	struct rtb_event ev;            /* of the run in hand */
	pthread_t thread;
	bool started;
};

/* How far a step is. Guarded, except tries, which is its holder's. */
struct progress {
	bool taken;                     /* a board has it or has done it */
	unsigned tries;                 /* attempts made, on whichever boards */
	const struct worker *by;        /* who did it last */
};

struct sweeping {
	const struct rtb_sweep_spec *spec;
	struct rtb_toolchain tools;
	struct rtb_kernel_state *kernel; /* by plan->kernel */
	struct rtb_builder *builder;
	char *cells_dir, *logs_dir;
	uint64_t began_ns;
	struct worker *worker;          /* by plan->board */

	pthread_mutex_t store_mutex;
	struct rtb_store *store;

	pthread_mutex_t mutex;
	pthread_cond_t changed;         /* a step was taken or done, a board set aside */
	struct rtb_sweep_result *out;   /* run and log_dir by step until all have ended */
	enum rtb_status status;         /* what stops the sweep as a whole */
	struct rtb_error *e;            /* its text */
	bool stop;                      /* no new runs */
	struct progress *progress;      /* by plan->step */
	struct rtb_past past;           /* of a sweep that goes on */
	struct rtb_lock *lock;          /* of the sweep's parts */
	size_t locks;
};

/* sweep.c */
void rtb_sweep_tell(struct worker *w, enum rtb_event_kind kind);
/* The first call decides how the sweep ends; all boards stop. */
void rtb_sweep_stop(struct sweeping *s, enum rtb_status st, const struct rtb_error *why);
bool rtb_sweep_cancelled(const struct sweeping *s);
enum rtb_status rtb_sweep_ended(const struct rtb_run *run);

/* pool.c: does all steps, each on a board of its target, and returns when no board works. */
void rtb_sweep_pool(struct sweeping *s);
/* Whether no board of w's target gets runs any more. Guarded. */
bool rtb_sweep_all_aside(const struct worker *w);
/* w has been set aside: what failed on it through its own fault goes to the other boards of its
 * target, if there is one that works. Returns how many runs. Guarded. */
size_t rtb_sweep_give_back(struct worker *w);

/* step.c: one run with its attempts, stored. */
void rtb_sweep_step(struct worker *w, size_t index);
/* Whether a run failed in a way that may be the board's fault, not the image's. */
bool rtb_sweep_blames_board(const struct rtb_run *run);

/* places.c */
enum rtb_status rtb_places_dir(const char *path, struct rtb_error *e);
/* Of the database and of the logs: RTB_STORE_FULL when a run would not fit. */
enum rtb_status rtb_places_space(const struct sweeping *s, struct rtb_error *e);
/* Where the logs of a run are kept if it fails. */
char *rtb_places_run(const struct sweeping *s, const struct rtb_plan_cell *c, unsigned repeat, unsigned attempt);
/* Removes it with what is ours in it, and frees it. */
void rtb_places_forget(char *dir);

#endif
