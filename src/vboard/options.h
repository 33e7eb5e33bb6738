/* options.h - the command line, read and checked; nothing is opened or printed here. */
#ifndef VB_OPTIONS_H
#define VB_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/status.h"
#include "vboard/chip.h"
#include "vboard/endpoint.h"
#include "vboard/faults.h"

/* What OpenOCD takes the debug port for. */
enum vb_adapter { VB_ADAPTER_BITBANG, VB_ADAPTER_BUSPIRATE };

struct vb_options {
	struct vb_endpoint debug, serial;
	enum vb_adapter adapter; /* that listens at debug */
	const char *load, *trace; /* borrowed from argv; NULL: none */
	uint64_t cycles;          /* 0: no end */
	bool semihosting, realtime, verbose, help, version;
	uint32_t baud, hxtal_hz;
	bool has_uid;
	uint8_t uid[VB_UID_BYTES];
	struct vb_fault fault[VB_MAX_FAULTS];
	unsigned faults;
};

/* RTB_USAGE with one line that names the option. */
enum rtb_status vb_options_parse(int argc, char **argv, struct vb_options *out, struct rtb_error *e);
/* The text of --help. */
void vb_options_help(struct rtb_buf *out);
/* "bitbang", "buspirate". Static. */
const char *vb_adapter_name(enum vb_adapter a);

#endif
