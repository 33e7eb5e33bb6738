#include "sweep/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "config/entry.h"
#include "rtbench/cases.h"

static const struct rtb_case_info case_table[] = {
#define X(name, version, unit, divisor, timing, series, needs, title, span) \
	{#name, title, span, unit, series, version, divisor, needs},
#include "rtbench/cases.def"
#undef X
};

const struct rtb_case_info *rtb_case_table(size_t *count)
{
	*count = sizeof case_table / sizeof *case_table;
	return case_table;
}

struct planner {
	const struct rtb_project *project;
	struct rtb_plan *out;
	struct rtb_error *e;
};

/* A word that means nothing: named with its place when it came from the file. */
static enum rtb_status unknown(const struct planner *p, const struct rtb_word *w, const char *why)
{
	if (w->line)
		return rtb_fail(p->e, RTB_CONFIG, "%s:%u:%u: %s", p->project->path, w->line, w->column, why);
	return rtb_fail(p->e, RTB_NOT_FOUND, "%s", why);
}

/* An axis without values, or with one twice. */
static enum rtb_status check_axis(const struct planner *p, const struct rtb_list *l, const char *name)
{
	if (l->n == 0) {
		unsigned line = l->line ? l->line : p->project->matrix_line;
		if (line)
			return rtb_fail(p->e, RTB_CONFIG, "%s:%u:1: the matrix expands to nothing: no %s is named",
					p->project->path, line, name);
		return rtb_fail(p->e, RTB_USAGE, "no %s is named: say --%s, or [matrix] %s in rtbench.toml", name, name, name);
	}
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(l->v[i].text, l->v[k].text) == 0) {
				char *why = rtb_sprintf("%s \"%s\" is named twice", name, l->v[i].text);
				enum rtb_status st = unknown(p, &l->v[i], why);
				free(why);
				return st;
			}
	return RTB_OK;
}

static enum rtb_status load_targets(const struct planner *p)
{
	const struct rtb_list *l = &p->project->target;
	p->out->target = rtb_alloc(l->n * sizeof *p->out->target);
	for (size_t i = 0; i < l->n; i++) {
		struct rtb_error inner = {0};
		enum rtb_status st = rtb_target_load(p->project, l->v[i].text, &p->out->target[p->out->target_count++], &inner);
		if (st == RTB_NOT_FOUND)
			return unknown(p, &l->v[i], inner.text);
		if (st)
			return rtb_fail(p->e, st, "%s", inner.text);
	}
	return RTB_OK;
}

static enum rtb_status load_kernels(const struct planner *p)
{
	const struct rtb_list *l = &p->project->kernel;
	p->out->kernel = rtb_alloc(l->n * sizeof *p->out->kernel);
	for (size_t i = 0; i < l->n; i++) {
		struct rtb_error inner = {0};
		if (rtb_kernel_load(p->project->home, NULL, l->v[i].text, &p->out->kernel[p->out->kernel_count++], &inner))
			return inner.status == RTB_NOT_FOUND ? unknown(p, &l->v[i], inner.text)
							     : rtb_fail(p->e, inner.status, "%s", inner.text);
	}
	return RTB_OK;
}

static const struct rtb_case_info *find_case(const char *name)
{
	for (size_t i = 0; i < sizeof case_table / sizeof *case_table; i++)
		if (strcmp(case_table[i].name, name) == 0)
			return &case_table[i];
	return NULL;
}

static enum rtb_status no_such_case(const struct planner *p, const struct rtb_word *w)
{
	struct rtb_buf b = {0};
	rtb_buf_fmt(&b, "no case \"%s\"; there are:", w->text);
	for (size_t i = 0; i < sizeof case_table / sizeof *case_table; i++)
		rtb_buf_fmt(&b, "%s %s", i ? "," : "", case_table[i].name);
	enum rtb_status st = unknown(p, w, b.data);
	rtb_buf_free(&b);
	return st;
}

static enum rtb_status load_cases(const struct planner *p)
{
	const struct rtb_list *l = &p->project->cases;
	size_t all = sizeof case_table / sizeof *case_table, n = l->n ? l->n : all;
	p->out->cases = rtb_alloc((n + 1) * sizeof *p->out->cases);
	for (size_t i = 0; i < n; i++) {
		const struct rtb_case_info *c = l->n ? find_case(l->v[i].text) : &case_table[i];
		if (!c)
			return no_such_case(p, &l->v[i]);
		p->out->cases[p->out->case_count++] = c->name;
	}
	return l->n ? check_axis(p, l, "case") : RTB_OK;
}

/* An [[exclude]] that names what does not exist would silently exclude nothing. */
static enum rtb_status check_excludes(const struct planner *p)
{
	for (size_t i = 0; i < p->project->exclude_count; i++) {
		const struct rtb_exclude *x = &p->project->exclude[i];
		struct rtb_error inner = {0};
		struct rtb_kernel k = {0};
		if (*x->kernel && rtb_kernel_load(p->project->home, NULL, x->kernel, &k, &inner))
			return rtb_fail(p->e, RTB_CONFIG, "%s:%u:1: %s", p->project->path, x->line, inner.text);
		rtb_kernel_free(&k);
		if (*x->opt && (strchr(x->opt, ' ') || !strstr(rtb_opt_levels, x->opt) || strlen(x->opt) != 2))
			return rtb_fail(p->e, RTB_CONFIG, "%s:%u:1: no optimisation level \"%s\"; there are: %s",
					p->project->path, x->line, x->opt, rtb_opt_levels);
	}
	return RTB_OK;
}

