/* semihost.h - the part of ARM semihosting (Semihosting for AArch32, ARM 100863) that a small
 * test program needs: writing and leaving.
 */
#ifndef VB_SEMIHOST_H
#define VB_SEMIHOST_H

#include <stdbool.h>

#include "vboard/machine.h"

struct vb_semihost {
	struct vb_machine *m;
	int fd;            /* where text goes */
	bool exited;       /* the program has asked to leave; vb_machine_run has been stopped */
	int exit_code;
};

/* Sets the core's handler. m and s must outlive the core's running. */
void vb_semihost_init(struct vb_semihost *s, struct vb_machine *m, int fd);

#endif
