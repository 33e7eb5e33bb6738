#include "build/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "build/thumb.h"

#define PREFIX "rtb_measured_"
#define REGS 16
#define MAX_SIZE 8192 /* bytes; a measured function has some 60 */
#define CALL_CHANGES 0x500fu /* r0-r3, r12, lr: AAPCS 6.1.1 */

/* ARMv7-M manual: DWT_CYCCNT C1.8.8, SYST_CVR B3.3.5, system control space B3.1. */
#define CYCCNT   0xE0001004u
#define SYST_CVR 0xE000E018u
#define SCS_BASE 0xE000E000u
#define SCS_SIZE 0x1000u

/* What is known of the registers before an instruction. */
struct known {
	uint32_t value[REGS];
	uint16_t have;
};

struct spot {                /* one half-word of the function */
	bool reached, conditional;
	struct rtb_thumb t;
	struct known before;
	bool read, work;
};

struct function {
	const struct rtb_image *image;
	const uint8_t *data;
	size_t n;
	uint32_t addr, size;
	size_t count;        /* of half-words */
	struct spot *spot;
	size_t *todo, todo_n;
};

static bool bytes_at(const struct function *f, uint32_t addr, void *out, uint32_t bytes)
{
	for (size_t i = 0; i < f->image->segment_count; i++) {
		const struct rtb_segment *s = &f->image->segment[i];
		if (addr < s->run || addr - s->run > s->file_bytes || s->file_bytes - (addr - s->run) < bytes)
			continue;
		size_t at = s->offset + (addr - s->run);
		if (at > f->n || f->n - at < bytes)
			return false;
		memcpy(out, f->data + at, bytes);
		return true;
	}
	return false;
}

static uint16_t half_at(const struct function *f, uint32_t addr)
{
	uint8_t b[2] = {0};
	return bytes_at(f, addr, b, 2) ? (uint16_t)(b[0] | b[1] << 8) : 0;
}

static bool word_at(const struct function *f, uint32_t addr, uint32_t *out)
{
	uint8_t b[4];
	if (!bytes_at(f, addr, b, 4))
		return false;
	*out = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	return true;
}

static bool inside(const struct function *f, uint32_t addr)
{
	return addr - f->addr < f->size;
}

/* Registers after an instruction. */
static struct known after(const struct function *f, const struct spot *s)
{
	struct known k = s->before;
	const struct rtb_thumb *t = &s->t;
	uint32_t old = k.value[t->rd], value = 0;
	bool have_rn = k.have >> t->rn & 1, have = false;
	switch (t->op) {
	case THUMB_CONST: value = t->imm; have = true; break;
	case THUMB_COPY: value = k.value[t->rn]; have = have_rn; break;
	case THUMB_ADD: value = k.value[t->rn] + t->imm; have = have_rn; break;
	case THUMB_TOP: value = (old & 0xffff) | t->imm << 16; have = have_rn; break;
	case THUMB_LITERAL: have = word_at(f, t->imm, &value); break;
	default: break;
	}
	k.have &= (uint16_t)~(t->writes | (t->flow == THUMB_CALL ? CALL_CHANGES : 0));
	/* A conditional move leaves one of two values. */
	if (have && !s->conditional) {
		k.value[t->rd] = value;
		k.have |= (uint16_t)(1u << t->rd);
	}
	return k;
}

/* Ways meet: what they do not agree about is no longer known. */
static void arrive(struct function *f, uint32_t addr, const struct known *k)
{
	if (!inside(f, addr))
		return;
	size_t i = (addr - f->addr) / 2;
	struct spot *s = &f->spot[i];
	uint16_t had = s->before.have;
	if (!s->reached) {
		s->before = *k;
	} else {
		for (unsigned r = 0; r < REGS; r++)
			if (!(k->have >> r & 1) || k->value[r] != s->before.value[r])
				s->before.have &= (uint16_t)~(1u << r);
		if (s->before.have == had)
			return;
	}
	s->reached = true;
	f->todo[f->todo_n++] = i;
}

/* Conditional instructions of an IT block may be passed over, and so may a return among them. */
static void mark_block(struct function *f, uint32_t addr, unsigned count)
{
	while (count-- > 0 && inside(f, addr)) {
		f->spot[(addr - f->addr) / 2].conditional = true;
		addr += rtb_thumb_is_long(half_at(f, addr)) ? 4 : 2;
	}
}

