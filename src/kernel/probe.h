/* probe.h - asks the compiler and the linker. Everything happens in a scratch directory of
 * ours, with the flags that firmware/Makefile gives a real cell. */
#ifndef RTB_KERNEL_PROBE_H
#define RTB_KERNEL_PROBE_H

#include "base/clock.h"
#include "base/flag.h"
#include "kernel/diag.h"
#include "kernel/entry.h"

struct rtb_level {
	const char *opt; /* "O2" */
	bool instrumented;
};

struct rtb_probe {
	const char *home;   /* holds firmware/ and targets/; borrowed */
	const char *target; /* TARGET of firmware/Makefile; borrowed */
	const char *cross;  /* "arm-none-eabi-"; borrowed */
	const struct rtb_clock *clock;
	const rtb_flag *cancel; /* may be NULL */
	char *work;         /* scratch directory; owned */
	unsigned images, compiles; /* how often make and the compiler were run */
};

/* Makes the scratch directory. RTB_CONFIG. */
enum rtb_status rtb_probe_open(struct rtb_probe *p, struct rtb_error *e);
/* Removes it. */
void rtb_probe_close(struct rtb_probe *p);

struct rtb_attempt {
	bool ok;
	struct rtb_diags diags;     /* what was said against it */
	struct rtb_strings defines; /* rtb_probe_compile: global symbols of the object */
};
void rtb_attempt_free(struct rtb_attempt *a);

/* Builds the whole image. RTB_NO_TOOL, RTB_INTERRUPTED, RTB_BUILD (make itself failed: nothing
 * that the diags could tell). */
enum rtb_status rtb_probe_image(struct rtb_probe *p, const struct rtb_entry *n, struct rtb_level l,
				struct rtb_attempt *out, struct rtb_error *e);
/* Compiles one source (absolute path) as part of the kernel, with further include directories.
 * There must have been a rtb_probe_image of this entry at this level. */
enum rtb_status rtb_probe_compile(struct rtb_probe *p, struct rtb_level l,
				  const struct rtb_strings *include, const char *path,
				  struct rtb_attempt *out, struct rtb_error *e);
/* Global symbols that an object or library defines; false when nm could not read it. */
bool rtb_probe_symbols(struct rtb_probe *p, const char *path, struct rtb_strings *out);
/* Adds to each tree's `used` the files of it that the compiler read for images so far. */
void rtb_probe_used(struct rtb_probe *p, struct rtb_entry *n);

#endif
