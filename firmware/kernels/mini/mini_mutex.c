/* mini_mutex.c - mutexes with priority inheritance.
 *
 * A task's priority is the greatest of its base and of the priorities of all who wait for the
 * mutexes it holds. That is established anew whenever it can change: up when someone begins to
 * wait, along the chain of owners who wait themselves; down when a waiter is served or gives up.
 */
#include "mini_internal.h"

static unsigned due_priority(const struct mini_task *t)
{
	unsigned prio = t->base;
	for (const struct mini_mutex *m = t->held; m; m = m->next_held) {
		if (mini_list_empty(&m->waiting))
			continue;
		unsigned waiting = mini_list_first(&m->waiting)->key;
		if (waiting > prio)
			prio = waiting;
	}
	return prio;
}

static void inherit(struct mini_task *owner, unsigned prio)
{
	while (owner && owner->prio < prio) {
		mini_set_priority(owner, prio);
		owner = owner->blocked_on ? owner->blocked_on->owner : NULL;
	}
}

static void own(struct mini_task *t, struct mini_mutex *m)
{
	m->owner = t;
	m->next_held = t->held;
	t->held = m;
}

static void disown(struct mini_task *t, struct mini_mutex *m)
{
	struct mini_mutex **link = &t->held;
	while (*link != m)
		link = &(*link)->next_held;
	*link = m->next_held;
}

void mini_mutex_init(struct mini_mutex *m)
{
	*m = (struct mini_mutex){ 0 };
	mini_list_init(&m->waiting);
}

bool mini_mutex_lock(struct mini_mutex *m, uint32_t ticks)
{
	MINI_ASSERT(m && m->owner != mini.current);
	uint32_t saved = mini_lock();
	mini_trace(MINI_EV_LOCK, m);
	struct mini_task *self = mini.current;
	if (!m->owner) {
		own(self, m);
		mini_unlock(saved);
		return true;
	}
	if (ticks == 0) {
		mini_unlock(saved);
		return false;
	}
	inherit(m->owner, self->prio);
	self->blocked_on = m;
	mini_block(&m->waiting, ticks);
	mini_unlock(saved);
	return self->granted;
}

void mini_mutex_unlock(struct mini_mutex *m)
{
	MINI_ASSERT(m && m->owner == mini.current);
	uint32_t saved = mini_lock();
	mini_trace(MINI_EV_UNLOCK, m);
	struct mini_task *self = mini.current;
	disown(self, m);
	if (mini_list_empty(&m->waiting)) {
		m->owner = NULL;
	} else {
		struct mini_task *t = mini_wake_first(&m->waiting);
		t->blocked_on = NULL;
		own(t, m);
		unsigned prio = due_priority(self);
		if (prio != self->prio)
			mini_set_priority(self, prio);
		mini_schedule();
	}
	mini_unlock(saved);
}

void mini_mutex_abandoned(struct mini_task *t)
{
	struct mini_task *owner = t->blocked_on->owner;
	t->blocked_on = NULL;
	while (owner) {
		unsigned prio = due_priority(owner);
		if (prio == owner->prio)
			return;
		mini_set_priority(owner, prio);
		owner = owner->blocked_on ? owner->blocked_on->owner : NULL;
	}
}
