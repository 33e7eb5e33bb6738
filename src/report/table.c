#include "report/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/csv.h"
#include "report/json.h"
#include "report/number.h"

enum rtb_status rtb_table_format_from(const char *word, enum rtb_table_format *out, struct rtb_error *e)
{
	static const char *const words[] = {[TABLE_TEXT] = "table", [TABLE_MARKDOWN] = "md",
					    [TABLE_CSV] = "csv", [TABLE_JSON] = "json"};
	for (int i = 0; i < 4; i++) {
		if (strcmp(words[i], word) != 0)
			continue;
		*out = (enum rtb_table_format)i;
		return RTB_OK;
	}
	return rtb_fail(e, RTB_USAGE, "--format %s: there is table, md, csv and json", word);
}

void rtb_table_init(struct rtb_table *t, const struct rtb_column *column, size_t columns)
{
	*t = (struct rtb_table){.column = column, .columns = columns};
}

void rtb_table_free(struct rtb_table *t)
{
	for (size_t i = 0; i < t->rows * t->columns; i++)
		free(t->cell[i]);
	free(t->cell);
	free(t->tone);
	*t = (struct rtb_table){0};
}

void rtb_table_row(struct rtb_table *t, enum rtb_tone tone)
{
	if (t->rows == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 16;
		t->cell = rtb_realloc(t->cell, t->cap * t->columns * sizeof *t->cell);
		t->tone = rtb_realloc(t->tone, t->cap * sizeof *t->tone);
	}
	memset(t->cell + t->rows * t->columns, 0, t->columns * sizeof *t->cell);
	t->tone[t->rows++] = tone;
	t->next = 0;
}

void rtb_table_add(struct rtb_table *t, const char *text)
{
	t->cell[(t->rows - 1) * t->columns + t->next++] = rtb_strdup(text);
}

void rtb_table_addf(struct rtb_table *t, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	t->cell[(t->rows - 1) * t->columns + t->next++] = text;
}

void rtb_table_take(struct rtb_table *t, struct rtb_buf *text)
{
	rtb_table_add(t, rtb_buf_cstr(text));
	rtb_buf_clear(text);
}

static const char *cell_text(const struct rtb_table *t, size_t row, size_t col)
{
	const char *text = t->cell[row * t->columns + col];
	return text ? text : "";
}

static bool worth_showing(const struct rtb_table *t, size_t col, size_t keys)
{
	for (size_t r = 0; r < t->rows; r++) {
		if (col < keys ? strcmp(cell_text(t, r, col), cell_text(t, 0, col)) != 0 : *cell_text(t, r, col) != '\0')
			return true;
	}
	return false;
}

void rtb_table_squeeze(struct rtb_table *t, struct rtb_column *kept, size_t keys)
{
	bool *keep = rtb_alloc(t->columns * sizeof *keep);
	size_t n = 0, at = 0;
	for (size_t c = 0; c < t->columns; c++) {
		keep[c] = worth_showing(t, c, keys);
		if (keep[c])
			kept[n++] = t->column[c];
	}
	char **cell = rtb_alloc(t->rows * n * sizeof *cell);
	for (size_t i = 0; i < t->rows * t->columns; i++) {
		if (keep[i % t->columns])
			cell[at++] = t->cell[i];
		else
			free(t->cell[i]);
	}
	free(keep);
	free(t->cell);
	t->cell = cell;
	t->column = kept;
	t->columns = n;
	t->cap = t->rows;
}

