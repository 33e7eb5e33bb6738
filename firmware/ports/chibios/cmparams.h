/* cmparams.h - what ChibiOS/RT's port of this core wants to know of the chip. Also read by the
 * assembler. The core's own registers come from the CMSIS header in the kernel's tree, which
 * wants the numbers of the core's exceptions from the chip. */
#ifndef CMPARAMS_H
#define CMPARAMS_H

#define CORTEX_MODEL         3
#define CORTEX_HAS_FPU       0
#define CORTEX_PRIORITY_BITS 4U
#define CORTEX_NUM_VECTORS   60
#define CORTEX_MPU_REGIONS   0

#if !defined(_FROM_ASM_)

/* CMSIS numbers exceptions from -16 on; ARMv7-M Architecture Reference Manual B1.5.2. */
typedef enum IRQn {
	NonMaskableInt_IRQn = 2 - 16,
	HardFault_IRQn = 3 - 16,
	MemoryManagement_IRQn = 4 - 16,
	BusFault_IRQn = 5 - 16,
	UsageFault_IRQn = 6 - 16,
	SVCall_IRQn = 11 - 16,
	DebugMonitor_IRQn = 12 - 16,
	PendSV_IRQn = 14 - 16,
	SysTick_IRQn = 15 - 16,
} IRQn_Type;

#define __CM3_REV              0x0200
#define __MPU_PRESENT          0
#define __NVIC_PRIO_BITS       4
#define __Vendor_SysTickConfig 0

#include "core_cm3.h"

#endif

#endif
