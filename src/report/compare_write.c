/* A comparison as text, Markdown, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "report/compare.h"
#include "report/json.h"
#include "report/number.h"

static const struct rtb_column columns[] = {
	{"target", "", false}, {"kernel", "", false}, {"opt", "", false}, {"instr", "", false}, {"case", "", false},
	{"unit", "", false}, {"stat", "", false}, {"A", "", true}, {"B", "", true}, {"diff", "", true}, {"%", "", true}, {"n", "", false},
	{"p", "", true}, {"verdict", "", false},
};
#define COLUMNS (sizeof columns / sizeof columns[0])

static const char *word_of(const struct rtb_compare_row *r)
{
	switch (r->judgement) {
	case JUDGE_EQUAL:
		return r->a == r->b ? "same" : "no difference shown";
	case JUDGE_DIFFERENT:
		return r->b > r->a ? "higher" : "lower";
	case JUDGE_EXACT:
		return r->b > r->a ? "higher, exact" : "lower, exact";
	case JUDGE_SMALL:
		return "below threshold";
	case JUDGE_BUCKET:
		return "within the bucket";
	case JUDGE_SPREAD:
		return "same image: the board's spread";
	case JUDGE_FEW:
	case JUDGE_NOT_COMPARABLE:
		return r->why;
	}
	return "";
}

static bool is_change(const struct rtb_compare_row *r)
{
	return r->judgement == JUDGE_EXACT || r->judgement == JUDGE_DIFFERENT;
}

/* Moved code is worth a word where a figure moved with it. */
static bool tells_layout(const struct rtb_compare_row *r)
{
	return r->layout[0] && is_change(r);
}

/* Cycles of a mean have a fraction, others at most halves. */
static void number(struct rtb_table *t, double v, bool plus)
{
	struct rtb_buf text = {0};
	if (plus && v > 0)
		rtb_buf_str(&text, "+");
	rtb_num_fixed(&text, v, v == floor(v) ? 0 : 2);
	rtb_table_take(t, &text);
	rtb_buf_free(&text);
}

static void percent(struct rtb_table *t, const struct rtb_compare_row *r)
{
	struct rtb_buf text = {0};
	if (r->a != 0 && r->a != r->b && !r->balance) {
		double v = (r->b - r->a) / fabs(r->a) * 100;
		rtb_buf_str(&text, v > 0 ? "+" : "");
		rtb_num_fixed(&text, v, 2);
	}
	rtb_table_take(t, &text);
	rtb_buf_free(&text);
}

static void add_row(struct rtb_table *t, const struct rtb_compare_row *r)
{
	enum rtb_tone tone = !is_change(r) ? r->judgement == JUDGE_NOT_COMPARABLE ? TONE_DOUBT : TONE_PLAIN
			   : r->b > r->a ? TONE_BAD : TONE_GOOD;
	rtb_table_row(t, tone);
	for (int c = 0; c < COORD_COUNT; c++)
		rtb_table_add(t, r->coord[c]);
	rtb_table_addf(t, "%s%s%s", r->case_name, *r->series ? "." : "", r->series);
	rtb_table_add(t, r->unit);
	rtb_table_add(t, r->judgement == JUDGE_NOT_COMPARABLE ? "" : rtb_stat_word(r->stat));
	if (r->judgement == JUDGE_NOT_COMPARABLE) {
		t->next = COLUMNS - 1;
		rtb_table_add(t, word_of(r));
		return;
	}
	number(t, r->a, false);
	number(t, r->b, false);
	number(t, r->b - r->a, true);
	percent(t, r);
	if (r->na == r->nb)
		rtb_table_addf(t, "%zu", r->na);
	else
		rtb_table_addf(t, "%zu+%zu", r->na, r->nb);
	struct rtb_buf p = {0};
	if (!isnan(r->p))
		rtb_num_fixed(&p, r->p, 4);
	rtb_table_take(t, &p);
	rtb_buf_free(&p);
	rtb_table_addf(t, "%s%s%s%s", word_of(r), r->lo_res ? " (~)" : "", r->suspect ? " (?)" : "",
		       tells_layout(r) ? " (@)" : "");
}

