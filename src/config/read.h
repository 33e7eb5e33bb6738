/* read.h - a TOML document into a C struct, driven by a table that also writes the manual.
 *
 * A file is described by sections, a section by keys. Whatever is not in the table is an error
 * that names file, line and column: unknown section or key, wrong type, value out of range, a
 * required key that is missing. Several documents may be read on top of each other (a target
 * and its base): later values replace earlier ones, key by key; an array of tables as a whole.
 */
#ifndef RTB_CONFIG_READ_H
#define RTB_CONFIG_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/status.h"
#include "config/toml_shim.h"

/* A list of strings that remembers where each was written; line 0: the built-in default. */
struct rtb_word {
	char *text;
	unsigned line, column;
};
struct rtb_list {
	struct rtb_word *v;
	size_t n;
	unsigned line, column;
};

enum rtb_key_type {
	KEY_STRING,  /* char *; lo..hi bound the length when hi > 0 */
	KEY_STRINGS, /* struct rtb_list; each element as KEY_STRING, lo..hi bound the number */
	KEY_UINT,    /* uint32_t, lo..hi */
	KEY_BOOL,    /* bool */
};

struct rtb_key {
	const char *name;
	enum rtb_key_type type;
	size_t offset;     /* in the section's struct */
	int64_t lo, hi;
	const char *words; /* "O0 O1 ...": what the strings may be; NULL: anything */
	const char *def;   /* the default as TOML; NULL: the key is required */
	const char *help;  /* one or two sentences for docs/configuration.md */
};

struct rtb_section {
	const char *name;  /* "matrix"; "" is the top level */
	bool array;        /* [[name]]: any number of them */
	size_t offset;     /* array: of the pointer; a size_t count follows it at once */
	size_t size;       /* array: of one element, whose first member is `unsigned line` */
	const struct rtb_key *keys;
	size_t key_count;
	const char *help;
};

struct rtb_doc {
	const char *path;
	const struct rtb_toml *root;
};

/* out must be zeroed; on failure it may be half filled: rtb_config_free in either case. */
enum rtb_status rtb_config_read(const struct rtb_section *s, size_t sections,
				const struct rtb_doc *docs, size_t doc_count, void *out,
				struct rtb_error *e);
/* Frees what the table describes and zeroes those members. */
void rtb_config_free(const struct rtb_section *s, size_t sections, void *out);
/* Appends one Markdown table per section. */
void rtb_config_document(const struct rtb_section *s, size_t sections, struct rtb_buf *out);
/* Appends a JSON Schema (draft 7) of the file, for editors that check TOML as one types. */
void rtb_config_schema(const struct rtb_section *s, size_t sections, const char *title, struct rtb_buf *out);

#endif
