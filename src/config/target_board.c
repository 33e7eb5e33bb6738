/* A [[board]] of rtbench.toml: its target with the board's own link, probe and adapter. */
#include <stdlib.h>
#include <string.h>

#include "config/target.h"

static void replace(char **where, const char *with)
{
	if (!*with)
		return;
	free(*where);
	*where = rtb_strdup(with);
}

enum rtb_status rtb_target_load_board(const struct rtb_project *p, const struct rtb_board_conf *c,
				      struct rtb_target *out, struct rtb_error *e)
{
	struct rtb_error own = {0};
	struct rtb_adapter_conf adapter;
	enum rtb_status st = rtb_target_load(p, c->target, out, &own);
	if (st == RTB_OK) {
		replace(&out->name, c->name);
		replace(&out->link.spec, c->link);
		replace(&out->link.usb_serial, c->usb_serial);
		replace(&out->openocd.probe_serial, c->probe_serial);
		replace(&out->openocd.probe_location, c->probe_location);
		replace(&out->openocd.uid, c->uid);
		replace(&out->adapter.device, c->adapter_device);
		st = rtb_target_adapter(out, &adapter, &own); /* device and link are others now */
	}
	if (st == RTB_OK && *c->adapter_device && strcmp(out->adapter.kind, "null") == 0)
		st = rtb_fail(&own, RTB_CONFIG, "adapter_device is set, but [adapter] in %s is of the kind \"null\"", out->path);
	return st ? rtb_fail(e, RTB_CONFIG, "%s:%u:1: board \"%s\": %s", p->path, c->line, c->name, own.text) : RTB_OK;
}

/* "left, right" of a target, or of all when it is NULL; *n: how many. Free it. */
static char *names(const struct rtb_project *p, const char *target, size_t *n, const struct rtb_board_conf **last)
{
	struct rtb_buf all = {0};
	*n = 0;
	for (size_t i = 0; i < p->board_count; i++)
		if (!target || strcmp(p->board[i].target, target) == 0) {
			rtb_buf_fmt(&all, "%s%s", (*n)++ ? ", " : "", p->board[i].name);
			*last = &p->board[i];
		}
	return all.data ? all.data : rtb_strdup("none");
}

static const struct rtb_board_conf *by_name(const struct rtb_project *p, const char *board)
{
	for (size_t i = 0; i < p->board_count; i++)
		if (strcmp(p->board[i].name, board) == 0)
			return &p->board[i];
	return NULL;
}

enum rtb_status rtb_target_choose(const struct rtb_project *p, const char *target, const char *board,
				  struct rtb_target *out, struct rtb_error *e)
{
	const struct rtb_board_conf *one = NULL;
	size_t n = 0;
	*out = (struct rtb_target){0};
	char *all = names(p, board ? NULL : target, &n, &one);
	enum rtb_status st = RTB_OK;
	if (board)
		one = by_name(p, board);
	if (board && !one)
		st = rtb_fail(e, RTB_NOT_FOUND, "no [[board]] \"%s\" in rtbench.toml; there are: %s", board, all);
	else if (!board && n > 1)
		st = rtb_fail(e, RTB_USAGE, "which board? --board names one of %s", all);
	else if (one)
		st = rtb_target_load_board(p, one, out, e);
	else
		st = rtb_target_load(p, target, out, e);
	free(all);
	return st;
}
