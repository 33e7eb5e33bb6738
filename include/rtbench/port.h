/* port.h - the RTOS-neutral layer that every case is written against; no libc.
 *
 * A port is firmware/ports/<kernel>/port_impl.h (types and `static inline` wrappers, so that
 * the layer adds no call), port.c (what need not be inline), config/ (the kernel's own
 * configuration header) and port.mk (names of handlers, version macro, what it cannot do).
 * This header says what each wrapper must and must not do. "Measured" wrappers are called
 * inside a measured section: they must do nothing but call the kernel - no argument checks, no
 * logging, no error handling beyond what the kernel's own API does.
 *
 * Types the port defines: rtb_task, rtb_sem, rtb_queue (of 4-byte messages), rtb_mutex. All
 * objects are static; nothing is allocated while the bench runs. Where a kernel must allocate
 * (no static API) the port says so in its opening comment.
 *
 * Priorities: RTB_PRIO_MIN (least urgent) .. RTB_PRIO_MAX (most urgent), at least 24 levels;
 * the port maps them to the kernel's own sense. Every task's stack is RTB_STACK_BYTES unless a
 * case says otherwise.
 */
#ifndef RTBENCH_PORT_H
#define RTBENCH_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RTB_PRIO_MIN 1
#define RTB_PRIO_MAX 24

#include "port_impl.h"

/* Name and version as the kernel's own macro says ("V10.6.2"), and the port's own version. */
extern const char rtb_kernel_name[], rtb_kernel_version[], rtb_port_version[];
/* What this port offers: RTB_NEED_* or-ed. */
extern const unsigned rtb_port_offers;

/* Before anything else of the kernel. Interrupts may be off; the tick must not run yet. */
void rtb_kernel_init(void);
/* Starts the tick (SysTick, RTB_TICK_HZ) and the scheduler. Does not return. */
void rtb_kernel_start(void) __attribute__((noreturn));
/* Creates a task that is ready as soon as the scheduler runs. May be called before start and
 * from a task. fn must not return. stack is 8-byte aligned, bytes a multiple of 8; the bench
 * paints it before this call, and the port must leave unused words as they are (or say that
 * the kernel paints them itself). Not measured. */
void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg,
		     unsigned prio, uint32_t *stack, size_t bytes);
/* Ends the calling task for good (suspend is enough). Not measured. */
void rtb_task_exit(void) __attribute__((noreturn));
/* Sleeps n >= 1 ticks. Measured in the tick cases. */
static inline void rtb_delay(unsigned ticks);
/* Kernel tick count. */
static inline uint32_t rtb_ticks(void);

/* Measured: gives the CPU to the next ready task of the same priority. */
static inline void rtb_yield(void);

/* Counting semaphore. give/take measured; take waits for ever. give_isr is called between
 * RTB_ISR_ENTER and RTB_ISR_EXIT of a handler and must ask for a switch when one is due. */
static inline void rtb_sem_init(rtb_sem *s, unsigned count);
static inline void rtb_sem_give(rtb_sem *s);
static inline void rtb_sem_take(rtb_sem *s);
static inline void rtb_sem_give_isr(rtb_sem *s);

/* Queue of 4-byte messages, depth RTB_QUEUE_DEPTH; copies the message. Both wait for ever. */
#define RTB_QUEUE_DEPTH 4
static inline void rtb_queue_init(rtb_queue *q);
static inline void rtb_queue_send(rtb_queue *q, uint32_t msg);
static inline uint32_t rtb_queue_recv(rtb_queue *q);

/* Mutex with priority inheritance; lock waits for ever. */
static inline void rtb_mutex_init(rtb_mutex *m);
static inline void rtb_mutex_lock(rtb_mutex *m);
static inline void rtb_mutex_unlock(rtb_mutex *m);

/* Macros of port_impl.h around a handler that uses the kernel: what the kernel's manual asks
 * for and no more.   void HANDLER(void) { RTB_ISR_ENTER(); ... RTB_ISR_EXIT(); }
 * RTB_ISR_PRIO is the NVIC priority byte such a handler must have (BASEPRI kernels mask from
 * there on). */

#endif
