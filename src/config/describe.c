/* What the tables of keys say of themselves: Markdown for people, JSON Schema for editors. */
#include <string.h>

#include "config/read.h"

static void document_key(const struct rtb_key *k, struct rtb_buf *out)
{
	static const char *const types[] = {"string", "strings", "integer", "boolean"};
	rtb_buf_fmt(out, "| `%s` | %s", k->name, types[k->type]);
	if (k->type == KEY_UINT)
		rtb_buf_fmt(out, ", %lld to %lld", (long long)k->lo, (long long)k->hi);
	if (k->words)
		rtb_buf_fmt(out, ": %s", k->words);
	if (k->def)
		rtb_buf_fmt(out, " | `%s` | %s |\n", k->def, k->help);
	else
		rtb_buf_fmt(out, " | required | %s |\n", k->help);
}

void rtb_config_document(const struct rtb_section *s, size_t sections, struct rtb_buf *out)
{
	for (size_t i = 0; i < sections; i++) {
		if (*s[i].name)
			rtb_buf_fmt(out, "\n### %s%s%s\n\n", s[i].array ? "[[" : "[", s[i].name,
				    s[i].array ? "]]" : "]");
		else
			rtb_buf_str(out, "\n### Top level\n\n");
		rtb_buf_fmt(out, "%s\n\n| key | type | default | meaning |\n|---|---|---|---|\n", s[i].help);
		for (size_t k = 0; k < s[i].key_count; k++)
			document_key(&s[i].keys[k], out);
	}
}

static void json_text(const char *s, struct rtb_buf *out)
{
	rtb_buf_str(out, "\"");
	for (; *s; s++)
		rtb_buf_fmt(out, strchr("\"\\", *s) ? "\\%c" : "%c", *s);
	rtb_buf_str(out, "\"");
}

static void json_enum(const char *words, struct rtb_buf *out)
{
	rtb_buf_str(out, ", \"enum\": [");
	for (const char *p = words; *p;) {
		size_t n = strcspn(p, " ");
		rtb_buf_fmt(out, "%s\"%.*s\"", p == words ? "" : ", ", (int)n, p);
		p += n + (p[n] == ' ');
	}
	rtb_buf_str(out, "]");
}

static void schema_key(const struct rtb_key *k, const char *indent, struct rtb_buf *out)
{
	static const char *const types[] = {"string", "array", "integer", "boolean"};
	rtb_buf_fmt(out, "%s\"%s\": {\"type\": \"%s\"", indent, k->name, types[k->type]);
	if (k->type == KEY_UINT)
		rtb_buf_fmt(out, ", \"minimum\": %lld, \"maximum\": %lld", (long long)k->lo, (long long)k->hi);
	if (k->type == KEY_STRING && k->hi > 0)
		rtb_buf_fmt(out, ", \"minLength\": %lld, \"maxLength\": %lld", (long long)k->lo, (long long)k->hi);
	if (k->type == KEY_STRING && k->words)
		json_enum(k->words, out);
	if (k->type == KEY_STRINGS) {
		rtb_buf_str(out, ", \"items\": {\"type\": \"string\"");
		if (k->words)
			json_enum(k->words, out);
		rtb_buf_str(out, "}");
		if (k->hi > 0)
			rtb_buf_fmt(out, ", \"minItems\": %lld, \"maxItems\": %lld", (long long)k->lo, (long long)k->hi);
	}
	/* A TOML default of these types is JSON as it stands. */
	if (k->def)
		rtb_buf_fmt(out, ", \"default\": %s", k->def);
	rtb_buf_str(out, ", \"description\": ");
	json_text(k->help, out);
	rtb_buf_str(out, "}");
}

static void schema_section(const struct rtb_section *s, struct rtb_buf *out)
{
	rtb_buf_fmt(out, "    \"%s\": {%s\"type\": \"object\", \"additionalProperties\": false, \"description\": ", s->name,
		    s->array ? "\"type\": \"array\", \"items\": {" : "");
	json_text(s->help, out);
	rtb_buf_str(out, ",\n      \"properties\": {\n");
	for (size_t i = 0; i < s->key_count; i++) {
		schema_key(&s->keys[i], "        ", out);
		rtb_buf_str(out, i + 1 < s->key_count ? ",\n" : "\n");
	}
	rtb_buf_fmt(out, "      }}%s", s->array ? "}" : "");
}

/* Required keys are not required here: a variant leaves them to its base. */
void rtb_config_schema(const struct rtb_section *s, size_t sections, const char *title, struct rtb_buf *out)
{
	rtb_buf_str(out, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n  \"title\": ");
	json_text(title, out);
	rtb_buf_str(out, ",\n  \"type\": \"object\",\n  \"additionalProperties\": false,\n  \"properties\": {\n");
	for (size_t i = 0; i < sections; i++) {
		for (size_t k = 0; !*s[i].name && k < s[i].key_count; k++) {
			schema_key(&s[i].keys[k], "    ", out);
			rtb_buf_str(out, k + 1 < s[i].key_count ? ",\n" : "");
		}
		if (*s[i].name)
			schema_section(&s[i], out);
		rtb_buf_str(out, i + 1 < sections ? ",\n" : "\n");
	}
	rtb_buf_str(out, "  }\n}\n");
}
