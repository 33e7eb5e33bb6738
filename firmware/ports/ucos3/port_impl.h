/* port_impl.h - uC/OS-III behind port.h.
 *
 * Fairness: tick 1 kHz by SysTick, no dynamic tick; all objects static; one stack size for all
 * tasks; bench priority p is uC/OS-III's 30 - p, 29 .. 6 of 32, 0 being the most urgent and 31
 * idle. The scheduler has no option to choose: a bit map and CLZ. The kernel yields only where
 * round robin is on, so it is on, with a slice longer than any run. Delays end in the tick's
 * handler; no tick, timer or statistics task.
 *
 * The kernel's port gives SysTick the most urgent priority that it masks; here it has the least
 * urgent one, as with the other kernels, so that a handler of the bench may come in between.
 *
 * A queue passes a pointer and a size and copies nothing: the message travels as the pointer.
 * Its post never waits for room, but fails; no case fills a queue. Each post takes a record from
 * the kernel's common pool, as always in this kernel.
 *
 * Plain and instrumented stand side by side in config/os_cfg.h and config/cpu_cfg.h.
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "os.h"

#if RTB_INSTR
#define RTB_STACK_GUARD OS_CFG_TASK_STK_REDZONE_DEPTH
#endif

typedef OS_TCB rtb_task;
typedef OS_SEM rtb_sem;
typedef OS_Q rtb_queue;
typedef OS_MUTEX rtb_mutex;

/* Not OSTimeGet(): every critical section of this kernel turns interrupts on when it begins
 * (CPU_SR_Save ends with CPSIE whatever PRIMASK was), and the bench asks with them off. */
RTB_INLINE uint32_t rtb_ticks(void) { return *(volatile OS_TICK *)&OSTickCtr; }

RTB_INLINE void rtb_yield(void)
{
	OS_ERR err;
	OSSchedRoundRobinYield(&err);
}

RTB_INLINE void rtb_delay(unsigned ticks)
{
	OS_ERR err;
	OSTimeDly(ticks, OS_OPT_TIME_DLY, &err);
}

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count)
{
	OS_ERR err;
	OSSemCreate(sem, (CPU_CHAR *)"", count, &err);
}

RTB_INLINE void rtb_sem_give(rtb_sem *sem)
{
	OS_ERR err;
	(void)OSSemPost(sem, OS_OPT_POST_1, &err);
}

RTB_INLINE void rtb_sem_take(rtb_sem *sem)
{
	OS_ERR err;
	(void)OSSemPend(sem, 0, OS_OPT_PEND_BLOCKING, NULL, &err);
}

RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem) { rtb_sem_give(sem); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	OS_ERR err;
	OSQCreate(queue, (CPU_CHAR *)"", RTB_QUEUE_DEPTH, &err);
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	OS_ERR err;
	OSQPost(queue, (void *)message, sizeof(message), OS_OPT_POST_FIFO, &err);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	OS_ERR err;
	OS_MSG_SIZE size;
	return (uint32_t)OSQPend(queue, 0, OS_OPT_PEND_BLOCKING, &size, NULL, &err);
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex)
{
	OS_ERR err;
	OSMutexCreate(mutex, (CPU_CHAR *)"", &err);
}

RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex)
{
	OS_ERR err;
	OSMutexPend(mutex, 0, OS_OPT_PEND_BLOCKING, NULL, &err);
}

RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex)
{
	OS_ERR err;
	OSMutexPost(mutex, OS_OPT_POST_NONE, &err);
}

/* What the manual asks of a kernel-aware handler. */
#define RTB_ISR_ENTER() \
	CPU_SR_ALLOC(); \
	CPU_CRITICAL_ENTER(); \
	OSIntEnter(); \
	CPU_CRITICAL_EXIT()
#define RTB_ISR_EXIT() OSIntExit()
#define RTB_ISR_PRIO (CPU_CFG_KA_IPL_BOUNDARY << (8u - CPU_CFG_NVIC_PRIO_BITS))

#endif
