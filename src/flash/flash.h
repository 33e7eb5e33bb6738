/* flash.h - getting an image into a board and leaving it running with nobody attached.
 *
 * One programming pass is one short-lived program under one deadline. It counts as done only
 * when it ended well *and* said so itself after reading everything back.
 */
#ifndef RTB_FLASH_FLASH_H
#define RTB_FLASH_FLASH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/status.h"

/* The board, as far as programming goes. All borrowed; lists end with NULL. */
struct rtb_flash_board {
	const char *program;              /* "openocd" */
	const char *const *files;         /* configuration files, absolute */
	const char *const *before, *const *after; /* OpenOCD commands around them */
	const char *probe_usb;            /* "": do not look; "any"; "vid:pid" */
	const char *probe_serial, *probe_location; /* "": any */
	const char *uid;                  /* "": any chip */
	uint32_t cpu_tap_id;              /* 0: as the files say */
	bool reset_wired;                 /* the probe's reset line reaches the chip */
	unsigned timeout_ms;
	uint32_t flash_bytes;             /* as the target declares it */
	uint32_t uid_addr, uid_words, flash_size_addr, dbgmcu_cr_addr; /* 0: none */
	const char *sysfs;                /* NULL: "/sys" */
};

/* The tool, found once a sweep. */
struct rtb_flash_tool {
	char *path;    /* NULL where nothing is run */
	char *version; /* full line; NULL likewise */
	unsigned number; /* 1000 * major + minor: 12 is 0.12 */
};
void rtb_flash_tool_free(struct rtb_flash_tool *t);

struct rtb_flash_job {
	const char *elf;
	bool loaded;                      /* the image is in the board already: check the chip, reset, let go */
	bool held;                        /* connect while the reset line is held, where it is wired */
	const char *dir;                  /* script and log are kept here; must exist */
	const struct rtb_clock *clock;
	const rtb_flag *cancel;
};

/* What was seen on the way; set as far as it got, also on failure. */
struct rtb_flash_result {
	char *log, *log_path;             /* log NULL where nothing was run */
	char dp_id[16];                   /* "0x2ba01477"; "" unknown */
	char uid[65];                     /* hex; "" unknown */
	char probe[192];                  /* "ST-Link V2 1-1.4 serial 1234"; "" unknown */
	unsigned flash_kib;               /* what the chip says; 0: says nothing or 0 */
	bool flash_kib_known;
	uint32_t written;                 /* bytes, as the tool says */
	unsigned ms;
};
void rtb_flash_result_free(struct rtb_flash_result *r);

struct rtb_flash_ops {
	const char *name;
	/* Finds the tool and its version. RTB_NO_TOOL, RTB_TOOL_OLD. */
	enum rtb_status (*find)(const struct rtb_flash_board *b, const struct rtb_clock *clock,
				struct rtb_flash_tool *out, struct rtb_error *e);
	/* Program and verify (unless the image is there already), reset, let go. Every status of the 6 group, NO_TOOL, TOOL_OLD, CONFIG,
	 * INTERRUPTED. */
	enum rtb_status (*program)(const struct rtb_flash_board *b, const struct rtb_flash_tool *t,
				   const struct rtb_flash_job *job, struct rtb_flash_result *out,
				   struct rtb_error *e);
};

extern const struct rtb_flash_ops rtb_flash_openocd;
extern const struct rtb_flash_ops rtb_flash_null; /* the image is in the board already */
/* By name; NULL when there is none such. */
const struct rtb_flash_ops *rtb_flash_find(const char *name);

#endif
