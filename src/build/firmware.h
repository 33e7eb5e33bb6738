/* firmware.h - one cell's image: built by firmware/Makefile in a directory that belongs to
 * exactly these inputs, then read back and checked. */
#ifndef RTB_BUILD_FIRMWARE_H
#define RTB_BUILD_FIRMWARE_H

#include "base/flag.h"
#include "build/image.h"
#include "build/map.h"
#include "build/measured.h"
#include "build/toolchain.h"
#include "kernel/entry.h"

struct rtb_firmware_spec {
	const char *home;          /* holds firmware/, include/, targets/ */
	const char *cells_dir;     /* where the directories of cells are made */
	const char *target;        /* TARGET of the Makefile */
	const char *target_dir;    /* its sources, part of the inputs */
	const char *kernel, *opt;
	bool instrumented, handshake;
	unsigned samples;          /* what a board without handshake does on its own */
	unsigned baud;
	const struct rtb_entry *entry; /* the kernel's tree; NULL: one of ours */
	const char *kernel_hash;   /* digest of that tree's part in the image; NULL: none */
	const char *inputs;        /* digest of all sources of ours, rtb_firmware_inputs */
	const struct rtb_toolchain *tools;
	const struct rtb_memory *memory;
	size_t memories;
	unsigned jobs, timeout_ms; /* jobs 0: one a processor */
	const struct rtb_clock *clock;
	const rtb_flag *cancel;
};

struct rtb_firmware {
	char *dir, *elf, *map;     /* paths */
	char *log;                 /* what make said */
	char *log_path;            /* where it is kept */
	char *flags, *inputs;      /* flags.txt, inputs.txt as the Makefile wrote them; NULL: absent */
	unsigned ms;               /* time taken */
	struct rtb_image image;    /* what is measured */
	struct rtb_measured_list measured; /* its functions that hold the counter reads */
	/* Sizes: of the image with the footprint case alone where the Makefile makes one (all other
	 * cases are the bench's own weight), else of the image itself. */
	uint32_t flash_bytes, ram_bytes;
	struct rtb_parts parts;
};

/* Digest over firmware/, include/rtbench/ and the target's directory; once a sweep. */
enum rtb_status rtb_firmware_inputs(const char *home, const char *target_dir, char out[RTB_SHA256_HEX],
				    struct rtb_error *e);

/* RTB_BUILD (the first error line in the text), RTB_NO_FIT (bytes over and largest symbols),
 * RTB_IMAGE, RTB_NO_TOOL (no make), RTB_INTERRUPTED. out is set as far as things went, also on
 * failure: rtb_firmware_free in either case. */
enum rtb_status rtb_firmware_build(const struct rtb_firmware_spec *s, struct rtb_firmware *out,
				   struct rtb_error *e);
void rtb_firmware_free(struct rtb_firmware *f);

/* The line of a build log that says why: the first error of compiler or linker, else make's
 * last word. Free it; NULL when nothing looks like one. */
char *rtb_firmware_first_error(const char *log);

#endif