static void step(struct function *f, size_t i)
{
	struct spot *s = &f->spot[i];
	uint32_t addr = f->addr + (uint32_t)i * 2;
	rtb_thumb_decode(addr, half_at(f, addr), half_at(f, addr + 2), &s->t);
	if (s->t.op == THUMB_IT)
		mark_block(f, addr + s->t.bytes, s->t.imm);
	struct known k = after(f, s);
	bool goes_on = s->t.flow != THUMB_JUMP && s->t.flow != THUMB_LEAVE;
	if (goes_on || s->conditional)
		arrive(f, addr + s->t.bytes, &k);
	if (s->t.flow == THUMB_JUMP || s->t.flow == THUMB_FORK)
		arrive(f, s->t.target, &k);
}

/* Every arrival either is the first or loses a register, so the list is bounded. */
static void walk(struct function *f)
{
	f->count = f->size / 2;
	f->spot = rtb_alloc((f->count + 1) * sizeof *f->spot);
	f->todo = rtb_alloc((f->count + 1) * (REGS + 1) * sizeof *f->todo);
	struct known nothing = {.have = 0};
	arrive(f, f->addr, &nothing);
	while (f->todo_n > 0)
		step(f, f->todo[--f->todo_n]);
	free(f->todo);
	f->todo = NULL;
}

static const char *symbol_at(const struct rtb_image *i, uint32_t addr)
{
	for (size_t k = 0; k < i->symbol_count; k++)
		if (i->symbol[k].function && i->symbol[k].addr == addr)
			return i->symbol[k].name;
	return NULL;
}

/* The bench's own, which no kernel is made of. */
static bool is_bench(const char *name)
{
	static const char *const prefix[] = {"rtb_sample", "rtb_check", "rtb_series_", "rtb_case_", "board_", "report_",
					     "frame_", "stat_", "elapsed_", "stack_", "cycles_"};
	for (size_t i = 0; name && i < sizeof prefix / sizeof *prefix; i++)
		if (strncmp(name, prefix[i], strlen(prefix[i])) == 0)
			return true;
	return false;
}

/* What an instruction does that a kernel might be called by, or NULL. Free it. */
static char *work_of(const struct function *f, const struct spot *s)
{
	const struct rtb_thumb *t = &s->t;
	if (t->op == THUMB_SVC)
		return rtb_strdup("svc");
	if (t->op == THUMB_MASK)
		return rtb_strdup("mask");
	if (t->op == THUMB_STORE && s->before.have >> t->rn & 1) {
		uint32_t at = s->before.value[t->rn] + t->imm;
		return at - SCS_BASE < SCS_SIZE ? rtb_sprintf("[0x%08x]", at) : NULL;
	}
	bool out = t->flow == THUMB_JUMP && !inside(f, t->target);
	if (t->flow != THUMB_CALL && !out)
		return NULL;
	const char *name = t->target ? symbol_at(f->image, t->target) : NULL;
	if (is_bench(name))
		return NULL;
	return name ? rtb_strdup(name) : t->target ? rtb_sprintf("0x%08x", t->target) : rtb_strdup("(register)");
}

static bool is_read(const struct spot *s)
{
	if (s->t.op != THUMB_LOAD || !(s->before.have >> s->t.rn & 1))
		return false;
	uint32_t at = s->before.value[s->t.rn] + s->t.imm;
	return at == CYCCNT || at == SYST_CVR;
}

/* Marks in seen[] every half-word that may run after spot i. */
static void mark_after(const struct function *f, size_t i, bool *seen)
{
	const struct rtb_thumb *t = &f->spot[i].t;
	uint32_t addr = f->addr + (uint32_t)i * 2, next[2];
	unsigned n = 0;
	if ((t->flow != THUMB_JUMP && t->flow != THUMB_LEAVE) || f->spot[i].conditional)
		next[n++] = addr + t->bytes;
	if (t->flow == THUMB_JUMP || t->flow == THUMB_FORK)
		next[n++] = t->target;
	while (n-- > 0) {
		size_t k = (next[n] - f->addr) / 2;
		if (!inside(f, next[n]) || seen[k])
			continue;
		seen[k] = true;
		mark_after(f, k, seen);
	}
}

enum wanted { BETWEEN, AFTER, BEFORE, NOTHING };

