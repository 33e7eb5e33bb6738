/* recover.h - what is done to a board between two attempts at a run, ever stronger. The first new
 * attempt is itself the lowest rung: the link is opened anew, the probe resets the board and
 * programs it. Above it stand the adapter's pins, as far as they are wired; above these the board is
 * set aside (step.c). */
#ifndef RTB_SWEEP_RECOVER_H
#define RTB_SWEEP_RECOVER_H

#include "config/target.h"

enum rtb_rung { RUNG_PROBE, RUNG_RESET_PIN, RUNG_POWER, RUNG_COUNT };
const char *rtb_rung_word(enum rtb_rung r); /* "link and probe", "reset pin", "power cycle" */

/* The rung after so many failed attempts (>= 1): one higher with each, over those that are wired. */
enum rtb_rung rtb_rung_after(const struct rtb_adapter_conf *c, unsigned failed);
/* Climbs it and logs what it was, how it went and how long it took. */
void rtb_recover(const struct rtb_target *t, const struct rtb_clock *clock, unsigned failed);

#endif
