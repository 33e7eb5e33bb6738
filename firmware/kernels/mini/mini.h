/* mini.h - mini, a small preemptive fixed-priority kernel for ARMv7-M.
 *
 * Objects are static and belong to the caller. Priorities are 0 (idle) .. 31 (most urgent),
 * any number of tasks on each; tasks of one priority run in turn when they yield, there is no
 * time slice. Every call but those that wait may come from an interrupt handler whose priority
 * is MINI_IRQ_PRIO or less urgent; the kernel masks these, and no others, with BASEPRI.
 *
 * Time for a call is bounded by the number of waiting tasks: ready lists are picked by CLZ in
 * constant time, wait lists and the delay list are kept sorted on insertion.
 *
 * MINI_DEBUG=1 adds a trace ring, run-time statistics, a stack check at every switch and
 * checks of arguments (mini_debug.h); with 0 there is no trace of any of them.
 */
#ifndef MINI_H
#define MINI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mini_list.h"

#ifndef MINI_DEBUG
#define MINI_DEBUG 0
#endif

#define MINI_VERSION "1.0.0"

#define MINI_PRIORITIES 32
#define MINI_FOREVER    UINT32_MAX
/* Longest wait in ticks other than MINI_FOREVER. */
#define MINI_MAX_TICKS  0x7fffffffu
/* NVIC priority from which handlers may call the kernel (BASEPRI of critical sections). */
#define MINI_IRQ_PRIO   0x40

struct mini_mutex;

struct mini_task {
	uint32_t *sp;            /* first member: PendSV relies on it */
	struct mini_node ready;  /* in the ready list of prio, while ready */
	struct mini_node wait;   /* in the wait list of an object, key = prio */
	struct mini_node delay;  /* in the delay list, key = wake-up tick */
	struct mini_list *waiting_in;
	struct mini_mutex *blocked_on;
	struct mini_mutex *held; /* chain of owned mutexes */
	uint32_t *message;       /* queue wait: where a message goes to or comes from */
	uint8_t prio;            /* as scheduled: base, or inherited */
	uint8_t base;
	bool granted;            /* the wait ended with what was waited for, not with time */
#if MINI_DEBUG
	const char *name;
	uint32_t *stack;
	uint32_t stack_guard;    /* lowest word at creation */
	uint64_t cycles;         /* run so far */
	uint32_t switches;       /* times switched to */
#endif
};

struct mini_sem {
	uint32_t count;
	struct mini_list waiting;
};

/* Messages of `words` words, `depth` of them in `storage`. Only senders or only receivers can
 * be waiting at a time. */
struct mini_queue {
	uint32_t *storage;
	uint16_t words, depth, used, head; /* head: index of the oldest message */
	struct mini_list waiting;
};

struct mini_mutex {
	struct mini_task *owner;
	struct mini_mutex *next_held;
	struct mini_list waiting;
};

/* Before any other call. */
void mini_init(void);
/* stack: 8-byte aligned, bytes a multiple of 8. fn must not return. The words below the first
 * frame are left as they are. */
void mini_task_create(struct mini_task *t, const char *name, void (*fn)(void *), void *arg,
		      unsigned prio, uint32_t *stack, size_t bytes);
/* Sets up SysTick at tick_hz from a core clock of core_hz and runs the tasks. */
void mini_start(uint32_t core_hz, uint32_t tick_hz) __attribute__((noreturn));

uint32_t mini_ticks(void);
void mini_yield(void);
/* Sleeps until the ticks-th tick from now; 1 .. MINI_MAX_TICKS. */
void mini_delay(uint32_t ticks);

/* Waits return false when `ticks` (0: do not wait) have passed in vain. */
void mini_sem_init(struct mini_sem *s, uint32_t count);
bool mini_sem_take(struct mini_sem *s, uint32_t ticks);
void mini_sem_give(struct mini_sem *s);

void mini_queue_init(struct mini_queue *q, uint32_t *storage, unsigned words, unsigned depth);
bool mini_queue_send(struct mini_queue *q, const uint32_t *message, uint32_t ticks);
bool mini_queue_recv(struct mini_queue *q, uint32_t *message, uint32_t ticks);

/* Priority inheritance: an owner runs at the priority of the most urgent task that waits for
 * any of its mutexes, through chains of owners. Not recursive, not for handlers. */
void mini_mutex_init(struct mini_mutex *m);
bool mini_mutex_lock(struct mini_mutex *m, uint32_t ticks);
void mini_mutex_unlock(struct mini_mutex *m);

/* Vectors. */
void mini_svc_handler(void);
void mini_pendsv_handler(void);
void mini_systick_handler(void);

#endif
