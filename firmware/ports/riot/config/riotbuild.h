/* riotbuild.h - what RIOT's build system would have generated: modules and switches, put before
 * every source (PORT_CONFIG). A module that is used is 1, one that is not is not defined. */
#ifndef RIOTBUILD_H
#define RIOTBUILD_H

/* The core and what the bench calls: no messages between threads (core_msg, on by default: 16
 * bytes in each thread, nothing on the measured paths), no thread flags, no idle thread. */
#define MODULE_CORE       1
#define MODULE_CORE_THREAD 1
#define MODULE_CORE_MBOX  1 /* a word in each thread */
#define MODULE_SEMA       1
#define MODULE_CORTEXM_COMMON 1
#define MODULE_STDIO_NULL 1 /* printf is nothing: there is no C library */
#define CPU_CORE_CORTEX_M3 1

/* Inheritance: off by default, asked for by the bench. Owner and its priority are noted at each
 * lock; a wait and an unlock with a waiter look at the owner. Semaphores are built on mutexes and
 * pay for it too. */
#define MODULE_CORE_MUTEX_PRIORITY_INHERITANCE 1

/* 24 of the bench below one more urgent; 16 by default. A word each. */
#define SCHED_PRIO_LEVELS 26

#if RTB_INSTR
/* ---- instrumented ---- */
#define DEVELHELP 1             /* stack's bounds in each thread; its lowest word checked at each switch */
#define CONFIG_THREAD_NAMES 1   /* a pointer in each thread */
#define MODULE_SCHED_CB 1       /* a call of a function at each switch, two with the thread that stops */
#define MODULE_SCHEDSTATISTICS 1 /* that function: run time and switches of each thread, by ztimer */
#else
/* ---- plain ---- */
#define NDEBUG 1                /* assertions off (RIOT leaves them on unless told) */
#endif

#endif
