/* port_impl.h - ThreadX behind port.h.
 *
 * Fairness: tick 1 kHz by SysTick, no low-power idle; all objects static; one stack size for
 * all tasks; bench priority p is ThreadX's 31 - p, 30 .. 7 of 32, 0 being the most urgent. No
 * time slice (TX_NO_TIME_SLICE, which is what an application has to choose anyway). The
 * scheduler has no option to choose: a bit map and CLZ. Delays end in the tick's handler, not
 * in the kernel's timer thread, which is the default; see the configuration. Waits go through
 * tx_*_get and friends with TX_WAIT_FOREVER.
 *
 * ThreadX idles inside its PendSV handler, so SysTick must be more urgent than PendSV; it has
 * 0xE0, PendSV 0xF0. The kernel masks all interrupts with PRIMASK, as its port does by default
 * (BASEPRI on request), so handlers that call it may have any priority: RTB_ISR_PRIO is 0.
 * The run-time profile of the instrumented build wants to be told of a handler's begin and end.
 *
 * Plain and instrumented stand side by side in config/tx_user.h.
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "tx_api.h"

#if RTB_INSTR
#define RTB_STACK_PAINT 0xEFEFEFEFu
#endif

typedef TX_THREAD rtb_task;
typedef TX_SEMAPHORE rtb_sem;
typedef TX_MUTEX rtb_mutex;
typedef struct {
	TX_QUEUE queue;
	ULONG storage[RTB_QUEUE_DEPTH];
} rtb_queue;

RTB_INLINE uint32_t rtb_ticks(void) { return tx_time_get(); }
RTB_INLINE void rtb_yield(void) { tx_thread_relinquish(); }
RTB_INLINE void rtb_delay(unsigned ticks) { (void)tx_thread_sleep(ticks); }

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count)
{
	(void)tx_semaphore_create(sem, (CHAR *)"", count);
}

RTB_INLINE void rtb_sem_give(rtb_sem *sem) { (void)tx_semaphore_put(sem); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { (void)tx_semaphore_get(sem, TX_WAIT_FOREVER); }
RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem) { (void)tx_semaphore_put(sem); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	(void)tx_queue_create(&queue->queue, (CHAR *)"", TX_1_ULONG, queue->storage, sizeof(queue->storage));
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	(void)tx_queue_send(&queue->queue, &message, TX_WAIT_FOREVER);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	uint32_t message;
	(void)tx_queue_receive(&queue->queue, &message, TX_WAIT_FOREVER);
	return message;
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex) { (void)tx_mutex_create(mutex, (CHAR *)"", TX_INHERIT); }
RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex) { (void)tx_mutex_get(mutex, TX_WAIT_FOREVER); }
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex) { (void)tx_mutex_put(mutex); }

/* A switch is pended by the call that makes it due. */
#if RTB_INSTR
#define RTB_ISR_ENTER() _tx_execution_isr_enter()
#define RTB_ISR_EXIT() _tx_execution_isr_exit()
#else
#define RTB_ISR_ENTER() do { } while (0)
#define RTB_ISR_EXIT() do { } while (0)
#endif
#define RTB_ISR_PRIO 0

#endif
