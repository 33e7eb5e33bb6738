/* One sweep held against itself: a column for each value of a coordinate, and the pairs of
 * kernels whose order turns round with the conditions. */
#include "report/compare_by.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/number.h"
#include "stats/rank.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The values of a coordinate in alphabetical order (no before yes, O0 before O2, before Os). */
static size_t values_of(const struct rtb_side *s, enum rtb_coord c, const char *value[RTB_BY_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < s->count; i++) {
		size_t k = 0;
		while (k < n && strcmp(value[k], s->runs[i].coord[c]) != 0)
			k++;
		if (k == n && n < RTB_BY_MAX)
			value[n++] = s->runs[i].coord[c];
	}
	qsort(value, n, sizeof *value, by_text);
	return n;
}

/* The runs with that value, borrowed from the side: free the array alone. */
static struct rtb_side part_of(const struct rtb_side *s, enum rtb_coord c, const char *value)
{
	struct rtb_side p = {.name = value, .as_measured = s->as_measured, .runs = rtb_alloc(s->count * sizeof *p.runs)};
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->runs[i].coord[c], value) == 0)
			p.runs[p.count++] = s->runs[i];
	return p;
}

static bool base_first(const char **value, size_t n, const char *base)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(value[i], base) != 0)
			continue;
		memmove(value + 1, value, i * sizeof *value);
		value[0] = base;
		return true;
	}
	return false;
}

enum rtb_status rtb_compare_by(const struct rtb_side *s, enum rtb_coord c, const char *base,
			       const struct rtb_compare_options *o, struct rtb_by *out, struct rtb_error *e)
{
	*out = (struct rtb_by){.coord = c};
	struct rtb_compare_options by = *o;
	by.by = (int)c;
	out->values = values_of(s, c, out->value);
	if (base && !base_first(out->value, out->values, base))
		return rtb_fail(e, RTB_NOT_FOUND, "%s: no run with %s %s", s->name, rtb_coord_word(c), base);
	if (out->values < 2)
		return rtb_fail(e, RTB_NOT_COMPARABLE, "%s: %s has one value only%s%s", s->name, rtb_coord_word(c),
				out->values ? ": " : "", out->values ? out->value[0] : "");
	for (size_t i = 0; i < out->values; i++) {
		out->part[i] = part_of(s, c, out->value[i]);
		out->percent_title[i] = rtb_sprintf("%s %%", out->value[i]);
		out->mark_title[i] = rtb_sprintf("%s verdict", out->value[i]);
	}
	for (size_t i = 1; i < out->values; i++) {
		struct rtb_error why = {0};
		if (rtb_compare(&out->part[0], &out->part[i], &by, &out->pair[i], &why) != RTB_OK)
			return rtb_fail(e, why.status, "%s", why.text);
		out->changed += out->pair[i].changed;
		out->different = out->pair[i].different > out->different ? out->pair[i].different : out->different;
		out->missing = out->pair[i].missing > out->missing ? out->pair[i].missing : out->missing;
	}
	return RTB_OK;
}

