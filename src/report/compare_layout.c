/* Whether the measured functions of a case begin elsewhere in the two images. Moved by a few
 * bytes, the same code can cost something else: fetches are aligned, loops straddle lines. */
#include <stdio.h>
#include <string.h>

#include "report/compare.h"

/* Whether `name`, a function of the fact code_layout, is one of the case's: "sem_pair_give" of
 * sem_pair.give, "sem_wake" and "sem_wake_end" of sem_wake, but not "isr_to_task_mid" of isr_to_task. */
static bool belongs(const char *name, const char *case_name, const char *series)
{
	size_t n = strlen(case_name);
	if (strncmp(name, case_name, n) != 0)
		return false;
	const char *rest = name + n;
	return !*rest || strcmp(rest, "_end") == 0 || (*rest == '_' && *series && strcmp(rest + 1, series) == 0);
}

/* One function of a layout, a line each: "name 0x08001234 4: callees". */
struct place { char name[64]; unsigned long addr; unsigned align; };

static bool read_place(const char *line, struct place *p)
{
	return sscanf(line, "%63s %lx %u", p->name, &p->addr, &p->align) == 3;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

static bool find_place(const char *layout, const char *name, struct place *p)
{
	for (const char *line = layout; *line; line = next_line(line))
		if (read_place(line, p) && strcmp(p->name, name) == 0)
			return true;
	return false;
}

bool rtb_compare_layout(const char *a, const char *b, const char *case_name, const char *series,
			struct rtb_buf *moved)
{
	struct place here, there;
	bool any = false;
	for (const char *line = a; a && b && *line; line = next_line(line)) {
		if (!read_place(line, &here) || !belongs(here.name, case_name, series) ||
		    !find_place(b, here.name, &there) || here.align == there.align)
			continue;
		if (moved)
			rtb_buf_fmt(moved, "%s%s 0x%08lx (%u) -> 0x%08lx (%u)", any ? "; " : "", here.name, here.addr,
				    here.align, there.addr, there.align);
		any = true;
	}
	return any;
}
