/* target_config.h - the bench's configuration of LiteOS-M, against its documented options. */
#ifndef TARGET_CONFIG_H
#define TARGET_CONFIG_H

#include <stddef.h>
#include <stdint.h>

extern unsigned char rtb_liteos_heap[];

/* ---- the same for plain and instrumented ---- */

/* The clock counts ticks: see port_impl.h. A timer of 64 bits is one that the kernel need not
 * extend; the deadline then has no limit. */
#define OS_SYS_CLOCK                            RTB_TICK_HZ
#define LOSCFG_BASE_CORE_TICK_PER_SECOND        RTB_TICK_HZ
#define LOSCFG_BASE_CORE_TICK_WTIMER            1
#define LOSCFG_BASE_CORE_TICK_RESPONSE_MAX      0xFFFFFFFFu
/* In microseconds; default 20000. 2 000 000 000 ticks are what the kernel's arithmetic holds. */
#define LOSCFG_BASE_CORE_TIMESLICE_TIMEOUT      2000000000000ull

#define LOSCFG_PLATFORM_HWI                     1
#define LOSCFG_USE_SYSTEM_DEFINED_INTERRUPT     0

/* Pools, filled from the heap when the kernel starts: twenty tasks (activation_20), the load of
 * the jitter cases (five semaphores, two queues), one mutex. */
#define LOSCFG_BASE_CORE_TSK_LIMIT              20
#define LOSCFG_BASE_IPC_SEM_LIMIT               5
#define LOSCFG_BASE_IPC_MUX_LIMIT               1
#define LOSCFG_BASE_IPC_QUEUE_STATIC            1
#define LOSCFG_BASE_IPC_STATIC_QUEUE_LIMIT      2
#define LOSCFG_BASE_IPC_QUEUE_LIMIT             2
#define LOSCFG_BASE_CORE_TSK_IDLE_STACK_SIZE    256u
#define LOSCFG_BASE_CORE_TSK_MIN_STACK_SIZE     128u

#define LOSCFG_SYS_EXTERNAL_HEAP                1
#define LOSCFG_SYS_HEAP_ADDR                    ((void *)rtb_liteos_heap)

/* Default 1; the bench uses none. */
#define LOSCFG_BASE_CORE_SWTMR                  0
#define LOSCFG_MEM_MUL_POOL                     0
#define LOSCFG_MEM_WATERLINE                    0
#define LOSCFG_KERNEL_PRINTF                    0
#define LOSCFG_BACKTRACE_TYPE                   0
#define LOSCFG_PLATFORM_EXC                     0

/* Of the trace, which is on when instrumented; its headers want to know in any case. */
#define LOSCFG_RECORDER_MODE_OFFLINE            1
#define LOSCFG_RECORDER_MODE_ONLINE             0
#define LOSCFG_TRACE_BUFFER_SIZE                360 /* what 20 KB leave: eight events */
#define LOSCFG_TRACE_FRAME_MAX_PARAMS           3
#define LOSCFG_TRACE_FRAME_EVENT_COUNT          1
#define LOSCFG_TRACE_FRAME_CORE_MSG             0
#define LOSCFG_TRACE_CONTROL_AGENT              0
#define LOSCFG_TRACE_CLIENT_INTERACT            0

#if RTB_INSTR

/* ---- instrumented ---- */

#define LOSCFG_SYS_HEAP_SIZE                    5000u
/* Assertions: a compare in most calls of the scheduler. */
#define PRINT_LEVEL                             2
/* Magic word and stack pointer of the tasks concerned, at each switch. */
#define LOSCFG_BASE_CORE_TSK_MONITOR            1
/* The last ten switches, with the names: 32 bytes copied at each. */
#define LOSCFG_BASE_CORE_EXC_TSK_SWITCH         1
/* A hook in every call, and what hangs there: a frame with time and parameters for each event,
 * built on the stack and copied into a ring. */
#define LOSCFG_DEBUG_HOOK                       1
#define LOSCFG_KERNEL_TRACE                     1
/* Node checks of the heap: on allocation only. */
#define LOSCFG_BASE_MEM_NODE_INTEGRITY_CHECK    1

#else

/* ---- plain: each of the above is off ---- */

#define LOSCFG_SYS_HEAP_SIZE                    4608u
#define PRINT_LEVEL                             0
#define LOSCFG_BASE_CORE_TSK_MONITOR            0
#define LOSCFG_BASE_CORE_EXC_TSK_SWITCH         0
#define LOSCFG_DEBUG_HOOK                       0
#define LOSCFG_KERNEL_TRACE                     0
#define LOSCFG_BASE_MEM_NODE_INTEGRITY_CHECK    0

#endif

#endif
