/* forest.h - a look over the user's kernel trees: every file by its name, nothing read yet.
 * Trees are only ever read. */
#ifndef RTB_KERNEL_FOREST_H
#define RTB_KERNEL_FOREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "kernel/rank.h"

enum rtb_file_kind { RTB_FILE_OTHER, RTB_FILE_HEADER, RTB_FILE_C, RTB_FILE_ASM, RTB_FILE_LIB };

struct rtb_tree_file {
	char *rel;              /* below its root, '/'-separated; owned by the forest */
	char *path;             /* absolute */
	size_t tree;            /* index of its root */
	enum rtb_file_kind kind;
	struct rtb_rank rank;
	bool wanted, unwanted;  /* by --use, --skip */
	size_t bytes;
};

struct rtb_forest {
	char **roots; /* absolute, symlinks resolved */
	size_t root_count;
	struct rtb_tree_file *files; /* by tree, then by rel */
	size_t file_count;
	size_t unreadable;     /* directories that could not be entered */
	char **outside;        /* symlinked directories that lead out of the trees; not followed */
	size_t outside_count;
};

/* Files beyond this are a wrong directory rather than a kernel. */
#define RTB_FOREST_MAX 400000

/* Looks the trees over. use and skip are NULL-terminated fnmatch patterns against rel, in
 * which '*' also crosses '/'. RTB_NOT_FOUND: not a directory; RTB_USAGE: one tree inside
 * another; RTB_CONFIG: too many files. rtb_forest_free also after a failure. */
enum rtb_status rtb_forest_scan(const char *const *trees, const char *const *use,
				const char *const *skip, struct rtb_forest *out, struct rtb_error *e);
void rtb_forest_free(struct rtb_forest *f);
/* The file of an absolute path, NULL when it is in none of the trees. */
const struct rtb_tree_file *rtb_forest_file(const struct rtb_forest *f, const char *path);
/* "rel" with one tree, "<last component of the root>/rel" with several. Static, one at a time. */
const char *rtb_forest_show(const struct rtb_forest *f, const struct rtb_tree_file *file);
bool rtb_glob_any(const char *const *patterns, const char *rel);

#endif
