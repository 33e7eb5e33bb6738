/* port_missing.h - stand-ins for what a port does not offer, so that every case compiles on
 * every port. They are never reached: a case that needs what is missing is refused. */
#ifndef RTBENCH_PORT_MISSING_H
#define RTBENCH_PORT_MISSING_H

#define RTB_MISSING(function) \
	RTB_INLINE function \
	{ \
		__builtin_trap(); \
	}

#if !RTB_OFFERS(RTB_NEED_SEM)
typedef struct { char none; } rtb_sem;
RTB_MISSING(void rtb_sem_init(rtb_sem *sem __attribute__((unused)), unsigned count __attribute__((unused))))
RTB_MISSING(void rtb_sem_give(rtb_sem *sem __attribute__((unused))))
RTB_MISSING(void rtb_sem_take(rtb_sem *sem __attribute__((unused))))
#endif
#if !RTB_OFFERS(RTB_NEED_SEM | RTB_NEED_ISR)
#define RTB_ISR_ENTER() do { } while (0)
#define RTB_ISR_EXIT() do { } while (0)
#define RTB_ISR_PRIO 0
RTB_MISSING(void rtb_sem_give_isr(rtb_sem *sem __attribute__((unused))))
#endif
#if !RTB_OFFERS(RTB_NEED_QUEUE)
typedef struct { char none; } rtb_queue;
RTB_MISSING(void rtb_queue_init(rtb_queue *queue __attribute__((unused))))
RTB_MISSING(void rtb_queue_send(rtb_queue *queue __attribute__((unused)), uint32_t message __attribute__((unused))))
RTB_MISSING(uint32_t rtb_queue_recv(rtb_queue *queue __attribute__((unused))))
#endif
#if !RTB_OFFERS(RTB_NEED_MUTEX)
typedef struct { char none; } rtb_mutex;
RTB_MISSING(void rtb_mutex_init(rtb_mutex *mutex __attribute__((unused))))
RTB_MISSING(void rtb_mutex_lock(rtb_mutex *mutex __attribute__((unused))))
RTB_MISSING(void rtb_mutex_unlock(rtb_mutex *mutex __attribute__((unused))))
#endif
#if !RTB_OFFERS(RTB_NEED_TICK)
RTB_MISSING(void rtb_delay(unsigned ticks __attribute__((unused))))
#endif

#endif
