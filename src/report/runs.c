/* The result table of a sweep. */
#include <stdlib.h>
#include <string.h>

#include "report/number.h"
#include "report/report.h"

static const struct rtb_column columns[] = {
	{"target", "", false}, {"kernel", "", false}, {"opt", "", false}, {"instr", "", false}, {"case", "", false},
	{"runs", "", true}, {"min", "cycles", true}, {"median", "cycles", true}, {"avg", "cycles", true},
	{"p99", "cycles", true}, {"max", "cycles", true},
	{"min", "us", true}, {"median", "us", true}, {"avg", "us", true}, {"p99", "us", true},
	{"max", "us", true}, {"", "", false},
};
#define COLUMNS (sizeof columns / sizeof columns[0])
#define RUNS 5 /* the column that counts them */
/* The same with names of their own, for formats whose readers go by name. */
static const struct rtb_column named_columns[] = {
	{"target", "", false}, {"kernel", "", false}, {"opt", "", false}, {"instrumented", "", false}, {"case", "", false},
	{"runs", "", true}, {"min", "", true}, {"median", "", true}, {"avg", "", true}, {"p99", "", true},
	{"max", "", true}, {"min_us", "", true}, {"median_us", "", true}, {"avg_us", "", true},
	{"p99_us", "", true}, {"max_us", "", true}, {"note", "", false},
};
_Static_assert(sizeof columns == sizeof named_columns, "two heads of one table");

static const enum rtb_stat shown[] = {STAT_MIN, STAT_P50, STAT_MEAN, STAT_P99, STAT_MAX};

/* Footnotes: each reason once, numbered in order of appearance. */
struct notes { char **text; size_t count; };

static size_t note_number(struct notes *n, const struct rtb_finding *f)
{
	char *text = rtb_sprintf("%s: %s: %s", rtb_verdict_word(f->severity), f->check, f->reason);
	for (size_t i = 0; i < n->count; i++)
		if (strcmp(n->text[i], text) == 0) {
			free(text);
			return i + 1;
		}
	n->text = rtb_realloc(n->text, (n->count + 1) * sizeof *n->text);
	n->text[n->count] = text;
	return ++n->count;
}

static bool about(const struct rtb_finding *f, const struct rtb_record *d)
{
	return !f->case_name || (strcmp(f->case_name, d->case_name) == 0 &&
				 (!f->series || strcmp(f->series, d->series ? d->series : "") == 0));
}

/* "?1,2": the worst severity's mark and the numbers of the reasons. */
static enum rtb_verdict marks(const struct rtb_run *r, const struct rtb_record *d, struct notes *notes,
			      struct rtb_buf *text)
{
	enum rtb_verdict worst = VERDICT_TRUSTED;
	struct rtb_buf numbers = {0};
	for (size_t i = 0; i < r->finding_count; i++) {
		const struct rtb_finding *f = &r->findings[i];
		if (f->severity == VERDICT_TRUSTED || !about(f, d))
			continue;
		worst = f->severity > worst ? f->severity : worst;
		rtb_buf_fmt(&numbers, "%s%zu", numbers.len ? "," : "", note_number(notes, f));
	}
	if (worst != VERDICT_TRUSTED)
		rtb_buf_fmt(text, "%s%s", worst == VERDICT_REJECTED ? "!" : "?", rtb_buf_cstr(&numbers));
	rtb_buf_free(&numbers);
	return worst;
}

double rtb_run_mhz(const struct rtb_run *r, const char **what)
{
	static const struct { enum rtb_prov_key key; const char *word; } sources[] = {
		{PROV_CLOCK_MEASURED, "measured"}, {PROV_CLOCK_SET, "as set"}, {PROV_CLOCK_DECLARED, "declared"},
	};
	const char *base = rtb_run_get(r, PROV_TIME_BASE);
	bool is_virtual = base && strcmp(base, "virtual time") == 0;
	for (size_t i = is_virtual; i < sizeof sources / sizeof sources[0]; i++) {
		const char *hz = rtb_run_get(r, sources[i].key);
		double v;
		if (!hz || !rtb_num_parse(hz, &v) || v <= 0)
			continue;
		if (what)
			*what = sources[i].word;
		return v / 1e6;
	}
	if (what)
		*what = "not known";
	return 0;
}

