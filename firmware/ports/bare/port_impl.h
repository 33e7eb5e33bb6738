/* port_impl.h - bare behind port.h.
 *
 * Fairness: not a kernel, and not to be ranked as one. Two contexts, no tick, no priorities:
 * the one that waits is always the one that a give is for. Cases that need more than two
 * tasks, a tick or a mutex are not offered. Semaphore and box are guarded by PRIMASK, the
 * cheapest guard there is.
 *
 * Instrumented: there is nothing to switch on, so both builds hold the same code.
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "bare.h"

typedef struct bare_context rtb_task;
typedef struct bare_sem rtb_sem;
typedef struct bare_box rtb_queue;
_Static_assert(BARE_BOX == RTB_QUEUE_DEPTH, "depth of the queue");

RTB_INLINE uint32_t rtb_ticks(void) { return 0; }
RTB_INLINE void rtb_yield(void) { bare_swap(); }

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count)
{
	*sem = (struct bare_sem){ .count = count };
}

RTB_INLINE void rtb_sem_give(rtb_sem *sem) { bare_sem_give(sem); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { bare_sem_take(sem); }
RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem) { bare_sem_give(sem); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue) { *queue = (struct bare_box){ .put = 0 }; }
RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message) { bare_box_put(queue, message); }
RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue) { return bare_box_get(queue); }

#define RTB_ISR_ENTER() do { } while (0)
#define RTB_ISR_EXIT() do { } while (0)
#define RTB_ISR_PRIO 0x40

#endif
