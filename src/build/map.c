#include "build/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* One input section as the map lists it. */
struct piece {
	char section[128]; /* ".text.main" */
	const char *object;/* into the line, object_len bytes */
	size_t object_len;
	uint32_t addr, size;
};

typedef void piece_fn(void *ctx, const struct piece *p);

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static const char *word_end(const char *p, const char *end)
{
	while (p < end && *p != ' ' && *p != '\t')
		p++;
	return p;
}

/* "0x..." of at most 16 digits; false when there is none at p. */
static bool read_hex(const char **p, const char *end, uint64_t *out)
{
	const char *s = skip_blanks(*p, end), *w = word_end(s, end);
	if (w - s < 3 || w - s > 18 || s[0] != '0' || s[1] != 'x')
		return false;
	char text[20] = {0};
	memcpy(text, s, (size_t)(w - s));
	char *stop;
	*out = strtoull(text, &stop, 16);
	*p = w;
	return *stop == '\0';
}

/* The part of a line after the section's name: address, size, object. */
static bool read_place(const char *p, const char *end, struct piece *out)
{
	uint64_t addr, size;
	if (!read_hex(&p, end, &addr) || !read_hex(&p, end, &size))
		return false;
	p = skip_blanks(p, end);
	if (p >= end || addr > UINT32_MAX || size > UINT32_MAX)
		return false;
	out->addr = (uint32_t)addr;
	out->size = (uint32_t)size;
	out->object = p;
	out->object_len = (size_t)(end - p);
	return true;
}

struct walker {
	piece_fn *fn;
	void *ctx;
	char pending[sizeof ((struct piece *)0)->section]; /* a name whose place is on the next line */
};

static void walk_line(struct walker *w, const char *p, const char *eol)
{
	struct piece piece = {0};
	bool named = eol - p > 1 && p[0] == ' ' && p[1] != ' ' && p[1] != '*';
	if (named) {
		const char *name = p + 1;
		p = word_end(name, eol);
		size_t len = (size_t)(p - name);
		memcpy(piece.section, name, len < sizeof piece.section ? len : sizeof piece.section - 1);
	} else {
		memcpy(piece.section, w->pending, sizeof piece.section);
	}
	w->pending[0] = '\0';
	if (piece.section[0] && read_place(p, eol, &piece))
		w->fn(w->ctx, &piece);
	else if (named && skip_blanks(p, eol) == eol)
		memcpy(w->pending, piece.section, sizeof w->pending);
}

/* Hands every input section to fn; false when text is no map. */
static bool walk(const char *text, size_t n, piece_fn *fn, void *ctx)
{
	static const char head[] = "Linker script and memory map";
	const char *end = text + n, *p = n ? memmem(text, n, head, sizeof head - 1) : NULL;
	if (!p)
		return false;
	struct walker w = {.fn = fn, .ctx = ctx};
	for (p += sizeof head - 1; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		walk_line(&w, p, eol);
		p = eol + 1;
	}
	return true;
}

struct attribution {
	const struct rtb_image *image;
	const struct rtb_memory *m;
	size_t memories;
	const struct rtb_part_rule *rules;
	size_t rule_count;
	struct rtb_parts *out;
};

static struct rtb_part *part(struct rtb_parts *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->v[i].name, name) == 0)
			return &p->v[i];
	p->v = rtb_realloc(p->v, (p->n + 1) * sizeof *p->v);
	p->v[p->n] = (struct rtb_part){.name = rtb_strdup(name)};
	return &p->v[p->n++];
}

static const struct rtb_section_info *section_at(const struct rtb_image *i, uint32_t addr, uint32_t size)
{
	for (size_t k = 0; k < i->section_count; k++) {
		const struct rtb_section_info *s = &i->section[k];
		if (addr >= s->addr && (uint64_t)addr + size <= (uint64_t)s->addr + s->size)
			return s;
	}
	return NULL;
}

static bool is_ram(const struct attribution *a, uint32_t addr)
{
	for (size_t i = 0; i < a->memories; i++)
		if (!a->m[i].flash && addr >= a->m[i].base && addr - a->m[i].base < a->m[i].size)
			return true;
	return false;
}

