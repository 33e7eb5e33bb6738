/* tree.h - what state a directory of sources is in: one digest over its files, and what git
 * says of it. Read before anything is written, so that our own output does not make it dirty. */
#ifndef RTB_KERNEL_TREE_H
#define RTB_KERNEL_TREE_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/sha256.h"

/* Adds every regular file under path (or path itself when it is a file), in order of name,
 * with its path relative to base. Dot files, *.o and *.md are left out, symbolic links are followed
 * once. A path that does not exist adds nothing. 0, or -1 with errno. */
int rtb_tree_add(struct rtb_sha256 *h, const char *base, const char *path);
/* Digest of one directory. */
int rtb_tree_hash(const char *path, char out[RTB_SHA256_HEX]);

struct rtb_tree_git {
	char commit[65]; /* "" when path is not under git, or there is no git */
	bool dirty;      /* tracked files under path differ from it, or untracked ones are there */
};
void rtb_tree_git(const char *path, const struct rtb_clock *clock, struct rtb_tree_git *out);

#endif
