/* Does an image lie where the board has memory? */
#include "build/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static const struct rtb_memory *memory_at(const struct rtb_memory *m, size_t n, uint32_t addr)
{
	for (size_t i = 0; i < n; i++)
		if (addr >= m[i].base && addr - m[i].base < m[i].size)
			return &m[i];
	return NULL;
}

static bool in_memory(const struct rtb_memory *m, uint32_t addr)
{
	return !m || (addr >= m->base && addr - m->base < m->size);
}

char *rtb_image_largest(const struct rtb_image *i, const struct rtb_memory *m, size_t count)
{
	struct rtb_buf b = {0};
	for (size_t k = 0; k < i->symbol_count && count > 0; k++) {
		const struct rtb_symbol *s = &i->symbol[k];
		if (!in_memory(m, s->addr))
			continue;
		rtb_buf_fmt(&b, "%s%s %u B", b.len ? ", " : "", s->name, s->size);
		count--;
	}
	return b.data ? b.data : rtb_strdup("none known");
}

static enum rtb_status check_range(const struct rtb_image *i, const char *name, uint32_t addr,
				   uint32_t bytes, bool load, const struct rtb_memory *m, size_t memories,
				   struct rtb_error *e)
{
	const char *what = load ? "loads" : "runs";
	const struct rtb_memory *at = memory_at(m, memories, addr);
	if (!at)
		return rtb_fail(e, RTB_IMAGE, "%s: a segment of %u bytes %s at 0x%08x, where the target has no memory",
				name, bytes, what, addr);
	if (load && !at->flash)
		return rtb_fail(e, RTB_IMAGE, "%s: a segment of %u bytes loads into %s at 0x%08x, which is not flash",
				name, bytes, at->name, addr);
	uint64_t end = (uint64_t)addr + bytes, limit = (uint64_t)at->base + at->size;
	if (end <= limit)
		return RTB_OK;
	char *largest = rtb_image_largest(i, at, 5);
	enum rtb_status st = rtb_fail(e, RTB_NO_FIT, "%s: %llu bytes too large for %s (%u bytes); largest: %s", name,
				      (unsigned long long)(end - limit), at->name, at->size, largest);
	free(largest);
	return st;
}

/* Bytes of RAM occupied: the union of the segments' ranges, as linker scripts may place a
 * section over the reserve made for it. */
static uint32_t ram_in_use(const struct rtb_image *i, const struct rtb_memory *m, size_t memories)
{
	uint32_t total = 0;
	for (size_t k = 0; k < memories; k++) {
		if (m[k].flash)
			continue;
		uint64_t done = m[k].base; /* everything below is counted */
		for (;;) {
			uint64_t from = UINT64_MAX, to = 0;
			for (size_t s = 0; s < i->segment_count; s++) {
				const struct rtb_segment *g = &i->segment[s];
				uint64_t a = g->run, b = a + g->bytes;
				if (!in_memory(&m[k], g->run) || b <= done)
					continue;
				a = a < done ? done : a;
				if (a < from || (a == from && b > to)) {
					from = a;
					to = b;
				}
			}
			if (from == UINT64_MAX)
				break;
			total += (uint32_t)(to - from);
			done = to;
		}
	}
	return total;
}

enum rtb_status rtb_image_check(struct rtb_image *i, const char *name, const struct rtb_memory *m,
				size_t memories, struct rtb_error *e)
{
	if (i->segment_count == 0 || i->flash_bytes == 0)
		return rtb_fail(e, RTB_IMAGE, "%s: nothing in it is loadable: 0 bytes", name);
	for (size_t k = 0; k < i->segment_count; k++) {
		const struct rtb_segment *s = &i->segment[k];
		enum rtb_status st = check_range(i, name, s->run, s->bytes, false, m, memories, e);
		if (st == RTB_OK && s->file_bytes)
			st = check_range(i, name, s->load, s->file_bytes, true, m, memories, e);
		if (st)
			return st;
	}
	i->ram_bytes = ram_in_use(i, m, memories);
	if (!i->build_id[0])
		return rtb_fail(e, RTB_IMAGE, "%s: no GNU build-id; link with -Wl,--build-id", name);
	return RTB_OK;
}