static void fill(const struct rtb_comparison *c, const struct rtb_compare_options *o, struct rtb_table *t)
{
	rtb_table_init(t, columns, COLUMNS);
	for (size_t i = 0; i < c->row_count; i++)
		if (!o->only_changed || is_change(&c->rows[i]) || c->rows[i].judgement == JUDGE_NOT_COMPARABLE)
			add_row(t, &c->rows[i]);
}

/* "gd32f103 mini O2: sem_wake 0x08001000 (16) -> 0x08001008 (8)" */
static void say_moved(const struct rtb_compare_row *r, struct rtb_buf *out)
{
	rtb_buf_clear(out);
	for (int k = 0; k < COORD_INSTRUMENTED; k++)
		if (r->coord[k])
			rtb_buf_fmt(out, "%s%s", out->len ? " " : "", r->coord[k]);
	if (r->coord[COORD_INSTRUMENTED] && strcmp(r->coord[COORD_INSTRUMENTED], "yes") == 0)
		rtb_buf_str(out, " instrumented");
	rtb_buf_str(out, out->len ? ": " : "");
	rtb_compare_layout(r->layout[0], r->layout[1], r->case_name, r->series, out);
}

/* The next line on code that moved as a figure did, from row *at on; series that one function
 * measures have one. line holds the line before. */
static bool next_moved(const struct rtb_comparison *c, size_t *at, struct rtb_buf *line)
{
	struct rtb_buf next = {0};
	bool found = false;
	while (!found && *at < c->row_count) {
		const struct rtb_compare_row *r = &c->rows[(*at)++];
		if (!tells_layout(r))
			continue;
		say_moved(r, &next);
		found = strcmp(rtb_buf_cstr(&next), rtb_buf_cstr(line)) != 0;
	}
	if (found) {
		rtb_buf_clear(line);
		rtb_buf_str(line, rtb_buf_cstr(&next));
	}
	rtb_buf_free(&next);
	return found;
}

static void moved_lines(const struct rtb_comparison *c, struct rtb_buf *out)
{
	struct rtb_buf line = {0};
	const char *head = "(@) code layout changed: what is measured begins at another address and alignment (in bytes), "
			   "which alone can cost cycles\n";
	for (size_t at = 0; next_moved(c, &at, &line); head = "")
		rtb_buf_fmt(out, "%s    %s\n", head, rtb_buf_cstr(&line));
	rtb_buf_free(&line);
}

static void summary(const struct rtb_comparison *c, const struct rtb_compare_options *o, struct rtb_buf *out)
{
	bool lo_res = false, suspect = false;
	for (size_t i = 0; i < c->row_count; i++) {
		lo_res = lo_res || c->rows[i].lo_res;
		suspect = suspect || c->rows[i].suspect;
	}
	rtb_buf_fmt(out, "\n%zu of %zu figures differ", c->changed, c->row_count);
	if (c->few)
		rtb_buf_fmt(out, "; %zu without a verdict: too few repeats", c->few);
	if (c->incomparable)
		rtb_buf_fmt(out, "; %zu cases not comparable", c->incomparable);
	rtb_buf_str(out, " (alpha ");
	rtb_num_exact(out, o->alpha);
	if (o->threshold > 0) {
		rtb_buf_str(out, ", threshold ");
		rtb_num_exact(out, o->threshold * 100);
		rtb_buf_str(out, " %");
	}
	rtb_buf_str(out, ")\n");
	rtb_buf_fmt(out, "figures are %s\n", rtb_side_basis(c->a));
	if (lo_res)
		rtb_buf_str(out, "(~) known to a bucket of the histogram only\n");
	if (suspect)
		rtb_buf_str(out, "(?) a run among them is suspect: rtbench show says why\n");
	moved_lines(c, out);
}

static void json_factors(const struct rtb_comparison *c, struct rtb_buf *out)
{
	static const char *const words[] = {"equal", "different", "missing"};
	rtb_buf_str(out, "\"factors\": {");
	for (int f = 0; f <= FACTOR_IMAGE; f++)
		rtb_buf_fmt(out, "%s\"%s\": \"%s\"", f ? ", " : "", rtb_factor_word((enum rtb_factor)f), words[c->factor[f]]);
	rtb_buf_str(out, "},\n\"differences\": [");
	for (size_t i = 0; i < c->key_count; i++) {
		const struct rtb_key_difference *d = &c->keys[i];
		rtb_buf_fmt(out, "%s{\"key\": \"%s\", \"factor\": \"%s\", \"cells\": %zu, \"a\": ", i ? ",\n  " : "\n  ",
			    rtb_prov_info(d->key)->name, rtb_factor_word(rtb_prov_info(d->key)->factor), d->pairs);
		rtb_json_string(out, d->a);
		rtb_buf_str(out, ", \"b\": ");
		rtb_json_string(out, d->b);
		rtb_buf_str(out, "}");
	}
	rtb_buf_str(out, "]");
}