static bool excluded(const struct planner *p, const struct rtb_plan_cell *c)
{
	for (size_t i = 0; i < p->project->exclude_count; i++) {
		const struct rtb_exclude *x = &p->project->exclude[i];
		if ((!*x->target || strcmp(x->target, p->out->target[c->target].name) == 0) &&
		    (!*x->kernel || strcmp(x->kernel, p->out->kernel[c->kernel].name) == 0) &&
		    (!*x->opt || strcmp(x->opt, c->opt) == 0) &&
		    (!*x->instrumented || strcmp(x->instrumented, c->instrumented ? "yes" : "no") == 0))
			return true;
	}
	return false;
}

static void expand_cells(const struct planner *p)
{
	const struct rtb_project *j = p->project;
	struct rtb_plan *o = p->out;
	bool plain = strcmp(j->instrumented, "yes") != 0, instr = strcmp(j->instrumented, "no") != 0;
	o->cell = rtb_alloc(j->target.n * j->kernel.n * j->opt.n * 2 * sizeof *o->cell);
	for (size_t t = 0; t < j->target.n; t++)
		for (size_t k = 0; k < j->kernel.n; k++)
			for (size_t i = 0; i < j->opt.n; i++)
				for (int instrumented = !plain; instrumented <= (int)instr; instrumented++) {
					struct rtb_plan_cell c = {t, k, j->opt.v[i].text, instrumented, 0};
					if (!excluded(p, &c))
						o->cell[o->cell_count++] = c;
				}
}

static enum rtb_status check_size(const struct planner *p)
{
	const struct rtb_project *j = p->project;
	unsigned long long runs = (unsigned long long)p->out->cell_count * j->repeat;
	unsigned line = j->matrix_line ? j->matrix_line : 1;
	const char *path = j->path ? j->path : "rtbench.toml";
	if (runs == 0)
		return rtb_fail(p->e, RTB_CONFIG, "%s:%u:1: the matrix expands to nothing: [[exclude]] leaves out every cell",
				path, line);
	if (runs > j->limit)
		return rtb_fail(p->e, RTB_CONFIG,
				"%s:%u:1: the matrix expands to %llu runs (%zu cells x %u), more than the limit of %u; --limit raises it",
				path, line, runs, p->out->cell_count, j->repeat, j->limit);
	return RTB_OK;
}

static void order_steps(struct rtb_plan *o)
{
	rtb_plan_assign(o);
	o->step = rtb_alloc(o->cell_count * o->repeat * sizeof *o->step);
	for (unsigned r = 1; r <= o->repeat; r++)
		for (size_t c = 0; c < o->cell_count; c++)
			o->step[o->step_count++] = (struct rtb_plan_step){c, r};
}

enum rtb_status rtb_plan_make(const struct rtb_project *project, struct rtb_plan *out, struct rtb_error *e)
{
	struct rtb_error own = {0};
	struct planner p = {project, out, e ? e : &own};
	*out = (struct rtb_plan){.samples = project->samples, .raw = project->raw, .repeat = project->repeat};
	if (check_axis(&p, &project->target, "target") || check_axis(&p, &project->kernel, "kernel") ||
	    check_axis(&p, &project->opt, "opt") || load_targets(&p) || rtb_plan_load_boards(project, out, p.e) ||
	    load_kernels(&p) || load_cases(&p) || check_excludes(&p))
		return p.e->status;
	expand_cells(&p);
	enum rtb_status st = check_size(&p);
	if (st == RTB_OK)
		order_steps(out);
	return st;
}

void rtb_plan_shard(struct rtb_plan *p, unsigned index, unsigned count)
{
	size_t kept = 0;
	for (size_t i = index - 1; i < p->cell_count; i += count)
		p->cell[kept++] = p->cell[i];
	p->cell_count = kept;
	free(p->step);
	p->step_count = 0;
	order_steps(p);
}

void rtb_plan_free(struct rtb_plan *p)
{
	for (size_t i = 0; i < p->target_count; i++)
		rtb_target_free(&p->target[i]);
	for (size_t i = 0; i < p->kernel_count; i++)
		rtb_kernel_free(&p->kernel[i]);
	for (size_t i = 0; i < p->board_count; i++)
		rtb_target_free(&p->board[i].target);
	free(p->target);
	free(p->board);
	free(p->kernel);
	free(p->cell);
	free(p->step);
	free(p->cases);
	*p = (struct rtb_plan){0};
}

char *rtb_plan_cell_name(const struct rtb_plan *p, const struct rtb_plan_cell *c)
{
	return rtb_sprintf("%s %s %s%s", p->target[c->target].name, p->kernel[c->kernel].name, c->opt,
			   c->instrumented ? " instrumented" : "");
}
