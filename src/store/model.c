#include "store/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "rtbench/frame.h"

const char *rtb_factor_word(enum rtb_factor f)
{
	static const char *const words[FACTOR_COUNT] = {
		[FACTOR_VERSION] = "version", [FACTOR_CLOCK] = "clock", [FACTOR_COMPILER] = "compiler",
		[FACTOR_CONFIG] = "config", [FACTOR_METHOD] = "method", [FACTOR_IMAGE] = "image",
		[FACTOR_NOTE] = "note",
	};
	return (unsigned)f < FACTOR_COUNT ? words[f] : "unknown";
}

const char *rtb_origin_word(enum rtb_origin o)
{
	static const char *const words[ORIGIN_COUNT] = {
		[ORIGIN_READ] = "read", [ORIGIN_MEASURED] = "measured", [ORIGIN_DECLARED] = "declared",
	};
	return (unsigned)o < ORIGIN_COUNT ? words[o] : "unknown";
}

const char *rtb_verdict_word(enum rtb_verdict v)
{
	static const char *const words[VERDICT_COUNT] = {
		[VERDICT_TRUSTED] = "trusted", [VERDICT_SUSPECT] = "suspect", [VERDICT_REJECTED] = "rejected",
	};
	return (unsigned)v < VERDICT_COUNT ? words[v] : "unknown";
}

static const struct rtb_prov_info provenance[PROV_COUNT] = {
#define X(sym, factor, name, unit, text) [PROV_##sym] = {name, FACTOR_##factor, unit, text},
#include "store/provenance.def"
#undef X
};

const struct rtb_prov_info *rtb_prov_info(enum rtb_prov_key k)
{
	return &provenance[k];
}

bool rtb_prov_exported(enum rtb_prov_key k)
{
	switch (k) {
	case PROV_TARGET: case PROV_KERNEL: case PROV_OPT: case PROV_INSTRUMENTED:
		return false;
	default:
		return strcmp(provenance[k].unit, "text") != 0;
	}
}

enum rtb_prov_key rtb_prov_from_name(const char *name)
{
	for (int k = 0; k < PROV_COUNT; k++)
		if (strcmp(provenance[k].name, name) == 0)
			return (enum rtb_prov_key)k;
	return PROV_COUNT;
}

void rtb_record_summary(const struct rtb_record *r, struct rtb_summary *out)
{
	struct rtb_moments m = {r->supported ? r->n : 0, r->min, r->max, r->sum, r->sumsq, r->div};
	rtb_summarise(&r->hist, &m, RTB_HIST_OVER, out);
}

bool rtb_case_timing(const char *case_name, enum rtb_timing *out)
{
	static const struct { const char *name; enum rtb_timing timing; } cases[] = {
#define X(name, version, unit, divisor, timing, series, needs, title, span) {#name, RTB_TIMING_##timing},
#include "rtbench/cases.def"
#undef X
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (strcmp(cases[i].name, case_name) == 0) {
			*out = cases[i].timing;
			return true;
		}
	return false;
}

double rtb_record_overhead(const struct rtb_run *run, const struct rtb_record *r)
{
	enum rtb_timing timing;
	const char *text = rtb_run_get(run, PROV_READ_COST);
	char *end;
	double cost = text ? strtod(text, &end) : 0;
	if (!text || *end || cost < 0 || strcmp(r->unit, "cycles") != 0 ||
	    !rtb_case_timing(r->case_name, &timing) || timing != RTB_TIMING_SPAN)
		return 0;
	return cost / (r->div ? r->div : 1);
}

void rtb_record_net(const struct rtb_run *run, const struct rtb_record *r, struct rtb_summary *out)
{
	rtb_record_summary(r, out);
	rtb_summary_shift(out, -rtb_record_overhead(run, r));
}

/* Room for one more element. Capacity is not kept but follows from the count: it doubles at
 * each power of two. */
static void *grow(void *array, size_t count, size_t size)
{
	if ((count & (count - 1)) == 0)
		array = rtb_realloc(array, (count ? count * 2 : 1) * size);
	memset((char *)array + count * size, 0, size);
	return array;
}

#define APPEND(array, count) (array = grow(array, count, sizeof *(array)), &(array)[(count)++])

void rtb_run_fact(struct rtb_run *r, enum rtb_prov_key k, enum rtb_origin o, const char *value)
{
	if (!value)
		return;
	char *copy = rtb_strdup(value);
	for (size_t i = 0; i < r->fact_count; i++) {
		if (r->facts[i].key != (int)k)
			continue;
		free(r->facts[i].value);
		r->facts[i] = (struct rtb_fact){k, o, copy};
		return;
	}
	struct rtb_fact *f = APPEND(r->facts, r->fact_count);
	*f = (struct rtb_fact){k, o, copy};
}

void rtb_run_factf(struct rtb_run *r, enum rtb_prov_key k, enum rtb_origin o, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	rtb_run_fact(r, k, o, text);
	free(text);
}

const char *rtb_run_get(const struct rtb_run *r, enum rtb_prov_key k)
{
	for (size_t i = 0; i < r->fact_count; i++)
		if (r->facts[i].key == (int)k)
			return r->facts[i].value;
	return NULL;
}

struct rtb_record *rtb_run_add_record(struct rtb_run *r)
{
	return APPEND(r->records, r->record_count);
}

struct rtb_stack_mark *rtb_run_add_stack(struct rtb_run *r)
{
	return APPEND(r->stacks, r->stack_count);
}

struct rtb_footprint *rtb_run_add_footprint(struct rtb_run *r)
{
	return APPEND(r->footprint, r->footprint_count);
}

void rtb_run_find(struct rtb_run *r, const char *check, enum rtb_verdict severity,
		  const char *case_name, const char *series, const char *fmt, ...)
{
	struct rtb_finding *f = APPEND(r->findings, r->finding_count);
	f->check = rtb_strdup(check);
	f->severity = severity;
	f->case_name = rtb_strdup(case_name);
	f->series = rtb_strdup(series);
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&f->reason, fmt, ap) < 0)
		f->reason = rtb_strdup("");
	va_end(ap);
	if (severity > r->verdict)
		r->verdict = severity;
}

static void record_free(struct rtb_record *c)
{
	free(c->case_name);
	free(c->series);
	free(c->unit);
	free(c->raw);
	rtb_hist_free(&c->hist);
}

static void finding_free(struct rtb_finding *f)
{
	free(f->check);
	free(f->case_name);
	free(f->series);
	free(f->reason);
}

void rtb_run_free(struct rtb_run *r)
{
	for (size_t i = 0; i < r->fact_count; i++)
		free(r->facts[i].value);
	for (size_t i = 0; i < r->record_count; i++)
		record_free(&r->records[i]);
	for (size_t i = 0; i < r->stack_count; i++)
		free(r->stacks[i].task);
	for (size_t i = 0; i < r->footprint_count; i++)
		free(r->footprint[i].part);
	for (size_t i = 0; i < r->finding_count; i++)
		finding_free(&r->findings[i]);
	free(r->facts);
	free(r->records);
	free(r->stacks);
	free(r->footprint);
	free(r->findings);
	free(r->cell.target);
	free(r->cell.kernel);
	free(r->cell.opt);
	free(r->error);
	free(r->openocd_log);
	free(r->serial_log);
	free(r->build_log);
	*r = (struct rtb_run){0};
}

void rtb_sweep_free(struct rtb_sweep *s)
{
	free(s->command);
	free(s->host);
	free(s->rtbench_version);
	free(s->config_text);
	free(s->uid);
	free(s->part);
	*s = (struct rtb_sweep){0};
}
