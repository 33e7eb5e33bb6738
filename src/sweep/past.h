/* past.h - the runs that a sweep has stored before it was cut short. */
#ifndef RTB_SWEEP_PAST_H
#define RTB_SWEEP_PAST_H

#include "store/store.h"

struct rtb_past {
	struct rtb_run **run; /* all of them, failed ones too; NULL where taken */
	size_t count;
};

/* RTB_STORE*. rtb_past_free in either case. */
enum rtb_status rtb_past_load(struct rtb_store *s, int64_t sweep_id, struct rtb_past *out, struct rtb_error *e);
void rtb_past_free(struct rtb_past *p);

/* How many runs of this cell and repeat there have been, however they ended. */
unsigned rtb_past_attempts(const struct rtb_past *p, const struct rtb_cell *cell, unsigned repeat);
/* The newest complete one that is still what would be measured: it ran the image of this
 * build-id, took as many samples, and has a record of each case (a list that ends with NULL). The caller's; NULL when
 * there is none, and then *why says what has changed where something has (static; else NULL). */
struct rtb_run *rtb_past_take(struct rtb_past *p, const struct rtb_cell *cell, unsigned repeat,
			      const char *build_id, unsigned samples, const char *const *cases,
			      const char **why);
/* Whether another attempt at the same repeat counts before this one, which was taken. */
bool rtb_past_beaten(const struct rtb_past *p, const struct rtb_run *taken);

#endif
