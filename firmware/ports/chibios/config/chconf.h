/* chconf.h - the bench's configuration of ChibiOS/RT, against its documented options. Also read
 * by the assembler. */
#ifndef CHCONF_H
#define CHCONF_H

#define _CHIBIOS_RT_CONF_
/* Which layout of this file the kernel may expect: that of 21.11 (RT 7) and of what follows. */
#define _CHIBIOS_RT_CONF_VER_7_0_
#define _CHIBIOS_RT_CONF_VER_8_0_

/* ---- the same for plain and instrumented ---- */

#define CH_CFG_SMP_MODE                FALSE
#define CH_CFG_ST_FREQUENCY            RTB_TICK_HZ
#define CH_CFG_ST_RESOLUTION           32
#define CH_CFG_INTERVALS_SIZE          32
#define CH_CFG_TIME_TYPES_SIZE         32
/* Default 2, which is tickless. */
#define CH_CFG_ST_TIMEDELTA            0
/* Threads of one priority switch when they say so (default). */
#define CH_CFG_TIME_QUANTUM            0
#define CH_CFG_NO_IDLE_THREAD          FALSE
/* Some functions of the lists inline instead of called (default). */
#define CH_CFG_OPTIMIZE_SPEED          TRUE

#define CH_CFG_USE_SEMAPHORES          TRUE
/* Waiters in order of arrival (default); by priority costs a walk of the queue. */
#define CH_CFG_USE_SEMAPHORES_PRIORITY FALSE
#define CH_CFG_USE_MUTEXES             TRUE
#define CH_CFG_USE_MUTEXES_RECURSIVE   FALSE
#define CH_CFG_USE_MAILBOXES           TRUE

/* On by default, unused here: some add fields to a thread, none a step to what is measured. */
#define CH_CFG_USE_TIMESTAMP           FALSE
#define CH_CFG_USE_WAITEXIT            FALSE
#define CH_CFG_USE_CONDVARS            FALSE
#define CH_CFG_USE_CONDVARS_TIMEOUT    FALSE
#define CH_CFG_USE_EVENTS              FALSE
#define CH_CFG_USE_EVENTS_TIMEOUT      FALSE
#define CH_CFG_USE_MESSAGES            FALSE
#define CH_CFG_USE_MESSAGES_PRIORITY   FALSE
#define CH_CFG_USE_DYNAMIC             FALSE
#define CH_CFG_USE_MEMCHECKS           FALSE
#define CH_CFG_USE_MEMCORE             FALSE
#define CH_CFG_MEMCORE_SIZE            0
#define CH_CFG_USE_HEAP                FALSE
#define CH_CFG_USE_MEMPOOLS            FALSE
#define CH_CFG_USE_OBJ_FIFOS           FALSE
#define CH_CFG_USE_PIPES               FALSE
#define CH_CFG_USE_OBJ_CACHES          FALSE
#define CH_CFG_USE_DELEGATES           FALSE
#define CH_CFG_USE_JOBS                FALSE
#define CH_CFG_USE_FACTORY             FALSE
#define CH_CFG_FACTORY_MAX_NAMES_LENGTH 8
#define CH_CFG_FACTORY_OBJECTS_REGISTRY FALSE
#define CH_CFG_FACTORY_GENERIC_BUFFERS FALSE
#define CH_CFG_FACTORY_SEMAPHORES      FALSE
#define CH_CFG_FACTORY_MAILBOXES       FALSE
#define CH_CFG_FACTORY_OBJ_FIFOS       FALSE
#define CH_CFG_FACTORY_PIPES           FALSE

