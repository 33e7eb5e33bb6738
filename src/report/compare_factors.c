/* Which of the five factors differ between two sides. */
#include <stdlib.h>
#include <string.h>

#include "report/compare.h"

/* Facts that follow from another one or are themselves measured: shown, but no factor of their
 * own. The counter's read cost changes with the code around it, the registers hold calibration
 * and status bits beside the settings that clock_set and debugger are read from. */
static bool follows(enum rtb_prov_key k)
{
	return k == PROV_READ_COST || k == PROV_CLOCK_REGS || k == PROV_CC_ELF_FLAGS;
}

/* A flag that says what another fact says already: the level (opt), where files lie, and the
 * bench's own definitions (kernel, instrumented). */
static bool redundant_flag(const char *flag, size_t n)
{
	static const char *const starts[] = {"-O", "-I", "-o", "-DRTB", "-ffile-prefix-map", "-fdebug-prefix-map",
					     "-Wl,-Map", "-T", "-MF", "-MT"};
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (n >= strlen(starts[i]) && strncmp(flag, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

static char *plain_flags(const char *flags)
{
	struct rtb_buf out = {0};
	while (*flags) {
		size_t n = strcspn(flags, " \t\n");
		if (n && !redundant_flag(flags, n)) {
			rtb_buf_str(&out, out.len ? " " : "");
			rtb_buf_add(&out, flags, n);
		}
		flags += n + strspn(flags + n, " \t\n");
	}
	if (!out.data)
		rtb_buf_str(&out, "");
	return out.data;
}

/* The debug registers without DHCSR's status bits (C_DEBUGEN, C_HALT, C_STEP, C_MASKINTS stay). */
static char *settings_of(const char *regs)
{
	char *end;
	unsigned long dhcsr = strtoul(regs, &end, 0);
	return rtb_sprintf("0x%lx%s", dhcsr & 0xf, end);
}

/* A value as it is compared; the caller's. */
static char *compared(enum rtb_prov_key k, const char *value)
{
	switch (k) {
	case PROV_CC_FLAGS:
		return plain_flags(value);
	case PROV_DEBUG_REGS:
		return settings_of(value);
	default:
		return rtb_strdup(value);
	}
}

/* The value that all runs of a cell share; where they differ among themselves, all of them. */
static char *cell_value(const struct rtb_side_run *const *runs, size_t n, enum rtb_prov_key k)
{
	struct rtb_buf all = {0};
	for (size_t i = 0; i < n; i++) {
		bool seen = !runs[i]->fact[k];
		for (size_t j = 0; j < i && !seen; j++)
			seen = runs[j]->fact[k] && strcmp(runs[i]->fact[k], runs[j]->fact[k]) == 0;
		if (seen)
			continue;
		char *v = compared(k, runs[i]->fact[k]);
		rtb_buf_str(&all, all.len ? " / " : "");
		rtb_buf_str(&all, v);
		if (!all.data)
			rtb_buf_str(&all, "");
		free(v);
	}
	return all.data;
}

static bool equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Books a difference; the same one in another pair of cells only counts up. Takes a and b. */
static void book(struct rtb_comparison *c, enum rtb_prov_key k, enum rtb_factor_state state, char *a, char *b)
{
	for (size_t i = 0; i < c->key_count; i++) {
		struct rtb_key_difference *d = &c->keys[i];
		if (d->key == k && d->state == state && equal(d->a, a) && equal(d->b, b)) {
			d->pairs++;
			free(a);
			free(b);
			return;
		}
	}
	c->keys = rtb_realloc(c->keys, (c->key_count + 1) * sizeof *c->keys);
	c->keys[c->key_count++] = (struct rtb_key_difference){k, state, a, b, 1};
}

/* A kernel without a tick (bare metal) has none by nature, not by configuration. */
static bool one_has_no_tick(enum rtb_prov_key k, const char *a, const char *b)
{
	return (k == PROV_TICK_HZ || k == PROV_TICK_SET) && (equal(a, "0") || equal(b, "0"));
}

/* A kernel whose configuration has no switch for it does not stop its tick. */
static bool neither_is_tickless(enum rtb_prov_key k, const char *a, const char *b)
{
	return k == PROV_TICKLESS && (!a || equal(a, "no")) && (!b || equal(b, "no"));
}

/* What differs because the kernels do, and says nothing of how they were set up. */
static bool goes_with_the_kernel(enum rtb_prov_key k, const char *a, const char *b)
{
	return one_has_no_tick(k, a, b) || neither_is_tickless(k, a, b);
}

void rtb_compare_keys(struct rtb_comparison *c, const struct rtb_pair *p)
{
	bool other_kernel = strcmp(p->a[0]->coord[COORD_KERNEL], p->b[0]->coord[COORD_KERNEL]) != 0;
	for (int i = 0; i < PROV_COUNT; i++) {
		enum rtb_prov_key k = (enum rtb_prov_key)i;
		enum rtb_factor f = rtb_prov_info(k)->factor;
		if (f == FACTOR_NOTE || follows(k))
			continue;
		/* every kernel has a configuration header of its own: it goes with the kernel */
		if (other_kernel && !c->config_texts && (k == PROV_CONFIG_TEXT || k == PROV_CONFIG_HASH))
			continue;
		char *a = cell_value(p->a, p->na, k), *b = cell_value(p->b, p->nb, k);
		if (equal(a, b) || (other_kernel && goes_with_the_kernel(k, a, b))) {
			free(a);
			free(b);
		} else {
			book(c, k, a && b ? STATE_DIFFERENT : STATE_MISSING, a, b);
		}
	}
}

static bool known_at_all(const struct rtb_side *s, enum rtb_factor f)
{
	for (size_t i = 0; i < s->count; i++)
		for (int k = 0; k < PROV_COUNT; k++)
			if (rtb_prov_info((enum rtb_prov_key)k)->factor == f && s->runs[i].fact[k])
				return true;
	return false;
}

void rtb_compare_count_factors(struct rtb_comparison *c)
{
	for (size_t i = 0; i < c->key_count; i++) {
		const struct rtb_key_difference *d = &c->keys[i];
		enum rtb_factor_state *state = &c->factor[rtb_prov_info(d->key)->factor];
		/* a difference says more than a gap beside it */
		if (*state != STATE_DIFFERENT)
			*state = d->state;
		if (d->key == PROV_CLOCK_SET && d->state == STATE_DIFFERENT)
			c->clocks_differ = true;
	}
	for (int f = 0; f < FACTOR_IMAGE; f++) {
		if (!known_at_all(c->a, (enum rtb_factor)f) || !known_at_all(c->b, (enum rtb_factor)f))
			c->factor[f] = STATE_MISSING;
		c->different += c->factor[f] == STATE_DIFFERENT;
		c->missing += c->factor[f] == STATE_MISSING;
	}
}

/* " config (opt, tick_hz)" for each factor in that state. */
static void list_factors(const struct rtb_comparison *c, enum rtb_factor_state state, struct rtb_buf *out)
{
	const char *between = " ";
	for (int f = 0; f < FACTOR_IMAGE; f++) {
		if (c->factor[f] != state)
			continue;
		rtb_buf_fmt(out, "%s%s", between, rtb_factor_word((enum rtb_factor)f));
		const char *open = " (";
		enum rtb_prov_key last = PROV_COUNT;
		for (size_t i = 0; i < c->key_count; i++) {
			const struct rtb_key_difference *d = &c->keys[i];
			if ((int)rtb_prov_info(d->key)->factor != f || d->state != state || d->key == last)
				continue;
			rtb_buf_fmt(out, "%s%s", open, rtb_prov_info(d->key)->name);
			open = ", ";
			last = d->key;
		}
		rtb_buf_str(out, open[0] == ',' ? ")" : "");
		between = " and ";
	}
}

void rtb_compare_headline(const struct rtb_comparison *c, struct rtb_buf *out)
{
	if (c->missing) {
		rtb_buf_str(out, "noise, not data: not known on both sides:");
		list_factors(c, STATE_MISSING, out);
	}
	if (c->different == 0 && c->missing == 0)
		rtb_buf_str(out, "repeat: all five factors are equal");
	if (c->different && c->missing)
		rtb_buf_str(out, "; different:");
	else if (c->different == 1)
		rtb_buf_str(out, "experiment on");
	else if (c->different > 1)
		rtb_buf_str(out, "confounded by");
	if (c->different)
		list_factors(c, STATE_DIFFERENT, out);
}

/* A value on one line and not for ever; of a hash the beginning tells as much as the whole. */
static void brief(struct rtb_buf *out, const char *value)
{
	if (!value) {
		rtb_buf_str(out, "not known");
		return;
	}
	if (strlen(value) >= 32 && strspn(value, "0123456789abcdef") == strlen(value)) {
		rtb_buf_fmt(out, "%.12s", value);
		return;
	}
	size_t n = strcspn(value, "\n");
	if (value[n] || n > 100)
		rtb_buf_fmt(out, "%.*s...", (int)(n > 97 ? 97 : n), value);
	else
		rtb_buf_str(out, value);
}

static void factor_lines(const struct rtb_comparison *c, int f, struct rtb_buf *out)
{
	size_t shown = 0;
	for (size_t i = 0; i < c->key_count; i++) {
		const struct rtb_key_difference *d = &c->keys[i];
		const struct rtb_prov_info *p = rtb_prov_info(d->key);
		if ((int)p->factor != f || shown++ >= 8)
			continue;
		rtb_buf_fmt(out, "    %s: ", p->name);
		if (strcmp(p->unit, "text") == 0) {
			rtb_buf_str(out, d->a && d->b ? "texts differ (--config shows the lines)" : "not known on both sides");
		} else {
			brief(out, d->a);
			rtb_buf_str(out, " -> ");
			brief(out, d->b);
		}
		if (c->pairs > 1)
			rtb_buf_fmt(out, "  (%zu of %zu cells)", d->pairs, c->pairs);
		rtb_buf_str(out, "\n");
	}
	if (shown > 8)
		rtb_buf_fmt(out, "    and %zu more\n", shown - 8);
}

/* What a fact is over all runs of a side: its value, "several", or NULL when no run has it. */
static const char *over_side(const struct rtb_side *s, enum rtb_prov_key k)
{
	const char *value = NULL;
	for (size_t i = 0; i < s->count; i++) {
		const char *v = s->runs[i].fact[k];
		if (v && value && strcmp(v, value) != 0)
			return "several";
		value = v ? v : value;
	}
	return value;
}

/* Two boards of one kind are no factor, or nothing measured on a second one could be compared; but
 * they are not the same board, and that is said. */
static void say_boards(const struct rtb_comparison *c, struct rtb_buf *out)
{
	const char *a = over_side(c->a, PROV_BOARD_UID), *b = over_side(c->b, PROV_BOARD_UID);
	if (!a || !b || (strcmp(a, b) == 0 && strcmp(a, "several") != 0))
		return;
	rtb_buf_fmt(out, "   Not one board: A %s, B %s. A difference may be the board's (rtbench run --same-board).\n", a, b);
}

void rtb_compare_factors(const struct rtb_comparison *c, bool color, struct rtb_buf *out)
{
	static const char *const words[] = {"equal", "different", "missing"};
	static const char *const paint[] = {"\x1b[32m", "\x1b[33m", "\x1b[31m"};
	rtb_buf_str(out, "A: ");
	rtb_side_say(c->a, out);
	rtb_buf_str(out, "B: ");
	rtb_side_say(c->b, out);
	rtb_buf_fmt(out, "cells in common: %zu", c->pairs);
	if (c->only_a + c->only_b)
		rtb_buf_fmt(out, "; only in A: %zu, only in B: %zu", c->only_a, c->only_b);
	rtb_buf_str(out, "\n\n");
	for (int f = 0; f <= FACTOR_IMAGE; f++) {
		enum rtb_factor_state s = c->factor[f];
		rtb_buf_fmt(out, "  %-9s %s%s%s\n", rtb_factor_word((enum rtb_factor)f), color ? paint[s] : "", words[s],
			    color ? "\x1b[0m" : "");
		factor_lines(c, f, out);
	}
	rtb_buf_str(out, "\n=> ");
	rtb_compare_headline(c, out);
	rtb_buf_str(out, "\n");
	if (c->clocks_differ)
		rtb_buf_str(out, "   The clocks differ: cycles are compared, times are not.\n");
	say_boards(c, out);
}