/* Characters, not bytes: UTF-8 continuation bytes take no room. */
static size_t width_of(const char *s)
{
	size_t n = 0;
	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void pad(struct rtb_buf *out, const char *text, size_t width, bool right, bool last)
{
	size_t blanks = width - width_of(text);
	if (right)
		rtb_buf_fmt(out, "%*s", (int)blanks, "");
	rtb_buf_str(out, text);
	if (!right && !last)
		rtb_buf_fmt(out, "%*s", (int)blanks, "");
	if (!last)
		rtb_buf_str(out, "  ");
	while (last && out->len && out->data[out->len - 1] == ' ')
		out->len--;
	if (last)
		rtb_buf_str(out, "\n");
}

static void write_text(const struct rtb_table *t, bool color, struct rtb_buf *out)
{
	static const char *const tones[] = {[TONE_GOOD] = "\x1b[32m", [TONE_BAD] = "\x1b[31m",
					    [TONE_DOUBT] = "\x1b[33m"};
	size_t *width = rtb_alloc(t->columns * sizeof *width);
	bool units = false;
	for (size_t c = 0; c < t->columns; c++) {
		const char *unit = t->column[c].unit ? t->column[c].unit : "";
		width[c] = width_of(t->column[c].title);
		width[c] = width_of(unit) > width[c] ? width_of(unit) : width[c];
		units = units || *unit;
		for (size_t r = 0; r < t->rows; r++) {
			size_t w = width_of(cell_text(t, r, c));
			width[c] = w > width[c] ? w : width[c];
		}
	}
	for (size_t c = 0; c < t->columns; c++)
		pad(out, t->column[c].title, width[c], t->column[c].number, c + 1 == t->columns);
	for (size_t c = 0; units && c < t->columns; c++)
		pad(out, t->column[c].unit ? t->column[c].unit : "", width[c], t->column[c].number,
		    c + 1 == t->columns);
	for (size_t r = 0; r < t->rows; r++) {
		bool toned = color && t->tone[r] != TONE_PLAIN;
		if (toned)
			rtb_buf_str(out, tones[t->tone[r]]);
		for (size_t c = 0; c < t->columns; c++)
			pad(out, cell_text(t, r, c), width[c], t->column[c].number, c + 1 == t->columns);
		if (toned) {
			out->len--; /* the colour ends before the newline */
			rtb_buf_str(out, "\x1b[0m\n");
		}
	}
	free(width);
}

static void titled(const struct rtb_column *c, struct rtb_buf *text)
{
	rtb_buf_clear(text);
	rtb_buf_str(text, c->title);
	if (c->unit && *c->unit)
		rtb_buf_fmt(text, " [%s]", c->unit);
}

static void write_csv(const struct rtb_table *t, struct rtb_buf *out)
{
	struct rtb_buf head = {0};
	for (size_t c = 0; c < t->columns; c++) {
		titled(&t->column[c], &head);
		rtb_buf_str(out, c ? "," : "");
		rtb_csv_field(out, rtb_buf_cstr(&head));
	}
	rtb_buf_free(&head);
	for (size_t r = 0; r < t->rows; r++)
		for (size_t c = 0; c < t->columns; c++) {
			rtb_buf_str(out, c ? "," : "\r\n");
			rtb_csv_field(out, cell_text(t, r, c));
		}
	rtb_buf_str(out, "\r\n");
}

static void md_cell(struct rtb_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|' || *text == '\\')
			rtb_buf_str(out, "\\");
		rtb_buf_add(out, *text == '\n' ? " " : text, 1);
	}
}

static void write_markdown(const struct rtb_table *t, struct rtb_buf *out)
{
	struct rtb_buf head = {0};
	for (size_t c = 0; c < t->columns; c++) {
		titled(&t->column[c], &head);
		rtb_buf_str(out, "| ");
		md_cell(out, rtb_buf_cstr(&head));
		rtb_buf_str(out, " ");
	}
	rtb_buf_free(&head);
	rtb_buf_str(out, "|\n");
	for (size_t c = 0; c < t->columns; c++)
		rtb_buf_str(out, t->column[c].number ? "|---:" : "|---");
	for (size_t r = 0; r < t->rows; r++)
		for (size_t c = 0; c < t->columns; c++) {
			rtb_buf_str(out, c ? " | " : r ? " |\n| " : "|\n| ");
			md_cell(out, cell_text(t, r, c));
		}
	rtb_buf_str(out, t->rows ? " |\n" : "|\n");
}

static void write_json(const struct rtb_table *t, struct rtb_buf *out)
{
	double v;
	for (size_t r = 0; r < t->rows; r++) {
		rtb_buf_str(out, r ? ",\n  {" : "[\n  {");
		for (size_t c = 0; c < t->columns; c++) {
			const char *text = cell_text(t, r, c);
			rtb_buf_str(out, c ? ", " : "");
			rtb_json_string(out, t->column[c].title);
			rtb_buf_str(out, ": ");
			if (t->column[c].number && !*text)
				rtb_buf_str(out, "null");
			else if (t->column[c].number && rtb_num_parse(text, &v))
				rtb_num_exact(out, v);
			else
				rtb_json_string(out, text);
		}
		rtb_buf_str(out, "}");
	}
	rtb_buf_str(out, t->rows ? "\n]\n" : "[]\n");
}

void rtb_table_write(const struct rtb_table *t, enum rtb_table_format format, bool color,
		     struct rtb_buf *out)
{
	switch (format) {
	case TABLE_TEXT:
		write_text(t, color, out);
		break;
	case TABLE_MARKDOWN:
		write_markdown(t, out);
		break;
	case TABLE_CSV:
		write_csv(t, out);
		break;
	case TABLE_JSON:
		write_json(t, out);
		break;
	}
}
