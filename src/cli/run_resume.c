#include "cli/run_resume.h"

#include <stdlib.h>
#include <string.h>

#include "cli/refs.h"

char **rtb_split_command(const char *text, int *count)
{
	char **v = rtb_alloc((strlen(text) / 2 + 2) * sizeof *v);
	int n = 0;
	while (*text) {
		text += strspn(text, " ");
		if (!*text)
			break;
		struct rtb_buf word = {0};
		for (bool quoted = false; *text && (quoted || *text != ' '); text++)
			if (*text == '\'')
				quoted = !quoted;
			else
				rtb_buf_add(&word, text, 1);
		v[n++] = word.data ? word.data : rtb_strdup("");
	}
	*count = n;
	return v;
}

struct looking {
	int64_t id;
	struct rtb_sweep *out;
};

static enum rtb_status take(void *ctx, struct rtb_sweep *sweep, const struct rtb_sweep_counts *n, struct rtb_error *e)
{
	(void)n, (void)e;
	struct looking *l = ctx;
	if (sweep->id == l->id) {
		*l->out = *sweep;
		*sweep = (struct rtb_sweep){0}; /* what it owned is ours now */
	}
	return RTB_OK;
}

static enum rtb_status find_sweep(const struct rtb_args *a, struct rtb_sweep *out, struct rtb_error *e)
{
	const char *text = rtb_arg(a, "resume");
	struct rtb_store *s = NULL;
	struct rtb_ref ref = {0};
	enum rtb_status st = rtb_cli_open(a, STORE_READ, &s, e);
	if (st)
		return st;
	st = rtb_ref_parse(s, *text ? text : "latest", true, &ref, e);
	if (st == RTB_OK && ref.query.run_id)
		st = rtb_fail(e, RTB_USAGE, "--resume wants a sweep, not %s", text);
	struct looking l = {ref.query.sweep_id, out};
	if (st == RTB_OK)
		st = rtb_store_sweeps(s, take, &l, e);
	rtb_ref_free(&ref);
	rtb_store_close(s);
	return st;
}

enum rtb_status rtb_resume_find(const struct rtb_cmd *cmd, const struct rtb_args *a, struct rtb_resume *out,
				struct rtb_error *e)
{
	static const char *const plan[] = {"matrix", "target", "kernel", "opt", "instrumented", "case", "samples", "raw",
					   "repeat", "same-board", "shard", "sweep-key"};
	*out = (struct rtb_resume){0};
	for (size_t i = 0; i < sizeof plan / sizeof *plan; i++)
		if (rtb_arg_flag(a, plan[i]))
			return rtb_fail(e, RTB_USAGE, "--resume does what its sweep had planned; --%s cannot be given with it", plan[i]);
	enum rtb_status st = find_sweep(a, &out->sweep, e);
	if (st)
		return st;
	bool help;
	struct rtb_error own = {0};
	out->argv = rtb_split_command(out->sweep.command ? out->sweep.command : "", &out->argc);
	st = out->argc < 2 ? RTB_USAGE : rtb_args_parse(cmd, out->argc, out->argv, 2, &out->args, &help, &own);
	return st ? rtb_fail(e, RTB_USAGE, "sweep %lld was begun by \"%s\", which cannot be done again: %s",
			     (long long)out->sweep.id, out->sweep.command, own.text) : RTB_OK;
}

void rtb_resume_free(struct rtb_resume *r)
{
	rtb_args_free(&r->args);
	for (int i = 0; i < r->argc; i++)
		free(r->argv[i]);
	free(r->argv);
	rtb_sweep_free(&r->sweep);
	*r = (struct rtb_resume){0};
}
