/* adapter.h - reset and power of a board, apart from its debug probe. */
#ifndef RTB_ADAPTER_ADAPTER_H
#define RTB_ADAPTER_ADAPTER_H

#include "base/status.h"

struct rtb_adapter_ops {
	const char *name;
	/* RTB_UNSUPPORTED where the line is not wired. */
	enum rtb_status (*reset)(struct rtb_error *e);
	enum rtb_status (*power_cycle)(struct rtb_error *e);
};

extern const struct rtb_adapter_ops rtb_adapter_null; /* neither is wired */
/* By name; NULL when there is none such. */
const struct rtb_adapter_ops *rtb_adapter_find(const char *name);

#endif
