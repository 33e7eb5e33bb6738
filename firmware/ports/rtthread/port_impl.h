/* port_impl.h - RT-Thread Nano behind port.h.
 *
 * Fairness: tick 1 kHz by SysTick at the lowest priority, no tickless; all objects static; one
 * stack size for all threads. RT-Thread counts priorities from 0, the most urgent: bench
 * priority p is 31 - p, 7 .. 30, idle having 31. The ready list is a bitmap of one word,
 * looked at by CLZ (RT_USING_CPU_FFS; the kernel's own default is a table). Time slicing cannot be switched off, so every
 * thread gets a slice that no case lives to see the end of (default: a few ticks). Objects wake
 * by priority (RT_IPC_FLAG_PRIO), as in the other kernels; many examples take FIFO, which is
 * cheaper where several threads wait. The kernel masks all interrupts (PRIMASK), so RTB_ISR_PRIO
 * is a matter of being the same for all.
 *
 * The kernel fills a stack with '#' when a thread is made.
 *
 * Plain and instrumented stand side by side in config/rtconfig.h.
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "rtthread.h"

#define RTB_STACK_PAINT 0x23232323u

typedef struct rt_thread rtb_task;
typedef struct rt_semaphore rtb_sem;
typedef struct rt_mutex rtb_mutex;
/* A message and the link in front of it. */
typedef struct {
	struct rt_messagequeue queue;
	struct {
		void *next;
		uint32_t message;
	} pool[RTB_QUEUE_DEPTH];
} rtb_queue;

RTB_INLINE uint32_t rtb_ticks(void) { return rt_tick_get(); }
RTB_INLINE void rtb_yield(void) { (void)rt_thread_yield(); }
RTB_INLINE void rtb_delay(unsigned ticks) { (void)rt_thread_delay(ticks); }

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count)
{
	(void)rt_sem_init(sem, "sem", count, RT_IPC_FLAG_PRIO);
}

RTB_INLINE void rtb_sem_give(rtb_sem *sem) { (void)rt_sem_release(sem); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { (void)rt_sem_take(sem, RT_WAITING_FOREVER); }
RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem) { (void)rt_sem_release(sem); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	(void)rt_mq_init(&queue->queue, "mq", queue->pool, sizeof(uint32_t), sizeof(queue->pool), RT_IPC_FLAG_PRIO);
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	(void)rt_mq_send_wait(&queue->queue, &message, sizeof(message), RT_WAITING_FOREVER);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	uint32_t message;
	(void)rt_mq_recv(&queue->queue, &message, sizeof(message), RT_WAITING_FOREVER);
	return message;
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex) { (void)rt_mutex_init(mutex, "mutex", RT_IPC_FLAG_PRIO); }
RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex) { (void)rt_mutex_take(mutex, RT_WAITING_FOREVER); }
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex) { (void)rt_mutex_release(mutex); }

#define RTB_ISR_ENTER() rt_interrupt_enter()
#define RTB_ISR_EXIT() rt_interrupt_leave()
#define RTB_ISR_PRIO 0x40

#endif
