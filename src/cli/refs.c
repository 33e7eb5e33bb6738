#include "cli/refs.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "config/project.h"

enum rtb_status rtb_cli_open(const struct rtb_args *a, enum rtb_store_mode mode, struct rtb_store **out,
			     struct rtb_error *e)
{
	char *path = NULL;
	*out = NULL;
	enum rtb_status s = rtb_project_db(a->config_path, a->db_path, &path, e);
	if (s == RTB_OK)
		s = rtb_store_open(path, mode, out, e);
	free(path);
	return s;
}

/* Decimal digits and nothing else. */
static bool number(const char *text, int64_t *out)
{
	size_t n = strlen(text);
	if (n == 0 || n > 18 || strspn(text, "0123456789") != n)
		return false;
	*out = strtoll(text, NULL, 10);
	return *out > 0;
}

static enum rtb_status sweep_from(struct rtb_store *s, const char *text, int64_t *id, struct rtb_error *e)
{
	int64_t back = 0;
	const char *digits = text[0] == 's' ? text + 1 : text;
	if (number(digits, id))
		return rtb_store_has_sweep(s, *id, e);
	if (strcmp(text, "latest") == 0 || (strncmp(text, "latest~", 7) == 0 &&
	    (number(text + 7, &back) || strcmp(text + 7, "0") == 0)))
		return rtb_store_latest_sweep(s, (unsigned)back, id, e);
	return rtb_fail(e, RTB_USAGE, "%s: is neither a run (r12), a sweep (s3, latest, latest~1) nor a filter "
			"(kernel=mini,opt=O2)", text);
}

static enum rtb_status set_key(struct rtb_store *s, struct rtb_ref *r, const char *key, const char *value,
			       struct rtb_error *e)
{
	const struct { const char *key; char **own; const char **use; } texts[] = {
		{"target", &r->target, &r->query.target}, {"kernel", &r->kernel, &r->query.kernel},
		{"opt", &r->opt, &r->query.opt}, {"case", &r->case_name, &r->query.case_name},
	};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		if (strcmp(key, texts[i].key) != 0)
			continue;
		free(*texts[i].own);
		*texts[i].own = rtb_strdup(value);
		*texts[i].use = *texts[i].own;
		return RTB_OK;
	}
	if (strcmp(key, "sweep") == 0)
		return sweep_from(s, value, &r->query.sweep_id, e);
	if (strcmp(key, "instrumented") == 0 && (strcmp(value, "yes") == 0 || strcmp(value, "no") == 0)) {
		r->query.instrumented = value[0] == 'y';
		return RTB_OK;
	}
	if (strcmp(key, "instrumented") == 0)
		return rtb_fail(e, RTB_USAGE, "%s: instrumented is yes or no", r->text);
	return rtb_fail(e, RTB_USAGE, "%s: no such key '%s'; there are sweep, target, kernel, opt, instrumented, case",
			r->text, key);
}

static enum rtb_status part(struct rtb_store *s, struct rtb_ref *r, char *text, bool sweeps_first, struct rtb_error *e)
{
	char *equals = strchr(text, '=');
	if (equals) {
		*equals = '\0';
		return set_key(s, r, text, equals + 1, e);
	}
	if ((text[0] == 'r' && number(text + 1, &r->query.run_id)) || (!sweeps_first && number(text, &r->query.run_id)))
		return rtb_store_has_run(s, r->query.run_id, e);
	return sweep_from(s, text, &r->query.sweep_id, e);
}

enum rtb_status rtb_ref_parse(struct rtb_store *s, const char *text, bool sweeps_first,
			      struct rtb_ref *out, struct rtb_error *e)
{
	*out = (struct rtb_ref){.query.instrumented = -1, .text = rtb_strdup(text)};
	char *copy = rtb_strdup(text), *rest = copy, *word;
	enum rtb_status status = RTB_OK;
	while (status == RTB_OK && (word = strsep(&rest, ",")))
		status = part(s, out, word, sweeps_first, e);
	if (status == RTB_OK && !out->query.sweep_id && !out->query.run_id)
		status = rtb_store_latest_sweep(s, 0, &out->query.sweep_id, e);
	free(copy);
	if (status != RTB_OK)
		rtb_ref_free(out);
	return status;
}

void rtb_ref_free(struct rtb_ref *r)
{
	free(r->target);
	free(r->kernel);
	free(r->opt);
	free(r->case_name);
	free(r->text);
	*r = (struct rtb_ref){0};
}
