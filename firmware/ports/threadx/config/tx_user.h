/* tx_user.h - the bench's configuration of ThreadX, against its documented options. The
 * kernel's assembler sources read it too: nothing but macros outside the last guard. */
#ifndef TX_USER_H
#define TX_USER_H

/* ---- the same for plain and instrumented ---- */

#define TX_MAX_PRIORITIES                     32 /* one word of the ready map; the bench uses 1..24 */
#define TX_TIMER_TICKS_PER_SECOND             RTB_TICK_HZ
/* Default: a timer thread above all others. The other kernels end delays in the tick's handler
 * as well; the thread would add two switches to every tick that ends one, and its stack. */
#define TX_TIMER_PROCESS_IN_ISR
/* Default on. No other kernel has preemption thresholds and no case uses them. */
#define TX_DISABLE_PREEMPTION_THRESHOLD
/* Default on. A pointer in each object and a test in each call; no case uses them. */
#define TX_DISABLE_NOTIFY_CALLBACKS
/* Default on: a pointer in each thread, for the vendor's file system. */
#define TX_NO_FILEX_POINTER
/* Default: the kernel clears what start-up has cleared already. */
#define TX_DISABLE_REDUNDANT_CLEARING
/* TX_NOT_INTERRUPTABLE stays undefined, as is the default: with it interrupts would be off for
 * the whole of a resume or suspend, which is faster; that they are not is what this kernel is
 * chosen for. TX_INLINE_THREAD_RESUME_SUSPEND and TX_REACTIVATE_INLINE stay undefined too:
 * what to inline is left to the compiler, as for the others. TX_ENABLE_WFI likewise: idle
 * spins, because the cycle counter stands still in WFI. */

#if RTB_INSTR

/* ---- instrumented ---- */

/* Argument checks stay in (TX_DISABLE_ERROR_CHECKING undefined): a call more around each call,
 * with a few compares. */

/* Fills stacks with 0xEF; first and last word and the high-water mark looked at on every
 * suspend and resume. */
#define TX_ENABLE_STACK_CHECKING
/* Entries of 32 bytes into a ring on every call, switch and interrupt-side event: eight stores
 * and a read of the cycle counter. */
#define TX_ENABLE_EVENT_TRACE
/* Run-time of threads, handlers and idle: a call at each switch and at both ends of a handler. */
#define TX_EXECUTION_PROFILE_ENABLE
/* Counters of each object and of the system: one or two increments a call. */
#define TX_THREAD_ENABLE_PERFORMANCE_INFO
#define TX_SEMAPHORE_ENABLE_PERFORMANCE_INFO
#define TX_QUEUE_ENABLE_PERFORMANCE_INFO
#define TX_MUTEX_ENABLE_PERFORMANCE_INFO
#define TX_TIMER_ENABLE_PERFORMANCE_INFO

#else

/* ---- plain: each of the above is off ---- */

#define TX_DISABLE_ERROR_CHECKING
#define TX_DISABLE_STACK_FILLING
/* Stack checking, event trace, execution profile and performance counters stay undefined. */

#endif

#endif
