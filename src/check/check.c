#include "check/check.h"

#include <stdlib.h>
#include <string.h>

#include "check/checks.h"

static const struct rtb_check_info table[] = {
#define X(name, scope, severity, question, text) {#name, CHECK_##scope, VERDICT_##severity, question, text},
#include "check/check.def"
#undef X
};
#define CHECKS (sizeof table / sizeof table[0])

const struct rtb_check_info *rtb_checks(size_t *count)
{
	*count = CHECKS;
	return table;
}

const struct rtb_check_info *rtb_check_info(const char *name)
{
	for (size_t i = 0; i < CHECKS; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

void rtb_check_run(struct rtb_run *run)
{
#define ASK_RUN(name)   rtb_check_##name,
#define ASK_SWEEP(name)
	static void (*const ask[])(struct rtb_run *) = {
#define X(name, scope, severity, question, text) ASK_##scope(name)
#include "check/check.def"
#undef X
#undef ASK_RUN
#undef ASK_SWEEP
	};
	if (run->status != RTB_OK)
		return;
	for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++)
		ask[i](run);
}

static size_t findings_of(struct rtb_run *const *runs, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		n += runs[i]->finding_count;
	return n;
}

bool rtb_check_sweep(struct rtb_run *const *runs, size_t count)
{
#define ASK_RUN(name)
#define ASK_SWEEP(name) rtb_check_##name,
	static void (*const ask[])(struct rtb_run *const *, size_t) = {
#define X(name, scope, severity, question, text) ASK_##scope(name)
#include "check/check.def"
#undef X
	};
	struct rtb_run **complete = calloc(count ? count : 1, sizeof *complete);
	size_t n = 0, before = findings_of(runs, count);
	if (!complete)
		abort();
	for (size_t i = 0; i < count; i++)
		if (runs[i]->status == RTB_OK)
			complete[n++] = runs[i];
	for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++)
		ask[i](complete, n);
	free(complete);
	return findings_of(runs, count) != before;
}

bool rtb_fact_number(const struct rtb_run *r, enum rtb_prov_key k, double *v)
{
	const char *text = rtb_run_get(r, k);
	char *end;
	if (!text || !*text)
		return false;
	if (strncmp(text, "0x", 2) == 0) {
		*v = (double)strtoull(text, &end, 16);
		return *end == '\0';
	}
	/* facts are written with '.' or as integers; integers suffice here, whatever the locale */
	long long whole = strtoll(text, &end, 10);
	double scale = 0.1, fraction = 0;
	if (end == text)
		return false;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++, scale /= 10)
			fraction += (*end - '0') * scale;
	*v = (double)whole + (*text == '-' ? -fraction : fraction);
	return *end == '\0';
}

bool rtb_fact_register(const struct rtb_run *r, enum rtb_prov_key k, unsigned nth, uint32_t *v)
{
	const char *text = rtb_run_get(r, k);
	char *end = NULL;
	for (unsigned i = 0; text; i++) {
		text += strspn(text, " ,");
		if (!*text)
			return false;
		unsigned long long value = strtoull(text, &end, 0);
		if (end == text || value > UINT32_MAX)
			return false;
		*v = (uint32_t)value;
		if (i == nth)
			return true;
		text = end;
	}
	return false;
}

bool rtb_fact_is(const struct rtb_run *r, enum rtb_prov_key k, const char *value)
{
	const char *text = rtb_run_get(r, k);
	return text && strcmp(text, value) == 0;
}

bool rtb_in_virtual_time(const struct rtb_run *r)
{
	return rtb_fact_is(r, PROV_TIME_BASE, "virtual time");
}