static void json_left_out(const char *which, const struct rtb_side *s, struct rtb_buf *out)
{
	rtb_buf_fmt(out, ",\n\"%s_left_out\": {\"failed\": %u, \"rejected\": %u, \"replaced\": %u}", which, s->failed,
		    s->rejected, s->replaced);
}

static void json_moved(const struct rtb_comparison *c, struct rtb_buf *out)
{
	struct rtb_buf line = {0};
	const char *between = "";
	rtb_buf_str(out, ",\n\"code_layout\": [");
	for (size_t at = 0; next_moved(c, &at, &line); between = ", ") {
		rtb_buf_str(out, between);
		rtb_json_string(out, rtb_buf_cstr(&line));
	}
	rtb_buf_str(out, "]");
	rtb_buf_free(&line);
}

static void write_json(const struct rtb_comparison *c, const struct rtb_table *t, struct rtb_buf *out)
{
	struct rtb_buf line = {0};
	rtb_compare_headline(c, &line);
	rtb_buf_str(out, "{\"schema\": \"rtbench-compare-1\", \"a\": ");
	rtb_json_string(out, c->a->name);
	rtb_buf_str(out, ", \"b\": ");
	rtb_json_string(out, c->b->name);
	rtb_buf_fmt(out, ", \"cells\": %zu, \"differ\": %zu, \"headline\": ", c->pairs, c->changed);
	rtb_json_string(out, rtb_buf_cstr(&line));
	rtb_buf_str(out, ",\n");
	json_factors(c, out);
	json_left_out("a", c->a, out);
	json_left_out("b", c->b, out);
	json_moved(c, out);
	rtb_buf_str(out, ",\n\"rows\": ");
	rtb_table_write(t, TABLE_JSON, false, out);
	rtb_buf_str(out, "}\n");
	rtb_buf_free(&line);
}

/* Every line carries what kind of comparison it comes from, since lines are copied one by one. */
static void write_csv(const struct rtb_comparison *c, struct rtb_table *t, struct rtb_buf *out)
{
	struct rtb_column wide[COLUMNS + 1];
	struct rtb_buf line = {0};
	struct rtb_table w;
	rtb_compare_headline(c, &line);
	memcpy(wide, columns, sizeof columns);
	wide[COLUMNS] = (struct rtb_column){"comparison", "", false};
	rtb_table_init(&w, wide, COLUMNS + 1);
	for (size_t r = 0; r < t->rows; r++) {
		rtb_table_row(&w, TONE_PLAIN);
		for (size_t i = 0; i < COLUMNS; i++)
			rtb_table_add(&w, t->cell[r * COLUMNS + i]);
		rtb_table_add(&w, rtb_buf_cstr(&line));
	}
	rtb_table_write(&w, TABLE_CSV, false, out);
	rtb_table_free(&w);
	rtb_buf_free(&line);
}

void rtb_compare_write(const struct rtb_comparison *c, const struct rtb_compare_options *o,
		       enum rtb_table_format format, bool color, bool with_rows, struct rtb_buf *out)
{
	struct rtb_table t;
	struct rtb_column kept[COLUMNS];
	if (with_rows)
		fill(c, o, &t);
	else
		rtb_table_init(&t, columns, COLUMNS);
	if (format == TABLE_JSON) {
		write_json(c, &t, out);
	} else if (format == TABLE_CSV) {
		write_csv(c, &t, out);
	} else {
		if (format == TABLE_MARKDOWN)
			rtb_buf_str(out, "```\n");
		rtb_compare_factors(c, color && format == TABLE_TEXT, out);
		rtb_buf_str(out, format == TABLE_MARKDOWN ? "```\n\n" : "\n");
		if (with_rows && t.rows) {
			rtb_table_squeeze(&t, kept, COORD_COUNT);
			rtb_table_write(&t, format, color, out);
		}
		if (with_rows)
			summary(c, o, out);
	}
	rtb_table_free(&t);
}
