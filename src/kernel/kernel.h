/* kernel.h - the kernels that can be measured: ours, in firmware/kernels/, and those whose trees
 * the user has made known (entry.h). A kernel has a port (firmware/ports/<port>/), which is
 * always ours. */
#ifndef RTB_KERNEL_KERNEL_H
#define RTB_KERNEL_KERNEL_H

#include "base/clock.h"
#include "base/sha256.h"
#include "base/status.h"
#include "kernel/entry.h"
#include "kernel/tree.h"

struct rtb_kernel {
	char *name, *title;   /* title: first comment line of port.mk, or "" */
	char *port_dir, *dir; /* absolute; dir is the kernel's own tree */
	char *config_path;    /* the kernel's configuration header; NULL: it has none */
	struct rtb_entry *entry; /* NULL: one of ours; then dir is the first tree's */
};

/* Identity of a kernel as it lies there now. */
struct rtb_kernel_state {
	char kernel_hash[RTB_SHA256_HEX], port_hash[RTB_SHA256_HEX], config_hash[RTB_SHA256_HEX];
	char *config_text;    /* NULL when there is no header */
	struct rtb_tree_git git;
};

/* One of ours. home is the directory that holds firmware/. RTB_NOT_FOUND lists the kernels there
 * are, or says that the port wants a tree. */
enum rtb_status rtb_kernel_find(const char *home, const char *name, struct rtb_kernel *out,
				struct rtb_error *e);
/* A kernel from its entry, which is taken over: *entry is empty afterwards, also on failure.
 * RTB_CONFIG when its port does not exist. */
enum rtb_status rtb_kernel_of_entry(const char *home, struct rtb_entry *entry, struct rtb_kernel *out,
				    struct rtb_error *e);
void rtb_kernel_free(struct rtb_kernel *k);
/* Ours; and all ports there are. Sorted, NULL-terminated; free each and the array. */
char **rtb_kernel_names(const char *home);
char **rtb_port_names(const char *home);

/* Of several trees the commits are joined by '+', twelve digits of each, and one dirty tree is
 * enough. */
enum rtb_status rtb_kernel_look(const struct rtb_kernel *k, const struct rtb_clock *clock,
				struct rtb_kernel_state *out, struct rtb_error *e);
void rtb_kernel_state_free(struct rtb_kernel_state *s);

#endif