/* Puts the work that lies where it is wanted into calls; false when there is none. */
static bool find_work(const struct function *f, enum wanted wanted, struct rtb_buf *calls)
{
	bool *behind = rtb_alloc((f->count + 1) * sizeof *behind); /* a read */
	bool *ahead = rtb_alloc((f->count + 1) * sizeof *ahead);
	for (size_t i = 0; i < f->count; i++)
		if (f->spot[i].reached && is_read(&f->spot[i]))
			mark_after(f, i, behind);
	for (size_t i = 0; i < f->count; i++) {
		if (!f->spot[i].reached)
			continue;
		bool read_follows = false;
		memset(ahead, 0, f->count * sizeof *ahead);
		mark_after(f, i, ahead);
		for (size_t k = 0; k < f->count; k++)
			read_follows |= ahead[k] && f->spot[k].reached && is_read(&f->spot[k]);
		bool here = wanted == AFTER ? behind[i] : wanted == BEFORE ? read_follows : behind[i] && read_follows;
		char *what = here ? work_of(f, &f->spot[i]) : NULL;
		if (what)
			rtb_buf_fmt(calls, "%s%s", calls->len ? " " : "", what);
		free(what);
	}
	free(behind);
	free(ahead);
	return calls->len > 0;
}

static unsigned count_reads(const struct function *f)
{
	unsigned n = 0;
	for (size_t i = 0; i < f->count; i++)
		n += f->spot[i].reached && is_read(&f->spot[i]);
	return n;
}

static const struct rtb_symbol *find(const struct rtb_image *i, const char *name)
{
	for (size_t k = 0; k < i->symbol_count; k++)
		if (i->symbol[k].function && strcmp(i->symbol[k].name, name) == 0)
			return &i->symbol[k];
	return NULL;
}

static bool has_end(const struct rtb_image *i, const char *symbol)
{
	char *end = rtb_sprintf("%s_end", symbol);
	bool found = find(i, end) != NULL;
	free(end);
	return found;
}

static bool is_asked(const char *name)
{
	static const char *const empty[] = {
#define X(...)
#define EMPTY(function) #function,
#include "rtbench/cases.def"
#undef X
	};
	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
		if (strcmp(name, empty[i]) == 0)
			return false;
	return true;
}

static void judge(struct function *f, const char *symbol, struct rtb_measured *m)
{
	static const char *const where[] = {"between the reads", "after the read", "before the read"};
	struct rtb_buf calls = {0};
	if (f->size > MAX_SIZE) {
		m->calls = rtb_strdup("");
		m->fault = rtb_strdup("too large to be followed");
		return;
	}
	walk(f);
	unsigned reads = count_reads(f);
	bool start = has_end(f->image, symbol);
	enum wanted wanted = reads > 1 ? BETWEEN : start ? AFTER : BEFORE;
	if (!is_asked(m->name))
		;
	else if (reads == 0)
		m->fault = rtb_strdup("no read of the counter");
	else if (!find_work(f, wanted, &calls))
		m->fault = rtb_sprintf("nothing is called %s", where[wanted]);
	m->calls = rtb_strdup(rtb_buf_cstr(&calls));
	rtb_buf_free(&calls);
	free(f->spot);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct rtb_measured *)a)->name, ((const struct rtb_measured *)b)->name);
}

void rtb_measured_find(const struct rtb_image *image, const void *data, size_t n,
		       struct rtb_measured_list *out)
{
	*out = (struct rtb_measured_list){0};
	out->v = rtb_alloc((image->symbol_count + 1) * sizeof *out->v);
	for (size_t i = 0; i < image->symbol_count; i++) {
		const struct rtb_symbol *s = &image->symbol[i];
		if (!s->function || strncmp(s->name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		struct rtb_measured *m = &out->v[out->n++];
		*m = (struct rtb_measured){.name = rtb_strdup(s->name + strlen(PREFIX)), .addr = s->addr, .size = s->size,
					   .align = 16};
		while (s->addr % m->align)
			m->align /= 2;
		struct function f = {.image = image, .data = data, .n = n, .addr = s->addr, .size = s->size};
		judge(&f, s->name, m);
	}
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_name);
}

void rtb_measured_free(struct rtb_measured_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].name);
		free(l->v[i].calls);
		free(l->v[i].fault);
	}
	free(l->v);
	*l = (struct rtb_measured_list){0};
}
