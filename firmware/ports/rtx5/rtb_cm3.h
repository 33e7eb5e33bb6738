/* rtb_cm3.h - the device header that CMSIS-Core asks for: a Cortex-M3 r1p1 with four priority
 * bits (GD32F103) and no more of the chip, because the kernel needs no more. */
#ifndef RTB_CM3_H
#define RTB_CM3_H

#include <stdint.h>

/* Exception number less 16 (DDI 0403E B1.5.2), in the names that core_cm3.h expects. */
typedef enum {
	NonMaskableInt_IRQn = -14,
	HardFault_IRQn = -13,
	MemoryManagement_IRQn = -12,
	BusFault_IRQn = -11,
	UsageFault_IRQn = -10,
	SVCall_IRQn = -5,
	DebugMonitor_IRQn = -4,
	PendSV_IRQn = -2,
	SysTick_IRQn = -1,
} IRQn_Type;

#define __CM3_REV              0x0101
#define __MPU_PRESENT          0
#define __VTOR_PRESENT         1
#define __NVIC_PRIO_BITS       4
#define __Vendor_SysTickConfig 0

#include "core_cm3.h"

extern uint32_t SystemCoreClock; /* Hz */

#endif
