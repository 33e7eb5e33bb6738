/* machine.h - the chip as one object: core, bus, time line, devices. Everything in
 * rtbench-vboard hangs from a struct vb_machine; there are no globals.
 *
 * Time is the core's cycle count (HCLK) and nothing else; the machine is deterministic. Bytes
 * and debug accesses from outside enter between slices of execution.
 */
#ifndef VB_MACHINE_H
#define VB_MACHINE_H

#include "vboard/bus.h"
#include "vboard/cpu.h"
#include "vboard/sched.h"

#define VB_MAX_DEVICES 24

/* What a device gives the machine besides its bus window. Each may be NULL. */
struct vb_device {
	const char *name;
	void *ctx;
	void (*reset)(void *ctx); /* system reset: back to the reference manual's reset values */
};

struct vb_machine {
	struct vb_cpu cpu;
	struct vb_bus bus;
	struct vb_sched sched;
	struct vb_device devices[VB_MAX_DEVICES];
	unsigned device_count;
};

void vb_machine_init(struct vb_machine *m);
void vb_machine_free(struct vb_machine *m);
/* Registers a device for reset. At most VB_MAX_DEVICES; more is a programming error (abort). */
void vb_machine_add(struct vb_machine *m, struct vb_device d);

/* System reset (SYSRESETREQ, reset pin): devices, SCS and core; the cycle count runs on, the
 * debug state (DHCSR.C_DEBUGEN, DEMCR, FPB, DBGMCU_CR) and SRAM keep their contents, as on
 * the chip. Power-on additionally clears the debug state and fills SRAM with a pattern. */
enum vb_reset { VB_RESET_SYSTEM, VB_RESET_POWER_ON };
void vb_machine_reset(struct vb_machine *m, enum vb_reset kind);

/* Runs the core and the time line until the cycle count reaches `until`, the core halts for
 * debug, locks up, or vb_cpu_stop() is called. Asleep (WFI) it jumps from event to event.
 * A core that is already halted or locked up lets time pass: events fire up to `until`, and
 * VB_STOP_HALTED or VB_STOP_LOCKUP comes back (SysTick and CYCCNT stand still in a halt). */
enum vb_stop vb_machine_run(struct vb_machine *m, uint64_t until);

#endif
