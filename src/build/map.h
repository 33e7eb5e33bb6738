/* map.h - GNU ld's map: which part of the program its bytes belong to. */
#ifndef RTB_BUILD_MAP_H
#define RTB_BUILD_MAP_H

#include "build/image.h"

/* Objects are told apart by their path: the first rule whose text occurs in it, or is the name of
 * the input section, wins. */
struct rtb_part_rule {
	const char *contains; /* "/kernels/", ".bss.rtb_objects" */
	const char *part;     /* "kernel" */
};

struct rtb_part {
	char *name;
	uint32_t flash, ram;
};

struct rtb_parts {
	struct rtb_part *v;
	size_t n;
	bool lto;             /* link-time optimisation: nothing can be attributed */
};

/* Sizes by part, in the order of the rules, plus "stacks" (sections whose name holds "stack",
 * "arena" or "heap") and "unattributed" (fill, start-up tables, what no rule names), so that
 * the parts add up to the image's flash_bytes and ram_bytes exactly; image must have been
 * checked against the same memories. RTB_IMAGE when text is no map. */
enum rtb_status rtb_map_parts(const char *text, size_t n, const char *name, const struct rtb_image *image,
			      const struct rtb_memory *m, size_t memories,
			      const struct rtb_part_rule *rules, size_t rule_count,
			      struct rtb_parts *out, struct rtb_error *e);
void rtb_parts_free(struct rtb_parts *p);

/* Of a link that failed: "main 1234 B, ..." the largest input sections in the map that go into
 * flash, into RAM, or either. Free it. */
char *rtb_map_largest(const char *text, size_t n, bool flash, bool ram, size_t count);

#endif
