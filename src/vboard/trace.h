/* trace.h - one line per instruction into a file: cycle, address, opcode, and the registers
 * that it changed. */
#ifndef VB_TRACE_H
#define VB_TRACE_H

#include <stdio.h>

#include "base/status.h"
#include "vboard/machine.h"

struct vb_trace {
	struct vb_machine *m;
	FILE *out;
	uint32_t before[17]; /* r0-r15, xPSR */
	bool any;            /* an instruction is waiting for its changes to be known */
};

/* Opens path and hooks into the core. RTB_STORE when it cannot be created. */
enum rtb_status vb_trace_open(struct vb_trace *t, struct vb_machine *m, const char *path,
			      struct rtb_error *e);
/* Writes the last line, unhooks and closes; harmless when not open. RTB_STORE when the file
 * could not be written in full. */
enum rtb_status vb_trace_close(struct vb_trace *t, struct rtb_error *e);

#endif
