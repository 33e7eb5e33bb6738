/* cpu_cfg.h - the bench's configuration of uC/CPU, against its documented options. */
#ifndef CPU_CFG_MODULE_PRESENT
#define CPU_CFG_MODULE_PRESENT

/* ---- the same for plain and instrumented ---- */

#define CPU_CFG_NAME_EN                  DEF_DISABLED
#define CPU_CFG_NAME_SIZE                16
#define CPU_CFG_TS_64_EN                 DEF_DISABLED
#define CPU_CFG_TS_TMR_SIZE              CPU_WORD_SIZE_32
#define CPU_CFG_CACHE_MGMT_EN            DEF_DISABLED
#define CPU_CFG_INT_DIS_MEAS_OVRHD_NBR   1u
/* Of the chip's four priority bits: the kernel masks from 0x40 on. */
#define CPU_CFG_NVIC_PRIO_BITS           4u
#define CPU_CFG_KA_IPL_BOUNDARY          4u

#if RTB_INSTR

/* ---- instrumented ---- */

/* Time stamps from the cycle counter. */
#define CPU_CFG_TS_32_EN                 DEF_ENABLED
/* Longest time with interrupts off: two calls and two reads of the counter around each of the
 * kernel's critical sections. The dearest of all. */
#define CPU_CFG_INT_DIS_MEAS_EN

#else

/* ---- plain ---- */

#define CPU_CFG_TS_32_EN                 DEF_DISABLED
/* CPU_CFG_INT_DIS_MEAS_EN stays undefined, as is the default. */

#endif

#endif
