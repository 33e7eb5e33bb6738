/* port_impl.h - RTX5 behind port.h.
 *
 * Fairness: tick 1 kHz by SysTick, tickless off (it is the application's doing in this kernel);
 * all objects static, through the memory members of the attributes; one stack size for all
 * tasks; bench priority p is osPriorityLow + p, 9 .. 32 of 1 .. 56, 1 being idle. Round robin is
 * off (default on). The scheduler has no option to choose: one sorted list of ready threads.
 * No timer thread. Semaphores are semaphores, not thread flags. Handles are kept in memory and
 * handed over, as applications do.
 *
 * Every call from a task goes through SVC; a call from a handler puts the object into a queue
 * that PendSV works off. The kernel masks no interrupt, so RTB_ISR_PRIO is 0.
 * The kernel keeps a word of its own at the end of each stack.
 *
 * Plain and instrumented stand side by side in config/RTX_Config.h.
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "cmsis_os2.h"
#include "rtx_os.h"

#define RTB_STACK_GUARD 1
#if RTB_INSTR
#define RTB_STACK_PAINT osRtxStackFillPattern
#endif

typedef osRtxThread_t rtb_task;
typedef struct {
	osSemaphoreId_t id;
	osRtxSemaphore_t memory;
} rtb_sem;
typedef struct {
	osMutexId_t id;
	osRtxMutex_t memory;
} rtb_mutex;
typedef struct {
	osMessageQueueId_t id;
	osRtxMessageQueue_t memory;
	uint32_t storage[osRtxMessageQueueMemSize(RTB_QUEUE_DEPTH, sizeof(uint32_t)) / sizeof(uint32_t)];
} rtb_queue;

RTB_INLINE uint32_t rtb_ticks(void) { return osKernelGetTickCount(); }
RTB_INLINE void rtb_yield(void) { (void)osThreadYield(); }
RTB_INLINE void rtb_delay(unsigned ticks) { (void)osDelay(ticks); }

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count)
{
	const osSemaphoreAttr_t attr = {.cb_mem = &sem->memory, .cb_size = sizeof(sem->memory)};
	sem->id = osSemaphoreNew(osRtxSemaphoreTokenLimit, count, &attr);
}

RTB_INLINE void rtb_sem_give(rtb_sem *sem) { (void)osSemaphoreRelease(sem->id); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { (void)osSemaphoreAcquire(sem->id, osWaitForever); }
RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem) { (void)osSemaphoreRelease(sem->id); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	const osMessageQueueAttr_t attr = {
		.cb_mem = &queue->memory, .cb_size = sizeof(queue->memory),
		.mq_mem = queue->storage, .mq_size = sizeof(queue->storage),
	};
	queue->id = osMessageQueueNew(RTB_QUEUE_DEPTH, sizeof(uint32_t), &attr);
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	(void)osMessageQueuePut(queue->id, &message, 0, osWaitForever);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	uint32_t message;
	(void)osMessageQueueGet(queue->id, &message, NULL, osWaitForever);
	return message;
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex)
{
	const osMutexAttr_t attr = {
		.attr_bits = osMutexPrioInherit, .cb_mem = &mutex->memory, .cb_size = sizeof(mutex->memory),
	};
	mutex->id = osMutexNew(&attr);
}

RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex) { (void)osMutexAcquire(mutex->id, osWaitForever); }
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex) { (void)osMutexRelease(mutex->id); }

/* RTX5 asks nothing of a handler. */
#define RTB_ISR_ENTER() do { } while (0)
#define RTB_ISR_EXIT() do { } while (0)
#define RTB_ISR_PRIO 0

#endif