#define CH_CFG_SYSTEM_EXTRA_FIELDS
#define CH_CFG_SYSTEM_INIT_HOOK()
#define CH_CFG_OS_INSTANCE_EXTRA_FIELDS
#define CH_CFG_OS_INSTANCE_INIT_HOOK(instance)
#define CH_CFG_THREAD_EXTRA_FIELDS
#define CH_CFG_THREAD_INIT_HOOK(thread)
#define CH_CFG_THREAD_EXIT_HOOK(thread)
#define CH_CFG_CONTEXT_SWITCH_HOOK(to, from)
#define CH_CFG_IRQ_PROLOGUE_HOOK()
#define CH_CFG_IRQ_EPILOGUE_HOOK()
#define CH_CFG_IDLE_ENTER_HOOK()
#define CH_CFG_IDLE_LEAVE_HOOK()
#define CH_CFG_IDLE_LOOP_HOOK()
#define CH_CFG_SYSTEM_TICK_HOOK()
#define CH_CFG_TRACE_HOOK(record)
#define CH_CFG_RUNTIME_FAULTS_HOOK(mask)
#define CH_CFG_SAFETY_CHECK_HOOK(level, function) chSysHalt(function)

/* Of the port. Priorities 0 and 1 stay above the kernel (default), SVC has 2, the kernel masks
 * from 3 on. Idle loops (default): the cycle counter stands still in WFI. */
#define CORTEX_SIMPLIFIED_PRIORITY     FALSE
#define CORTEX_FAST_PRIORITIES         2U
#define CORTEX_ENABLE_WFI_IDLE         FALSE

#if RTB_INSTR

/* ---- instrumented ---- */

#if !defined(_FROM_ASM_)
void rtb_panic(unsigned long pc) __attribute__((noreturn));
#endif

/* Whatever fails below ends here, called from the place of the check. */
#define CH_CFG_SYSTEM_HALT_HOOK(reason) rtb_panic((unsigned long)__builtin_return_address(0))
/* Whether each call is made from where it may be: a call and two compares at every lock, unlock
 * and entry. */
#define CH_DBG_SYSTEM_STATE_CHECK      TRUE
/* Arguments: a compare or two in each call. */
#define CH_DBG_ENABLE_CHECKS           TRUE
/* Consistency inside the kernel: a few compares in each call. */
#define CH_DBG_ENABLE_ASSERTS          TRUE
/* Integrity of lists before they are changed (levels 1 and 2 of 3). */
#define CH_CFG_HARDENING_LEVEL         2
/* Every switch, ready and interrupt into a ring: a call, two clocks and four stores. */
#define CH_DBG_TRACE_MASK              CH_DBG_TRACE_MASK_ALL
#define CH_DBG_TRACE_BUFFER_SIZE       64
/* Stack pointer against the stack's bound, at each switch. */
#define CH_DBG_ENABLE_STACK_CHECK      TRUE
/* On creation only; with the bench's own mark. */
#define CH_DBG_FILL_THREADS            TRUE
#define CH_DBG_STACK_FILL_VALUE        0xA5
/* An increment at each tick. */
#define CH_DBG_THREADS_PROFILING       TRUE
/* Time in each thread, in critical sections, counts of switches and interrupts: stamps and
 * 64-bit sums at each switch and lock. The dearest of all. */
#define CH_DBG_STATISTICS              TRUE
#define CH_CFG_USE_TM                  TRUE
/* A list of all threads, for a debugger; nothing while running. */
#define CH_CFG_USE_REGISTRY            TRUE

#else

/* ---- plain: each of the above is off ---- */

#define CH_CFG_SYSTEM_HALT_HOOK(reason)
#define CH_DBG_SYSTEM_STATE_CHECK      FALSE
#define CH_DBG_ENABLE_CHECKS           FALSE
#define CH_DBG_ENABLE_ASSERTS          FALSE
#define CH_CFG_HARDENING_LEVEL         0
#define CH_DBG_TRACE_MASK              CH_DBG_TRACE_MASK_DISABLED
#define CH_DBG_TRACE_BUFFER_SIZE       64
#define CH_DBG_ENABLE_STACK_CHECK      FALSE
#define CH_DBG_FILL_THREADS            FALSE
#define CH_DBG_THREADS_PROFILING       FALSE
#define CH_DBG_STATISTICS              FALSE
#define CH_CFG_USE_TM                  FALSE
#define CH_CFG_USE_REGISTRY            FALSE

#endif

#endif
