/* mini_sync.c - counting semaphores and queues. */
#include "mini_internal.h"

/* ---- semaphores ---- */

void mini_sem_init(struct mini_sem *s, uint32_t count)
{
	s->count = count;
	mini_list_init(&s->waiting);
}

bool mini_sem_take(struct mini_sem *s, uint32_t ticks)
{
	MINI_ASSERT(s);
	uint32_t saved = mini_lock();
	mini_trace(MINI_EV_TAKE, s);
	if (s->count > 0) {
		s->count--;
		mini_unlock(saved);
		return true;
	}
	if (ticks == 0) {
		mini_unlock(saved);
		return false;
	}
	struct mini_task *self = mini.current;
	mini_block(&s->waiting, ticks);
	mini_unlock(saved);
	return self->granted;
}

void mini_sem_give(struct mini_sem *s)
{
	MINI_ASSERT(s);
	uint32_t saved = mini_lock();
	mini_trace(MINI_EV_GIVE, s);
	if (mini_list_empty(&s->waiting)) {
		MINI_ASSERT(s->count < UINT32_MAX);
		s->count++;
	} else {
		mini_wake_first(&s->waiting);
		mini_schedule();
	}
	mini_unlock(saved);
}

/* ---- queues ----
 * Tasks wait in an empty queue only to receive and in a full one only to send, so one list
 * does, and `used` says who is in it. */

static void copy(uint32_t *to, const uint32_t *from, unsigned words)
{
	for (unsigned i = 0; i < words; i++)
		to[i] = from[i];
}

static uint32_t *slot(struct mini_queue *q, unsigned index)
{
	if (index >= q->depth)
		index -= q->depth;
	return q->storage + index * q->words;
}

void mini_queue_init(struct mini_queue *q, uint32_t *storage, unsigned words, unsigned depth)
{
	MINI_ASSERT(storage && words > 0 && depth > 0);
	*q = (struct mini_queue){
		.storage = storage, .words = (uint16_t)words, .depth = (uint16_t)depth,
	};
	mini_list_init(&q->waiting);
}

/* What cannot be done at once: the current task waits, with `message` as its end of the copy. */
static bool queue_wait(struct mini_queue *q, uint32_t *message, uint32_t ticks, uint32_t saved)
{
	if (ticks == 0) {
		mini_unlock(saved);
		return false;
	}
	struct mini_task *self = mini.current;
	self->message = message;
	mini_block(&q->waiting, ticks);
	mini_unlock(saved);
	return self->granted;
}

bool mini_queue_send(struct mini_queue *q, const uint32_t *message, uint32_t ticks)
{
	MINI_ASSERT(q && message);
	uint32_t saved = mini_lock();
	mini_trace(MINI_EV_SEND, q);
	if (q->used == q->depth)
		return queue_wait(q, (uint32_t *)message, ticks, saved);
	if (q->used == 0 && !mini_list_empty(&q->waiting)) {
		copy(mini_wake_first(&q->waiting)->message, message, q->words);
		mini_schedule();
	} else {
		copy(slot(q, q->head + q->used), message, q->words);
		q->used++;
	}
	mini_unlock(saved);
	return true;
}

bool mini_queue_recv(struct mini_queue *q, uint32_t *message, uint32_t ticks)
{
	MINI_ASSERT(q && message);
	uint32_t saved = mini_lock();
	mini_trace(MINI_EV_RECV, q);
	if (q->used == 0)
		return queue_wait(q, message, ticks, saved);
	copy(message, slot(q, q->head), q->words);
	if (++q->head == q->depth)
		q->head = 0;
	q->used--;
	if (!mini_list_empty(&q->waiting)) {
		copy(slot(q, q->head + q->used), mini_wake_first(&q->waiting)->message, q->words);
		q->used++;
		mini_schedule();
	}
	mini_unlock(saved);
	return true;
}
