/* FreeRTOSConfig.h - the bench's configuration of FreeRTOS, against its documented options. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include <stdint.h>

/* The board's clock, by name only: the kernel's sources need not see the board's registers. */
extern const uint32_t rtb_freertos_hclk;

/* ---- the same for plain and instrumented ---- */

#define configCPU_CLOCK_HZ                    rtb_freertos_hclk
#define configTICK_RATE_HZ                    RTB_TICK_HZ
#define configUSE_PREEMPTION                  1
/* Default 1. A slice would add a switch to one sample in a few hundred wherever two tasks of
 * one priority are ready, and not every kernel has one. */
#define configUSE_TIME_SLICING                0
/* Default 0. Picks the next task by CLZ; the generic way counts down a table of lists. */
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 1
#define configUSE_TICKLESS_IDLE               0
#define configMAX_PRIORITIES                  32 /* what CLZ can serve; the bench uses 1..24 */
#define configMINIMAL_STACK_SIZE              64 /* words; the idle task's, nobody else's */
#define configMAX_TASK_NAME_LEN               12
#define configUSE_16_BIT_TICKS                0
#define configSTACK_DEPTH_TYPE                uint32_t
#define configIDLE_SHOULD_YIELD               0
#define configUSE_IDLE_HOOK                   0
#define configUSE_TICK_HOOK                   0
#define configUSE_MALLOC_FAILED_HOOK          0

#define configSUPPORT_STATIC_ALLOCATION       1
#define configSUPPORT_DYNAMIC_ALLOCATION      0

#define configUSE_MUTEXES                     1
#define configUSE_COUNTING_SEMAPHORES         1
#define configUSE_RECURSIVE_MUTEXES           0
#define configUSE_QUEUE_SETS                  0
/* Default 1: costs a word or two in each task and nothing in what is measured. */
#define configUSE_TASK_NOTIFICATIONS          0
#define configUSE_TIMERS                      0
#define configUSE_EVENT_GROUPS                0
#define configUSE_STREAM_BUFFERS              0
#define configUSE_CO_ROUTINES                 0
#define configUSE_NEWLIB_REENTRANT            0

/* Of the chip's four priority bits: the kernel masks from 0x40 on, and runs at the end. */
#define configPRIO_BITS                       4
#define configMAX_SYSCALL_INTERRUPT_PRIORITY  0x40
#define configKERNEL_INTERRUPT_PRIORITY       0xf0

#define INCLUDE_vTaskDelay                    1
#define INCLUDE_vTaskSuspend                  1 /* portMAX_DELAY then waits for ever */

#if RTB_INSTR

/* ---- instrumented ---- */

void rtb_freertos_assert_failed(void) __attribute__((noreturn));
void rtb_freertos_trace(uint32_t event, const void *object);

/* Arguments, priorities and list integrity: a compare and branch or two in each call. */
#define configASSERT(x)                       do { if (!(x)) rtb_freertos_assert_failed(); } while (0)
/* Stack pointer and the last 16 bytes of the stack, at each switch out. */
#define configCHECK_FOR_STACK_OVERFLOW        2
/* Numbers for tasks and queues: a few words each, some stores on creation. */
#define configUSE_TRACE_FACILITY              1
/* Two reads of the clock and an addition at each switch. */
#define configGENERATE_RUN_TIME_STATS         1
#define portCONFIGURE_TIMER_FOR_RUN_TIME_STATS()
#define portGET_RUN_TIME_COUNTER_VALUE()      (*(volatile uint32_t *)0xE0001004u) /* DWT CYCCNT */
/* Names of queues for a debugger; nothing while running. */
#define configQUEUE_REGISTRY_SIZE             8
#define configRECORD_STACK_HIGH_ADDRESS       1
#define configCHECK_HANDLER_INSTALLATION      1
#define INCLUDE_uxTaskGetStackHighWaterMark   1
/* Trace hooks into a ring of 64 stamps, as much as mini has: a call, a stamp, three stores. */
#define traceTASK_SWITCHED_IN()               rtb_freertos_trace(1, pxCurrentTCB)
#define traceMOVED_TASK_TO_READY_STATE(tcb)   rtb_freertos_trace(2, (tcb))
#define traceTASK_INCREMENT_TICK(ticks)       rtb_freertos_trace(3, (const void *)(uintptr_t)(ticks))
#define traceTASK_DELAY()                     rtb_freertos_trace(4, pxCurrentTCB)
#define traceQUEUE_SEND(queue)                rtb_freertos_trace(5, (queue))
#define traceQUEUE_RECEIVE(queue)             rtb_freertos_trace(6, (queue))
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) rtb_freertos_trace(7, (queue))
#define traceBLOCKING_ON_QUEUE_SEND(queue)    rtb_freertos_trace(8, (queue))
#define traceQUEUE_SEND_FROM_ISR(queue)       rtb_freertos_trace(9, (queue))

#else

/* ---- plain: each of the above is off ---- */

/* configASSERT stays undefined: the kernel then leaves every check out. */
#define configCHECK_FOR_STACK_OVERFLOW        0
#define configUSE_TRACE_FACILITY              0
#define configGENERATE_RUN_TIME_STATS         0
#define configQUEUE_REGISTRY_SIZE             0
#define configRECORD_STACK_HIGH_ADDRESS       0
#define configCHECK_HANDLER_INSTALLATION      0
#define INCLUDE_uxTaskGetStackHighWaterMark   0

#endif

#endif
