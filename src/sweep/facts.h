/* facts.h - what is known of a run, each fact from where it comes: the configuration (declared),
 * the toolchain and the ELF, OpenOCD, and the board's own frames (read), the host's clock
 * (measured). */
#ifndef RTB_SWEEP_FACTS_H
#define RTB_SWEEP_FACTS_H

#include "link/message.h"
#include "sweep/board.h"
#include "sweep/builder.h"

/* The cell as planned, kernel and port as they lie there, compiler and image as built. */
void rtb_facts_of_build(struct rtb_run *run, const struct rtb_plan *plan, const struct rtb_plan_cell *c,
			const struct rtb_kernel_state *kernel, const struct rtb_toolchain *tools,
			const struct rtb_built *built);
/* Board, probe, link and programming. */
void rtb_facts_of_board(struct rtb_run *run, const struct rtb_board *b, const struct rtb_flash_result *f);

/* What the frames of all cases of a run add up to. Zeroed before the first case. */
struct rtb_clock_marks {
	uint64_t cycles, ns;
};
/* Moves records, raw samples and stacks of one case into the run, and adds the board's facts.
 * Takes what it needs out of the list; the list stays the caller's to free. */
void rtb_facts_of_case(struct rtb_run *run, const struct rtb_target *t, struct rtb_message_list *list,
		       struct rtb_clock_marks *marks);
/* A case that this kernel's port cannot do. */
void rtb_facts_unsupported(struct rtb_run *run, const char *case_name);
/* The measured clock, once all cases are in. */
void rtb_facts_of_clock(struct rtb_run *run, const struct rtb_target *t, const struct rtb_clock_marks *marks);

#endif
