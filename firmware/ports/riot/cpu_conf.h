/* cpu_conf.h - the chip as RIOT's Cortex-M layer and CMSIS want it described. It stands for a
 * vendor's device header, of which neither tree has one for this chip. */
#ifndef CPU_CONF_H
#define CPU_CONF_H

/* Exceptions by number less 16: DDI 0403E, table B1-4. External lines go by their number. */
typedef enum {
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

#define __CM3_REV 0x0201
#define __NVIC_PRIO_BITS 4 /* GD32F10x user manual, 7: 16 levels */
#define __MPU_PRESENT 0
#define __Vendor_SysTickConfig 0

#include "core_cm3.h"
#include "cpu_conf_common.h"

/* The scheduler waits with nothing to run in WFI, where the cycle counter stands still. */
#undef __WFI
#define __WFI() __NOP()

#endif
