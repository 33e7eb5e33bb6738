/* Figures of one pair of cells: what may be said of their difference. */
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "report/compare.h"
#include "stats/rank.h"

/* Repeats from which "all the same to the last digit" is evidence of a deterministic board. */
#define EXACT_REPEATS 3

static const enum rtb_stat compared_stats[] = {STAT_P50, STAT_MEAN, STAT_P99, STAT_MAX};

static const struct rtb_side_record *find(const struct rtb_side_run *r, const struct rtb_side_record *like)
{
	for (size_t i = 0; i < r->record_count; i++)
		if (strcmp(r->records[i].case_name, like->case_name) == 0 &&
		    strcmp(r->records[i].series, like->series) == 0)
			return &r->records[i];
	return NULL;
}

/* One statistic of one record over the repeats of a cell. */
struct sample {
	double *v;
	size_t n;
	double err;       /* largest half width of a bucket among them */
	double lo, hi;    /* smallest and largest value */
};

static struct sample gather(const struct rtb_side_run *const *runs, size_t n,
			    const struct rtb_side_record *like, enum rtb_stat stat)
{
	struct sample s = {.v = rtb_alloc(n * sizeof *s.v)};
	for (size_t i = 0; i < n; i++) {
		const struct rtb_side_record *d = find(runs[i], like);
		if (!d || d->summary.f[stat].exactness == UNKNOWN)
			continue;
		const struct rtb_figure *f = &d->summary.f[stat];
		s.err = fmax(s.err, (f->hi - f->lo) / 2);
		s.lo = s.n ? fmin(s.lo, f->value) : f->value;
		s.hi = s.n ? fmax(s.hi, f->value) : f->value;
		s.v[s.n++] = f->value;
	}
	return s;
}

static bool has_fact(const struct rtb_side_run *const *runs, size_t n, enum rtb_prov_key k, const char *value)
{
	for (size_t i = 0; i < n; i++)
		if (!runs[i]->fact[k] || strcmp(runs[i]->fact[k], value) != 0)
			return false;
	return true;
}

/* A board in virtual time is a simulation: one repeat shows what every repeat will. */
static bool deterministic(const struct rtb_pair *p)
{
	return has_fact(p->a, p->na, PROV_TIME_BASE, "virtual time") &&
	       has_fact(p->b, p->nb, PROV_TIME_BASE, "virtual time");
}

static bool one_image(const struct rtb_pair *p)
{
	const char *hash = p->a[0]->fact[PROV_IMAGE_HASH];
	return hash && has_fact(p->a, p->na, PROV_IMAGE_HASH, hash) && has_fact(p->b, p->nb, PROV_IMAGE_HASH, hash);
}

/* The smallest p that so many repeats can reach: complete separation, 2 / C(na + nb, na). */
static double best_p(size_t na, size_t nb)
{
	double orders = 1;
	for (size_t i = 1; i <= na && orders < 1e12; i++)
		orders *= (double)(nb + i) / (double)i;
	return 2 / orders;
}

static enum rtb_judgement judge(struct rtb_compare_row *row, const struct sample *a, const struct sample *b,
				const struct rtb_pair *p, const struct rtb_compare_options *o)
{
	double delta = row->b - row->a;
	bool still = a->lo == a->hi && b->lo == b->hi;
	bool exact = still && ((a->n >= EXACT_REPEATS && b->n >= EXACT_REPEATS) || deterministic(p));
	row->p = NAN;
	if (still && delta == 0)
		return JUDGE_EQUAL;
	if (a->err + b->err > 0 && fabs(delta) <= a->err + b->err)
		return JUDGE_BUCKET;
	if (!exact && best_p(a->n, b->n) > o->alpha) {
		unsigned enough = rtb_rank_repeats(o->alpha);
		snprintf(row->why, sizeof row->why, "no verdict (n=%zu+%zu; %u+%u would do)", a->n, b->n, enough, enough);
		if (a->n == b->n)
			snprintf(row->why, sizeof row->why, "no verdict (n=%zu; %u would do)", a->n, enough);
		return JUDGE_FEW;
	}
	if (!exact) {
		struct rtb_rank_test t;
		rtb_rank_test(a->v, a->n, b->v, b->n, &t);
		row->p = t.p;
		if (t.p > o->alpha)
			return JUDGE_EQUAL;
	}
	if (one_image(p))
		return JUDGE_SPREAD;
	if (fabs(delta) < o->threshold * fabs(row->a))
		return JUDGE_SMALL;
	return exact ? JUDGE_EXACT : JUDGE_DIFFERENT;
}

bool rtb_compare_signed(const char *case_name)
{
	enum rtb_timing timing;
	return rtb_case_timing(case_name, &timing) && timing == RTB_TIMING_DEVIATION;
}

