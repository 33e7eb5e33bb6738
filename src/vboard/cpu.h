/* cpu.h - the Cortex-M3 core (r2p1, CPUID 0x412FC231):
 * registers, execution, exceptions and the private peripheral bus (SCS with NVIC, SysTick,
 * SCB, MPU absent; DWT; FPB; ITM reads as zero; CoreDebug).
 * References: ARMv7-M ARM (DDI 0403E), Cortex-M3 TRM (DDI 0337).
 */
#ifndef VB_CPU_H
#define VB_CPU_H

#include <stdbool.h>
#include <stdint.h>

struct vb_machine;

/* Why vb_machine_run came back. */
enum vb_stop {
	VB_STOP_CYCLES,   /* reached the cycle asked for */
	VB_STOP_HALTED,   /* debug halt */
	VB_STOP_ASKED,    /* vb_cpu_stop() */
	VB_STOP_LOCKUP,   /* fault inside HardFault or NMI; stays so until reset or debug */
};

#define VB_IRQ_COUNT 60 /* GD32F103 medium density has 60 lines or fewer */

/* The whole state is public to the core's own files and to tests; devices use the functions. */
#include "vboard/cpu_state.h"

/* Maps the private peripheral bus into m's bus. vb_cpu_free releases the decoded code. */
void vb_cpu_init(struct vb_cpu *c, struct vb_machine *m);
void vb_cpu_free(struct vb_cpu *c);
void vb_cpu_reset(struct vb_cpu *c, bool power_on);

/* Executes one instruction (or takes one exception, or sleeps one step). For tests and traces. */
void vb_cpu_step(struct vb_cpu *c);
/* Makes vb_machine_run return after the current instruction; callable from device code. */
void vb_cpu_stop(struct vb_cpu *c);

/* Register by ARM debug number (DCRSR.REGSEL): 0-15, 16 xPSR, 17 MSP, 18 PSP,
 * 20 CONTROL<<24|FAULTMASK<<16|BASEPRI<<8|PRIMASK. Only meaningful while halted. */
uint32_t vb_cpu_reg_read(struct vb_cpu *c, unsigned regsel);
void vb_cpu_reg_write(struct vb_cpu *c, unsigned regsel, uint32_t value);

/* Interrupt line from a device: level-sensitive; a rising edge pends, and a line still high
 * when its handler returns pends again. irq is 0..VB_IRQ_COUNT-1. */
void vb_irq_set(struct vb_machine *m, unsigned irq, bool level);

/* Whether the core's clock runs on in sleep (DBGMCU_CR.DBG_SLEEP). Without it CYCCNT stands
 * still in WFI and WFE, as on the chip; SysTick (FCLK) runs in either case. */
void vb_cpu_clock_in_sleep(struct vb_cpu *c, bool on);

/* Calls hook before each instruction when set (trace, faults on demand); NULL switches off and
 * costs nothing. pc is the instruction's address. */
typedef void vb_trace_fn(void *ctx, struct vb_cpu *c, uint32_t pc);
void vb_cpu_trace(struct vb_cpu *c, vb_trace_fn *fn, void *ctx);

/* Semihosting BKPT 0xAB: when a handler is set it is called instead of halting; returns true
 * when it dealt with the call (r0 holds the result). */
typedef bool vb_semihost_fn(void *ctx, struct vb_cpu *c);
void vb_cpu_semihost(struct vb_cpu *c, vb_semihost_fn *fn, void *ctx);

#endif
