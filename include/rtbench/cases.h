/* cases.h - case ids from cases.def, and what a case may need of a port; no libc. */
#ifndef RTBENCH_CASES_H
#define RTBENCH_CASES_H

#define RTB_NEED_TASKS (1u << 0) /* two tasks, priorities, yield */
#define RTB_NEED_SEM   (1u << 1)
#define RTB_NEED_QUEUE (1u << 2)
#define RTB_NEED_MUTEX (1u << 3) /* with priority inheritance */
#define RTB_NEED_ISR   (1u << 4) /* the kernel called from an interrupt */
#define RTB_NEED_TICK  (1u << 5) /* delays by tick */
#define RTB_NEED_MANY  (1u << 6) /* more than two tasks */

/* What a sample is the reading of: see cases.def. */
enum rtb_timing { RTB_TIMING_SPAN, RTB_TIMING_TIMER, RTB_TIMING_DEVIATION, RTB_TIMING_CALIBRATION };

enum rtb_case_id {
#define X(name, version, unit, divisor, timing, series, needs, title, span) RTB_CASE_##name,
#include "rtbench/cases.def"
#undef X
	RTB_CASE_COUNT
};

#endif