static void add_figures(struct rtb_table *t, const struct rtb_run *r, const struct rtb_record *d)
{
	struct rtb_summary sum;
	struct rtb_buf text = {0};
	rtb_record_net(r, d, &sum);
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
		struct rtb_figure f = sum.f[shown[i]];
		if (shown[i] == STAT_MEAN)
			rtb_num_fixed(&text, f.value, 1);
		else
			rtb_num_figure(&text, &f);
		rtb_table_take(t, &text);
	}
	double mhz = rtb_run_mhz(r, NULL);
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
		if (mhz > 0 && sum.f[shown[i]].exactness != UNKNOWN && strcmp(d->unit, "cycles") == 0)
			rtb_num_fixed(&text, sum.f[shown[i]].value / mhz, 3);
		rtb_table_take(t, &text);
	}
	rtb_buf_free(&text);
}

static void add_cell(struct rtb_table *t, const struct rtb_run *r, const char *case_name, const char *series,
		     const char *unit)
{
	rtb_table_add(t, r->cell.target);
	rtb_table_add(t, r->cell.kernel);
	rtb_table_add(t, r->cell.opt);
	rtb_table_add(t, r->cell.instrumented ? "yes" : "no");
	/* the columns are in cycles; what is not says so itself */
	bool other = unit && strcmp(unit, "cycles") != 0;
	rtb_table_addf(t, "%s%s%s%s%s%s", case_name, series && *series ? "." : "", series ? series : "",
		       other ? " [" : "", other ? unit : "", other ? "]" : "");
	rtb_table_add(t, "1");
}

static void add_record(struct rtb_table *t, const struct rtb_run *r, const struct rtb_record *d, struct notes *notes)
{
	struct rtb_buf mark = {0};
	enum rtb_verdict v = marks(r, d, notes, &mark);
	rtb_table_row(t, v == VERDICT_REJECTED ? TONE_BAD : v == VERDICT_SUSPECT ? TONE_DOUBT : TONE_PLAIN);
	add_cell(t, r, d->case_name, d->series, d->unit);
	if (d->supported) {
		add_figures(t, r, d);
		rtb_table_take(t, &mark);
	} else {
		t->next = COLUMNS - 1;
		rtb_table_add(t, "not supported");
	}
	rtb_buf_free(&mark);
}

/* A repeat that agrees with an earlier line in every cell but the count joins it. */
static void join_repeats(struct rtb_table *t, size_t first)
{
	size_t last = t->rows - 1;
	char **mine = t->cell + last * t->columns;
	for (size_t r = first; r < last; r++) {
		char **other = t->cell + r * t->columns;
		bool same = true;
		for (size_t c = 0; same && c < t->columns; c++)
			same = c == RUNS || strcmp(mine[c] ? mine[c] : "", other[c] ? other[c] : "") == 0;
		if (!same)
			continue;
		char *count = rtb_sprintf("%d", atoi(other[RUNS]) + 1);
		free(other[RUNS]);
		other[RUNS] = count;
		for (size_t c = 0; c < t->columns; c++)
			free(mine[c]);
		t->rows--;
		return;
	}
}

static bool same_cell(const struct rtb_run *a, const struct rtb_run *b)
{
	return strcmp(a->cell.kernel, b->cell.kernel) == 0 && strcmp(a->cell.opt, b->cell.opt) == 0 &&
	       a->cell.instrumented == b->cell.instrumented && strcmp(a->cell.target, b->cell.target) == 0;
}

static void add_run(struct rtb_table *t, const struct rtb_run *r, size_t first, struct notes *notes)
{
	if (r->status != RTB_OK) {
		rtb_table_row(t, TONE_BAD);
		add_cell(t, r, "-", NULL, NULL);
		t->next = COLUMNS - 1;
		rtb_table_addf(t, "%s%s%s", rtb_status_word(r->status), r->error ? ": " : "", r->error ? r->error : "");
		join_repeats(t, first);
	}
	for (size_t i = 0; i < r->record_count; i++) {
		add_record(t, r, &r->records[i], notes);
		join_repeats(t, first);
	}
}

