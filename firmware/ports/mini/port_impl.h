/* port_impl.h - mini behind port.h.
 *
 * Fairness: tick 1 kHz by SysTick, never switched off; idle does not sleep; all objects static;
 * one stack size for all tasks; bench priority p is mini's p, 1 .. 24 of 32, 0 being idle.
 * Nothing is left out of the kernel for the bench: every wait goes through the general call
 * with a timeout (MINI_FOREVER), queues copy messages of any size word by word, mutexes always
 * inherit. mini has no time slice to switch off.
 *
 * Instrumented (MINI_DEBUG=1)           Plain (MINI_DEBUG=0)
 *   trace ring of 64 events               none
 *   cycles and switches of each task      none
 *   stack check at every switch           none
 *   argument checks                       none
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "mini.h"

typedef struct mini_task rtb_task;
typedef struct mini_sem rtb_sem;
typedef struct mini_mutex rtb_mutex;
typedef struct {
	struct mini_queue queue;
	uint32_t storage[RTB_QUEUE_DEPTH];
} rtb_queue;

RTB_INLINE uint32_t rtb_ticks(void) { return mini_ticks(); }
RTB_INLINE void rtb_yield(void) { mini_yield(); }
RTB_INLINE void rtb_delay(unsigned ticks) { mini_delay(ticks); }

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count) { mini_sem_init(sem, count); }
RTB_INLINE void rtb_sem_give(rtb_sem *sem) { mini_sem_give(sem); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { mini_sem_take(sem, MINI_FOREVER); }
RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem) { mini_sem_give(sem); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	mini_queue_init(&queue->queue, queue->storage, 1, RTB_QUEUE_DEPTH);
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	mini_queue_send(&queue->queue, &message, MINI_FOREVER);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	uint32_t message;
	mini_queue_recv(&queue->queue, &message, MINI_FOREVER);
	return message;
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex) { mini_mutex_init(mutex); }
RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex) { mini_mutex_lock(mutex, MINI_FOREVER); }
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex) { mini_mutex_unlock(mutex); }

/* mini asks nothing of a handler: a switch is pended by the call that makes it due. */
#define RTB_ISR_ENTER() do { } while (0)
#define RTB_ISR_EXIT() do { } while (0)
#define RTB_ISR_PRIO MINI_IRQ_PRIO

#endif
