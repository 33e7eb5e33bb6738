/* gdbremote.h - enough of the gdb remote protocol to drive QEMU's Cortex-M3. Every function
 * ends the program with a message when the other side does not answer as expected: a test that
 * has lost its reference has nothing more to say. */
#ifndef LOCKSTEP_GDBREMOTE_H
#define LOCKSTEP_GDBREMOTE_H

#include <stdint.h>

struct gdb {
	int fd;
};

struct gdb_regs {
	uint32_t r[16], xpsr;
};

/* Connects to a Unix socket, waiting up to 10 s for it to appear. */
void gdb_connect(struct gdb *g, const char *path);
void gdb_read_regs(struct gdb *g, struct gdb_regs *regs);
void gdb_write_regs(struct gdb *g, const struct gdb_regs *regs);
void gdb_read_mem(struct gdb *g, uint32_t addr, void *buf, unsigned n);
void gdb_write_mem(struct gdb *g, uint32_t addr, const void *buf, unsigned n);
void gdb_breakpoint(struct gdb *g, uint32_t addr, int set);
void gdb_continue(struct gdb *g); /* returns when the target has stopped */
void gdb_step(struct gdb *g);

#endif