/* Smallest and largest of a number over the runs that measured something; count of them. */
struct range { double lo, hi; size_t count; };

static void widen(struct range *g, double v)
{
	g->lo = g->count == 0 || v < g->lo ? v : g->lo;
	g->hi = g->count == 0 || v > g->hi ? v : g->hi;
	g->count++;
}

static void say_range(struct rtb_buf *out, const struct range *g, unsigned decimals)
{
	rtb_num_fixed(out, g->lo, decimals);
	if (g->hi > g->lo) {
		rtb_buf_str(out, " to ");
		rtb_num_fixed(out, g->hi, decimals);
	}
}

static void note_case(struct rtb_buf *names, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = rtb_buf_cstr(names); (p = strstr(p, name)); p += n)
		if ((p[n] == '\0' || p[n] == ',') && (p == names->data || p[-1] == ' '))
			return;
	rtb_buf_fmt(names, "%s%s", names->len ? ", " : "", name);
}

/* By what clock cycles became us, and what was taken off as the measuring itself. */
static void legend(struct rtb_run *const *runs, size_t n, struct rtb_buf *out)
{
	struct range clock = {0}, cost = {0};
	struct rtb_buf whole = {0}; /* cases that nothing was taken off */
	const char *what = "";
	for (size_t i = 0; i < n; i++) {
		const char *word, *text = rtb_run_get(runs[i], PROV_READ_COST);
		double v, mhz = runs[i]->record_count ? rtb_run_mhz(runs[i], &word) : 0;
		if (mhz > 0) {
			widen(&clock, mhz);
			what = word;
		}
		if (runs[i]->record_count && text && rtb_num_parse(text, &v))
			widen(&cost, v);
		for (size_t k = 0; k < runs[i]->record_count; k++)
			if (runs[i]->records[k].supported && rtb_record_overhead(runs[i], &runs[i]->records[k]) == 0)
				note_case(&whole, runs[i]->records[k].case_name);
	}
	if (clock.count) {
		rtb_buf_str(out, "us at ");
		say_range(out, &clock, 3);
		rtb_buf_fmt(out, " MHz (%s)\n", what);
	}
	if (cost.count) {
		rtb_buf_str(out, "net of the counter's read cost, ");
		say_range(out, &cost, 0);
		rtb_buf_fmt(out, " cycles a sample%s%s\n", whole.len ? "; nothing taken off " : "", rtb_buf_cstr(&whole));
	}
	rtb_buf_free(&whole);
}

void rtb_report_runs_as(struct rtb_run *const *runs, size_t n, enum rtb_table_format format,
			bool color, struct rtb_buf *out)
{
	struct rtb_table t;
	struct notes notes = {0};
	bool people = format == TABLE_TEXT || format == TABLE_MARKDOWN;
	struct rtb_column kept[COLUMNS];
	rtb_table_init(&t, people ? columns : named_columns, COLUMNS);
	size_t first = 0;
	for (size_t i = 0; i < n; i++) {
		if (i && !same_cell(runs[i], runs[i - 1]))
			first = t.rows;
		add_run(&t, runs[i], first, &notes);
	}
	if (people)
		rtb_table_squeeze(&t, kept, 1); /* the target, where there is one alone, and what nobody has */
	rtb_table_write(&t, format, color, out);
	if (people) {
		rtb_buf_str(out, "\n");
		legend(runs, n, out);
		for (size_t i = 0; i < notes.count; i++)
			rtb_buf_fmt(out, "%zu) %s\n", i + 1, notes.text[i]);
	}
	for (size_t i = 0; i < notes.count; i++)
		free(notes.text[i]);
	free(notes.text);
	rtb_table_free(&t);
}

void rtb_report_runs(struct rtb_run *const *runs, size_t n, bool color, struct rtb_buf *out)
{
	rtb_report_runs_as(runs, n, TABLE_TEXT, color, out);
}
