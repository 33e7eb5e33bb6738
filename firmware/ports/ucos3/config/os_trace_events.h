/* os_trace_events.h - the recorder that an instrumented uC/OS-III asks for: the events that the
 * bench's rings of other kernels hold as well. What is not defined here the kernel leaves out. */
#ifndef OS_TRACE_EVENTS_H
#define OS_TRACE_EVENTS_H

#include <stdint.h>

void rtb_ucos3_trace(uint32_t event, uint32_t object);

#define OS_TRACE_TASK_SWITCHED_IN(tcb)   rtb_ucos3_trace(1, (uint32_t)(tcb))
#define OS_TRACE_TASK_READY(tcb)         rtb_ucos3_trace(2, (uint32_t)(tcb))
#define OS_TRACE_TICK_INCREMENT(ticks)   rtb_ucos3_trace(3, (ticks))
#define OS_TRACE_TASK_DLY(ticks)         rtb_ucos3_trace(4, (ticks))
#define OS_TRACE_SEM_POST(sem)           rtb_ucos3_trace(5, (uint32_t)(sem))
#define OS_TRACE_SEM_PEND(sem)           rtb_ucos3_trace(6, (uint32_t)(sem))
#define OS_TRACE_SEM_PEND_BLOCK(sem)     rtb_ucos3_trace(7, (uint32_t)(sem))
#define OS_TRACE_Q_POST(q)               rtb_ucos3_trace(8, (uint32_t)(q))
#define OS_TRACE_Q_PEND(q)               rtb_ucos3_trace(9, (uint32_t)(q))
#define OS_TRACE_Q_PEND_BLOCK(q)         rtb_ucos3_trace(10, (uint32_t)(q))
#define OS_TRACE_MUTEX_POST(mutex)       rtb_ucos3_trace(11, (uint32_t)(mutex))
#define OS_TRACE_MUTEX_PEND(mutex)       rtb_ucos3_trace(12, (uint32_t)(mutex))
#define OS_TRACE_MUTEX_PEND_BLOCK(mutex) rtb_ucos3_trace(13, (uint32_t)(mutex))

#endif