static void compare_stat(struct rtb_comparison *c, const struct rtb_pair *p, struct rtb_compare_row *row,
			 const struct rtb_side_record *a, enum rtb_stat stat, const struct rtb_compare_options *o)
{
	struct sample sa = gather(p->a, p->na, a, stat), sb = gather(p->b, p->nb, a, stat);
	row->stat = stat;
	row->balance = (stat == STAT_P50 || stat == STAT_MEAN) && rtb_compare_signed(row->case_name);
	row->na = sa.n;
	row->nb = sb.n;
	if (sa.n && sb.n) {
		row->a = rtb_median(sa.v, sa.n);
		row->b = rtb_median(sb.v, sb.n);
		row->lo_res = sa.err > 0 || sb.err > 0;
		row->judgement = judge(row, &sa, &sb, p, o);
		c->changed += row->judgement == JUDGE_EXACT || row->judgement == JUDGE_DIFFERENT;
		c->few += row->judgement == JUDGE_FEW;
		c->rows = rtb_realloc(c->rows, (c->row_count + 1) * sizeof *c->rows);
		c->rows[c->row_count++] = *row;
	}
	free(sa.v);
	free(sb.v);
}

/* Whether the two records measure the same thing in the same unit; else row says why not. */
static bool comparable(struct rtb_compare_row *row, const struct rtb_side_record *a, const struct rtb_side_record *b)
{
	if (a->version != b->version)
		snprintf(row->why, sizeof row->why, "not comparable: case version %u against %u", a->version, b->version);
	else if (strcmp(a->unit, b->unit) != 0)
		snprintf(row->why, sizeof row->why, "not comparable: %s against %s", a->unit, b->unit);
	else
		return true;
	row->judgement = JUDGE_NOT_COMPARABLE;
	return false;
}

static bool any_suspect(const struct rtb_pair *p)
{
	for (size_t i = 0; i < p->na; i++)
		if (p->a[i]->verdict != VERDICT_TRUSTED)
			return true;
	for (size_t i = 0; i < p->nb; i++)
		if (p->b[i]->verdict != VERDICT_TRUSTED)
			return true;
	return false;
}

/* Code of another kernel or level lies elsewhere in any case; that is not worth saying. */
static void note_layout(const struct rtb_pair *p, struct rtb_compare_row *row)
{
	const struct rtb_side_run *a = p->a[0], *b = p->b[0];
	const char *la = a->fact[PROV_CODE_LAYOUT], *lb = b->fact[PROV_CODE_LAYOUT];
	if (strcmp(a->coord[COORD_KERNEL], b->coord[COORD_KERNEL]) != 0 ||
	    strcmp(a->coord[COORD_OPT], b->coord[COORD_OPT]) != 0 ||
	    !rtb_compare_layout(la, lb, row->case_name, row->series, NULL))
		return;
	row->layout[0] = la;
	row->layout[1] = lb;
}

/* The first record of that name among the repeats: one may have come without it. */
static const struct rtb_side_record *first_of(const struct rtb_side_run *const *runs, size_t n,
					      const struct rtb_side_record *like)
{
	const struct rtb_side_record *d = NULL;
	for (size_t i = 0; i < n && !d; i++)
		d = find(runs[i], like);
	return d;
}

void rtb_compare_figures(struct rtb_comparison *c, const struct rtb_pair *p,
			 const bool shared[COORD_COUNT], const struct rtb_compare_options *o)
{
	bool suspect = any_suspect(p);
	for (size_t i = 0; i < p->a[0]->record_count; i++) {
		const struct rtb_side_record *a = &p->a[0]->records[i];
		const struct rtb_side_record *b = first_of(p->b, p->nb, a);
		if (!b || (o->case_name && strcmp(o->case_name, a->case_name) != 0))
			continue;
		struct rtb_compare_row row = {.case_name = a->case_name, .series = a->series, .unit = a->unit,
					      .na = p->na, .nb = p->nb, .suspect = suspect, .p = NAN};
		note_layout(p, &row);
		for (int k = 0; k < COORD_COUNT; k++)
			row.coord[k] = shared[k] ? p->a[0]->coord[k] : NULL;
		if (!comparable(&row, a, b)) {
			row.stat = STAT_MEAN;
			c->incomparable++;
			c->rows = rtb_realloc(c->rows, (c->row_count + 1) * sizeof *c->rows);
			c->rows[c->row_count++] = row;
			continue;
		}
		for (size_t k = 0; k < sizeof compared_stats / sizeof compared_stats[0]; k++)
			compare_stat(c, p, &row, a, compared_stats[k], o);
	}
}
