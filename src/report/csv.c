#include "report/csv.h"

#include <stdlib.h>
#include <string.h>

#include "report/number.h"

void rtb_csv_field_n(struct rtb_buf *out, const char *text, size_t n)
{
	bool quote = n && (text[0] == ' ' || text[n - 1] == ' ');
	for (size_t i = 0; i < n && !quote; i++)
		quote = text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n';
	if (!quote) {
		rtb_buf_add(out, text, n);
		return;
	}
	rtb_buf_add(out, "\"", 1);
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '"')
			rtb_buf_add(out, "\"", 1);
		rtb_buf_add(out, text + i, 1);
	}
	rtb_buf_add(out, "\"", 1);
}

void rtb_csv_field(struct rtb_buf *out, const char *text)
{
	if (text)
		rtb_csv_field_n(out, text, strlen(text));
}

void rtb_csv_guarded(struct rtb_buf *out, const char *text)
{
	double v;
	if (!text || !*text || !strchr("=+-@\t\r", *text) || rtb_num_parse(text, &v)) {
		rtb_csv_field(out, text);
		return;
	}
	char *guarded = rtb_sprintf("'%s", text);
	rtb_csv_field(out, guarded);
	free(guarded);
}

void rtb_csv_begin(struct rtb_csv *c, const char *text, size_t n)
{
	*c = (struct rtb_csv){.p = text, .end = text + n, .next_line = 1};
	if (n >= 3 && memcmp(text, RTB_CSV_BOM, 3) == 0)
		c->p += 3;
}

void rtb_csv_free(struct rtb_csv *c)
{
	rtb_buf_free(&c->text);
	free(c->field);
	free(c->at);
}

static void end_field(struct rtb_csv *c, size_t start)
{
	if (c->fields == c->cap) {
		c->cap = c->cap ? c->cap * 2 : 32;
		c->at = rtb_realloc(c->at, c->cap * sizeof *c->at);
		c->field = rtb_realloc(c->field, c->cap * sizeof *c->field);
	}
	c->at[c->fields++] = start;
	rtb_buf_add(&c->text, "", 1);
}

/* From after the opening quote to after the closing one. */
static bool quoted(struct rtb_csv *c, struct rtb_error *e)
{
	for (; c->p < c->end; c->p++) {
		if (*c->p == '"' && (c->p + 1 == c->end || c->p[1] != '"')) {
			c->p++;
			if (c->p < c->end && !strchr(",\r\n", *c->p)) {
				rtb_fail(e, RTB_CONFIG, "line %u: text after a closing quote", c->next_line);
				return false;
			}
			return true;
		}
		if (*c->p == '"')
			c->p++;
		if (*c->p == '\n')
			c->next_line++;
		rtb_buf_add(&c->text, c->p, 1);
	}
	rtb_fail(e, RTB_CONFIG, "line %u: a quote is never closed", c->line);
	return false;
}

bool rtb_csv_next(struct rtb_csv *c, struct rtb_error *e)
{
	while (c->p < c->end && (*c->p == '\r' || *c->p == '\n'))
		c->next_line += *c->p++ == '\n';
	if (c->p == c->end)
		return false;
	c->line = c->next_line;
	c->fields = 0;
	rtb_buf_clear(&c->text);
	for (bool more = true; more;) {
		size_t start = c->text.len;
		if (c->p < c->end && *c->p == '"') {
			c->p++;
			if (!quoted(c, e))
				return false;
		} else {
			const char *from = c->p;
			while (c->p < c->end && *c->p != ',' && *c->p != '\n' &&
			       !(*c->p == '\r' && (c->p + 1 == c->end || c->p[1] == '\n')))
				c->p++;
			rtb_buf_add(&c->text, from, (size_t)(c->p - from));
		}
		end_field(c, start);
		more = c->p < c->end && *c->p == ',';
		c->p += more;
	}
	for (size_t i = 0; i < c->fields; i++)
		c->field[i] = c->text.data + c->at[i];
	return true;
}
