/* Gathering the two sides and pairing their cells. */
#include "report/compare.h"

#include <stdlib.h>
#include <string.h>

static const char *const coord_words[COORD_COUNT] = {"target", "kernel", "opt", "instrumented"};

const char *rtb_coord_word(enum rtb_coord c)
{
	return (unsigned)c < COORD_COUNT ? coord_words[c] : "unknown";
}

enum rtb_coord rtb_coord_from_word(const char *word)
{
	int c = 0;
	while (c < COORD_COUNT && strcmp(coord_words[c], word) != 0)
		c++;
	return (enum rtb_coord)c;
}

static void keep_records(struct rtb_side_run *out, const struct rtb_run *run, bool as_measured)
{
	out->records = rtb_alloc(run->record_count * sizeof *out->records);
	for (size_t i = 0; i < run->record_count; i++) {
		const struct rtb_record *d = &run->records[i];
		if (!d->supported)
			continue;
		struct rtb_side_record *o = &out->records[out->record_count++];
		o->case_name = rtb_strdup(d->case_name);
		o->series = rtb_strdup(d->series ? d->series : "");
		o->unit = rtb_strdup(d->unit);
		o->version = d->case_version;
		if (as_measured)
			rtb_record_summary(d, &o->summary);
		else
			rtb_record_net(run, d, &o->summary);
	}
}

static char *repeat_of(const struct rtb_run *r)
{
	return rtb_sprintf("s%lld %s %s %s %d repeat %u", (long long)r->sweep_id, r->cell.target, r->cell.kernel,
			   r->cell.opt, r->cell.instrumented, r->repeat);
}

static void free_run(struct rtb_side_run *r)
{
	free(r->repeat);
	for (int c = 0; c < COORD_COUNT; c++)
		free(r->coord[c]);
	for (int k = 0; k < PROV_COUNT; k++)
		free(r->fact[k]);
	for (size_t k = 0; k < r->record_count; k++) {
		free(r->records[k].case_name);
		free(r->records[k].series);
		free(r->records[k].unit);
	}
	free(r->records);
}

static void drop_run(struct rtb_side *s, size_t i)
{
	free_run(&s->runs[i]);
	memmove(&s->runs[i], &s->runs[i + 1], (--s->count - i) * sizeof *s->runs);
}

static void drop_left_out(struct rtb_side *s, size_t i)
{
	struct rtb_left_out *l = &s->left_out[i];
	size_t behind = s->failed + s->rejected - i - 1;
	*(l->failed ? &s->failed : &s->rejected) -= 1;
	free(l->repeat);
	memmove(l, l + 1, behind * sizeof *l);
}

/* Whether an attempt that is on this side stands above this one; if one stands below, it goes. */
static bool stands_below(struct rtb_side *s, const char *repeat, unsigned standing)
{
	for (size_t i = s->count; i-- > 0;) {
		if (strcmp(s->runs[i].repeat, repeat) != 0)
			continue;
		s->replaced++;
		bool below = standing < s->runs[i].standing;
		if (!below)
			drop_run(s, i);
		return below;
	}
	for (size_t i = s->failed + s->rejected; i-- > 0;) {
		if (strcmp(s->left_out[i].repeat, repeat) != 0)
			continue;
		s->replaced++;
		bool below = standing < s->left_out[i].standing;
		if (!below)
			drop_left_out(s, i);
		return below;
	}
	return false;
}

/* Takes the repeat's name. */
static void leave_out(struct rtb_side *s, char *repeat, unsigned standing, bool failed)
{
	size_t n = s->failed + s->rejected;
	s->left_out = rtb_realloc(s->left_out, (n + 1) * sizeof *s->left_out);
	s->left_out[n] = (struct rtb_left_out){repeat, standing, failed};
	*(failed ? &s->failed : &s->rejected) += 1;
}

enum rtb_status rtb_side_add(void *ctx, struct rtb_run *run, struct rtb_error *e)
{
	struct rtb_side *s = ctx;
	char *repeat = repeat_of(run);
	(void)e;
	if (run->attempt > 1 && stands_below(s, repeat, run->standing)) {
		free(repeat);
		return RTB_OK;
	}
	if (run->status != RTB_OK || run->verdict == VERDICT_REJECTED) {
		leave_out(s, repeat, run->standing, run->status != RTB_OK);
		return RTB_OK;
	}
	if (s->count == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 8;
		s->runs = rtb_realloc(s->runs, s->cap * sizeof *s->runs);
	}
	struct rtb_side_run *o = &s->runs[s->count++];
	*o = (struct rtb_side_run){.id = run->id, .repeat = repeat, .standing = run->standing, .verdict = run->verdict};
	o->coord[COORD_TARGET] = rtb_strdup(run->cell.target);
	o->coord[COORD_KERNEL] = rtb_strdup(run->cell.kernel);
	o->coord[COORD_OPT] = rtb_strdup(run->cell.opt);
	o->coord[COORD_INSTRUMENTED] = rtb_strdup(run->cell.instrumented ? "yes" : "no");
	keep_records(o, run, s->as_measured); /* needs the facts, which go now */
	for (size_t i = 0; i < run->fact_count; i++) {
		/* the value moves over: the store's run is only lent, but its strings may go */
		o->fact[run->facts[i].key] = run->facts[i].value;
		run->facts[i].value = NULL;
	}
	return RTB_OK;
}

void rtb_side_free(struct rtb_side *s)
{
	for (size_t i = 0; i < s->count; i++)
		free_run(&s->runs[i]);
	for (size_t i = 0; i < s->failed + s->rejected; i++)
		free(s->left_out[i].repeat);
	free(s->left_out);
	free(s->runs);
	*s = (struct rtb_side){0};
}

