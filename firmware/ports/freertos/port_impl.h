/* port_impl.h - FreeRTOS behind port.h.
 *
 * Fairness: tick 1 kHz by SysTick, tickless off; all objects static; one stack size for all
 * tasks; bench priority p is FreeRTOS's p, 1 .. 24 of 32, 0 being idle. Task selection by CLZ
 * (configUSE_PORT_OPTIMISED_TASK_SELECTION): that is what users of this core run; the kernel's
 * own default is the generic one. Time slicing is off (default on), see the configuration.
 * Semaphores are counting semaphores, not task notifications, because the other kernels are
 * asked for semaphores too. Handles are kept in memory and handed over, as applications do.
 * The kernel itself fills stacks with 0xA5 when instrumented, which is the bench's paint.
 *
 * Plain and instrumented stand side by side in config/FreeRTOSConfig.h.
 */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

typedef StaticTask_t rtb_task;
typedef struct {
	SemaphoreHandle_t handle;
	StaticSemaphore_t memory;
} rtb_sem;
typedef rtb_sem rtb_mutex;
typedef struct {
	QueueHandle_t handle;
	StaticQueue_t memory;
	uint32_t storage[RTB_QUEUE_DEPTH];
} rtb_queue;

/* On this core a tick count is read in one piece, so this call serves handlers as well. */
RTB_INLINE uint32_t rtb_ticks(void) { return xTaskGetTickCount(); }
RTB_INLINE void rtb_yield(void) { taskYIELD(); }
RTB_INLINE void rtb_delay(unsigned ticks) { vTaskDelay(ticks); }

RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count)
{
	sem->handle = xSemaphoreCreateCountingStatic(0x7fffffff, count, &sem->memory);
}

RTB_INLINE void rtb_sem_give(rtb_sem *sem) { (void)xSemaphoreGive(sem->handle); }
RTB_INLINE void rtb_sem_take(rtb_sem *sem) { (void)xSemaphoreTake(sem->handle, portMAX_DELAY); }

RTB_INLINE void rtb_queue_init(rtb_queue *queue)
{
	queue->handle = xQueueCreateStatic(RTB_QUEUE_DEPTH, sizeof(uint32_t), (uint8_t *)queue->storage, &queue->memory);
}

RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message)
{
	(void)xQueueSend(queue->handle, &message, portMAX_DELAY);
}

RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue)
{
	uint32_t message;
	(void)xQueueReceive(queue->handle, &message, portMAX_DELAY);
	return message;
}

RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex) { mutex->handle = xSemaphoreCreateMutexStatic(&mutex->memory); }
RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex) { (void)xSemaphoreTake(mutex->handle, portMAX_DELAY); }
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex) { (void)xSemaphoreGive(mutex->handle); }

/* A handler collects whether a more urgent task became ready, and asks for the switch last. */
#define RTB_ISR_ENTER() BaseType_t rtb_woken = pdFALSE
#define rtb_sem_give_isr(sem) ((void)xSemaphoreGiveFromISR((sem)->handle, &rtb_woken))
#define RTB_ISR_EXIT() portYIELD_FROM_ISR(rtb_woken)
#define RTB_ISR_PRIO configMAX_SYSCALL_INTERRUPT_PRIORITY

#endif
