/* Figures of one selection as a table of two dimensions. */
#include "report/compare_pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/number.h"
#include "stats/rank.h"

#define COLUMNS_MAX 40 /* across; more is no table to read */

static const char *kind_word(int kind)
{
	return kind == RTB_PIVOT_CASE ? "case" : rtb_coord_word((enum rtb_coord)kind);
}

static enum rtb_status kind_from(const char *word, size_t n, int *kind, struct rtb_error *e)
{
	for (*kind = 0; *kind < RTB_PIVOT_KINDS; ++*kind)
		if (strlen(kind_word(*kind)) == n && strncmp(kind_word(*kind), word, n) == 0)
			return RTB_OK;
	return rtb_fail(e, RTB_USAGE, "--row, --col: \"%.*s\" is none of target, kernel, opt, instrumented, case", (int)n, word);
}

enum rtb_status rtb_pivot_parse(const char *rows, const char *col, struct rtb_pivot *out, struct rtb_error *e)
{
	bool used[RTB_PIVOT_KINDS] = {false};
	enum rtb_status s = kind_from(col, strlen(col), &out->col, e);
	if (s != RTB_OK)
		return s;
	used[out->col] = true;
	for (const char *p = rows; s == RTB_OK; p += *p == ',') {
		int kind;
		size_t n = strcspn(p, ",");
		s = kind_from(p, n, &kind, e);
		if (s == RTB_OK && used[kind])
			s = rtb_fail(e, RTB_USAGE, "--row, --col: %s is named twice", kind_word(kind));
		if (s != RTB_OK)
			return s;
		used[kind] = true;
		out->row[out->rows++] = kind;
		p += n;
		if (!*p)
			break;
	}
	return s;
}

struct line {
	const struct rtb_side_run *run;       /* coordinates of the first that came */
	const struct rtb_side_record *record;
	double *v[COLUMNS_MAX];
	size_t n[COLUMNS_MAX];
	bool rough[COLUMNS_MAX];              /* known to a bucket only */
	size_t seen, of_case;                 /* order of appearance, its own and its case's */
};

struct sheet {
	const struct rtb_pivot *p;
	char *across[COLUMNS_MAX], *rank_title[COLUMNS_MAX];
	size_t columns;
	struct line *line;
	size_t lines;
};

static char *name_of(const struct rtb_side_record *d)
{
	return rtb_sprintf("%s%s%s", d->case_name, *d->series ? "." : "", d->series);
}

static char *text_of(int kind, const struct rtb_side_run *r, const struct rtb_side_record *d)
{
	return kind == RTB_PIVOT_CASE ? name_of(d) : rtb_strdup(r->coord[kind]);
}

static bool same(int kind, const struct rtb_side_run *r, const struct rtb_side_record *d, const struct line *l)
{
	if (kind != RTB_PIVOT_CASE)
		return strcmp(r->coord[kind], l->run->coord[kind]) == 0;
	return strcmp(d->case_name, l->record->case_name) == 0 && strcmp(d->series, l->record->series) == 0;
}

static struct line *line_of(struct sheet *h, const struct rtb_side_run *r, const struct rtb_side_record *d)
{
	for (size_t i = 0; i < h->lines; i++) {
		const struct rtb_side_record *other = h->line[i].record;
		/* another version of a case, or unit, is another row */
		bool all = strcmp(d->unit, other->unit) == 0 && (strcmp(d->case_name, other->case_name) != 0 ||
								 d->version == other->version);
		for (size_t k = 0; all && k < h->p->rows; k++)
			all = same(h->p->row[k], r, d, &h->line[i]);
		if (all)
			return &h->line[i];
	}
	h->line = rtb_realloc(h->line, (h->lines + 1) * sizeof *h->line);
	h->line[h->lines] = (struct line){.run = r, .record = d};
	return &h->line[h->lines++];
}

