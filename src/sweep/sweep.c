#include "sweep/state.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "check/check.h"
#include "sweep/tidy.h"

#define LOCK_POLL_MS 100
/* Nothing measured is given up because somebody looks at the database for a while. */
#define STORE_WAIT_MS 600000u

/* One at a time, whichever board it comes from. */
void rtb_sweep_tell(struct worker *w, enum rtb_event_kind kind)
{
	struct sweeping *s = w->s;
	pthread_mutex_lock(&s->mutex);
	w->ev.kind = kind;
	w->ev.elapsed_ms = (unsigned)((rtb_now_ns(s->spec->clock) - s->began_ns) / 1000000u);
	if (s->spec->on_event)
		s->spec->on_event(s->spec->ctx, &w->ev);
	pthread_mutex_unlock(&s->mutex);
}

void rtb_sweep_stop(struct sweeping *s, enum rtb_status st, const struct rtb_error *why)
{
	pthread_mutex_lock(&s->mutex);
	s->stop = true;
	if (!s->status)
		s->status = rtb_fail(s->e, st, "%s", why->text);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
}

bool rtb_sweep_cancelled(const struct sweeping *s)
{
	return s->spec->cancel && *s->spec->cancel;
}

enum rtb_status rtb_sweep_ended(const struct rtb_run *run)
{
	return run->status == RTB_OK && run->verdict == VERDICT_REJECTED ? RTB_REJECTED : run->status;
}

static void worst(struct sweeping *s, enum rtb_status st)
{
	if (rtb_status_exit(st) > rtb_status_exit(s->out->sweep.status))
		s->out->sweep.status = st;
}

/* A board in use is waited for as long as the sweep was told to. */
static enum rtb_status open_board(struct sweeping *s, size_t i)
{
	const struct rtb_sweep_spec *p = s->spec;
	uint64_t deadline = rtb_deadline_ms(p->clock, p->wait_ms);
	for (bool said = false;; said = true) {
		struct rtb_error own = {0};
		struct rtb_board *b = &s->worker[i].board;
		enum rtb_status st = rtb_board_open(&p->plan->board[i].target, p->clock, p->cancel, b, &own);
		bool late = p->wait_ms != RTB_WAIT_FOREVER && rtb_ms_left(p->clock, deadline) == 0;
		if (st != RTB_BOARD_BUSY || late || rtb_sweep_cancelled(s))
			return st ? rtb_fail(s->e, rtb_sweep_cancelled(s) ? RTB_INTERRUPTED : st, "%s", own.text) : RTB_OK;
		if (!said)
			rtb_log(RTB_LOG_WARN, "waiting: %s", own.text);
		rtb_board_close(b);
		poll(NULL, 0, LOCK_POLL_MS);
	}
}

/* Everything that can go wrong for all cells alike is found before the first of them. */
static enum rtb_status prepare(struct sweeping *s)
{
	const struct rtb_plan *plan = s->spec->plan;
	const struct rtb_clock *clock = s->spec->clock;
	enum rtb_status st = rtb_toolchain_find(s->spec->project->cross, clock, &s->tools, s->e);
	s->kernel = rtb_alloc(plan->kernel_count * sizeof *s->kernel);
	for (size_t i = 0; st == RTB_OK && i < plan->kernel_count; i++)
		st = rtb_kernel_look(&plan->kernel[i], clock, &s->kernel[i], s->e);
	s->worker = rtb_alloc(plan->board_count * sizeof *s->worker);
	for (size_t i = 0; st == RTB_OK && i < plan->board_count; i++) {
		s->worker[i].s = s;
		s->worker[i].index = i;
		st = open_board(s, i);
	}
	return st;
}

static enum rtb_status lock_part(struct sweeping *s, const char *part)
{
	char *key = rtb_sprintf("sweep:%s", part);
	char *label = rtb_sprintf("sweep %lld", (long long)s->out->sweep.id);
	s->lock = rtb_realloc(s->lock, (s->locks + 1) * sizeof *s->lock);
	enum rtb_status st = rtb_lock_take(rtb_lock_dir(), key, label, s->spec->clock, &s->lock[s->locks], s->e);
	s->locks += st == RTB_OK;
	free(key);
	free(label);
	return st;
}

/* A second process that goes on with a sweep which is still being done would do its runs twice. */
static enum rtb_status lock_parts(struct sweeping *s)
{
	char **part;
	size_t count;
	enum rtb_status st = rtb_store_parts(s->store, s->out->sweep.id, &part, &count, s->e);
	for (size_t i = 0; st == RTB_OK && i < count; i++)
		st = lock_part(s, part[i]);
	rtb_store_parts_free(part, count);
	return st;
}

