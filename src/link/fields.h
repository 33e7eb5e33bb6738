/* fields.h - reads the members of a JSON object, each with its type and range. The first thing
 * that is wrong is kept and named; every later call does nothing and gives zero, so a caller
 * reads all it wants and asks once. */
#ifndef RTB_LINK_FIELDS_H
#define RTB_LINK_FIELDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct rtb_fields {
	const cJSON *object;
	const char *what;       /* names the object in errors: "hello" */
	struct rtb_error *e;
	enum rtb_status status; /* RTB_OK while everything was right */
};

/* Keeps the first failure: "<what>: <text>", RTB_INCOMPLETE. */
void rtb_fields_bad(struct rtb_fields *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The member, which must be there exactly once; NULL when not. */
const cJSON *rtb_field(struct rtb_fields *f, const char *name);

/* Integers may be JSON numbers (integral, at most 2^53 in size) or, where they may be larger,
 * decimal strings; both are taken, for the value is the same. min..max inclusive. */
uint64_t rtb_field_u64(struct rtb_fields *f, const char *name, uint64_t min, uint64_t max);
int64_t rtb_field_i64(struct rtb_fields *f, const char *name, int64_t min, int64_t max);
/* One element of a list, otherwise as above. */
bool rtb_json_u64(const cJSON *v, uint64_t *out);
bool rtb_json_i64(const cJSON *v, int64_t *out);
/* "0x0000abcd" */
uint32_t rtb_field_reg(struct rtb_fields *f, const char *name);
/* "1a2b3c4d" */
uint32_t rtb_field_nonce(struct rtb_fields *f, const char *name);
bool rtb_field_bool(struct rtb_fields *f, const char *name);
/* Printable ASCII that fits into cap bytes with its NUL; out is always terminated. */
void rtb_field_text(struct rtb_fields *f, const char *name, bool may_be_empty, char *out, size_t cap);

#endif
