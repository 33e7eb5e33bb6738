/* The boards of a plan, and which of them does a cell. */
#include <stdlib.h>
#include <string.h>

#include "adapter/ftdi.h"
#include "sweep/plan_parts.h"

static enum rtb_status add_board(const struct rtb_project *p, size_t target, const struct rtb_board_conf *c,
				 struct rtb_plan *out, struct rtb_error *e)
{
	struct rtb_plan_board *b = &out->board[out->board_count++];
	b->of = target;
	return c ? rtb_target_load_board(p, c, &b->target, e) : rtb_target_load(p, out->target[target].name, &b->target, e);
}

/* A board of what does not exist would silently be no board at all. */
static enum rtb_status check_target(const struct rtb_project *p, const struct rtb_board_conf *c, struct rtb_error *e)
{
	struct rtb_target t;
	enum rtb_status st = rtb_target_load_board(p, c, &t, e);
	rtb_target_free(&t);
	return st;
}

static bool same_adapter(const struct rtb_target *a, const struct rtb_target *b)
{
	struct rtb_ftdi_spec x, y;
	return strcmp(a->adapter.kind, "ftdi") == 0 && rtb_ftdi_parse(a->adapter.device, &x) &&
	       rtb_ftdi_parse(b->adapter.device, &y) && rtb_ftdi_same(&x, &y);
}

/* Two boards behind one port are one; behind one adapter the reset of one is the other's. A [service]
 * makes a port of its own for each. */
static enum rtb_status check_apart(const struct rtb_project *p, const struct rtb_plan *o, struct rtb_error *e)
{
	for (size_t i = 0; i < o->board_count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct rtb_target *a = &o->board[i].target, *b = &o->board[k].target;
			if (o->board[i].of != o->board[k].of)
				continue;
			if (!a->service.command.n && strcmp(a->link.spec, b->link.spec) == 0)
				return rtb_fail(e, RTB_CONFIG, "%s: the boards \"%s\" and \"%s\" have the same link, %s", p->path,
						b->name, a->name, a->link.spec);
			if (same_adapter(a, b))
				return rtb_fail(e, RTB_CONFIG, "%s: the boards \"%s\" and \"%s\" have the same adapter, %s; give each "
						"its adapter_device", p->path, b->name, a->name, a->adapter.device);
		}
	return RTB_OK;
}

enum rtb_status rtb_plan_load_boards(const struct rtb_project *p, struct rtb_plan *out, struct rtb_error *e)
{
	enum rtb_status st = RTB_OK;
	for (size_t i = 0; st == RTB_OK && i < p->board_count; i++)
		st = check_target(p, &p->board[i], e);
	out->board = rtb_alloc((out->target_count + p->board_count) * sizeof *out->board);
	for (size_t t = 0; st == RTB_OK && t < out->target_count; t++) {
		size_t had = out->board_count;
		for (size_t i = 0; st == RTB_OK && i < p->board_count; i++)
			if (strcmp(p->board[i].target, out->target[t].name) == 0 && (out->board_count == had || !p->same_board))
				st = add_board(p, t, &p->board[i], out, e);
		if (st == RTB_OK && out->board_count == had)
			st = add_board(p, t, NULL, out, e);
	}
	return st ? st : check_apart(p, out, e);
}

void rtb_plan_assign(struct rtb_plan *o)
{
	for (size_t t = 0; t < o->target_count; t++) {
		size_t first = 0, count = 0, nth = 0;
		while (o->board[first].of != t)
			first++;
		while (first + count < o->board_count && o->board[first + count].of == t)
			count++;
		for (size_t i = 0; i < o->cell_count; i++)
			if (o->cell[i].target == t)
				o->cell[i].board = first + nth++ % count;
	}
}
