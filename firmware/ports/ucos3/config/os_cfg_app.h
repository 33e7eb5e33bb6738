/* os_cfg_app.h - sizes of what uC/OS-III keeps for itself; the same for plain and instrumented. */
#ifndef OS_CFG_APP_H
#define OS_CFG_APP_H

#define OS_CFG_TICK_RATE_HZ              RTB_TICK_HZ
/* Handlers stay on the bench's main stack, as with every kernel; default 128 words. */
#define OS_CFG_ISR_STK_SIZE              0u
/* Messages of all queues together; no case has more than two queues of RTB_QUEUE_DEPTH. */
#define OS_CFG_MSG_POOL_SIZE             16u
#define OS_CFG_TASK_STK_LIMIT_PCT_EMPTY  10u
#define OS_CFG_IDLE_TASK_STK_SIZE        64u /* words */

/* Of tasks that are not there. */
#define OS_CFG_STAT_TASK_PRIO            (OS_CFG_PRIO_MAX - 2u)
#define OS_CFG_STAT_TASK_RATE_HZ         10u
#define OS_CFG_STAT_TASK_STK_SIZE        64u
#define OS_CFG_TMR_TASK_PRIO             (OS_CFG_PRIO_MAX - 2u)
#define OS_CFG_TMR_TASK_STK_SIZE         64u
#define OS_CFG_TMR_TASK_RATE_HZ          10u

#endif
