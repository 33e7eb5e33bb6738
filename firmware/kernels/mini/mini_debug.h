/* mini_debug.h - what an instrumented mini does more. Each hook is empty when MINI_DEBUG is 0.
 *
 *   trace ring    the last MINI_TRACE events: cycle stamp, kind, task
 *   statistics    cycles and switches of each task
 *   stack check   at each switch: the outgoing task's stack pointer is inside its stack and the
 *                 stack's lowest word is what it was when the task was created
 *   arguments     null objects, waits in handlers, unlock by another than the owner, ...
 */
#ifndef MINI_DEBUG_H
#define MINI_DEBUG_H

#include <stdint.h>

#ifndef MINI_DEBUG
#define MINI_DEBUG 0
#endif

struct mini_task;

enum mini_event {
	MINI_EV_SWITCH = 1, MINI_EV_READY, MINI_EV_BLOCK, MINI_EV_TIMEOUT, MINI_EV_TICK,
	MINI_EV_GIVE, MINI_EV_TAKE, MINI_EV_SEND, MINI_EV_RECV, MINI_EV_LOCK, MINI_EV_UNLOCK,
	MINI_EV_YIELD, MINI_EV_DELAY,
};

#if MINI_DEBUG

#define MINI_TRACE 64 /* a power of two */

struct mini_trace {
	uint32_t cycles;
	uint32_t what; /* event in the top byte, low 24 bits of an address below */
};
extern struct mini_trace mini_trace_ring[MINI_TRACE];
extern uint32_t mini_trace_count;

void mini_trace(enum mini_event event, const void *object);
void mini_debug_created(struct mini_task *t, const char *name, uint32_t *stack);
/* The current task leaves, `next` comes. Called by PendSV with interrupts off and the outgoing
 * stack pointer already stored. */
void mini_debug_switch(void);
/* Provided by whoever integrates the kernel; does not return. */
void mini_assert_failed(void) __attribute__((noreturn));

#define MINI_ASSERT(condition) \
	do { \
		if (!(condition)) \
			mini_assert_failed(); \
	} while (0)

#else

#define mini_trace(event, object) ((void)0)
#define mini_debug_created(t, name, stack) ((void)(name))
#define MINI_ASSERT(condition) ((void)0)

#endif

#endif
