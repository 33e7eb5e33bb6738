/* plan.h - what a sweep will do, before it does anything: every axis expanded, every name
 * resolved, in the order in which it will be done. */
#ifndef RTB_SWEEP_PLAN_H
#define RTB_SWEEP_PLAN_H

#include "config/target.h"
#include "kernel/kernel.h"

struct rtb_plan_cell {
	size_t target, kernel;    /* index into the plan's */
	const char *opt;          /* borrowed from the project */
	bool instrumented;
	size_t board;             /* index into the plan's: the one that does it while it is well */
};

/* A board of a target. There is at least one for each. */
struct rtb_plan_board {
	size_t of;                /* plan->target */
	struct rtb_target target; /* its own: named as the board, with the board's link and probe */
};

struct rtb_plan_step {
	size_t cell;
	unsigned repeat;          /* 1-based */
};

struct rtb_plan {
	struct rtb_target *target;
	size_t target_count;
	struct rtb_plan_board *board;
	size_t board_count;
	struct rtb_kernel *kernel;
	size_t kernel_count;
	struct rtb_plan_cell *cell;
	size_t cell_count;
	struct rtb_plan_step *step; /* repeats lie a whole round apart, so that drift does not
				     * pose as a difference between cells */
	size_t step_count;
	const char **cases;       /* ends with NULL; borrowed */
	size_t case_count;
	unsigned samples, raw, repeat;
};

/* The cells of a target go round its boards in turn, so a cell has all its repeats on one board
 * and the same one in the next sweep.
 *
 * Expands project's axes (as read, or as replaced by options: words with line 0). Errors name
 * the place in rtbench.toml, or say which option is meant: RTB_CONFIG for what the file says,
 * RTB_NOT_FOUND and RTB_USAGE for what the command line says. project must outlive the plan. */
enum rtb_status rtb_plan_make(const struct rtb_project *project, struct rtb_plan *out, struct rtb_error *e);
/* Leaves every count-th cell, beginning with the index-th (from 1), with all its repeats: the
 * shards 1 to count have every cell once. May leave none. */
void rtb_plan_shard(struct rtb_plan *p, unsigned index, unsigned count);
void rtb_plan_free(struct rtb_plan *p);

/* "virtual-gd32f103 mini O2 instrumented" - free it. */
char *rtb_plan_cell_name(const struct rtb_plan *p, const struct rtb_plan_cell *c);

/* All cases there are, in the order of cases.def; ends with NULL. Static. */
struct rtb_case_info {
	const char *name, *title, *span, *unit, *series;
	unsigned version, divisor, needs;
};
const struct rtb_case_info *rtb_case_table(size_t *count);

#endif
