/* cell.h - one repeat of one cell on a board: program, boot, run every case, and put all that
 * was learned into a run. */
#ifndef RTB_SWEEP_CELL_H
#define RTB_SWEEP_CELL_H

#include "sweep/board.h"
#include "store/model.h"
#include "sweep/builder.h"
#include "sweep/recover.h"

enum rtb_phase { PHASE_BUILD, PHASE_FLASH, PHASE_BOOT, PHASE_MEASURE, PHASE_STORE, PHASE_COUNT };
const char *rtb_phase_word(enum rtb_phase p);

struct rtb_cell_job {
	const struct rtb_plan *plan;
	const struct rtb_firmware *firmware;
	struct rtb_board *board;
	bool always_flash;    /* also an image that the board holds already */
	enum rtb_rung rung;   /* of recovery, that this attempt stands on */
	const char *dir;      /* logs of this run are kept here; exists */
	const struct rtb_clock *clock;
	const rtb_flag *cancel;
	/* Called as the run goes from phase to phase, and for each case begun (else NULL). */
	void (*on_phase)(void *ctx, enum rtb_phase phase, const char *case_name);
	void *ctx;
};

/* Fills run's facts, records, phases and logs, as far as it gets; returns and sets run->status,
 * with the first cause in run->error. The board's link is closed again in every case. */
enum rtb_status rtb_cell_measure(const struct rtb_cell_job *job, struct rtb_run *run);

#endif