void rtb_side_say(const struct rtb_side *s, struct rtb_buf *out)
{
	rtb_buf_fmt(out, "%s, %zu run%s", s->name, s->count, s->count == 1 ? "" : "s");
	if (s->failed + s->rejected + s->replaced)
		rtb_buf_fmt(out, ", left out: %u failed, %u rejected", s->failed, s->rejected);
	if (s->replaced)
		rtb_buf_fmt(out, ", %u replaced by other attempts", s->replaced);
	rtb_buf_str(out, "\n");
}

const char *rtb_side_basis(const struct rtb_side *s)
{
	return s->as_measured ? "as measured, with the counter's read cost in them"
			      : "net of the counter's read cost, where it is in them";
}

/* The coordinate's one value on a side; NULL when it has several. */
static const char *only_value(const struct rtb_side *s, int c)
{
	for (size_t i = 1; i < s->count; i++)
		if (strcmp(s->runs[i].coord[c], s->runs[0].coord[c]) != 0)
			return NULL;
	return s->runs[0].coord[c];
}

/* Which coordinates a pair of cells must share: not those whose change is being looked at. */
static void shared_coords(const struct rtb_side *a, const struct rtb_side *b, int by, bool shared[COORD_COUNT])
{
	for (int c = 0; c < COORD_COUNT; c++) {
		const char *va = only_value(a, c), *vb = only_value(b, c);
		shared[c] = c != by && !(va && vb && strcmp(va, vb) != 0);
	}
}

static int order(const struct rtb_side_run *x, const struct rtb_side_run *y, const bool shared[COORD_COUNT])
{
	for (int c = 0; c < COORD_COUNT; c++) {
		int d = shared[c] ? strcmp(x->coord[c], y->coord[c]) : 0;
		if (d)
			return d;
	}
	return 0;
}

struct sort_context { const bool *shared; };
static int by_cell(const void *x, const void *y, void *ctx)
{
	const struct rtb_side_run *a = *(const struct rtb_side_run *const *)x;
	const struct rtb_side_run *b = *(const struct rtb_side_run *const *)y;
	int d = order(a, b, ((struct sort_context *)ctx)->shared);
	return d ? d : a->id < b->id ? -1 : a->id > b->id;
}

static const struct rtb_side_run **sorted(const struct rtb_side *s, const bool shared[COORD_COUNT])
{
	struct sort_context ctx = {shared};
	const struct rtb_side_run **list = rtb_alloc(s->count * sizeof *list);
	for (size_t i = 0; i < s->count; i++)
		list[i] = &s->runs[i];
	qsort_r(list, s->count, sizeof *list, by_cell, &ctx);
	return list;
}

static size_t run_length(const struct rtb_side_run **list, size_t left, const bool shared[COORD_COUNT])
{
	size_t n = 1;
	while (n < left && order(list[0], list[n], shared) == 0)
		n++;
	return n;
}

static void pair_up(struct rtb_comparison *c, const bool shared[COORD_COUNT], const struct rtb_compare_options *o)
{
	const struct rtb_side_run **la = sorted(c->a, shared), **lb = sorted(c->b, shared);
	size_t i = 0, j = 0;
	while (i < c->a->count || j < c->b->count) {
		size_t ni = i < c->a->count ? run_length(la + i, c->a->count - i, shared) : 0;
		size_t nj = j < c->b->count ? run_length(lb + j, c->b->count - j, shared) : 0;
		int d = ni == 0 ? 1 : nj == 0 ? -1 : order(la[i], lb[j], shared);
		if (d < 0) {
			c->only_a++;
			i += ni;
		} else if (d > 0) {
			c->only_b++;
			j += nj;
		} else {
			struct rtb_pair p = {la + i, lb + j, ni, nj};
			c->pairs++;
			rtb_compare_keys(c, &p);
			rtb_compare_figures(c, &p, shared, o);
			i += ni;
			j += nj;
		}
	}
	free(la);
	free(lb);
}

static enum rtb_status not_empty(const struct rtb_side *s, struct rtb_error *e)
{
	if (s->count)
		return RTB_OK;
	if (s->failed + s->rejected == 0)
		return rtb_fail(e, RTB_NOT_FOUND, "%s: no runs", s->name);
	return rtb_fail(e, RTB_NOT_COMPARABLE, "%s: no usable runs: %u failed, %u rejected", s->name, s->failed,
			s->rejected);
}

enum rtb_status rtb_compare(const struct rtb_side *a, const struct rtb_side *b,
			    const struct rtb_compare_options *o, struct rtb_comparison *out,
			    struct rtb_error *e)
{
	bool shared[COORD_COUNT];
	*out = (struct rtb_comparison){.a = a, .b = b, .config_texts = o->config_texts};
	enum rtb_status s = not_empty(a, e);
	if (s == RTB_OK)
		s = not_empty(b, e);
	if (s != RTB_OK)
		return s;
	shared_coords(a, b, o->by, shared);
	pair_up(out, shared, o);
	rtb_compare_count_factors(out);
	if (out->pairs == 0)
		return rtb_fail(e, RTB_NOT_COMPARABLE, "%s and %s have no cell in common", a->name, b->name);
	if (out->row_count == 0)
		return rtb_fail(e, RTB_NOT_COMPARABLE, "%s and %s have no case in common", a->name, b->name);
	return RTB_OK;
}

void rtb_comparison_free(struct rtb_comparison *c)
{
	for (size_t i = 0; i < c->key_count; i++) {
		free(c->keys[i].a);
		free(c->keys[i].b);
	}
	free(c->keys);
	free(c->rows);
	*c = (struct rtb_comparison){0};
}
