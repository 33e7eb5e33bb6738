/* status.h - how every function of rtbench says how it went.
 *
 * A function that can fail returns enum rtb_status and takes a struct rtb_error * as its last
 * argument. The first error wins and keeps its place: rtb_fail() on an error that is already
 * set changes nothing, so a clean-up that fails later cannot hide the cause.
 */
#ifndef RTB_BASE_STATUS_H
#define RTB_BASE_STATUS_H

#include <stdarg.h>
#include <stdbool.h>

enum rtb_status {
#define X(sym, word, exit_code, retry, advice) RTB_##sym,
#include "base/status.def"
#undef X
	RTB_STATUS_COUNT
};

/* An error with its text. Zero-initialise before use ({0}); owns no memory. */
struct rtb_error {
	enum rtb_status status; /* RTB_OK while nothing has failed */
	char text[768];         /* one line, says what and where; never ends in a newline */
};

/* Sets e (unless e is NULL or already set) and returns the given status in every case. */
enum rtb_status rtb_fail(struct rtb_error *e, enum rtb_status s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
enum rtb_status rtb_vfail(struct rtb_error *e, enum rtb_status s, const char *fmt, va_list ap);

/* The stored word of a status ("flash timeout"); "unknown" outside the range. Static. */
const char *rtb_status_word(enum rtb_status s);
/* The status of a stored word, RTB_INTERNAL when there is none such. */
enum rtb_status rtb_status_from_word(const char *word);
/* What the user can do about it; "" when there is nothing to say. Static. */
const char *rtb_status_advice(enum rtb_status s);
/* The process exit code for it (docs/rtbench.1, EXIT STATUS). */
int rtb_status_exit(enum rtb_status s);
/* Whether trying the same thing again may succeed. */
bool rtb_status_retry(enum rtb_status s);

#endif
