/* toolchain.h - which compiler will build the images, so exactly that a change is noticed. */
#ifndef RTB_BUILD_TOOLCHAIN_H
#define RTB_BUILD_TOOLCHAIN_H

#include "base/clock.h"
#include "base/sha256.h"
#include "base/status.h"

/* Older compilers do not record their command line in the form that is read back. */
#define RTB_GCC_MIN 11

struct rtb_toolchain {
	char *cross;               /* as configured: "arm-none-eabi-" */
	char *path;                /* of <cross>gcc, resolved */
	char *version;             /* first line of --version */
	char *number;              /* -dumpfullversion: "12.2.1" */
	char hash[RTB_SHA256_HEX]; /* over driver, compiler proper, assembler and linker */
};

/* RTB_NO_TOOL, RTB_TOOL_OLD. */
enum rtb_status rtb_toolchain_find(const char *cross, const struct rtb_clock *clock,
				   struct rtb_toolchain *out, struct rtb_error *e);
void rtb_toolchain_free(struct rtb_toolchain *t);

#endif