static enum rtb_status go_on(struct sweeping *s)
{
	const struct rtb_sweep *r = s->spec->resume;
	char host[256] = "";
	gethostname(host, sizeof host - 1);
	s->out->sweep = (struct rtb_sweep){
		.id = r->id, .started_ns = s->spec->clock->wall_ns(s->spec->clock->ctx), .command = rtb_strdup(s->spec->command),
		.host = rtb_strdup(host), .rtbench_version = rtb_strdup(RTBENCH_VERSION), .uid = rtb_strdup(r->uid),
		.planned = (unsigned)s->spec->plan->step_count};
	enum rtb_status st = lock_parts(s);
	if (st == RTB_OK)
		st = rtb_store_resume_sweep(s->store, &s->out->sweep, s->e);
	return st ? st : rtb_past_load(s->store, r->id, &s->past, s->e);
}

static enum rtb_status open_store(struct sweeping *s)
{
	const struct rtb_sweep_spec *p = s->spec;
	const char *slash = strrchr(p->db_path, '/');
	char *dir = slash ? rtb_sprintf("%.*s", (int)(slash - p->db_path), p->db_path) : NULL;
	enum rtb_status st = dir && *dir ? rtb_places_dir(dir, s->e) : RTB_OK;
	free(dir);
	if (st == RTB_OK)
		st = rtb_store_open_wait(p->db_path, STORE_WRITE, STORE_WAIT_MS, p->cancel, &s->store, s->e);
	if (st)
		return st;
	if (p->resume)
		return go_on(s);
	char host[256] = "";
	gethostname(host, sizeof host - 1);
	s->out->sweep = (struct rtb_sweep){
		.started_ns = p->clock->wall_ns(p->clock->ctx), .command = rtb_strdup(p->command),
		.host = rtb_strdup(host), .rtbench_version = rtb_strdup(RTBENCH_VERSION),
		.config_text = rtb_strdup(p->project->text), .planned = (unsigned)p->plan->step_count,
		.uid = p->key ? rtb_sprintf("key:%s", p->key) : NULL};
	st = rtb_store_begin_sweep(s->store, &s->out->sweep, s->e);
	return st ? st : lock_part(s, s->out->sweep.part);
}

static enum rtb_status make_places(struct sweeping *s)
{
	char *work = rtb_project_path(s->spec->project, s->spec->project->work);
	size_t gone = rtb_tidy(work, s->spec->project->keep_days, s->spec->clock->wall_ns(s->spec->clock->ctx));
	if (gone)
		rtb_log(RTB_LOG_INFO, "%zu directories of old images and logs removed from %s", gone, work);
	s->cells_dir = rtb_sprintf("%s/cells", work);
	s->logs_dir = rtb_sprintf("%s/logs/sweep-%lld", work, (long long)s->out->sweep.id);
	free(work);
	enum rtb_status st = rtb_places_dir(s->cells_dir, s->e);
	return st ? st : rtb_places_dir(s->logs_dir, s->e);
}

/* From a place for each step to those that ended, in the order of the plan. */
static void close_ranks(struct rtb_sweep_result *o, size_t steps)
{
	size_t n = 0;
	for (size_t i = 0; i < steps; i++)
		if (o->run[i]) {
			o->log_dir[n] = o->log_dir[i];
			o->run[n++] = o->run[i];
		}
	o->run_count = n;
}

/* Questions that only all runs together answer; verdicts already stored may change. */
static enum rtb_status judge_all(struct sweeping *s)
{
	size_t n = s->out->run_count, *before = rtb_alloc(n * sizeof *before);
	for (size_t i = 0; i < n; i++)
		before[i] = s->out->run[i]->finding_count;
	enum rtb_status st = RTB_OK;
	if (rtb_check_sweep(s->out->run, n))
		for (size_t i = 0; st == RTB_OK && i < n; i++)
			if (s->out->run[i]->finding_count != before[i])
				st = rtb_store_judge(s->store, s->out->run[i], s->e);
	free(before);
	return st;
}

