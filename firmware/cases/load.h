/* load.h - the four loads under which jitter is measured: two tasks that are idle, that hand a
 * semaphore back and forth, that do so with a message, or that sleep a tick at a time.
 */
#ifndef RTB_CASES_LOAD_H
#define RTB_CASES_LOAD_H

#include "core/bench.h"

/* In the order of the series. */
enum load_kind { LOAD_IDLE, LOAD_SEM, LOAD_QUEUE, LOAD_DELAY, LOAD_COUNT };

/* Member of a case's state. */
struct load {
	volatile enum load_kind kind;    /* wanted */
	volatile enum load_kind running; /* by leader and helper */
	volatile bool stop;
	rtb_sem gate, helper_gate, helper_back, ping, pong;
	rtb_queue there, back;
	RTB_TASK(leader);
	RTB_TASK(helper);
};

/* Creates the tasks, the leader at prio + 1, the helper at prio; idle. From setup(). */
void load_setup(struct load *load, unsigned prio);
/* The next kind begins as soon as the tasks get to run. */
void load_next(struct load *load);
/* The same from a handler, between RTB_ISR_ENTER and RTB_ISR_EXIT; a macro, because the port's
 * give may use what RTB_ISR_ENTER declares. */
#define load_next_isr(load) \
	do { \
		(load)->kind = (enum load_kind)((load)->kind + 1); \
		rtb_sem_give_isr(&(load)->gate); \
	} while (0)

#endif
