/* sched.c - a short ordered list: a board has a dozen events queued at most. */
#include "vboard/sched.h"

#include <stddef.h>

void vb_sched_cancel(struct vb_sched *s, struct vb_event *e)
{
	if (!e->queued)
		return;
	struct vb_event **p = &s->head;
	while (*p != e)
		p = &(*p)->next;
	*p = e->next;
	e->queued = false;
}

void vb_sched_at(struct vb_sched *s, struct vb_event *e, uint64_t at)
{
	vb_sched_cancel(s, e);
	struct vb_event **p = &s->head;
	while (*p && (*p)->at <= at)
		p = &(*p)->next;
	e->at = at;
	e->next = *p;
	e->queued = true;
	*p = e;
}

uint64_t vb_sched_next(const struct vb_sched *s)
{
	return s->head ? s->head->at : UINT64_MAX;
}

void vb_sched_run(struct vb_sched *s, uint64_t now)
{
	while (s->head && s->head->at <= now) {
		struct vb_event *e = s->head;
		s->head = e->next;
		e->queued = false;
		e->fire(e->ctx, e->at);
	}
}
