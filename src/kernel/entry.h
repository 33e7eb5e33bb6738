/* entry.h - what rtbench remembers of a kernel tree: where it lies and which of its files make
 * the kernel for this board. One TOML file per kernel in the user's kernel directory, written
 * by `rtbench kernel add`, for the user to correct. Reading one is config/entry.h's. */
#ifndef RTB_KERNEL_ENTRY_H
#define RTB_KERNEL_ENTRY_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/sha256.h"
#include "base/status.h"
#include "kernel/strings.h"

#define RTB_ENTRY_FORMAT 1

struct rtb_entry_tree {
	unsigned line;
	char *path;                 /* absolute */
	char *commit, *describe;    /* when it was added; "" outside git */
	bool dirty;
	struct rtb_strings include; /* directories, relative to path; "." for path itself */
	struct rtb_strings source;  /* files, relative to path */
	struct rtb_strings archive; /* libraries, relative to path */
	struct rtb_strings used;    /* every file of the tree that the compiler read */
	char *hash;                 /* digest over the used files when it was added */
};

struct rtb_entry {
	char *name, *port;
	char *version, *licence;    /* as far as known; "" */
	bool complete;              /* an image of it linked when it was last looked at */
	struct rtb_strings define;  /* "X" or "X=1" */
	struct rtb_entry_tree *tree;
	size_t tree_count;          /* next to its pointer */
	char *path;                 /* of the entry's file; NULL while it has none */
};

void rtb_entry_free(struct rtb_entry *n);
struct rtb_entry_tree *rtb_entry_add_tree(struct rtb_entry *n, const char *path);

/* The user's kernel directory: arg when given, else $RTBENCH_KERNEL_DIR, else
 * $XDG_DATA_HOME/rtbench/kernels, else ~/.local/share/rtbench/kernels. Free it. */
char *rtb_entry_dir(const char *arg);
/* Names in dir, sorted; empty when there is no directory. */
void rtb_entry_names(const char *dir, struct rtb_strings *out);
/* dir/name.toml. Free it. */
char *rtb_entry_path(const char *dir, const char *name);
/* Letters, digits, '.', '_', '-', beginning with a letter or digit; at most 40. */
bool rtb_entry_name_ok(const char *name);

/* The entry as TOML, with a comment on each part. */
void rtb_entry_write(const struct rtb_entry *n, struct rtb_buf *out);
/* mkdir -p. 0, or -1 with errno. */
int rtb_make_dirs(const char *path);
/* Writes dir/name.toml, making dir when it is missing; an existing file is replaced in one
 * step. RTB_CONFIG with path and reason. */
enum rtb_status rtb_entry_save(const struct rtb_entry *n, const char *dir, struct rtb_error *e);

/* dir and rel joined; "." is dir itself, an absolute rel stays. Free it. */
char *rtb_entry_join(const char *dir, const char *rel);

/* Makes dir (which is ours) hold dir/kernel.mk, the fragment that firmware/Makefile takes as
 * KERNEL_MK, and whatever it needs: links to trees whose path make could not take apart, and
 * one-line sources that include a source of such a name or of a suffix that the compiler
 * would not preprocess. Files that would not change are left untouched. RTB_CONFIG. */
enum rtb_status rtb_entry_prepare(const struct rtb_entry *n, const char *dir, struct rtb_error *e);

/* One digest over everything of the entry that can change an image: the files the compiler
 * read, what is compiled, include directories and definitions. Paths count relative to their
 * tree, so a tree that was moved is the same kernel. RTB_CONFIG names the first file that
 * cannot be read. Where the used files are not known (entry corrected by hand), all headers
 * of the include directories count. */
enum rtb_status rtb_entry_digest(const struct rtb_entry *n, char out[RTB_SHA256_HEX], struct rtb_error *e);
/* The same over the used files of one tree alone; what `hash` holds. */
enum rtb_status rtb_entry_tree_digest(const struct rtb_entry_tree *t, char out[RTB_SHA256_HEX],
				      struct rtb_error *e);

#endif
