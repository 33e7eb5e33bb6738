/* case_table.h - the cases of this image. */
#ifndef RTB_CASE_TABLE_H
#define RTB_CASE_TABLE_H

#include "core/bench.h"

struct rtb_case {
	const char *name;
	const char *series; /* space-separated, "" for one without a name */
	const char *unit;
	const struct rtb_case_impl *impl; /* NULL: not linked into this image */
	uint8_t version, divisor, needs;
};

extern const struct rtb_case rtb_cases[RTB_CASE_COUNT];

/* NULL: no such case. */
const struct rtb_case *case_find(const char *name);
/* Linked in, and the port has what it needs. */
bool case_supported(const struct rtb_case *c);

#endif
