/* cpu_state.h - the core's state. Part of cpu.h; fields are public to the core's own files and
 * to tests, devices use the functions of cpu.h. */
#ifndef VB_CPU_STATE_H
#define VB_CPU_STATE_H

#include "vboard/sched.h"

/* Exception numbers (ARMv7-M ARM B1.5.2). External interrupt n is VB_EXC_IRQ0 + n. */
enum vb_exc {
	VB_EXC_NONE = 0,
	VB_EXC_RESET = 1,
	VB_EXC_NMI = 2,
	VB_EXC_HARD = 3,
	VB_EXC_MEM = 4,
	VB_EXC_BUS = 5,
	VB_EXC_USAGE = 6,
	VB_EXC_SVC = 11,
	VB_EXC_DEBUGMON = 12,
	VB_EXC_PENDSV = 14,
	VB_EXC_SYSTICK = 15,
	VB_EXC_IRQ0 = 16,
};
#define VB_EXC_COUNT (VB_EXC_IRQ0 + VB_IRQ_COUNT)
#define VB_EXC_WORDS ((VB_EXC_COUNT + 31) / 32)

/* Exceptions are bits of these maps, number 0 being bit 0 of word 0. */
struct vb_nvic {
	uint32_t pending[VB_EXC_WORDS];
	uint32_t enabled[VB_EXC_WORDS]; /* system exceptions always; interrupts by ISER */
	uint32_t active[VB_EXC_WORDS];
	uint32_t line[VB_EXC_WORDS];    /* level of the devices' request lines */
	int16_t prio[VB_EXC_COUNT];     /* -3..-1 fixed, else 0..240 (four bits implemented) */
};

/* System control block (ARMv7-M ARM B3.2). */
struct vb_scb {
	uint32_t vtor, scr, ccr, shcsr, cfsr, hfsr, dfsr, mmfar, bfar, actlr;
	uint32_t prigroup;
};

/* SysTick (B3.3). The counter is not stored while it runs: it follows from the cycle at which
 * it last was `value`. */
struct vb_systick {
	uint32_t csr;    /* ENABLE, TICKINT, CLKSOURCE; COUNTFLAG apart */
	uint32_t reload;
	uint32_t value;  /* counter at cycle `since`, or for good while stopped */
	uint64_t since;
	bool counted;    /* COUNTFLAG */
	struct vb_event wrap;
};

/* Data watchpoint and trace (C1.8): the cycle counter and four comparators. */
struct vb_dwt {
	uint32_t ctrl;
	uint32_t cyccnt; /* counter at cycle `since`, or for good while stopped */
	uint64_t since;
	bool running;
	bool stuck;      /* a fault on demand: the counter never moves */
	uint32_t comp[4], mask[4], function[4];
};

/* Flash patch and breakpoint unit (C1.11): six code and two literal comparators. */
struct vb_fpb {
	uint32_t ctrl, remap, comp[8];
};

/* Debug control (C1.6). Survives a system reset. */
struct vb_coredebug {
	uint32_t dhcsr;  /* C_ bits only */
	uint32_t demcr;
	uint32_t dcrdr;
	bool halted;
	bool was_reset, retired; /* S_RESET_ST, S_RETIRE_ST: sticky until DHCSR is read */
	uint32_t halt_request;   /* DFSR bits of a halt that takes effect before the next instruction */
	unsigned catch_exc;      /* exception whose entry halts (vector catch), 0 when none */
};

struct vb_op;

/* One memory that code runs from, decoded half-word by half-word as it is first executed. */
struct vb_code {
	uint32_t base, size;
	const uint8_t *mem;
	struct vb_op *ops; /* size / 2 of them and two that lead out of the memory; owned */
};
#define VB_MAX_CODE 6

struct vb_cpu {
	uint32_t r[16];       /* r13 is the current stack pointer, r15 the next instruction */
	uint64_t cycles;      /* HCLK cycles since power-on */
	uint64_t horizon;     /* execution looks up when cycles reaches this; 0: at once */
	/* Flags in the form the executors leave them in: N and V are bit 31, Z means zero. */
	uint32_t n, z, c, v, q;
	uint32_t sram_span, flash_span;       /* offsets below these take the direct path */
	uint8_t *sram;
	const uint8_t *flash;
	const uint8_t *vectors; /* the vector table, NULL when it lies in no plain memory */
	uint32_t sram_code_lo, sram_code_span; /* SRAM offsets that hold decoded instructions */
	bool watching;        /* data comparators are set: no access goes direct */
	struct vb_code *code; /* where the executors are; NULL outside execution */

	uint32_t sp_other;    /* the stack pointer not in r13 */
	bool on_psp;          /* r13 is the process stack pointer */
	uint32_t ipsr;
	uint8_t it;           /* ITSTATE of the next instruction */
	bool thumb;           /* EPSR.T */
	uint32_t primask, basepri, faultmask, control;
	bool exclusive;       /* local monitor */
	bool sleeping;        /* in WFI or WFE */
	bool sleep_wfe;
	bool event;           /* event register of WFE */
	bool lockup;
	bool stop_asked;
	bool reset_asked, vectreset_asked;
	bool core_access;     /* the bus access under way comes from the core, not the debug port */
	bool unprivileged_access; /* LDRT, STRT */
	bool clock_in_sleep;  /* HCLK reaches the core in sleep (DBGMCU_CR.DBG_SLEEP) */
	uint32_t exc_return;  /* EXC_RETURN value just branched to, 0 when none */

	struct vb_nvic nvic;
	struct vb_scb scb;
	struct vb_systick systick;
	struct vb_dwt dwt;
	struct vb_fpb fpb;
	struct vb_coredebug debug;

	struct vb_code codes[VB_MAX_CODE];
	unsigned code_count;
	struct vb_code nowhere; /* stands for an address without executable memory */

	void (*trace)(void *ctx, struct vb_cpu *c, uint32_t pc);
	void *trace_ctx;
	bool (*semihost)(void *ctx, struct vb_cpu *c);
	void *semihost_ctx;
	struct vb_machine *m;
};

#endif
