/* toml_shim.h - the one place where C meets toml++. A document becomes a plain C tree whose
 * every node knows its line and column; everything else about configuration is C. */
#ifndef RTB_CONFIG_TOML_SHIM_H
#define RTB_CONFIG_TOML_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "base/status.h"

enum rtb_toml_kind {
	RTB_TOML_TABLE, RTB_TOML_ARRAY, RTB_TOML_STRING, RTB_TOML_INT, RTB_TOML_FLOAT,
	RTB_TOML_BOOL, RTB_TOML_DATE
};

struct rtb_toml {
	enum rtb_toml_kind kind;
	char *key;             /* NULL at the root and inside arrays */
	unsigned line, column; /* of the key where there is one, else of the value; from 1 */
	char *text;            /* STRING only; UTF-8, may be empty */
	int64_t number;        /* INT */
	double real;           /* FLOAT */
	bool flag;             /* BOOL */
	struct rtb_toml *child;/* TABLE: in file order; ARRAY: in order */
	size_t count;
};

/* Parses text (n bytes). A syntax error is RTB_CONFIG "path:line:column: ...". The tree is the
 * caller's: rtb_toml_free. On failure *out is NULL. */
enum rtb_status rtb_toml_parse(const char *text, size_t n, const char *path, struct rtb_toml **out,
			       struct rtb_error *e);
void rtb_toml_free(struct rtb_toml *t); /* NULL is fine */
/* "a table", "an integer", ... for messages. Static. */
const char *rtb_toml_kind_word(enum rtb_toml_kind k);

#ifdef __cplusplus
}
#endif
#endif