static enum rtb_status finish(struct sweeping *s)
{
	struct rtb_sweep_result *o = s->out;
	enum rtb_status st = s->status;
	close_ranks(o, s->spec->plan->step_count);
	for (size_t i = 0; i < o->run_count; i++)
		o->build_total_ms += o->run[i]->phases.build_ms;
	if (st == RTB_OK)
		st = judge_all(s);
	if (st == RTB_OK && o->run_count)
		st = rtb_store_store_ms(s->store, o->run, o->run_count, s->e);
	for (size_t i = 0; i < o->run_count; i++)
		worst(s, rtb_sweep_ended(o->run[i]));
	if (rtb_sweep_cancelled(s))
		worst(s, RTB_INTERRUPTED);
	worst(s, st);
	o->sweep.ended_ns = s->spec->clock->wall_ns(s->spec->clock->ctx);
	enum rtb_status end = rtb_store_end_sweep(s->store, &o->sweep, s->e);
	o->total_ms = (unsigned)((rtb_now_ns(s->spec->clock) - s->began_ns) / 1000000u);
	return st ? st : end;
}

static enum rtb_status run_stored(struct sweeping *s)
{
	const struct rtb_plan *plan = s->spec->plan;
	struct rtb_sweep_result *o = s->out;
	o->run = rtb_alloc(plan->step_count * sizeof *o->run);
	o->log_dir = rtb_alloc(plan->step_count * sizeof *o->log_dir);
	o->boards = plan->board_count;
	s->progress = rtb_alloc(plan->step_count * sizeof *s->progress);
	for (size_t i = 0; i < plan->board_count; i++)
		s->worker[i].ev = (struct rtb_event){.sweep_id = o->sweep.id, .total = plan->step_count, .plan = plan,
						     .board = plan->board[i].target.name};
	struct worker all = {.s = s, .ev = {.sweep_id = o->sweep.id, .total = plan->step_count, .plan = plan}};
	struct rtb_builder_spec bs = {s->spec->project, plan, s->kernel, &s->tools, s->cells_dir, s->spec->clock,
				      s->spec->cancel};
	s->builder = rtb_builder_start(&bs);
	rtb_sweep_tell(&all, EVENT_BEGIN);
	rtb_sweep_pool(s);
	enum rtb_status st = finish(s);
	rtb_sweep_tell(&all, EVENT_END);
	return st;
}

static void clean_up(struct sweeping *s)
{
	rtb_builder_end(s->builder);
	rtb_past_free(&s->past);
	for (size_t i = 0; i < s->locks; i++)
		rtb_lock_release(&s->lock[i]);
	free(s->lock);
	for (size_t i = 0; s->worker && i < s->spec->plan->board_count; i++)
		rtb_board_close(&s->worker[i].board);
	for (size_t i = 0; s->kernel && i < s->spec->plan->kernel_count; i++)
		rtb_kernel_state_free(&s->kernel[i]);
	if (s->logs_dir)
		rmdir(s->logs_dir); /* goes only when no run left a log */
	rtb_store_close(s->store);
	rtb_toolchain_free(&s->tools);
	pthread_mutex_destroy(&s->mutex);
	pthread_mutex_destroy(&s->store_mutex);
	pthread_cond_destroy(&s->changed);
	free(s->worker);
	free(s->progress);
	free(s->kernel);
	free(s->cells_dir);
	free(s->logs_dir);
}

static void init_shared(struct sweeping *s)
{
	pthread_condattr_t attr;
	pthread_mutex_init(&s->mutex, NULL);
	pthread_mutex_init(&s->store_mutex, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &attr);
	pthread_condattr_destroy(&attr);
}

enum rtb_status rtb_sweep_run(const struct rtb_sweep_spec *spec, struct rtb_sweep_result *out,
			      struct rtb_error *e)
{
	struct sweeping s = {.spec = spec, .out = out, .e = e, .began_ns = rtb_now_ns(spec->clock)};
	*out = (struct rtb_sweep_result){0};
	init_shared(&s);
	enum rtb_status st = prepare(&s);
	if (st == RTB_OK)
		st = open_store(&s);
	if (st == RTB_OK)
		st = make_places(&s);
	if (st == RTB_OK)
		st = run_stored(&s);
	clean_up(&s);
	return st;
}

void rtb_sweep_result_free(struct rtb_sweep_result *r)
{
	for (size_t i = 0; i < r->run_count; i++) {
		rtb_run_free(r->run[i]);
		free(r->run[i]);
		free(r->log_dir[i]);
	}
	free(r->run);
	free(r->log_dir);
	rtb_sweep_free(&r->sweep);
	*r = (struct rtb_sweep_result){0};
}
