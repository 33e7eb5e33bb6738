/* record.h - the figures of a `record` frame, and its histogram as bins. */
#ifndef RTB_LINK_RECORD_H
#define RTB_LINK_RECORD_H

#include "link/fields.h"
#include "store/model.h"

/* Reads r from f, with what must hold between the figures: n > 0, min <= avg <= max, imax < n,
 * the histogram's total == n, its lowest value == min, its highest bin holds max. On failure
 * r owns nothing. */
void rtb_record_parse(struct rtb_fields *f, struct rtb_record *r);
void rtb_record_free(struct rtb_record *r);

#endif
