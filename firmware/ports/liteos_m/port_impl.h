/* port_impl.h - LiteOS-M behind port.h.
 *
 * Fairness: in the points below.
 * - Tick: this kernel has no periodic tick of its own. It counts cycles of a timer, and its
 *   driver of SysTick programs that anew for whatever is due next. Here it is given, through its
 *   interface for timers, one that counts milliseconds: SysTick wraps at 1 kHz and is never
 *   programmed again (arch.c). All that the kernel computes at a switch it still computes - the
 *   time twice, the slice, the next deadline, in 64 bits - but asking for the time and setting
 *   the deadline are a load and a return where its own driver reads and writes SysTick.
 * - Time slice: cannot be switched off; it is so long that it never ends (default 20 ms).
 * - Control blocks come from the kernel's heap, in pools filled when it starts, sized in
 *   config/target_config.h for the largest case; nothing is allocated afterwards. Stacks and
 *   queue storage are static. Objects are known by number, and each call checks the number.
 * - Handlers are in the vector table directly (LOSCFG_USE_SYSTEM_DEFINED_INTERRUPT 0), because
 *   the bench's table is in flash. The default is a table in RAM and a dispatcher that counts,
 *   looks the handler up and calls it.
 * - Scheduler: one list for each of 32 priorities and a bitmap, searched by CLZ; there is no
 *   other. Every switch is a PendSV. Critical sections by PRIMASK, so no interrupt is above the
 *   kernel. Bench priority p is 30 - p; idle has 31 and does not sleep.
 * - A task woken with some slice left goes to the head of its priority's list, not the tail.
 * - The tree asks for a library of bounds-checked string functions that is not in it;
 *   config/securec.h has what is used of that, inline.
 * - The kernel states no version in any header that it is built from.
 *
 * Plain and instrumented stand side by side in config/target_config.h.
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "los_config.h"
#include "los_mux.h"
#include "los_queue.h"
#include "los_sem.h"
#include "los_task.h"

/* The kernel fills stacks itself and keeps a magic word in the lowest. */
#define RTB_STACK_PAINT 0xCACACACAu
#define RTB_STACK_GUARD 1

typedef UINT32 rtb_task;
typedef UINT32 rtb_sem;
typedef UINT32 rtb_mutex;
typedef struct {
	UINT32 id;
	/* With each message the kernel keeps its length. */
	UINT32 storage[RTB_QUEUE_DEPTH][2];
} rtb_queue;

/* What the kernel's clock reads. */
extern volatile UINT32 rtb_liteos_ticks;

/* Pools run out; an object that does not exist would be measured as a call that fails fast. */
void rtb_liteos_need(UINT32 status);

RTB_INLINE uint32_t rtb_ticks(void) { return rtb_liteos_ticks; }
RTB_INLINE void rtb_yield(void) { (void)LOS_TaskYield(); }
RTB_INLINE void rtb_delay(unsigned ticks) { (void)LOS_TaskDelay(ticks); }

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count) { rtb_liteos_need(LOS_SemCreate((UINT16)count, sem)); }
RTB_INLINE void rtb_sem_give(rtb_sem *sem) { (void)LOS_SemPost(*sem); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { (void)LOS_SemPend(*sem, LOS_WAIT_FOREVER); }
RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem) { (void)LOS_SemPost(*sem); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	rtb_liteos_need(LOS_QueueCreateStatic("bench", RTB_QUEUE_DEPTH, &queue->id, (UINT8 *)queue->storage, 0,
					      sizeof(UINT32)));
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	(void)LOS_QueueWriteCopy(queue->id, &message, sizeof(message), LOS_WAIT_FOREVER);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	uint32_t message;
	UINT32 size = sizeof(message);
	(void)LOS_QueueReadCopy(queue->id, &message, &size, LOS_WAIT_FOREVER);
	return message;
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex) { rtb_liteos_need(LOS_MuxCreate(mutex)); }
RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex) { (void)LOS_MuxPend(*mutex, LOS_WAIT_FOREVER); }
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex) { (void)LOS_MuxPost(*mutex); }

#define RTB_ISR_ENTER() do { } while (0)
#define RTB_ISR_EXIT() do { } while (0)
#define RTB_ISR_PRIO 0x00

#endif
