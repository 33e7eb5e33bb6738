/* sched.h - things that will happen at a cycle: timers, serial bits, flash busy times. */
#ifndef VB_SCHED_H
#define VB_SCHED_H

#include <stdbool.h>
#include <stdint.h>

struct vb_event {
	uint64_t at;                 /* absolute cycle */
	void (*fire)(void *ctx, uint64_t at); /* may schedule again, this event included */
	void *ctx;
	struct vb_event *next;       /* the schedule's own */
	bool queued;
};

/* Ordered list; events of one cycle fire in the order they were added. Owns nothing. */
struct vb_sched {
	struct vb_event *head;
};

/* Queues (or moves) e to `at`. The event stays the caller's and must outlive its queueing. */
void vb_sched_at(struct vb_sched *s, struct vb_event *e, uint64_t at);
void vb_sched_cancel(struct vb_sched *s, struct vb_event *e);
/* Cycle of the next event, UINT64_MAX when there is none. */
uint64_t vb_sched_next(const struct vb_sched *s);
/* Fires every event due at or before `now`. */
void vb_sched_run(struct vb_sched *s, uint64_t now);

#endif
