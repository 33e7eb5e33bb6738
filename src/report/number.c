#include "report/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* printf follows LC_NUMERIC when somebody has called setlocale; this undoes it. */
static void add_in_c(struct rtb_buf *out, char *text)
{
	const char *point = localeconv()->decimal_point;
	size_t n = strlen(point);
	char *at = n ? strstr(text, point) : NULL;
	if (at && strcmp(point, ".") != 0) {
		*at = '.';
		memmove(at + 1, at + n, strlen(at + n) + 1);
	}
	rtb_buf_str(out, text);
}

/* By hand, because exports write millions of them. */
void rtb_num_int(struct rtb_buf *out, int64_t v)
{
	char text[24], *p = text + sizeof text;
	uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v;
	do {
		*--p = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (v < 0)
		*--p = '-';
	rtb_buf_add(out, p, (size_t)(text + sizeof text - p));
}

void rtb_num_fixed(struct rtb_buf *out, double v, unsigned decimals)
{
	char text[400];
	snprintf(text, sizeof text, "%.*f", (int)decimals, v);
	if (text[0] == '-' && strspn(text + 1, "0.,") == strlen(text + 1))
		memmove(text, text + 1, strlen(text));
	add_in_c(out, text);
}

/* Most figures have few decimals: halves, and means over a round number of samples. Where
 * n / 10^5 is v, with n whole, those decimals say v exactly: the division is correctly rounded,
 * as reading the text back is. */
static bool short_decimal(struct rtb_buf *out, double v)
{
	if (!(fabs(v) < 1e10))
		return false;
	double scaled = nearbyint(v * 1e5);
	if (scaled / 1e5 != v)
		return false;
	int64_t n = (int64_t)fabs(scaled);
	if (scaled < 0)
		rtb_buf_add(out, "-", 1);
	rtb_num_int(out, n / 100000);
	n %= 100000;
	if (n == 0)
		return true;
	char text[] = ".00000";
	size_t len = 6;
	for (int i = 5; i >= 1; i--, n /= 10)
		text[i] = (char)('0' + n % 10);
	while (text[len - 1] == '0')
		len--;
	rtb_buf_add(out, text, len);
	return true;
}

void rtb_num_exact(struct rtb_buf *out, double v)
{
	char text[40];
	if (!isfinite(v))
		return;
	if (short_decimal(out, v))
		return;
	snprintf(text, sizeof text, "%.15g", v);
	if (strtod(text, NULL) != v)
		snprintf(text, sizeof text, "%.17g", v);
	add_in_c(out, text);
}

void rtb_num_figure(struct rtb_buf *out, const struct rtb_figure *f)
{
	static const char *const marks[] = {[EXACT] = "", [BUCKET] = "~", [BEYOND] = ">"};
	if (f->exactness == UNKNOWN) {
		rtb_buf_str(out, "-");
		return;
	}
	double v = f->exactness == BEYOND ? f->lo : f->value;
	rtb_buf_str(out, marks[f->exactness]);
	rtb_num_fixed(out, v, v == floor(v) ? 0 : 1);
}

bool rtb_num_parse(const char *text, double *v)
{
	char copy[64], *end;
	size_t n = strlen(text);
	/* strtod would take blanks, hex, "nan" and "inf" as well */
	if (n == 0 || n >= sizeof copy || strspn(text, "+-.0123456789eE") != n)
		return false;
	memcpy(copy, text, n + 1);
	char *dot = strchr(copy, '.');
	const char *point = localeconv()->decimal_point;
	if (dot && point[0] && !point[1])
		*dot = point[0];
	*v = strtod(copy, &end);
	return *end == '\0' && isfinite(*v);
}
