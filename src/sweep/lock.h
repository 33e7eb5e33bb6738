/* lock.h - one board, one rtbench at a time. The lock is the kernel's (flock): it is gone when
 * its holder is, whatever way that went, so a stale lock cannot exist. The file only says who
 * it was and is never removed. */
#ifndef RTB_SWEEP_LOCK_H
#define RTB_SWEEP_LOCK_H

#include "base/clock.h"
#include "base/status.h"

struct rtb_lock {
	int fd; /* -1: not held */
};

/* Directory of locks: $RTBENCH_LOCK_DIR, else /run/lock, else /tmp: shared by all users. */
const char *rtb_lock_dir(void);
/* key is the board's physical identity ("link:/dev/ttyUSB0"), label its name for messages.
 * RTB_BOARD_BUSY names the holder's pid and since when. */
enum rtb_status rtb_lock_take(const char *dir, const char *key, const char *label,
			      const struct rtb_clock *clock, struct rtb_lock *out, struct rtb_error *e);
void rtb_lock_release(struct rtb_lock *l);

#endif
