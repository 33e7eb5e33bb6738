/* port_impl.h - RIOT behind port.h.
 *
 * Fairness: all objects static; one stack size for all tasks, RIOT's control block, which lives at
 * the top of a stack's memory, coming on top of it (RTB_STACK_OVERHEAD). Bench priority p is RIOT's
 * 25 - p, 1 .. 24 of 26. Queues are mailboxes of msg_t, whose 8 bytes carry a word of payload.
 * There is no time slice to switch off (sched_round_robin is a module that nobody asked for).
 * No tick: RIOT is tickless by design and has no switch for one. SysTick stands still, delays
 * (ztimer, on a hardware timer) are not what rtb_delay() is, and the cases that need them are not
 * supported. Where others pay for a tick in their maximum, RIOT does not: compare medians.
 * Ready threads are found by CLZ, the kernel's own choice for this core.
 * Without a thread to run the scheduler waits inside PendSV, the default for Cortex-M
 * (core_idle_thread would be the other way); it does not sleep there (cpu_conf.h).
 * Handlers may have any priority: critical sections are PRIMASK. SysTick aside, RIOT gives all
 * interrupts one priority; PendSV has the least urgent here as there.
 *
 * Instrumented                            Plain
 *   asserts (default)                       NDEBUG
 *   DEVELHELP: stack bounds, stack test     off (default)
 *   names of threads                        off (default)
 *   schedstatistics through sched_cb        off (default)
 * Both: core_mutex_priority_inheritance (off by default), no core_msg (on by default).
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "cpu.h"
#include "mbox.h"
#include "mutex.h"
#include "sema.h"
#include "thread.h"

/* Control block, the mark that ends a stack, and a word to align it. */
#define RTB_STACK_OVERHEAD ((sizeof(thread_t) + 2 * sizeof(uint32_t) + 7) & ~(size_t)7)
#if RTB_INSTR
#define RTB_STACK_GUARD 1
#endif

typedef kernel_pid_t rtb_task;
typedef sema_t rtb_sem;
typedef mutex_t rtb_mutex;
typedef struct {
	mbox_t mbox;
	msg_t storage[RTB_QUEUE_DEPTH];
} rtb_queue;

RTB_INLINE uint32_t rtb_ticks(void) { return 0; }
RTB_INLINE void rtb_yield(void) { thread_yield(); }

/* By the static initialisers: sema_create() would lock the semaphore's mutex in the name of the
 * thread that runs, and before the scheduler there is none. */
RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count)
{
	if (count)
		*sem = (sema_t)SEMA_CREATE(count);
	else
		*sem = (sema_t)SEMA_CREATE_LOCKED();
}

RTB_INLINE void rtb_sem_give(rtb_sem *sem) { sema_post(sem); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { sema_wait(sem); }
RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem) { sema_post(sem); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	mbox_init(&queue->mbox, queue->storage, RTB_QUEUE_DEPTH);
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	msg_t m;
	m.content.value = message;
	mbox_put(&queue->mbox, &m);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	msg_t m;
	mbox_get(&queue->mbox, &m);
	return m.content.value;
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex) { mutex_init(mutex); }
RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex) { mutex_lock(mutex); }
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex) { mutex_unlock(mutex); }

/* A handler ends with cortexm_isr_end(), which asks for the switch that a call has put off. */
#define RTB_ISR_ENTER() do { } while (0)
#define RTB_ISR_EXIT() cortexm_isr_end()
#define RTB_ISR_PRIO 0

#endif
