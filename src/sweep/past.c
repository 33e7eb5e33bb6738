#include "sweep/past.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static enum rtb_status keep(void *ctx, struct rtb_run *run, struct rtb_error *e)
{
	(void)e;
	struct rtb_past *p = ctx;
	p->run = rtb_realloc(p->run, (p->count + 1) * sizeof *p->run);
	struct rtb_run *mine = rtb_alloc(sizeof *mine);
	*mine = *run;
	*run = (struct rtb_run){0}; /* what it owned is ours now */
	p->run[p->count++] = mine;
	return RTB_OK;
}

enum rtb_status rtb_past_load(struct rtb_store *s, int64_t sweep_id, struct rtb_past *out, struct rtb_error *e)
{
	*out = (struct rtb_past){0};
	struct rtb_run_query q = {.sweep_id = sweep_id, .instrumented = -1, .with_records = true};
	return rtb_store_runs(s, &q, keep, out, e);
}

static void drop(struct rtb_run *r)
{
	if (r)
		rtb_run_free(r);
	free(r);
}

void rtb_past_free(struct rtb_past *p)
{
	for (size_t i = 0; i < p->count; i++)
		drop(p->run[i]);
	free(p->run);
	*p = (struct rtb_past){0};
}

static bool is_of(const struct rtb_run *r, const struct rtb_cell *c, unsigned repeat)
{
	return r && r->repeat == repeat && r->cell.instrumented == c->instrumented &&
	       strcmp(r->cell.target, c->target) == 0 && strcmp(r->cell.kernel, c->kernel) == 0 &&
	       strcmp(r->cell.opt, c->opt) == 0;
}

unsigned rtb_past_attempts(const struct rtb_past *p, const struct rtb_cell *cell, unsigned repeat)
{
	unsigned n = 0;
	for (size_t i = 0; i < p->count; i++)
		n += is_of(p->run[i], cell, repeat);
	return n;
}

static bool has_cases(const struct rtb_run *r, const char *const *cases)
{
	for (; *cases; cases++) {
		size_t i = 0;
		while (i < r->record_count && strcmp(r->records[i].case_name, *cases) != 0)
			i++;
		if (i == r->record_count)
			return false;
	}
	return true;
}

/* Checks over a whole sweep are done anew by whoever takes the run. */
static void forget_findings(struct rtb_run *r)
{
	for (size_t i = 0; i < r->finding_count; i++) {
		free(r->findings[i].check);
		free(r->findings[i].case_name);
		free(r->findings[i].series);
		free(r->findings[i].reason);
	}
	free(r->findings);
	r->findings = NULL;
	r->finding_count = 0;
	r->verdict = VERDICT_TRUSTED;
}

struct rtb_run *rtb_past_take(struct rtb_past *p, const struct rtb_cell *cell, unsigned repeat,
			      const char *build_id, unsigned samples, const char *const *cases,
			      const char **why)
{
	*why = NULL;
	for (size_t i = p->count; i-- > 0;) {
		struct rtb_run *r = p->run[i];
		if (!is_of(r, cell, repeat) || r->status != RTB_OK)
			continue;
		const char *ran = rtb_run_get(r, PROV_BUILD_ID);
		if (!ran || strcmp(ran, build_id) != 0) {
			*why = "what goes into its image has changed";
			continue;
		}
		const char *took = rtb_run_get(r, PROV_SAMPLES);
		if (!took || strtoul(took, NULL, 10) != samples) {
			*why = "another number of samples is wanted now";
			continue;
		}
		if (!has_cases(r, cases)) {
			*why = "it lacks a case that is wanted now";
			continue;
		}
		*why = NULL;
		p->run[i] = NULL;
		forget_findings(r);
		return r;
	}
	return NULL;
}

bool rtb_past_beaten(const struct rtb_past *p, const struct rtb_run *taken)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct rtb_run *r = p->run[i];
		if (is_of(r, &taken->cell, taken->repeat) &&
		    (r->standing > taken->standing || (r->standing == taken->standing && r->id > taken->id)))
			return true;
	}
	return false;
}
