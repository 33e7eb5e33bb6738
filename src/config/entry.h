/* entry.h - reads a kernel's entry; what one is stands in kernel/entry.h. */
#ifndef RTB_CONFIG_ENTRY_H
#define RTB_CONFIG_ENTRY_H

#include "config/read.h"
#include "kernel/kernel.h"

/* RTB_NOT_FOUND: dir has no such entry. RTB_CONFIG "file:line:column: ..." */
enum rtb_status rtb_entry_load(const char *dir, const char *name, struct rtb_entry *out, struct rtb_error *e);
/* A kernel by name: one of ours (home holds firmware/), else the entry of that name in dir (NULL:
 * the user's kernel directory). */
enum rtb_status rtb_kernel_load(const char *home, const char *dir, const char *name, struct rtb_kernel *out,
				struct rtb_error *e);
/* The tables, for the documentation. */
const struct rtb_section *rtb_entry_sections(size_t *count);

#endif
