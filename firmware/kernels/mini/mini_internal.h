/* mini_internal.h - the kernel among itself. Functions here are called with the kernel locked
 * unless they say otherwise. */
#ifndef MINI_INTERNAL_H
#define MINI_INTERNAL_H

#include "mini.h"
#include "mini_debug.h"

#define MINI_ICSR       (*(volatile uint32_t *)0xE000ED04)
#define MINI_PENDSVSET  (1u << 28)

struct mini_kernel {
	struct mini_task *current; /* first: PendSV relies on the order of these two */
	struct mini_task *next;    /* most urgent ready task */
	uint32_t ready_bits;       /* bit 31 - p: a task of priority p is ready */
	uint32_t ticks;
	struct mini_list ready[MINI_PRIORITIES];
	struct mini_list delayed;
	bool running;
};
extern struct mini_kernel mini;

static inline uint32_t mini_lock(void)
{
	uint32_t saved;
	__asm volatile("mrs %0, basepri\n\tmsr basepri, %1\n\tisb"
		       : "=&r"(saved) : "r"(MINI_IRQ_PRIO) : "memory");
	return saved;
}

/* A switch that mini_schedule() asked for happens within this call. */
static inline void mini_unlock(uint32_t saved)
{
	__asm volatile("msr basepri, %0\n\tisb" : : "r"(saved) : "memory");
}

#define mini_task_of(node, member) \
	((struct mini_task *)(void *)((char *)(node) - offsetof(struct mini_task, member)))

/* Makes next the most urgent ready task and asks for a switch if that is not the current. */
void mini_schedule(void);
void mini_make_ready(struct mini_task *t);
void mini_make_unready(struct mini_task *t);
/* Current task waits in `list`; unlock afterwards to wait, then look at granted. */
void mini_block(struct mini_list *list, uint32_t ticks);
/* Takes the most urgent task off a wait list that is not empty, its wait granted, and makes it
 * ready. Does not schedule. */
struct mini_task *mini_wake_first(struct mini_list *list);
/* t's priority becomes prio, wherever t stands. */
void mini_set_priority(struct mini_task *t, unsigned prio);
/* The first task becomes current; returns its stack pointer. */
uint32_t *mini_first_task(void);
/* t gave up waiting for t->blocked_on: its owner may have inherited from t. */
void mini_mutex_abandoned(struct mini_task *t);

#endif
