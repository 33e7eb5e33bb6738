#include "flash/flash.h"

#include <stdlib.h>
#include <string.h>

static const struct rtb_flash_ops *const all[] = {&rtb_flash_openocd, &rtb_flash_null};

const struct rtb_flash_ops *rtb_flash_find(const char *name)
{
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}

void rtb_flash_tool_free(struct rtb_flash_tool *t)
{
	free(t->path);
	free(t->version);
	*t = (struct rtb_flash_tool){0};
}

void rtb_flash_result_free(struct rtb_flash_result *r)
{
	free(r->log);
	free(r->log_path);
	*r = (struct rtb_flash_result){0};
}

static enum rtb_status null_find(const struct rtb_flash_board *b, const struct rtb_clock *clock,
				 struct rtb_flash_tool *out, struct rtb_error *e)
{
	(void)b, (void)clock, (void)e;
	*out = (struct rtb_flash_tool){0};
	return RTB_OK;
}

static enum rtb_status null_program(const struct rtb_flash_board *b, const struct rtb_flash_tool *t,
				    const struct rtb_flash_job *job, struct rtb_flash_result *out,
				    struct rtb_error *e)
{
	(void)b, (void)t, (void)job, (void)e;
	*out = (struct rtb_flash_result){0};
	return RTB_OK;
}

const struct rtb_flash_ops rtb_flash_null = {"null", null_find, null_program};
