/* port.h - the RTOS-neutral layer that every case is written against; no libc.
 *
 * A port is firmware/ports/<kernel>/: port_impl.h (types and RTB_INLINE wrappers, so that the
 * layer adds no call at any optimisation level), port.c (what need not be inline), config/
 * (the kernel's own configuration header) and port.mk (names of handlers, what it offers).
 * docs/adding-a-port.md leads through one.
 *
 * "Measured" wrappers are called between two reads of the counter: they must do nothing but
 * call the kernel - no argument checks, no logging, no error handling beyond what the kernel's
 * own API does.
 *
 * Types the port defines: rtb_task, rtb_sem, rtb_queue (of 4-byte messages), rtb_mutex, each
 * large enough for the kernel's control block and, for the queue, its storage. All objects are
 * static and zeroed; nothing is allocated while the bench runs. Where a kernel must allocate
 * (no static API) the port says so in its opening comment.
 *
 * Priorities: RTB_PRIO_MIN (least urgent) .. RTB_PRIO_MAX (most urgent); the port maps them to
 * the kernel's own sense. Above RTB_PRIO_MAX and below RTB_PRIO_MIN the port has the kernel's
 * own tasks (idle, timer, start task).
 *
 * Ports may override, in port_impl.h before anything else:
 *   RTB_STACK_OVERHEAD   bytes of control data the kernel keeps inside a stack's memory, a
 *                        multiple of 8 (0)
 *   RTB_STACK_GUARD      lowest words of a stack that the kernel writes itself (0)
 *   RTB_STACK_ALIGN      alignment of a stack's memory in bytes, 8, 16 or 32 (8)
 *   RTB_STACK_PAINT      what the kernel fills stacks with, if it does so itself (0xA5A5A5A5)
 */
#ifndef RTBENCH_PORT_H
#define RTBENCH_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rtbench/cases.h"

#define RTB_PRIO_MIN 1
#define RTB_PRIO_MAX 24

#define RTB_QUEUE_DEPTH 4

#ifndef RTB_INLINE
#define RTB_INLINE static inline __attribute__((always_inline))
#endif

#include "port_impl.h"

#ifndef RTB_STACK_OVERHEAD
#define RTB_STACK_OVERHEAD 0
#endif
#ifndef RTB_STACK_GUARD
#define RTB_STACK_GUARD 0
#endif
#ifndef RTB_STACK_ALIGN
#define RTB_STACK_ALIGN 8
#endif
#ifndef RTB_STACK_PAINT
#define RTB_STACK_PAINT 0xA5A5A5A5u
#endif

/* What the port offers, RTB_NEED_* or-ed, comes from PORT_OFFERS in port.mk. What it does not
 * offer it need not define: cases that need it are refused before they start. */
#define RTB_OFFERS(need) ((RTB_PORT_OFFERS & (need)) == (need))
#include "rtbench/port_missing.h"

/* Name of the port's directory ("freertos"), by which a run asks for the kernel; version as the
 * kernel's own macro says ("V10.6.2"); the port's own version. */
extern const char rtb_kernel_name[], rtb_kernel_version[], rtb_port_version[];

/* Initialises the kernel, calls setup() where tasks and objects may be created, starts the
 * tick (SysTick, RTB_TICK_HZ) and the scheduler. Kernels that create tasks only before the
 * scheduler, only inside a callback of theirs, or only from a first task all fit; what matters
 * is that none of the tasks created in setup() runs before setup() has returned (a first task
 * runs it above RTB_PRIO_MAX or with the scheduler locked, and is gone afterwards).
 * PRIMASK is 0 on entry; nothing is enabled before setup(), and what setup() enables does not
 * call the kernel before the first task runs. */
void rtb_kernel_run(void (*setup)(void)) __attribute__((noreturn));

/* Creates a task that is ready as soon as the scheduler runs. Called from setup() only. fn
 * does not return. stack is aligned to RTB_STACK_ALIGN; bytes is a multiple of 8 and
 * includes RTB_STACK_OVERHEAD; the bench has painted it, and words the kernel does not use stay
 * as they are (or the port says what the kernel paints them with). Not measured. */
void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg,
		     unsigned prio, uint32_t *stack, size_t bytes);

/* Kernel tick count; 0 for ever where there is no tick. Also called before rtb_kernel_run() and
 * from handlers. */
RTB_INLINE uint32_t rtb_ticks(void);

/* Measured: gives the CPU to the next ready task of the same priority. */
RTB_INLINE void rtb_yield(void);

/* Counting semaphore. give and take measured; take waits for ever. give_isr is called between
 * RTB_ISR_ENTER and RTB_ISR_EXIT of a handler and must ask for a switch when one is due. The
 * port may make it a macro, to use what RTB_ISR_ENTER declares. */
#if RTB_OFFERS(RTB_NEED_SEM)
RTB_INLINE void rtb_sem_init(rtb_sem *sem, unsigned count);
RTB_INLINE void rtb_sem_give(rtb_sem *sem);
RTB_INLINE void rtb_sem_take(rtb_sem *sem);
#endif
#if RTB_OFFERS(RTB_NEED_SEM | RTB_NEED_ISR) && !defined(rtb_sem_give_isr)
RTB_INLINE void rtb_sem_give_isr(rtb_sem *sem);
#endif

/* Queue of RTB_QUEUE_DEPTH messages of 4 bytes, copied. Both wait for ever. Measured. */
#if RTB_OFFERS(RTB_NEED_QUEUE)
RTB_INLINE void rtb_queue_init(rtb_queue *queue);
RTB_INLINE void rtb_queue_send(rtb_queue *queue, uint32_t message);
RTB_INLINE uint32_t rtb_queue_recv(rtb_queue *queue);
#endif

/* Mutex with priority inheritance; lock waits for ever. Measured. */
#if RTB_OFFERS(RTB_NEED_MUTEX)
RTB_INLINE void rtb_mutex_init(rtb_mutex *mutex);
RTB_INLINE void rtb_mutex_lock(rtb_mutex *mutex);
RTB_INLINE void rtb_mutex_unlock(rtb_mutex *mutex);
#endif

/* Sleeps until the ticks-th tick from now, ticks >= 1: delay(1) ends with the next tick.
 * Measured. */
#if RTB_OFFERS(RTB_NEED_TICK)
RTB_INLINE void rtb_delay(unsigned ticks);
#endif

/* port_impl.h also defines, around a handler that calls the kernel, what the kernel's manual
 * asks for and no more:   void HANDLER(void) { RTB_ISR_ENTER(); ... RTB_ISR_EXIT(); }
 * and RTB_ISR_PRIO, the NVIC priority byte of such a handler: the most urgent one from which
 * the kernel may be called. */

#endif
