/* plan_parts.h - what plan.c is made of. For this room alone. */
#ifndef RTB_SWEEP_PLAN_PARTS_H
#define RTB_SWEEP_PLAN_PARTS_H

#include "sweep/plan.h"

/* After the targets. RTB_CONFIG. */
enum rtb_status rtb_plan_load_boards(const struct rtb_project *p, struct rtb_plan *out, struct rtb_error *e);
/* Gives each cell its board. */
void rtb_plan_assign(struct rtb_plan *o);

#endif
