/* RTX_Config.h - the bench's configuration of RTX5, against its documented options. The
 * kernel's assembler source reads it too: nothing but macros. */
#ifndef RTX_CONFIG_H_
#define RTX_CONFIG_H_

/* ---- the same for plain and instrumented ---- */

#define OS_TICK_FREQ                1000 /* RTB_TICK_HZ; port.c checks it */
/* Default 1, five ticks. A slice would add a switch to one sample in a few hundred wherever two
 * tasks of one priority are ready, and not every kernel has one. */
#define OS_ROBIN_ENABLE             0
#define OS_ROBIN_TIMEOUT            5
/* Default 0 in some releases: tasks then run unprivileged and could not touch the NVIC. The
 * kernel is entered by SVC either way. */
#define OS_PRIVILEGE_MODE           1
/* Default 32768. Every object is given its memory. */
#define OS_DYNAMIC_MEM_SIZE         0
#define OS_THREAD_OBJ_MEM           0
#define OS_TIMER_OBJ_MEM            0
#define OS_EVFLAGS_OBJ_MEM          0
#define OS_MUTEX_OBJ_MEM            0
#define OS_SEMAPHORE_OBJ_MEM        0
#define OS_MEMPOOL_OBJ_MEM          0
#define OS_MSGQUEUE_OBJ_MEM         0
#define OS_STACK_SIZE               1024 /* of tasks that bring no stack; there is none */
#define OS_IDLE_THREAD_STACK_SIZE   256  /* default 512 */
#define OS_IDLE_THREAD_TZ_MOD_ID    0
/* Calls from handlers waiting for PendSV: the default. */
#define OS_ISR_FIFO_QUEUE           16
/* Default: a timer thread with 512 bytes of stack. No case has timers, and 0 leaves it out. */
#define OS_TIMER_THREAD_PRIO        40
#define OS_TIMER_THREAD_STACK_SIZE  0
#define OS_TIMER_THREAD_TZ_MOD_ID   0
#define OS_TIMER_CB_QUEUE           0
/* Safety classes, zones, watchdogs: default 0. The pointer checks among them want each kind of
 * control block in a linker section of its own, which objects of the bench are not in. */
#define OS_SAFETY_FEATURES          0
/* What cannot be switched off, so that plain has it as well: arguments and the state of an
 * object are checked in every call. */

#define OS_EVR_INIT                 0 /* the recorder component is not part of the kernel */

#if RTB_INSTR

/* ---- instrumented ---- */

/* Stack pointer and the magic word at the end, at each switch out: a call, a few compares. */
#define OS_STACK_CHECK              1
/* Fills stacks with 0xCC on creation; nothing while running. */
#define OS_STACK_WATERMARK          1
/* Counters of blocks in object pools; there are none, so nothing. */
#define OS_OBJ_MEM_USAGE            1
/* Event functions: a call at each step of each API function, most of them empty because the
 * recorder component is not there; some of them write a stamp into the port's ring. */
#define OS_EVR_MEMORY               1
#define OS_EVR_KERNEL               1
#define OS_EVR_THREAD               1
#define OS_EVR_WAIT                 1
#define OS_EVR_THFLAGS              1
#define OS_EVR_EVFLAGS              1
#define OS_EVR_TIMER                1
#define OS_EVR_MUTEX                1
#define OS_EVR_SEMAPHORE            1
#define OS_EVR_MEMPOOL              1
#define OS_EVR_MSGQUEUE             1

#else

/* ---- plain: each of the above is off ---- */

#define OS_STACK_CHECK              0 /* default 1 */
#define OS_STACK_WATERMARK          0
#define OS_OBJ_MEM_USAGE            0
/* Default 1 each: calls of empty functions, where no recorder is. */
#define OS_EVR_MEMORY               0
#define OS_EVR_KERNEL               0
#define OS_EVR_THREAD               0
#define OS_EVR_WAIT                 0
#define OS_EVR_THFLAGS              0
#define OS_EVR_EVFLAGS              0
#define OS_EVR_TIMER                0
#define OS_EVR_MUTEX                0
#define OS_EVR_SEMAPHORE            0
#define OS_EVR_MEMPOOL              0
#define OS_EVR_MSGQUEUE             0

#endif

#endif