static size_t column_of(struct sheet *h, const struct rtb_side_run *r, const struct rtb_side_record *d)
{
	char *text = text_of(h->p->col, r, d);
	size_t i = 0;
	while (i < h->columns && strcmp(h->across[i], text) != 0)
		i++;
	if (i == h->columns && i < COLUMNS_MAX)
		h->across[h->columns++] = text;
	else
		free(text);
	return i;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The values that run across, by the alphabet; cases come as they are listed. */
static void make_columns(struct sheet *h, const struct rtb_side *s)
{
	if (h->p->col == RTB_PIVOT_CASE)
		return;
	for (size_t i = 0; i < s->count; i++)
		column_of(h, &s->runs[i], NULL);
	qsort(h->across, h->columns, sizeof *h->across, by_text);
}

static void put(struct sheet *h, const struct rtb_side_run *r, const struct rtb_side_record *d)
{
	const struct rtb_figure *f = &d->summary.f[h->p->stat];
	if (f->exactness == UNKNOWN || (h->p->case_name && strcmp(h->p->case_name, d->case_name) != 0))
		return;
	size_t c = column_of(h, r, d);
	if (c == COLUMNS_MAX)
		return;
	struct line *l = line_of(h, r, d);
	l->v[c] = rtb_realloc(l->v[c], (l->n[c] + 1) * sizeof *l->v[c]);
	l->v[c][l->n[c]++] = f->value;
	l->rough[c] = l->rough[c] || f->exactness != EXACT;
}

/* Every coordinate that is neither row nor column has one value. */
static enum rtb_status nothing_hidden(const struct rtb_side *s, const struct rtb_pivot *p, struct rtb_error *e)
{
	for (int k = 0; k < COORD_COUNT; k++) {
		bool shown = p->col == k;
		for (size_t i = 0; i < p->rows; i++)
			shown = shown || p->row[i] == k;
		for (size_t i = 1; !shown && i < s->count; i++)
			if (strcmp(s->runs[i].coord[k], s->runs[0].coord[k]) != 0)
				return rtb_fail(e, RTB_USAGE, "%s differs (%s, %s ...): name it in --row or --col, or choose one with --filter %s=%s",
						rtb_coord_word((enum rtb_coord)k), s->runs[0].coord[k], s->runs[i].coord[k],
						rtb_coord_word((enum rtb_coord)k), s->runs[0].coord[k]);
	}
	return RTB_OK;
}

static bool same_cell(const struct rtb_side_run *a, const struct rtb_side_run *b)
{
	for (int k = 0; k < COORD_COUNT; k++)
		if (strcmp(a->coord[k], b->coord[k]) != 0)
			return false;
	return true;
}

/* Repeats of a cell are repeats of one thing. A sweep whose inputs changed and whose --resume was cut
 * short holds others. */
static enum rtb_status cells_are_pure(const struct rtb_side *s, struct rtb_error *e)
{
	struct rtb_comparison c = {.a = s, .b = s};
	for (size_t i = 1; i < s->count; i++) {
		size_t first = 0;
		while (!same_cell(&s->runs[first], &s->runs[i]))
			first++;
		const struct rtb_side_run *a = &s->runs[first], *b = &s->runs[i];
		struct rtb_pair pair = {&a, &b, 1, 1};
		if (first < i)
			rtb_compare_keys(&c, &pair);
	}
	struct rtb_buf names = {0};
	for (size_t i = 0; i < c.key_count; i++) {
		const struct rtb_prov_info *p = rtb_prov_info(c.keys[i].key);
		size_t k = 0;
		while (c.keys[k].key != c.keys[i].key)
			k++;
		if (p->factor < FACTOR_IMAGE && k == i)
			rtb_buf_fmt(&names, "%s%s (%s)", names.len ? ", " : "", p->name, rtb_factor_word(p->factor));
	}
	enum rtb_status status = RTB_OK;
	if (names.len)
		status = rtb_fail(e, RTB_CONFOUNDED, "repeats of one cell differ in %s: choose runs that do not, or --force",
				  rtb_buf_cstr(&names));
	rtb_buf_free(&names);
	rtb_comparison_free(&c);
	return status;
}

/* Rows in the order of what runs down; cases as they are listed, other values by the alphabet. */
static size_t case_order(const struct sheet *h, const struct line *l)
{
	size_t i = 0;
	while (!same(RTB_PIVOT_CASE, l->run, l->record, &h->line[i]))
		i++;
	return h->line[i].seen;
}

static int by_rows(const void *x, const void *y, void *ctx)
{
	const struct line *a = x, *b = y;
	const struct sheet *h = ctx;
	for (size_t k = 0; k < h->p->rows; k++) {
		int kind = h->p->row[k], d = 0;
		if (kind == RTB_PIVOT_CASE)
			d = a->of_case < b->of_case ? -1 : a->of_case > b->of_case;
		else
			d = strcmp(a->run->coord[kind], b->run->coord[kind]);
		if (d)
			return d;
	}
	return a->seen < b->seen ? -1 : a->seen > b->seen;
}

static void sort_rows(struct sheet *h)
{
	for (size_t i = 0; i < h->lines; i++)
		h->line[i].seen = i;
	for (size_t i = 0; i < h->lines; i++)
		h->line[i].of_case = case_order(h, &h->line[i]);
	if (h->lines)
		qsort_r(h->line, h->lines, sizeof *h->line, by_rows, h);
}

/* Across boards, kernels and builds there is a first and a last; across cases there is not, nor in
 * the middle of a deviation, which lies about 0. */
static bool is_ranked(const struct sheet *h, const struct line *l)
{
	bool middle = h->p->stat == STAT_P50 || h->p->stat == STAT_MEAN || h->p->stat == STAT_TRIMMED ||
		      h->p->stat == STAT_MIN;
	return h->p->col != RTB_PIVOT_CASE && !(middle && rtb_compare_signed(l->record->case_name));
}

/* 1 for the lowest; equal figures share a rank. */
static size_t rank_of(const double *v, const size_t *n, size_t columns, size_t c)
{
	size_t rank = 1;
	for (size_t i = 0; i < columns; i++)
		rank += n[i] && v[i] < v[c];
	return rank;
}

static void write_line(struct rtb_table *t, const struct sheet *h, const struct line *l)
{
	struct rtb_buf text = {0};
	double median[COLUMNS_MAX];
	rtb_table_row(t, TONE_PLAIN);
	for (size_t k = 0; k < h->p->rows; k++) {
		char *word = text_of(h->p->row[k], l->run, l->record);
		rtb_table_add(t, word);
		free(word);
	}
	rtb_table_add(t, l->record->unit);
	for (size_t c = 0; c < h->columns; c++) {
		median[c] = l->n[c] ? rtb_median(l->v[c], l->n[c]) : 0;
		free(l->v[c]);
	}
	for (size_t c = 0; c < h->columns; c++) {
		if (l->n[c]) {
			rtb_buf_str(&text, l->rough[c] ? "~" : "");
			rtb_num_fixed(&text, median[c], median[c] == floor(median[c]) ? 0 : 1);
		}
		rtb_table_take(t, &text);
		if (h->p->col == RTB_PIVOT_CASE)
			continue;
		if (l->n[c] && is_ranked(h, l))
			rtb_buf_fmt(&text, "%zu", rank_of(median, l->n, h->columns, c));
		rtb_table_take(t, &text);
	}
	rtb_buf_free(&text);
}

enum rtb_status rtb_pivot_write(const struct rtb_side *s, const struct rtb_pivot *p, enum rtb_table_format format,
				bool color, struct rtb_buf *out, struct rtb_error *e)
{
	struct sheet h = {.p = p};
	struct rtb_column column[RTB_PIVOT_KINDS + 1 + 2 * COLUMNS_MAX];
	struct rtb_table t;
	size_t n = 0;
	if (s->count == 0)
		return rtb_fail(e, RTB_NOT_FOUND, "%s: no usable runs: %u failed, %u rejected", s->name, s->failed, s->rejected);
	enum rtb_status status = nothing_hidden(s, p, e);
	if (status == RTB_OK && !p->force)
		status = cells_are_pure(s, e);
	if (status != RTB_OK)
		return status;
	make_columns(&h, s);
	for (size_t i = 0; i < s->count; i++)
		for (size_t k = 0; k < s->runs[i].record_count; k++)
			put(&h, &s->runs[i], &s->runs[i].records[k]);
	for (size_t k = 0; k < p->rows; k++)
		column[n++] = (struct rtb_column){kind_word(p->row[k]), "", false};
	column[n++] = (struct rtb_column){"unit", "", false};
	bool named = format == TABLE_CSV || format == TABLE_JSON; /* whose readers go by title */
	for (size_t c = 0; c < h.columns; c++) {
		column[n++] = (struct rtb_column){h.across[c], "", true};
		h.rank_title[c] = rtb_sprintf("%s rank", h.across[c]);
		if (p->col != RTB_PIVOT_CASE)
			column[n++] = (struct rtb_column){named ? h.rank_title[c] : "#", "", true};
	}
	sort_rows(&h);
	rtb_table_init(&t, column, n);
	for (size_t i = 0; i < h.lines; i++)
		write_line(&t, &h, &h.line[i]);
	rtb_table_write(&t, format, color, out);
	if (format == TABLE_TEXT) {
		rtb_buf_fmt(out, "\n%s; figures are %s; ~ known to a bucket of the histogram only\n",
			    rtb_stat_word(p->stat), rtb_side_basis(s));
		if (p->col != RTB_PIVOT_CASE)
			rtb_buf_str(out, "# rank in the row, 1 is lowest\n");
		rtb_side_say(s, out);
	}
	rtb_table_free(&t);
	for (size_t c = 0; c < h.columns; c++) {
		free(h.across[c]);
		free(h.rank_title[c]);
	}
	free(h.line);
	return RTB_OK;
}
