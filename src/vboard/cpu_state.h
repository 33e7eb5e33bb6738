/* cpu_state.h - the core's state. Part of cpu.h. */
#ifndef VB_CPU_STATE_H
#define VB_CPU_STATE_H

struct vb_cpu {
	uint32_t r[16];       /* r13 is the current stack pointer, r15 the next instruction */
	uint64_t cycles;      /* HCLK cycles since power-on */
	struct vb_machine *m;
};

#endif
