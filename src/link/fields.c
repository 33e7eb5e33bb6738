#include "link/fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


static const double EXACT = 9007199254740992.0; /* 2^53: doubles hold every integer up to here */

void rtb_fields_bad(struct rtb_fields *f, const char *fmt, ...)
{
	if (f->status != RTB_OK)
		return;
	char text[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	f->status = rtb_fail(f->e, RTB_INCOMPLETE, "%s: %s", f->what, text);
}

const cJSON *rtb_field(struct rtb_fields *f, const char *name)
{
	if (f->status != RTB_OK)
		return NULL;
	const cJSON *found = NULL, *v;
	cJSON_ArrayForEach(v, f->object) {
		if (strcmp(v->string, name) != 0)
			continue;
		if (found) {
			rtb_fields_bad(f, "field \"%s\" is there twice", name);
			return NULL;
		}
		found = v;
	}
	if (!found)
		rtb_fields_bad(f, "field \"%s\" is missing", name);
	return found;
}

/* Canonical decimal: no sign but a leading minus, no leading zeros, no "-0". */
static bool decimal(const char *s, bool *negative, uint64_t *magnitude)
{
	*negative = *s == '-';
	s += *negative;
	if (*s == '\0' || (*s == '0' && (s[1] != '\0' || *negative)))
		return false;
	uint64_t v = 0;
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || __builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return false;
	}
	*magnitude = v;
	return true;
}

static bool integer(const cJSON *v, bool *negative, uint64_t *magnitude)
{
	if (cJSON_IsString(v))
		return decimal(v->valuestring, negative, magnitude);
	if (!cJSON_IsNumber(v) || !(fabs(v->valuedouble) <= EXACT) ||
	    v->valuedouble != floor(v->valuedouble))
		return false;
	*negative = v->valuedouble < 0;
	*magnitude = (uint64_t)fabs(v->valuedouble);
	return true;
}

bool rtb_json_u64(const cJSON *v, uint64_t *out)
{
	bool negative;
	return integer(v, &negative, out) && !negative;
}

bool rtb_json_i64(const cJSON *v, int64_t *out)
{
	bool negative;
	uint64_t m;
	if (!integer(v, &negative, &m) || m > (uint64_t)INT64_MAX + negative)
		return false;
	*out = negative ? (int64_t)(0 - m) : (int64_t)m;
	return true;
}

uint64_t rtb_field_u64(struct rtb_fields *f, const char *name, uint64_t min, uint64_t max)
{
	const cJSON *v = rtb_field(f, name);
	uint64_t n;
	if (!v)
		return 0;
	if (!rtb_json_u64(v, &n))
		rtb_fields_bad(f, "field \"%s\" is not a whole number of at least 0", name);
	else if (n < min || n > max)
		rtb_fields_bad(f, "field \"%s\" is %llu, outside %llu..%llu", name,
			       (unsigned long long)n, (unsigned long long)min, (unsigned long long)max);
	else
		return n;
	return 0;
}

int64_t rtb_field_i64(struct rtb_fields *f, const char *name, int64_t min, int64_t max)
{
	const cJSON *v = rtb_field(f, name);
	int64_t n;
	if (!v)
		return 0;
	if (!rtb_json_i64(v, &n))
		rtb_fields_bad(f, "field \"%s\" is not a whole number", name);
	else if (n < min || n > max)
		rtb_fields_bad(f, "field \"%s\" is %lld, outside %lld..%lld", name, (long long)n,
			       (long long)min, (long long)max);
	else
		return n;
	return 0;
}

static bool hex_digits(const char *s, uint32_t *out)
{
	if (strlen(s) != 8 || strspn(s, "0123456789abcdef") != 8)
		return false;
	*out = (uint32_t)strtoul(s, NULL, 16);
	return true;
}

uint32_t rtb_field_reg(struct rtb_fields *f, const char *name)
{
	const cJSON *v = rtb_field(f, name);
	uint32_t out = 0;
	if (v && !(cJSON_IsString(v) && strncmp(v->valuestring, "0x", 2) == 0 &&
		   hex_digits(v->valuestring + 2, &out)))
		rtb_fields_bad(f, "field \"%s\" is not a register value like \"0x0000abcd\"", name);
	return out;
}

uint32_t rtb_field_nonce(struct rtb_fields *f, const char *name)
{
	const cJSON *v = rtb_field(f, name);
	uint32_t out = 0;
	if (v && !(cJSON_IsString(v) && hex_digits(v->valuestring, &out)))
		rtb_fields_bad(f, "field \"%s\" is not eight hex digits", name);
	return out;
}

bool rtb_field_bool(struct rtb_fields *f, const char *name)
{
	const cJSON *v = rtb_field(f, name);
	if (v && !cJSON_IsBool(v))
		rtb_fields_bad(f, "field \"%s\" is neither true nor false", name);
	return cJSON_IsTrue(v);
}

void rtb_field_text(struct rtb_fields *f, const char *name, bool may_be_empty, char *out, size_t cap)
{
	out[0] = '\0';
	const cJSON *v = rtb_field(f, name);
	if (!v)
		return;
	if (!cJSON_IsString(v)) {
		rtb_fields_bad(f, "field \"%s\" is not a string", name);
		return;
	}
	const char *s = v->valuestring;
	size_t len = strlen(s);
	if (len == 0 && !may_be_empty)
		rtb_fields_bad(f, "field \"%s\" is empty", name);
	else if (len >= cap)
		rtb_fields_bad(f, "field \"%s\" is longer than %zu characters", name, cap - 1);
	for (const char *p = s; *p; p++)
		if (*p < ' ' || *p > '~')
			rtb_fields_bad(f, "field \"%s\" holds a byte that is no printable ASCII", name);
	if (f->status == RTB_OK)
		memcpy(out, s, len + 1);
}
