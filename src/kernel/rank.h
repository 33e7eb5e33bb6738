/* rank.h - what the path of a file in a kernel tree says about its use on this core with this
 * compiler. Words of the trade only (words.def); no tree is known by name. */
#ifndef RTB_KERNEL_RANK_H
#define RTB_KERNEL_RANK_H

#include <stdbool.h>
#include <stddef.h>

enum rtb_path_class {
	RTB_PATH_CORE = 1 << 0,     /* names this core */
	RTB_PATH_FAMILY = 1 << 1,   /* names its family */
	RTB_PATH_FOREIGN = 1 << 2,  /* names another core or a host system */
	RTB_PATH_COMPILER = 1 << 3, /* names our compiler */
	RTB_PATH_ALIEN = 1 << 4,    /* names another compiler */
	RTB_PATH_ASIDE = 1 << 5,    /* test, example, template, documentation ... */
	RTB_PATH_VARIANT = 1 << 6,  /* a variant nobody asked for: smp, mpu, secure, debug ... */
};

struct rtb_rank {
	unsigned classes; /* RTB_PATH_* or-ed, over all components */
	int penalty;      /* lower is better; files of equal penalty are equal by their path */
};

/* rel is relative to the tree's root, '/'-separated. */
struct rtb_rank rtb_rank_path(const char *rel);

/* A file that would never be taken without being named: another core, another compiler. */
static inline bool rtb_rank_excludes(struct rtb_rank r)
{
	return r.classes & (RTB_PATH_FOREIGN | RTB_PATH_ALIEN);
}

/* "names this core and this compiler", "names another compiler" ... into out. */
void rtb_rank_words(struct rtb_rank r, char *out, size_t size);

#endif
