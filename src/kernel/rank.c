/* rank.c */
#include "kernel/rank.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define WORD_MAX  32 /* longer words name nothing in the table */
#define WORDS_MAX 16 /* of one component; the rest is not looked at */
#define JOIN_MAX  3  /* "cortex" "m" "3" */

static const struct {
	unsigned class;
	const char *patterns;
} table[] = {
#define X(class, patterns) {RTB_PATH_##class, patterns},
#include "kernel/words.def"
#undef X
};

static const struct {
	unsigned class;
	int penalty;
	const char *words;
} meaning[] = {
	{RTB_PATH_CORE, -20, "names this core"},
	{RTB_PATH_FAMILY, -5, "names this core's family"},
	{RTB_PATH_COMPILER, -10, "names this compiler"},
	{RTB_PATH_FOREIGN, 1000, "names another core"},
	{RTB_PATH_ALIEN, 300, "names another compiler"},
	{RTB_PATH_ASIDE, 100, "lies among tests, examples or templates"},
	{RTB_PATH_VARIANT, 30, "names a variant"},
};

static bool any_matches(const char *patterns, const char *word)
{
	char one[WORD_MAX];
	for (const char *p = patterns; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");
		snprintf(one, sizeof one, "%.*s", (int)n, p);
		if (fnmatch(one, word, 0) == 0)
			return true;
		p += n;
	}
	return false;
}

static unsigned classes_of_word(const char *word)
{
	unsigned found = 0;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (!(found & table[i].class) && any_matches(table[i].patterns, word))
			found |= table[i].class;
	/* the general pattern beside the particular one: cm[0-9]* matches cm3 too */
	if (found & RTB_PATH_CORE)
		found &= ~(unsigned)(RTB_PATH_FAMILY | RTB_PATH_FOREIGN);
	if (found & RTB_PATH_FAMILY)
		found &= ~(unsigned)RTB_PATH_FOREIGN;
	return found;
}

static size_t split(const char *s, size_t n, char words[WORDS_MAX][WORD_MAX])
{
	size_t count = 0, at = 0;
	while (at < n && count < WORDS_MAX) {
		while (at < n && !isalnum((unsigned char)s[at]))
			at++;
		size_t len = 0;
		for (; at < n && isalnum((unsigned char)s[at]); at++)
			if (len < WORD_MAX - 1)
				words[count][len++] = (char)tolower((unsigned char)s[at]);
		words[count][len] = '\0';
		count += len > 0;
	}
	return count;
}

static unsigned classes_of_component(const char *s, size_t n)
{
	char words[WORDS_MAX][WORD_MAX], joined[JOIN_MAX * WORD_MAX];
	size_t count = split(s, n, words);
	unsigned found = 0;
	for (size_t i = 0; i < count; i++) {
		joined[0] = '\0';
		for (size_t k = i; k < count && k < i + JOIN_MAX; k++) {
			strcat(joined, words[k]);
			found |= classes_of_word(joined);
		}
	}
	if (found & RTB_PATH_CORE)
		found &= ~(unsigned)(RTB_PATH_FAMILY | RTB_PATH_FOREIGN);
	if (found & RTB_PATH_COMPILER)
		found &= ~(unsigned)RTB_PATH_ALIEN;
	return found;
}

struct rtb_rank rtb_rank_path(const char *rel)
{
	struct rtb_rank r = {0};
	for (const char *p = rel; *p;) {
		size_t n = strcspn(p, "/");
		bool last = p[n] == '\0';
		const char *dot = last ? memchr(p, '.', n) : NULL;
		r.classes |= classes_of_component(p, dot && dot > p ? (size_t)(dot - p) : n);
		p += n + !last;
	}
	if (r.classes & RTB_PATH_CORE)
		r.classes &= ~(unsigned)RTB_PATH_FAMILY;
	for (size_t i = 0; i < sizeof meaning / sizeof meaning[0]; i++)
		if (r.classes & meaning[i].class)
			r.penalty += meaning[i].penalty;
	return r;
}

void rtb_rank_words(struct rtb_rank r, char *out, size_t size)
{
	size_t at = 0;
	out[0] = '\0';
	for (size_t i = 0; i < sizeof meaning / sizeof meaning[0] && at < size; i++)
		if (r.classes & meaning[i].class)
			at += (size_t)snprintf(out + at, size - at, "%s%s", at ? ", " : "", meaning[i].words);
}
