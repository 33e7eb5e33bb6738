/* os_cfg.h - the bench's configuration of uC/OS-III, against its documented options. */
#ifndef OS_CFG_H
#define OS_CFG_H

/* ---- the same for plain and instrumented ---- */

#define OS_CFG_TICK_EN                   1u
#define OS_CFG_DYN_TICK_EN               0u  /* tickless; the default */
/* Default 64. 32 is one word for CLZ; the bench uses 24. */
#define OS_CFG_PRIO_MAX                  32u
/* The kernel's only yield belongs to round robin, so that has to be in; port.c makes a slice
 * longer than any run. What is left of it is a look at the running priority on each tick. */
#define OS_CFG_SCHED_ROUND_ROBIN_EN      1u
#define OS_CFG_STK_SIZE_MIN              64u /* words */
#define OS_CFG_TASK_IDLE_EN              1u

#define OS_CFG_SEM_EN                    1u
#define OS_CFG_Q_EN                      1u
#define OS_CFG_MUTEX_EN                  1u

/* Default 1 each. What no case uses is left out, as in the other kernels. */
#define OS_CFG_FLAG_EN                   0u
#define OS_CFG_FLAG_DEL_EN               0u
#define OS_CFG_FLAG_MODE_CLR_EN          0u
#define OS_CFG_FLAG_PEND_ABORT_EN        0u
#define OS_CFG_MEM_EN                    0u
#define OS_CFG_MUTEX_DEL_EN              0u
#define OS_CFG_MUTEX_PEND_ABORT_EN       0u
#define OS_CFG_Q_DEL_EN                  0u
#define OS_CFG_Q_FLUSH_EN                0u
#define OS_CFG_Q_PEND_ABORT_EN           0u
#define OS_CFG_SEM_DEL_EN                0u
#define OS_CFG_SEM_PEND_ABORT_EN         0u
#define OS_CFG_SEM_SET_EN                0u
#define OS_CFG_TASK_CHANGE_PRIO_EN       0u
#define OS_CFG_TASK_DEL_EN               0u
#define OS_CFG_TASK_Q_EN                 0u
#define OS_CFG_TASK_Q_PEND_ABORT_EN      0u
#define OS_CFG_TASK_REG_TBL_SIZE         0u
#define OS_CFG_TASK_SEM_PEND_ABORT_EN    0u
#define OS_CFG_TASK_SUSPEND_EN           0u
#define OS_CFG_TLS_TBL_SIZE              0u
#define OS_CFG_TIME_DLY_HMSM_EN          0u
#define OS_CFG_TIME_DLY_RESUME_EN        0u
#define OS_CFG_TMR_EN                    0u
#define OS_CFG_TMR_DEL_EN                0u
/* Default 1: a task that wakes ten times a second. It measures nothing before it has had the
 * CPU for itself for a while at the start, which a case does not grant; so it is off, for
 * instrumented too. */
#define OS_CFG_STAT_TASK_EN              0u
#define OS_CFG_STAT_TASK_STK_CHK_EN      0u

#if RTB_INSTR

/* ---- instrumented ---- */

/* Arguments, calls from handlers, calls before the start, type and creation of objects: a
 * compare and branch each, in each call. */
#define OS_CFG_ARG_CHK_EN                1u
#define OS_CFG_CALLED_FROM_ISR_CHK_EN    1u
#define OS_CFG_INVALID_OS_CALLS_CHK_EN   1u
#define OS_CFG_OBJ_TYPE_CHK_EN           1u
#define OS_CFG_OBJ_CREATED_CHK_EN        1u
/* Lists of all objects for a debugger, and names: some stores on creation and on each wait. */
#define OS_CFG_DBG_EN                    1u
/* A read of the cycle counter in each post, at each switch and tick. */
#define OS_CFG_TS_EN                     1u
/* Cycles and switches of each task: at each switch, two reads and some additions. */
#define OS_CFG_TASK_PROFILE_EN           1u
/* Longest time with the scheduler locked: two reads of the counter where it is. */
#define OS_CFG_SCHED_LOCK_TIME_MEAS_EN   1u
/* Four marked words at the end of each stack, looked at at each switch and handler's end. */
#define OS_CFG_TASK_STK_REDZONE_EN       1u
#define OS_CFG_TASK_STK_REDZONE_DEPTH    4u
/* A test for a hook at each switch, tick and turn of idle. */
#define OS_CFG_APP_HOOKS_EN              1u
/* Events into a ring of 64 stamps, see os_trace_events.h: a call, a stamp, three stores. */
#define OS_CFG_TRACE_EN                  1u
#define OS_CFG_TRACE_API_ENTER_EN        0u
#define OS_CFG_TRACE_API_EXIT_EN         0u

#else

/* ---- plain: each of the above is off ---- */

#define OS_CFG_ARG_CHK_EN                0u /* default 1, and so the next four */
#define OS_CFG_CALLED_FROM_ISR_CHK_EN    0u
#define OS_CFG_INVALID_OS_CALLS_CHK_EN   0u
#define OS_CFG_OBJ_TYPE_CHK_EN           0u
#define OS_CFG_OBJ_CREATED_CHK_EN        0u
#define OS_CFG_DBG_EN                    0u
#define OS_CFG_TS_EN                     0u
#define OS_CFG_TASK_PROFILE_EN           0u /* default 1 */
#define OS_CFG_SCHED_LOCK_TIME_MEAS_EN   0u
#define OS_CFG_TASK_STK_REDZONE_EN       0u
#define OS_CFG_TASK_STK_REDZONE_DEPTH    0u
#define OS_CFG_APP_HOOKS_EN              0u /* default 1 */
#define OS_CFG_TRACE_EN                  0u
#define OS_CFG_TRACE_API_ENTER_EN        0u
#define OS_CFG_TRACE_API_EXIT_EN         0u

#endif

#endif
