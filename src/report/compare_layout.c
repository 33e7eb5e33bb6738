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

/* Alignment in bytes of a function of a layout, a line each: "name 0x08001234 4: callees". */
static bool alignment(const char *layout, const char *name, unsigned *bytes)
{
	char found[64];
	for (const char *line = layout; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (sscanf(line, "%63s %*x %u", found, bytes) == 2 && strcmp(found, name) == 0)
			return true;
	return false;
}

bool rtb_compare_layout(const char *a, const char *b, const char *case_name, const char *series)
{
	char name[64];
	unsigned here, there;
	for (const char *line = a; a && b && *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (sscanf(line, "%63s %*x %u", name, &here) == 2 && belongs(name, case_name, series) &&
		    alignment(b, name, &there) && here != there)
			return true;
	return false;
}
