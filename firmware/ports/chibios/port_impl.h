/* port_impl.h - ChibiOS/RT behind port.h.
 *
 * Fairness: tick 1 kHz by SysTick; tickless, which is the default, is off (CH_CFG_ST_TIMEDELTA
 * 0), and so is the time slice (CH_CFG_TIME_QUANTUM 0, the default). Idle does not sleep, as by
 * default. All objects are static; one stack size for all. Bench priority p is LOWPRIO + p of 255.
 * There is one scheduler: a ready list sorted by priority, so what a wake costs grows with the
 * number of ready threads that are more urgent. Critical sections are by BASEPRI (the port's
 * "advanced" mode, its default; the "compact" one by PRIMASK is shorter and has no interrupts
 * above the kernel). Speed is chosen over size (CH_CFG_OPTIMIZE_SPEED, default).
 * The queue is the kernel's mailbox: it holds words and copies one, where other kernels copy
 * any number of bytes. Semaphores wake in order of arrival, as by default. Mutexes always
 * inherit; recursion is off (default).
 * A thread that gives the CPU away is switched by an ordinary call, with no exception at all;
 * what ends an interrupt costs two exceptions, whether or not it switches.
 * The kernel wants stacks aligned to 32 bytes and checks that when instrumented.
 *
 * Plain and instrumented stand side by side in config/chconf.h.
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "ch.h"

#define RTB_STACK_ALIGN 32

#if CH_KERNEL_MAJOR >= 8
typedef thread_t rtb_task;
#else
/* RT 7 (ChibiOS 21.11) keeps the thread object at the top of its stack's memory. */
typedef thread_t *rtb_task;
#define RTB_STACK_OVERHEAD ((sizeof(thread_t) + RTB_STACK_ALIGN - 1) / RTB_STACK_ALIGN * RTB_STACK_ALIGN)
#endif
typedef semaphore_t rtb_sem;
typedef mutex_t rtb_mutex;
typedef struct {
	mailbox_t box;
	msg_t storage[RTB_QUEUE_DEPTH];
} rtb_queue;
_Static_assert(sizeof(msg_t) == 4, "a message of the bench is one of the mailbox");
_Static_assert(PORT_STACK_ALIGN <= RTB_STACK_ALIGN && PORT_WORKING_AREA_ALIGN <= RTB_STACK_ALIGN,
	       "alignment of stacks");

RTB_INLINE uint32_t rtb_ticks(void) { return chVTGetSystemTimeX(); }
RTB_INLINE void rtb_yield(void) { chThdYield(); }
RTB_INLINE void rtb_delay(unsigned ticks) { chThdSleep(ticks); }

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count) { chSemObjectInit(sem, (cnt_t)count); }
RTB_INLINE void rtb_sem_give(rtb_sem *sem) { chSemSignal(sem); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { (void)chSemWait(sem); }

RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem)
{
	chSysLockFromISR();
	chSemSignalI(sem);
	chSysUnlockFromISR();
}

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	chMBObjectInit(&queue->box, queue->storage, RTB_QUEUE_DEPTH);
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	(void)chMBPostTimeout(&queue->box, (msg_t)message, TIME_INFINITE);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	msg_t message;
	(void)chMBFetchTimeout(&queue->box, &message, TIME_INFINITE);
	return (uint32_t)message;
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex) { chMtxObjectInit(mutex); }
RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex) { chMtxLock(mutex); }
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex) { chMtxUnlock(mutex); }

#define RTB_ISR_ENTER() CH_IRQ_PROLOGUE()
#define RTB_ISR_EXIT() CH_IRQ_EPILOGUE()
#define RTB_ISR_PRIO CORTEX_PRIO_MASK(CORTEX_MAX_KERNEL_PRIORITY)

#endif