static void attribute(void *ctx, const struct piece *p)
{
	struct attribution *a = ctx;
	char *object = rtb_sprintf("%.*s", (int)p->object_len, p->object);
	if (strstr(object, ".ltrans"))
		a->out->lto = true;
	const struct rtb_section_info *s = p->size ? section_at(a->image, p->addr, p->size) : NULL;
	for (size_t i = 0; s && i < a->rule_count; i++) {
		if (!strstr(object, a->rules[i].contains) && strcmp(p->section, a->rules[i].contains) != 0)
			continue;
		struct rtb_part *t = part(a->out, a->rules[i].part);
		t->flash += s->loaded ? p->size : 0;
		t->ram += is_ram(a, p->addr) ? p->size : 0;
		break;
	}
	free(object);
}

static bool is_stack(const char *name)
{
	return strstr(name, "stack") || strstr(name, "arena") || strstr(name, "heap");
}

static void add_rest(struct attribution *a)
{
	struct rtb_parts *p = a->out;
	if (p->lto) {
		rtb_parts_free(p);
		p->lto = true;
	}
	for (size_t i = 0; !p->lto && i < a->image->section_count; i++) {
		const struct rtb_section_info *s = &a->image->section[i];
		if (!s->loaded && is_ram(a, s->addr) && is_stack(s->name))
			part(p, "stacks")->ram += s->size;
	}
	uint32_t flash = 0, ram = 0;
	for (size_t i = 0; i < p->n; i++) {
		flash += p->v[i].flash;
		ram += p->v[i].ram;
	}
	struct rtb_part *rest = part(p, "unattributed");
	rest->flash = a->image->flash_bytes - flash;
	rest->ram = a->image->ram_bytes - ram;
}

enum rtb_status rtb_map_parts(const char *text, size_t n, const char *name, const struct rtb_image *image,
			      const struct rtb_memory *m, size_t memories,
			      const struct rtb_part_rule *rules, size_t rule_count,
			      struct rtb_parts *out, struct rtb_error *e)
{
	*out = (struct rtb_parts){0};
	struct attribution a = {image, m, memories, rules, rule_count, out};
	for (size_t i = 0; i < rule_count; i++)
		part(out, rules[i].part);
	if (!walk(text, n, attribute, &a)) {
		rtb_parts_free(out);
		return rtb_fail(e, RTB_IMAGE, "%s: not a linker map", name);
	}
	add_rest(&a);
	return RTB_OK;
}

void rtb_parts_free(struct rtb_parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].name);
	free(p->v);
	*p = (struct rtb_parts){0};
}

struct largest {
	struct { char name[128]; uint32_t size; } top[16];
	size_t n, want;
	bool flash, ram;
};

static bool starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* By name: the addresses of a link that failed may lie beyond the memory. */
static bool counts(const struct largest *l, const char *section)
{
	bool both = starts(section, ".data"), flash = starts(section, ".text") || starts(section, ".rodata");
	bool ram = starts(section, ".bss") || starts(section, ".noinit") || starts(section, "COMMON");
	return (l->flash && (flash || both)) || (l->ram && (ram || both));
}

static void keep_largest(void *ctx, const struct piece *p)
{
	struct largest *l = ctx;
	if (p->size == 0 || p->addr == 0 || !counts(l, p->section))
		return;
	size_t i = l->n;
	while (i > 0 && l->top[i - 1].size < p->size)
		i--;
	if (i >= l->want)
		return;
	l->n += l->n < l->want;
	memmove(&l->top[i + 1], &l->top[i], (l->n - i - 1) * sizeof l->top[0]);
	memcpy(l->top[i].name, p->section, sizeof p->section);
	l->top[i].size = p->size;
}

char *rtb_map_largest(const char *text, size_t n, bool flash, bool ram, size_t count)
{
	struct largest l = {.want = count < 16 ? count : 16, .flash = flash, .ram = ram};
	walk(text, n, keep_largest, &l);
	struct rtb_buf b = {0};
	for (size_t i = 0; i < l.n; i++) {
		/* With one section per function, ".text.main" is main. */
		const char *dot = l.top[i].name[0] ? strchr(l.top[i].name + 1, '.') : NULL;
		rtb_buf_fmt(&b, "%s%s %u B", i ? ", " : "", dot ? dot + 1 : l.top[i].name, l.top[i].size);
	}
	return b.data ? b.data : rtb_strdup("none known");
}
