/* kernel.h - the kernels that can be measured: ours, in firmware/kernels/, and later the
 * user's own trees. A kernel has a port (firmware/ports/<name>/), which is always ours. */
#ifndef RTB_KERNEL_KERNEL_H
#define RTB_KERNEL_KERNEL_H

#include "base/clock.h"
#include "base/sha256.h"
#include "base/status.h"
#include "kernel/tree.h"

struct rtb_kernel {
	char *name, *title;   /* title: first comment line of port.mk, or "" */
	char *port_dir, *dir; /* absolute; dir is the kernel's own tree */
	char *config_path;    /* the kernel's configuration header; NULL: it has none */
};

/* Identity of a kernel as it lies there now. */
struct rtb_kernel_state {
	char kernel_hash[RTB_SHA256_HEX], port_hash[RTB_SHA256_HEX], config_hash[RTB_SHA256_HEX];
	char *config_text;    /* NULL when there is no header */
	struct rtb_tree_git git;
};

/* home is the directory that holds firmware/. RTB_NOT_FOUND lists the kernels there are. */
enum rtb_status rtb_kernel_find(const char *home, const char *name, struct rtb_kernel *out,
				struct rtb_error *e);
void rtb_kernel_free(struct rtb_kernel *k);
/* All names, sorted, NULL-terminated; free each and the array. */
char **rtb_kernel_names(const char *home);

enum rtb_status rtb_kernel_look(const struct rtb_kernel *k, const struct rtb_clock *clock,
				struct rtb_kernel_state *out, struct rtb_error *e);
void rtb_kernel_state_free(struct rtb_kernel_state *s);

#endif
