/* scan.c */
#include "kernel/scan.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define CALLS_MAX 16 /* identifiers before '(' remembered in one declaration */
#define IFS_MAX   64 /* nesting of #if followed */

struct word {
	const char *p;
	size_t n;
};

struct reader {
	const char *p, *end, *start;
	rtb_scan_name *found;
	void *ctx;
	int braces, parens, brackets;
	int ifs[IFS_MAX]; /* brace depth at each #if */
	int if_depth;
	/* of the declaration being read */
	struct word calls[CALLS_MAX], last;
	size_t call_count;
	bool no_object, valued, linkage, body, attribute;
};

static bool is_word(int c)
{
	return isalnum(c) || c == '_' || c == '$';
}

static bool is(struct word w, const char *text)
{
	return w.n == strlen(text) && memcmp(w.p, text, w.n) == 0;
}

static bool at(const struct reader *r, const char *text)
{
	size_t n = strlen(text);
	return (size_t)(r->end - r->p) >= n && memcmp(r->p, text, n) == 0;
}

static void skip_line(struct reader *r)
{
	for (; r->p < r->end && *r->p != '\n'; r->p++)
		if (*r->p == '\\' && r->p + 1 < r->end)
			r->p += 1 + (r->p[1] == '\r' && r->p + 2 < r->end);
}

static void skip_comment(struct reader *r)
{
	const char *close = memmem(r->p + 2, (size_t)(r->end - r->p - 2), "*/", 2);
	r->p = close ? close + 2 : r->end;
}

static void skip_quoted(struct reader *r)
{
	char quote = *r->p++;
	while (r->p < r->end && *r->p != quote && *r->p != '\n')
		r->p += *r->p == '\\' && r->p + 1 < r->end ? 2 : 1;
	r->p += r->p < r->end;
}

/* Each branch of an #if begins at the brace depth of the #if: two function heads with one
 * body are common. */
static void directive(struct reader *r)
{
	const char *p = r->p + 1;
	while (p < r->end && (*p == ' ' || *p == '\t'))
		p++;
	size_t left = (size_t)(r->end - p);
	if (left > 2 && memcmp(p, "if", 2) == 0) {
		if (r->if_depth < IFS_MAX)
			r->ifs[r->if_depth] = r->braces;
		r->if_depth++;
	} else if (left > 2 && memcmp(p, "el", 2) == 0) {
		if (r->if_depth > 0 && r->if_depth <= IFS_MAX)
			r->braces = r->ifs[r->if_depth - 1];
	} else if (left > 4 && memcmp(p, "endif", 5) == 0) {
		r->if_depth -= r->if_depth > 0;
	}
	skip_line(r);
}

static void begin(struct reader *r)
{
	r->parens = r->brackets = 0;
	r->call_count = 0;
	r->last = (struct word){0};
	r->no_object = r->valued = r->linkage = r->body = false;
}

static void object(struct reader *r)
{
	if (!r->no_object && !r->call_count && r->last.n)
		r->found(r->ctx, r->last.p, r->last.n);
}

static void open_brace(struct reader *r)
{
	if (r->braces == 0 && r->linkage && !r->call_count) {
		begin(r); /* extern "C" { */
		return;
	}
	if (r->braces == 0 && !r->valued && r->call_count) {
		for (size_t i = 0; i < r->call_count; i++)
			r->found(r->ctx, r->calls[i].p, r->calls[i].n);
		r->call_count = 0;
		r->body = true;
	}
	r->last = (struct word){0};
	r->braces++;
}

static void close_brace(struct reader *r)
{
	bool first_column = r->p == r->start || r->p[-1] == '\n';
	if (r->braces > 0)
		r->braces--;
	if (first_column)
		r->braces = 0;
	/* the name behind a struct's closing brace still belongs to this declaration */
	if (r->braces == 0 && r->body)
		begin(r);
}

static bool is_attribute(struct word w)
{
	return is(w, "__attribute__") || is(w, "__attribute") || is(w, "__declspec") || is(w, "__asm") ||
	       is(w, "__asm__") || is(w, "_Alignas");
}

static void identifier(struct reader *r)
{
	struct word w = {.p = r->p};
	while (r->p < r->end && is_word((unsigned char)*r->p))
		r->p++;
	w.n = (size_t)(r->p - w.p);
	if (r->braces || r->parens || r->brackets)
		return;
	r->attribute = is_attribute(w);
	if (is(w, "extern"))
		r->linkage = r->no_object = true;
	else if (is(w, "typedef"))
		r->no_object = true;
	else if (!r->valued && !r->attribute)
		r->last = w;
}

static void open_paren(struct reader *r)
{
	struct word w = r->last;
	if (r->parens++ || r->braces || r->valued || r->attribute || !w.n)
		return;
	if (r->call_count < CALLS_MAX)
		r->calls[r->call_count++] = w;
}

static void punctuation(struct reader *r)
{
	char c = *r->p;
	if (c == '{')
		open_brace(r);
	else if (c == '}')
		close_brace(r);
	else if (r->braces)
		;
	else if (c == '(')
		open_paren(r);
	else if (c == ')')
		r->parens -= r->parens > 0;
	else if (r->parens)
		;
	else if (c == ';') {
		if (!r->valued)
			object(r);
		begin(r);
	} else if (c == ',' || c == '=' || c == '[') {
		if (!r->valued)
			object(r);
		r->valued = c == '=';
		r->brackets += c == '[';
		r->last = (struct word){0};
	} else if (c == ']') {
		r->brackets -= r->brackets > 0;
	}
	r->p++;
}

void rtb_scan_c(const char *text, size_t n, rtb_scan_name *found, void *ctx)
{
	struct reader r = {.p = text, .start = text, .end = text + n, .found = found, .ctx = ctx};
	bool line_start = true;
	begin(&r);
	while (r.p < r.end) {
		unsigned char c = (unsigned char)*r.p;
		if (at(&r, "/*"))
			skip_comment(&r);
		else if (at(&r, "//"))
			skip_line(&r);
		else if (c == '#' && line_start)
			directive(&r);
		else if (c == '"' || c == '\'')
			skip_quoted(&r);
		else if (c == '\n' || isspace(c))
			r.p++;
		else if (is_word(c))
			identifier(&r);
		else
			punctuation(&r);
		line_start = c == '\n' || (line_start && isspace(c));
	}
}

static struct word next_word(const char **p, const char *end)
{
	while (*p < end && (**p == ' ' || **p == '\t' || **p == ','))
		++*p;
	struct word w = {.p = *p};
	while (*p < end && (is_word((unsigned char)**p) || **p == '.'))
		++*p;
	w.n = (size_t)(*p - w.p);
	return w;
}

static bool exports(struct word w)
{
	static const char *const words[] = {".global", ".globl", "EXPORT", "PUBLIC", ".def"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (w.n == strlen(words[i]) && strncasecmp(w.p, words[i], w.n) == 0)
			return true;
	return false;
}

void rtb_scan_asm(const char *text, size_t n, rtb_scan_name *found, void *ctx)
{
	const char *p = text, *end = text + n;
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;
		struct word w = next_word(&p, stop);
		if (w.n && p < stop && *p == ':') {
			found(ctx, w.p, w.n);
		} else if (exports(w)) {
			while ((w = next_word(&p, stop)).n)
				found(ctx, w.p, w.n);
		}
		p = stop + 1;
	}
}
