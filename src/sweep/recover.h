/* recover.h - what is done to a board between two attempts at a run, ever stronger. The lowest rungs
 * are the next attempt itself: the link is opened anew and the probe resets the board; then the
 * probe connects while it holds the reset line, which reaches a chip that has given its debug pins
 * away or sleeps. Above them stand the adapter's pins. What is not wired is passed over; above all
 * of it the board is set aside (step.c). */
#ifndef RTB_SWEEP_RECOVER_H
#define RTB_SWEEP_RECOVER_H

#include "config/target.h"

enum rtb_rung { RUNG_NONE, RUNG_PROBE, RUNG_HOLD, RUNG_RESET_PIN, RUNG_POWER, RUNG_COUNT };
/* "link and probe", "reset under hold", "reset pin", "power cycle"; "" for RUNG_NONE */
const char *rtb_rung_word(enum rtb_rung r);

/* What there is to climb. */
struct rtb_wiring {
	struct rtb_adapter_conf adapter;
	bool hold; /* the probe can hold the chip in reset */
};

/* The rung above one (RUNG_NONE: no attempt was made yet) after an attempt that failed so; the highest
 * stays. After RTB_NO_ATTACH the probe alone would fail again and is passed over for a held reset. */
enum rtb_rung rtb_rung_after(const struct rtb_wiring *w, enum rtb_rung at, enum rtb_status failed);
/* The one on which a run begins whose board ended its last attempt so. */
enum rtb_rung rtb_rung_first(const struct rtb_target *t, enum rtb_status last);
/* Whether an attempt on this rung connects under a held reset. */
bool rtb_rung_holds(const struct rtb_target *t, enum rtb_rung r);

/* Climbs and logs what it was, how it went and how long it took; a rung that is the next attempt itself
 * is logged by that: rtb_recovered. Returns the rung. */
enum rtb_rung rtb_recover(const struct rtb_target *t, const struct rtb_clock *clock, enum rtb_rung at,
			  enum rtb_status failed);
/* An attempt on r has reached the chip, or not, after so long. */
void rtb_recovered(const struct rtb_target *t, enum rtb_rung r, unsigned ms, enum rtb_status st,
		   const struct rtb_error *why);

#endif
