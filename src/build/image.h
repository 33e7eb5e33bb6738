/* image.h - what an ELF file says of itself: the bytes that will be in the board, who compiled
 * them and how, and whether they fit. Read with libelf; nothing in a file, however broken,
 * ends the program. */
#ifndef RTB_BUILD_IMAGE_H
#define RTB_BUILD_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"
#include "base/status.h"

/* A memory of the target. The caller's. */
struct rtb_memory {
	const char *name;
	bool flash;
	uint32_t base, size; /* bytes; base + size may be 2^32 */
};

struct rtb_segment {
	uint32_t load, run;          /* physical (load) and virtual (run) address */
	uint32_t file_bytes, bytes;  /* what is loaded, what it occupies when running */
	size_t offset;               /* in the file */
};

struct rtb_symbol {
	char *name;
	uint32_t addr, size;
	bool function;
};

struct rtb_section_info {
	char *name;
	uint32_t addr, size;
	bool loaded;                 /* has bytes in the file */
};

struct rtb_image {
	char build_id[65];           /* GNU build-id, lower-case hex; "" when there is none */
	char sha256[RTB_SHA256_HEX]; /* of the loadable bytes and where they go; build-id left out */
	uint32_t entry;
	struct rtb_segment *segment;
	size_t segment_count;
	struct rtb_symbol *symbol;   /* sized functions and objects, largest first */
	size_t symbol_count;
	struct rtb_section_info *section; /* allocated ones, in file order */
	size_t section_count;
	char *comment;               /* .comment: compilers, joined with "; " */
	char *flags;                 /* .GCC.command.line: distinct lines, joined with "\n" */
	uint32_t flash_bytes;        /* loadable bytes */
	uint32_t ram_bytes;          /* of rtb_image_check's ram memories; 0 before that */
};

/* RTB_IMAGE with path and reason. On failure out is empty. */
enum rtb_status rtb_image_read(const char *path, struct rtb_image *out, struct rtb_error *e);
/* The same of bytes in memory; name is for messages. */
enum rtb_status rtb_image_parse(const void *data, size_t n, const char *name, struct rtb_image *out,
				struct rtb_error *e);
void rtb_image_free(struct rtb_image *i);

/* Every loadable byte must lie in a flash memory and every occupied one in some memory, and
 * there must be at least one. RTB_IMAGE, or RTB_NO_FIT with the bytes over and the largest
 * symbols when a segment begins in a memory and ends beyond it. Sets ram_bytes. */
enum rtb_status rtb_image_check(struct rtb_image *i, const char *name, const struct rtb_memory *m,
				size_t memories, struct rtb_error *e);

/* "main 1234 B, buffer 1000 B": the largest count symbols whose address lies in m (NULL: any). */
char *rtb_image_largest(const struct rtb_image *i, const struct rtb_memory *m, size_t count);

#endif
