/* Questions that several runs answer together. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "check/checks.h"

/* A kernel without a tick (bare) is not an unfair one: there is nothing to make equal. */
static bool no_tick(enum rtb_prov_key k, const char *v)
{
	return k == PROV_TICK_HZ && strcmp(v, "0") == 0;
}

/* The value that most runs have; "" counts runs that do not know it. */
static const char *majority(struct rtb_run *const *runs, size_t count, enum rtb_prov_key k)
{
	const char *best = "";
	size_t votes = 0;
	for (size_t i = 0; i < count; i++) {
		const char *v = rtb_run_get(runs[i], k);
		size_t n = 0;
		if (v && no_tick(k, v))
			continue;
		for (size_t j = 0; v && j < count; j++)
			n += rtb_fact_is(runs[j], k, v);
		if (n > votes) {
			votes = n;
			best = v;
		}
	}
	return best;
}

void rtb_check_fairness(struct rtb_run *const *runs, size_t count)
{
	static const enum rtb_prov_key same[] = {
		PROV_TARGET, PROV_CC_VERSION, PROV_CC_HASH, PROV_CLOCK_SET, PROV_CLOCK_SOURCE, PROV_FLASH_ACR,
		PROV_TICK_HZ, PROV_STACK_BYTES, PROV_SAMPLES, PROV_COUNTER, PROV_TIME_BASE, PROV_BOARD_UID,
	};
	for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
		const char *most = majority(runs, count, same[k]);
		for (size_t i = 0; *most && i < count; i++) {
			const char *v = rtb_run_get(runs[i], same[k]);
			if (v && strcmp(v, most) != 0 && !no_tick(same[k], v))
				FOUND(runs[i], "fairness", VERDICT_SUSPECT, "%s is %s, most of the sweep has %s",
				      rtb_prov_info(same[k])->name, v, most);
		}
	}
}

static bool same_cell(const struct rtb_cell *a, const struct rtb_cell *b)
{
	return a->instrumented == b->instrumented && strcmp(a->target, b->target) == 0 &&
	       strcmp(a->kernel, b->kernel) == 0 && strcmp(a->opt, b->opt) == 0;
}

void rtb_check_same_image(struct rtb_run *const *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *hash = rtb_run_get(runs[i], PROV_IMAGE_HASH);
		for (size_t j = 0; hash && j < count; j++) {
			const struct rtb_cell *c = &runs[j]->cell;
			if (same_cell(&runs[i]->cell, c) || strcmp(runs[i]->cell.target, c->target) != 0 ||
			    !rtb_fact_is(runs[j], PROV_IMAGE_HASH, hash))
				continue;
			FOUND(runs[i], "same_image", VERDICT_SUSPECT, "the image is byte for byte that of %s %s%s",
			      c->kernel, c->opt, c->instrumented ? " instrumented" : "");
			break;
		}
	}
}

static const struct rtb_record *record_like(const struct rtb_run *r, const struct rtb_record *d)
{
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *o = &r->records[i];
		if (o->supported && strcmp(o->case_name, d->case_name) == 0 && strcmp(o->series, d->series) == 0 &&
		    o->case_version == d->case_version)
			return o;
	}
	return NULL;
}

/* The run's record of d's series with as many samples and as much warm-up, or NULL: as much work. */
static const struct rtb_record *same_work(const struct rtb_run *r, const struct rtb_record *d)
{
	const struct rtb_record *o = record_like(r, d);
	return o && o->n == d->n && o->warmup == d->warmup && o->discarded == d->discarded ? o : NULL;
}

/* How many of the runs have the checksum. */
static size_t votes(struct rtb_run *const *runs, size_t count, const struct rtb_record *d, uint64_t check)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		const struct rtb_record *o = same_work(runs[i], d);
		n += o && o->check == check;
	}
	return n;
}

/* Rejects the runs that have not the checksum that most have; when none is that of most, all. */
static void judge_work(struct rtb_run *const *runs, size_t count, const struct rtb_record *d)
{
	uint64_t most = d->check;
	size_t best = 0, all = 0;
	for (size_t i = 0; i < count; i++) {
		const struct rtb_record *o = same_work(runs[i], d);
		size_t n = o ? votes(runs, count, d, o->check) : 0;
		all += o != NULL;
		if (n > best) {
			best = n;
			most = o->check;
		}
	}
	for (size_t i = 0; i < count; i++) {
		const struct rtb_record *o = same_work(runs[i], d);
		if (o && best * 2 <= all)
			FOUND_IN(runs[i], o, "work", VERDICT_REJECTED, "checksum of the work is %" PRIx64
				 ", and none is that of most runs", o->check);
		else if (o && o->check != most)
			FOUND_IN(runs[i], o, "work", VERDICT_REJECTED, "checksum of the work is %" PRIx64
				 ", in %zu of %zu runs it is %" PRIx64, o->check, best, all, most);
	}
}

void rtb_check_work(struct rtb_run *const *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < runs[i]->record_count; k++) {
			const struct rtb_record *d = &runs[i]->records[k], *other = NULL;
			bool first = d->supported;
			for (size_t j = 0; j < i && first; j++)
				first = !same_work(runs[j], d);
			/* each series once, by the first run that has it */
			for (size_t j = i + 1; j < count && first && !(other && other->check != d->check); j++)
				other = same_work(runs[j], d);
			if (other && other->check != d->check)
				judge_work(runs, count, d);
		}
}

void rtb_check_repeats(struct rtb_run *const *runs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		size_t j = 0;
		const char *hash = rtb_run_get(runs[i], PROV_IMAGE_HASH);
		while (j < i && !(same_cell(&runs[i]->cell, &runs[j]->cell) && hash &&
				  rtb_fact_is(runs[j], PROV_IMAGE_HASH, hash)))
			j++;
		for (size_t k = 0; j < i && k < runs[i]->record_count; k++) {
			const struct rtb_record *d = &runs[i]->records[k], *first = record_like(runs[j], d);
			if (!first || !d->supported || d->n == 0 || first->n == 0)
				continue;
			double a = (double)first->sum / (double)first->n, b = (double)d->sum / (double)d->n;
			/* a jitter that averages about 0 has no meaningful ratio: allow it one unit */
			if (fabs(a - b) > fabs(a) / 100 && fabs(a - b) > d->div)
				FOUND_IN(runs[i], d, "repeats", VERDICT_SUSPECT,
					 "average %.1f, in repeat %u it was %.1f", b / d->div, runs[j]->repeat, a / d->div);
		}
	}
}
