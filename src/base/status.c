#include "base/status.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct {
	const char *word;
	int exit_code;
	bool retry;
	const char *advice;
} table[] = {
#define X(sym, word, exit_code, retry, advice) [RTB_##sym] = {word, exit_code, retry, advice},
#include "base/status.def"
#undef X
};

enum rtb_status rtb_vfail(struct rtb_error *e, enum rtb_status s, const char *fmt, va_list ap)
{
	if (e && e->status == RTB_OK) {
		e->status = s;
		vsnprintf(e->text, sizeof e->text, fmt, ap);
		rtb_text_line(e->text);
	}
	return s;
}

enum rtb_status rtb_fail(struct rtb_error *e, enum rtb_status s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	rtb_vfail(e, s, fmt, ap);
	va_end(ap);
	return s;
}

static bool known(enum rtb_status s)
{
	return (unsigned)s < RTB_STATUS_COUNT;
}

const char *rtb_status_word(enum rtb_status s)
{
	return known(s) ? table[s].word : "unknown";
}

enum rtb_status rtb_status_from_word(const char *word)
{
	for (int s = 0; s < RTB_STATUS_COUNT; s++)
		if (strcmp(table[s].word, word) == 0)
			return (enum rtb_status)s;
	return RTB_INTERNAL;
}

const char *rtb_status_advice(enum rtb_status s)
{
	return known(s) ? table[s].advice : "";
}

int rtb_status_exit(enum rtb_status s)
{
	return known(s) ? table[s].exit_code : 1;
}

bool rtb_status_retry(enum rtb_status s)
{
	return known(s) && table[s].retry;
}
