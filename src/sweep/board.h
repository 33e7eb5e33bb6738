/* board.h - a target while a sweep uses it: its lock, its service program, its link, and the
 * words of target.toml with the places filled in. */
#ifndef RTB_SWEEP_BOARD_H
#define RTB_SWEEP_BOARD_H

#include "base/flag.h"
#include "base/process.h"
#include "build/image.h"
#include "config/target.h"
#include "flash/flash.h"
#include "link/link.h"
#include "sweep/lock.h"

struct rtb_board {
	const struct rtb_target *target;
	const struct rtb_clock *clock;
	const rtb_flag *cancel;
	const struct rtb_flash_ops *ops;
	struct rtb_flash_board flash;  /* points into the lists below */
	struct rtb_flash_tool tool;
	char *run_dir, *serial, *debug; /* {run_dir} {serial} {debug} */
	int run_dir_fd;                /* held (flock), so that nobody takes it for a left-over; -1: not */
	char *spec;                    /* [link] spec */
	char **command, **files, **before, **after; /* NULL-terminated */
	struct rtb_memory *memory;     /* names are the target's */
	size_t memories;
	struct rtb_service service;
	char *service_log;
	struct rtb_lock lock[2];
	char *loaded;                  /* build-id that has spoken from the board; NULL: not known */
	struct rtb_link *link;         /* open between rtb_board_link and _unlink */
};

/* Fills out, finds the flash tool and takes the board's locks. RTB_BOARD_BUSY, RTB_NO_TOOL,
 * RTB_TOOL_OLD, RTB_CONFIG. rtb_board_close in either case. */
enum rtb_status rtb_board_open(const struct rtb_target *t, const struct rtb_clock *clock,
			       const rtb_flag *cancel, struct rtb_board *out,
			       struct rtb_error *e);
/* Stops the service, closes the link, gives the locks back. */
void rtb_board_close(struct rtb_board *b);

/* Starts the service when the target has one and it does not run, and waits for its ready
 * line. RTB_LINK_ABSENT (with its last words), RTB_NO_TOOL, RTB_INTERRUPTED. */
enum rtb_status rtb_board_start(struct rtb_board *b, struct rtb_error *e);
/* So that the next cell begins with a fresh board. */
void rtb_board_stop(struct rtb_board *b);
/* Which image the board holds: set when a hello has proven it, NULL when anything went wrong. */
void rtb_board_holds(struct rtb_board *b, const char *build_id);

/* Opens the link and drains it: before the reset, so that nothing the new image says is lost
 * and nothing the old one said is left. *dropped: bytes thrown away. */
enum rtb_status rtb_board_link(struct rtb_board *b, size_t *dropped, struct rtb_error *e);
void rtb_board_unlink(struct rtb_board *b);

#endif
