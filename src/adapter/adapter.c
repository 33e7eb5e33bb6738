#include "adapter/adapter.h"

#include <stddef.h>
#include <string.h>

static enum rtb_status null_reset(struct rtb_error *e)
{
	return rtb_fail(e, RTB_UNSUPPORTED, "the target names no adapter that could reset the board");
}

static enum rtb_status null_power_cycle(struct rtb_error *e)
{
	return rtb_fail(e, RTB_UNSUPPORTED, "the target names no adapter that could switch the board's power");
}

const struct rtb_adapter_ops rtb_adapter_null = {"null", null_reset, null_power_cycle};

static const struct rtb_adapter_ops *const all[] = {&rtb_adapter_null};

const struct rtb_adapter_ops *rtb_adapter_find(const char *name)
{
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}
