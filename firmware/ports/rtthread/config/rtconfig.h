/* rtconfig.h - the bench's configuration of RT-Thread Nano, against its documented options. An
 * option of this kernel is on when it is defined. */
#ifndef RT_CONFIG_H
#define RT_CONFIG_H

/* ---- the same for plain and instrumented ---- */

#define RT_THREAD_PRIORITY_MAX  32 /* the default; one word of ready bits */
/* Default off. Finds the first ready bit by CLZ instead of a table of 256 bytes: what users of
 * this core run. */
#define RT_USING_CPU_FFS
#define RT_TICK_PER_SECOND      RTB_TICK_HZ
#define RT_ALIGN_SIZE           4
#define RT_NAME_MAX             8
#define RT_USING_SEMAPHORE
#define RT_USING_MUTEX
#define RT_USING_MESSAGEQUEUE
#define IDLE_THREAD_STACK_SIZE  256

/* Left undefined, that is off:
 *   RT_USING_HEAP                no object of the bench is allocated
 *   RT_USING_TIMER_SOFT          timers run in the tick handler; the bench uses delays alone
 *   RT_USING_USER_MAIN, RT_USING_COMPONENTS_INIT  the bench starts the kernel step by step
 *   RT_USING_CONSOLE             nothing prints
 *   RT_USING_SIGNALS, RT_USING_EVENT, RT_USING_MAILBOX, RT_USING_DEVICE */

#if RTB_INSTR

/* ---- instrumented ---- */

/* Arguments and object types: a compare and branch or two in each call. */
#define RT_DEBUG                1
/* That calls which wait do not come from handlers: reads of the nesting count. */
#define RT_DEBUG_CONTEXT_CHECK  1
/* Stack pointer and lowest byte of the stack of each thread switched to. */
#define RT_USING_OVERFLOW_CHECK
/* A test, and where one is set a call, at each switch, wake, wait, timer and interrupt; the port
 * sets those of scheduler and objects to write a ring of 64 stamps, as much as mini has. */
#define RT_USING_HOOK
#define RT_HOOK_USING_FUNC_PTR

#else

/* ---- plain: each of the above is off ---- */

/* RT_DEBUG, RT_USING_OVERFLOW_CHECK, RT_USING_HOOK stay undefined; this one has a value. */
#define RT_DEBUG_CONTEXT_CHECK  0

#endif

#endif
