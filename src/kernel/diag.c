/* diag.c - the forms are those of GCC and GNU binutils:
 *   a/b.c:12:10: fatal error: x.h: No such file or directory
 *   a/b.c:12:10: error: ...            a/b.s:7: Error: ...
 *   ld: a/b.c.o: in function `f':      ld: a/b.c:3: undefined reference to `g'
 *   ld: b.o:b.c:3: multiple definition of `v'; a.o:a.c:1: first defined here
 */
#include "kernel/diag.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static const char *find(const char *line, size_t n, const char *what)
{
	return memmem(line, n, what, strlen(what));
}

static void add(struct rtb_diags *d, enum rtb_diag_kind kind, const char *name, size_t n,
		const char *where, size_t where_n)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].kind == kind && strlen(d->v[i].name) == n && memcmp(d->v[i].name, name, n) == 0)
			return;
	d->v = rtb_realloc(d->v, (d->n + 1) * sizeof *d->v);
	d->v[d->n++] = (struct rtb_diag){
		.kind = kind,
		.name = rtb_sprintf("%.*s", (int)n, name),
		.where = rtb_sprintf("%.*s", (int)where_n, where),
	};
}

/* Length of the path before ":12:10: " or ":7: ". */
static size_t path_length(const char *line, size_t n)
{
	for (size_t i = 1; i + 1 < n; i++)
		if (line[i] == ':' && line[i + 1] >= '0' && line[i + 1] <= '9')
			return i;
	return 0;
}

static bool missing_header(struct rtb_diags *d, const char *line, size_t n)
{
	static const char mark[] = ": fatal error: ", tail[] = ": No such file or directory";
	const char *p = find(line, n, mark);
	if (!p)
		return false;
	p += strlen(mark);
	size_t left = n - (size_t)(p - line);
	const char *stop = find(p, left, tail);
	/* the compiler itself says the same of a source it was told to compile */
	size_t where = path_length(line, n);
	if (!stop || where == 0)
		return false;
	add(d, RTB_DIAG_HEADER, p, (size_t)(stop - p), line, where);
	return true;
}

static bool symbol(struct rtb_diags *d, enum rtb_diag_kind kind, const char *mark, const char *line, size_t n)
{
	const char *p = find(line, n, mark);
	if (!p)
		return false;
	const char *name = p + strlen(mark);
	size_t left = n - (size_t)(name - line), len = 0;
	while (len < left && name[len] != '\'')
		len++;
	const char *where = find(line, n, "ld: ");
	where = where && where < p ? where + 4 : line;
	size_t where_n = (size_t)(p - where);
	while (where_n && strchr(": ", where[where_n - 1]))
		where_n--;
	add(d, kind, name, len, where, where_n);
	return true;
}

static bool other_error(struct rtb_diags *d, const char *line, size_t n)
{
	static const char *const marks[] = {
		": error: ", ": fatal error: ", ": Error: ", "No rule to make target", "overflowed by",
		"will not fit in region", "ld: error", "cannot find ", "ld: warning: ",
	};
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (find(line, n, marks[i])) {
			add(d, RTB_DIAG_ERROR, line, n, line, path_length(line, n));
			return true;
		}
	return false;
}

void rtb_diag_parse(const char *text, struct rtb_diags *out)
{
	*out = (struct rtb_diags){0};
	for (const char *line = text; line && *line;) {
		size_t n = strcspn(line, "\r\n");
		if (!missing_header(out, line, n) &&
		    !symbol(out, RTB_DIAG_UNDEFINED, "undefined reference to `", line, n) &&
		    !symbol(out, RTB_DIAG_MULTIPLE, "multiple definition of `", line, n))
			other_error(out, line, n);
		line += n + strspn(line + n, "\r\n");
	}
}

void rtb_diags_free(struct rtb_diags *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->v[i].name);
		free(d->v[i].where);
	}
	free(d->v);
	*d = (struct rtb_diags){0};
}

size_t rtb_diags_count(const struct rtb_diags *d, enum rtb_diag_kind kind)
{
	size_t n = 0;
	for (size_t i = 0; i < d->n; i++)
		n += d->v[i].kind == kind;
	return n;
}

const struct rtb_diag *rtb_diags_first(const struct rtb_diags *d, enum rtb_diag_kind kind)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].kind == kind)
			return &d->v[i];
	return NULL;
}