void rtb_by_free(struct rtb_by *b)
{
	for (size_t i = 0; i < b->values; i++) {
		rtb_comparison_free(&b->pair[i]);
		free(b->part[i].runs);
		free(b->percent_title[i]);
		free(b->mark_title[i]);
	}
	*b = (struct rtb_by){0};
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static const struct rtb_compare_row *row_like(const struct rtb_comparison *c, const struct rtb_compare_row *like)
{
	for (size_t i = 0; i < c->row_count; i++) {
		const struct rtb_compare_row *r = &c->rows[i];
		bool same = r->stat == like->stat && same_text(r->case_name, like->case_name) &&
			    same_text(r->series, like->series);
		for (int k = 0; k < COORD_COUNT && same; k++)
			same = same_text(r->coord[k], like->coord[k]);
		if (same)
			return r;
	}
	return NULL;
}

/* What the judgement comes to beside a percentage: "*" is borne out, "?" has too few repeats,
 * "=" is no difference. */
static const char *mark(const struct rtb_compare_row *r)
{
	switch (r->judgement) {
	case JUDGE_DIFFERENT:
	case JUDGE_EXACT:
		return "*";
	case JUDGE_FEW:
		return r->a == r->b ? "=" : "?";
	case JUDGE_NOT_COMPARABLE:
		return "not comparable";
	default:
		return "=";
	}
}

static void value_cell(struct rtb_table *t, double v)
{
	struct rtb_buf text = {0};
	rtb_num_fixed(&text, v, v == floor(v) ? 0 : 2);
	rtb_table_take(t, &text);
	rtb_buf_free(&text);
}

static void change_cells(struct rtb_table *t, const struct rtb_compare_row *r)
{
	struct rtb_buf text = {0};
	if (!r) {
		t->next += 3;
		return;
	}
	value_cell(t, r->b);
	if (r->a != 0 && !r->balance) {
		double pct = (r->b - r->a) / fabs(r->a) * 100;
		rtb_buf_str(&text, pct > 0 ? "+" : "");
		rtb_num_fixed(&text, pct, 1);
	}
	rtb_table_take(t, &text);
	rtb_table_add(t, mark(r));
	rtb_buf_free(&text);
}

#define BY_COLUMNS (COORD_COUNT + 3 + 3 * RTB_BY_MAX)

/* Readers of CSV and JSON go by name, so there every title is one of its own. */
static size_t by_columns(const struct rtb_by *b, bool named, struct rtb_column *column)
{
	size_t n = 0;
	for (int k = 0; k < COORD_COUNT; k++)
		if (k != (int)b->coord)
			column[n++] = (struct rtb_column){rtb_coord_word((enum rtb_coord)k), "", false};
	column[n++] = (struct rtb_column){"case", "", false};
	column[n++] = (struct rtb_column){"unit", "", false};
	column[n++] = (struct rtb_column){"stat", "", false};
	column[n++] = (struct rtb_column){b->value[0], "", true};
	for (size_t i = 1; i < b->values; i++) {
		column[n++] = (struct rtb_column){b->value[i], "", true};
		column[n++] = (struct rtb_column){named ? b->percent_title[i] : "%", "", true};
		column[n++] = (struct rtb_column){named ? b->mark_title[i] : "", "", false};
	}
	return n;
}

static bool any_change(const struct rtb_by *b, const struct rtb_compare_row *r)
{
	for (size_t k = 1; k < b->values; k++) {
		const struct rtb_compare_row *other = row_like(&b->pair[k], r);
		if (other && *mark(other) == '*')
			return true;
	}
	return false;
}

static void add_row(const struct rtb_by *b, const struct rtb_compare_row *r, struct rtb_table *t)
{
	rtb_table_row(t, TONE_PLAIN);
	for (int k = 0; k < COORD_COUNT; k++)
		if (k != (int)b->coord)
			rtb_table_add(t, r->coord[k]);
	rtb_table_addf(t, "%s%s%s", r->case_name, *r->series ? "." : "", r->series);
	rtb_table_add(t, r->unit);
	rtb_table_add(t, rtb_stat_word(r->stat));
	value_cell(t, r->a);
	for (size_t k = 1; k < b->values; k++)
		change_cells(t, row_like(&b->pair[k], r));
}

void rtb_by_write(const struct rtb_by *b, const struct rtb_compare_options *o, enum rtb_table_format format,
		  bool color, struct rtb_buf *out)
{
	struct rtb_column column[BY_COLUMNS], kept[BY_COLUMNS];
	struct rtb_table t;
	rtb_table_init(&t, column, by_columns(b, format == TABLE_CSV || format == TABLE_JSON, column));
	const struct rtb_comparison *first = &b->pair[1];
	for (size_t i = 0; i < first->row_count; i++)
		if (!o->only_changed || any_change(b, &first->rows[i]))
			add_row(b, &first->rows[i], &t);
	if (format == TABLE_TEXT) {
		for (size_t k = 1; k < b->values; k++) {
			rtb_buf_fmt(out, "%s against %s: ", b->value[k], b->value[0]);
			rtb_compare_headline(&b->pair[k], out);
			rtb_buf_str(out, "\n");
		}
		rtb_buf_str(out, "\n");
	}
	if (format == TABLE_TEXT || format == TABLE_MARKDOWN)
		rtb_table_squeeze(&t, kept, COORD_COUNT - 1);
	rtb_table_write(&t, format, color, out);
	if (format == TABLE_TEXT)
		rtb_buf_fmt(out, "\n%% is against the first column; * borne out by the repeats, = no difference, "
			    "? too few repeats\nfigures are %s\n", rtb_side_basis(&b->part[0]));
	rtb_table_free(&t);
}

/* Median over the repeats of a kernel's mean in one condition; NAN when it is not there. */
static double figure(const struct rtb_side *s, const char *kernel, const struct rtb_side_run *condition,
		     const struct rtb_side_record *like)
{
	double v[256];
	size_t n = 0;
	for (size_t i = 0; i < s->count && n < 256; i++) {
		const struct rtb_side_run *r = &s->runs[i];
		bool same = strcmp(r->coord[COORD_KERNEL], kernel) == 0;
		for (int k = 0; k < COORD_COUNT; k++)
			same = same && (k == COORD_KERNEL || strcmp(r->coord[k], condition->coord[k]) == 0);
		for (size_t d = 0; same && d < r->record_count; d++)
			if (strcmp(r->records[d].case_name, like->case_name) == 0 &&
			    strcmp(r->records[d].series, like->series) == 0 && r->records[d].version == like->version &&
			    r->records[d].summary.f[STAT_MEAN].exactness == EXACT)
				v[n++] = r->records[d].summary.f[STAT_MEAN].value;
	}
	return n ? rtb_median(v, n) : NAN;
}

static bool same_condition(const struct rtb_side_run *a, const struct rtb_side_run *b)
{
	return strcmp(a->coord[COORD_TARGET], b->coord[COORD_TARGET]) == 0 &&
	       strcmp(a->coord[COORD_OPT], b->coord[COORD_OPT]) == 0 &&
	       strcmp(a->coord[COORD_INSTRUMENTED], b->coord[COORD_INSTRUMENTED]) == 0;
}

/* The first run of each condition stands for it. */
static size_t conditions_of(const struct rtb_side *s, const struct rtb_side_run *list[RTB_BY_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < s->count; i++) {
		size_t k = 0;
		while (k < n && !same_condition(list[k], &s->runs[i]))
			k++;
		if (k == n && n < RTB_BY_MAX)
			list[n++] = &s->runs[i];
	}
	return n;
}

static void say_condition(struct rtb_buf *out, const char *low, const char *high, double a, double b,
			  const struct rtb_side_run *r)
{
	rtb_buf_fmt(out, "%s before %s at %s%s (", low, high, r->coord[COORD_OPT],
		    r->coord[COORD_INSTRUMENTED][0] == 'y' ? " instrumented" : "");
	rtb_num_fixed(out, a < b ? a : b, 2);
	rtb_buf_str(out, " against ");
	rtb_num_fixed(out, a < b ? b : a, 2);
	rtb_buf_str(out, ")");
}

/* One pair of kernels in one case: the conditions where the first leads and where it does not. */
static bool turns_round(const struct rtb_side *s, const char *k1, const char *k2, const struct rtb_side_record *d,
			const struct rtb_side_run *const *cond, size_t conds, struct rtb_buf *out)
{
	const struct rtb_side_run *lead[2] = {NULL, NULL};
	double a[2] = {0}, b[2] = {0};
	for (size_t i = 0; i < conds; i++) {
		double x = figure(s, k1, cond[i], d), y = figure(s, k2, cond[i], d);
		int who = x < y ? 0 : 1;
		/* keep the condition where the lead is largest */
		if (isnan(x) || isnan(y) || x == y || (lead[who] && fabs(x - y) <= fabs(a[who] - b[who])))
			continue;
		lead[who] = cond[i];
		a[who] = x;
		b[who] = y;
	}
	if (!lead[0] || !lead[1])
		return false;
	rtb_buf_fmt(out, "  %s%s%s: ", d->case_name, *d->series ? "." : "", d->series);
	say_condition(out, k1, k2, a[0], b[0], lead[0]);
	rtb_buf_str(out, ", ");
	say_condition(out, k2, k1, a[1], b[1], lead[1]);
	rtb_buf_str(out, "\n");
	return true;
}

size_t rtb_rank_reversals(const struct rtb_side *s, struct rtb_buf *out)
{
	const char *kernel[RTB_BY_MAX];
	const struct rtb_side_run *cond[RTB_BY_MAX];
	size_t kernels = values_of(s, COORD_KERNEL, kernel), conds = conditions_of(s, cond), found = 0;
	if (s->count == 0)
		return 0;
	for (size_t d = 0; d < s->runs[0].record_count; d++)
		/* of deviations the average, which is what is ranked here, says nothing */
		for (size_t i = 0; i < kernels && !rtb_compare_signed(s->runs[0].records[d].case_name); i++)
			for (size_t j = i + 1; j < kernels; j++)
				found += turns_round(s, kernel[i], kernel[j], &s->runs[0].records[d], cond, conds, out);
	return found;
}
