/* board.h - the chip on its bench: sockets on one side, slices of execution on the other. */
#ifndef VB_BOARD_H
#define VB_BOARD_H

#include <signal.h>

#include "base/clock.h"
#include "vboard/buspirate.h"
#include "vboard/chip.h"
#include "vboard/elf_load.h"
#include "vboard/options.h"
#include "vboard/semihost.h"
#include "vboard/serial.h"
#include "vboard/trace.h"

/* How fast the core may go at the moment. */
enum vb_pace { VB_PACE_FREE, VB_PACE_REAL };

struct vb_board {
	struct vb_chip *chip; /* owned */
	struct vb_dap dap;
	struct vb_lines lines;
	struct vb_buspirate pirate; /* options->adapter says whether it or remote_bitbang listens */
	struct vb_endpoint debug_ep;
	struct rtb_buf reply;
	struct vb_serial serial;
	struct vb_faults faults;
	struct vb_semihost semihost;
	struct vb_trace trace;
	const struct vb_options *options;
	const struct rtb_clock *clock;

	bool in_reset;        /* the debugger holds the reset line */
	uint64_t passive;     /* cycles that may pass while the core stands still */
	bool stood_still;
	unsigned quiet_slices; /* stretches run since the debugger last said something */
	/* Real-time pace: wall and chip time of a common moment. */
	enum vb_pace pace;
	uint64_t wall_anchor;
	double chip_anchor;
	uint64_t late;        /* times that this machine was too slow for real time */
};

/* Builds the board, loads the ELF file, opens the endpoints and switches the power on. On
 * failure everything is released again. options and clock must outlive it. */
enum rtb_status vb_board_start(struct vb_board *b, const struct vb_options *options,
			       const struct rtb_clock *clock, struct rtb_error *e);
/* Runs until *stop, the cycle limit, or the program's semihosting exit. signals is the mask
 * to wait with: block what sets *stop otherwise, so that it cannot be missed. */
void vb_board_run(struct vb_board *b, const volatile sig_atomic_t *stop, const sigset_t *signals);
/* What the process is to exit with after vb_board_run. */
int vb_board_exit_code(const struct vb_board *b);
enum rtb_status vb_board_stop(struct vb_board *b, struct rtb_error *e);

#endif
