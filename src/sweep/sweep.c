#include "sweep/sweep.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/log.h"
#include "check/check.h"
#include "sweep/facts.h"
#include "sweep/past.h"

#define FREE_MIN ((unsigned long long)8 << 20) /* bytes; a run with its logs needs far less */

#define BACKOFF_MAX_MS 600000u
#define LOCK_POLL_MS 100

struct sweeping {
	const struct rtb_sweep_spec *spec;
	struct rtb_sweep_result *out;
	struct rtb_error *e;
	struct rtb_store *store;
	struct rtb_toolchain tools;
	struct rtb_kernel_state *kernel; /* by plan->kernel */
	struct rtb_board *board;         /* by plan->target */
	struct rtb_builder *builder;
	unsigned *sick;                  /* failed runs in a row, by plan->target */
	struct rtb_past past;            /* of a sweep that goes on */
	struct rtb_lock lock;            /* of the sweep */
	char *cells_dir, *logs_dir;
	uint64_t began_ns;
	struct rtb_event ev;             /* of the run in hand */
};

static void tell(struct sweeping *s, enum rtb_event_kind kind)
{
	s->ev.kind = kind;
	s->ev.elapsed_ms = (unsigned)((rtb_now_ns(s->spec->clock) - s->began_ns) / 1000000u);
	if (s->spec->on_event)
		s->spec->on_event(s->spec->ctx, &s->ev);
}

static int make_dirs(const char *path)
{
	char *p = rtb_strdup(path);
	int rc = 0;
	for (char *c = p + 1; rc == 0; c++) {
		if (*c != '/' && *c)
			continue;
		char keep = *c;
		*c = '\0';
		rc = mkdir(p, 0777) < 0 && errno != EEXIST ? -1 : 0;
		*c = keep;
		if (!keep)
			break;
	}
	free(p);
	return rc;
}

static enum rtb_status need_dir(const char *path, struct rtb_error *e)
{
	return make_dirs(path) == 0 ? RTB_OK : rtb_fail(e, RTB_STORE, "cannot make %s: %s", path, strerror(errno));
}

/* A board in use is waited for as long as the sweep was told to. */
static enum rtb_status open_board(struct sweeping *s, size_t i)
{
	const struct rtb_sweep_spec *p = s->spec;
	uint64_t deadline = rtb_deadline_ms(p->clock, p->wait_ms);
	for (bool said = false;; said = true) {
		struct rtb_error own = {0};
		enum rtb_status st = rtb_board_open(&p->plan->target[i], p->clock, p->cancel, &s->board[i], &own);
		bool late = p->wait_ms != RTB_WAIT_FOREVER && rtb_ms_left(p->clock, deadline) == 0;
		if (st != RTB_BOARD_BUSY || late || (p->cancel && *p->cancel))
			return st ? rtb_fail(s->e, p->cancel && *p->cancel ? RTB_INTERRUPTED : st, "%s", own.text) : RTB_OK;
		if (!said)
			rtb_log(RTB_LOG_WARN, "waiting: %s", own.text);
		rtb_board_close(&s->board[i]);
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
	s->sick = rtb_alloc(plan->target_count * sizeof *s->sick);
	s->board = rtb_alloc(plan->target_count * sizeof *s->board);
	for (size_t i = 0; st == RTB_OK && i < plan->target_count; i++)
		st = open_board(s, i);
	return st;
}

/* A second process that goes on with a sweep which is still being done would do its runs twice. */
static enum rtb_status lock_sweep(struct sweeping *s)
{
	char *real = realpath(s->spec->db_path, NULL);
	char *key = rtb_sprintf("sweep:%s:%lld", real ? real : s->spec->db_path, (long long)s->out->sweep.id);
	char *label = rtb_sprintf("sweep %lld", (long long)s->out->sweep.id);
	enum rtb_status st = rtb_lock_take(rtb_lock_dir(), key, label, s->spec->clock, &s->lock, s->e);
	free(real);
	free(key);
	free(label);
	return st;
}

static enum rtb_status go_on(struct sweeping *s)
{
	const struct rtb_sweep *r = s->spec->resume;
	s->out->sweep = (struct rtb_sweep){
		.id = r->id, .started_ns = r->started_ns, .command = rtb_strdup(r->command), .host = rtb_strdup(r->host),
		.rtbench_version = rtb_strdup(r->rtbench_version), .config_text = rtb_strdup(r->config_text),
		.planned = (unsigned)s->spec->plan->step_count};
	enum rtb_status st = lock_sweep(s);
	return st ? st : rtb_past_load(s->store, r->id, &s->past, s->e);
}

static enum rtb_status open_store(struct sweeping *s)
{
	const struct rtb_sweep_spec *p = s->spec;
	const char *slash = strrchr(p->db_path, '/');
	char *dir = slash ? rtb_sprintf("%.*s", (int)(slash - p->db_path), p->db_path) : NULL;
	enum rtb_status st = dir && *dir ? need_dir(dir, s->e) : RTB_OK;
	free(dir);
	if (st == RTB_OK)
		st = rtb_store_open(p->db_path, STORE_WRITE, &s->store, s->e);
	if (st)
		return st;
	if (p->resume)
		return go_on(s);
	char host[256] = "";
	gethostname(host, sizeof host - 1);
	s->out->sweep = (struct rtb_sweep){
		.started_ns = p->clock->wall_ns(p->clock->ctx), .command = rtb_strdup(p->command),
		.host = rtb_strdup(host), .rtbench_version = rtb_strdup(RTBENCH_VERSION),
		.config_text = rtb_strdup(p->project->text), .planned = (unsigned)p->plan->step_count};
	st = rtb_store_begin_sweep(s->store, &s->out->sweep, s->e);
	return st ? st : lock_sweep(s);
}

static enum rtb_status make_places(struct sweeping *s)
{
	char *work = rtb_project_path(s->spec->project, s->spec->project->work);
	s->cells_dir = rtb_sprintf("%s/cells", work);
	s->logs_dir = rtb_sprintf("%s/logs/sweep-%lld", work, (long long)s->out->sweep.id);
	free(work);
	enum rtb_status st = need_dir(s->cells_dir, s->e);
	return st ? st : need_dir(s->logs_dir, s->e);
}

/* Written before anything of the cell, so that a full disk stops a sweep between two cells. */
static enum rtb_status check_space(struct sweeping *s)
{
	const char *const places[] = {s->spec->db_path, s->logs_dir};
	for (size_t i = 0; i < 2; i++) {
		struct statvfs v;
		if (statvfs(places[i], &v) != 0)
			continue;
		unsigned long long left = (unsigned long long)v.f_bavail * v.f_frsize;
		if (left < FREE_MIN)
			return rtb_fail(s->e, RTB_STORE_FULL, "only %llu KiB are left where %s is; stopping before the next cell",
					left / 1024, places[i]);
	}
	return RTB_OK;
}

static void on_phase(void *ctx, enum rtb_phase phase, const char *case_name)
{
	struct sweeping *s = ctx;
	s->ev.phase = phase;
	s->ev.case_name = case_name;
	tell(s, EVENT_PHASE);
	s->ev.case_name = NULL;
}

static char *run_dir(const struct sweeping *s, const struct rtb_plan_cell *c, unsigned repeat, unsigned attempt)
{
	const struct rtb_plan *p = s->spec->plan;
	char again[16] = "";
	if (attempt > 1)
		snprintf(again, sizeof again, "-a%u", attempt);
	return rtb_sprintf("%s/%s-%s-%s-%s-r%u%s", s->logs_dir, p->target[c->target].name, p->kernel[c->kernel].name,
			   c->opt, c->instrumented ? "instr" : "plain", repeat, again);
}

static void begin_run(const struct sweeping *s, const struct rtb_plan_step *step, struct rtb_run *run)
{
	const struct rtb_plan *p = s->spec->plan;
	const struct rtb_plan_cell *c = &p->cell[step->cell];
	run->sweep_id = s->out->sweep.id;
	run->repeat = step->repeat;
	run->cell = (struct rtb_cell){
		.target = rtb_strdup(p->target[c->target].name), .kernel = rtb_strdup(p->kernel[c->kernel].name),
		.opt = rtb_strdup(c->opt), .instrumented = c->instrumented};
	run->attempt = 1 + rtb_past_attempts(&s->past, &run->cell, step->repeat);
	run->started_ns = s->spec->clock->wall_ns(s->spec->clock->ctx);
}

/* Build, flash, measure; run->status and run->error say how it went. */
static void do_run(struct sweeping *s, const struct rtb_plan_step *step, const char *dir, struct rtb_run *run)
{
	const struct rtb_plan_cell *c = &s->spec->plan->cell[step->cell];
	struct rtb_board *b = &s->board[c->target];
	on_phase(s, PHASE_BUILD, NULL);
	const struct rtb_built *built = rtb_builder_get(s->builder, step->cell, &run->phases.wait_ms);
	if (step->repeat == 1) {
		run->phases.build_ms = built->firmware.ms;
		s->out->build_total_ms += built->firmware.ms;
	}
	rtb_facts_of_build(run, s->spec->plan, c, &s->kernel[c->kernel], &s->tools, built);
	run->build_log = rtb_sprintf("%s\n%s\n", built->firmware.log ? built->firmware.log : "",
				     built->firmware.inputs ? built->firmware.inputs : "");
	run->status = built->status;
	if (built->status) {
		run->error = rtb_strdup(built->error.text);
		return;
	}
	struct rtb_cell_job job = {
		.plan = s->spec->plan, .firmware = &built->firmware, .board = b, .always_flash = s->spec->always_flash, .dir = dir,
		.clock = s->spec->clock, .cancel = s->spec->cancel, .on_phase = on_phase, .ctx = s};
	if (rtb_cell_measure(&job, run) != RTB_OK)
		rtb_board_stop(b); /* the next cell begins with a fresh one */
}

static void add_phases(struct sweeping *s, const struct rtb_run *run)
{
	struct rtb_phases *t = &s->out->phases;
	const struct rtb_phases *p = &run->phases;
	t->build_ms += p->build_ms;
	t->flash_ms += p->flash_ms;
	t->boot_ms += p->boot_ms;
	t->measure_ms += p->measure_ms;
	t->store_ms += p->store_ms;
	t->wait_ms += p->wait_ms;
}

static enum rtb_status store_run(struct sweeping *s, struct rtb_run *run)
{
	on_phase(s, PHASE_STORE, NULL);
	uint64_t began = rtb_now_ns(s->spec->clock);
	run->ended_ns = s->spec->clock->wall_ns(s->spec->clock->ctx);
	rtb_check_run(run);
	enum rtb_status st = rtb_store_put_run(s->store, run, s->e);
	run->phases.store_ms = (unsigned)((rtb_now_ns(s->spec->clock) - began) / 1000000u);
	return st;
}

static enum rtb_status how_it_ended(const struct rtb_run *run)
{
	return run->status == RTB_OK && run->verdict == VERDICT_REJECTED ? RTB_REJECTED : run->status;
}

static void note_worst(struct sweeping *s, enum rtb_status st)
{
	if (rtb_status_exit(st) > rtb_status_exit(s->out->sweep.status))
		s->out->sweep.status = st;
}

static void forget_dir(char *dir)
{
	static const char *const files[] = {"flash.tcl", "openocd.log", "serial.log", "service.log"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char *path = rtb_sprintf("%s/%s", dir, files[i]);
		unlink(path);
		free(path);
	}
	rmdir(dir);
	free(dir);
}

/* The result keeps what tables and checks need; logs are in the store. */
static void keep_run(struct sweeping *s, struct rtb_run *run, char *dir)
{
	struct rtb_sweep_result *o = s->out;
	if (run->status == RTB_OK) {
		forget_dir(dir);
		dir = NULL;
	}
	o->log_dir[o->run_count] = dir;
	o->run[o->run_count++] = run;
	add_phases(s, run);
	note_worst(s, how_it_ended(run));
	s->ev.run = run;
	s->ev.log_dir = dir;
	s->ev.left_ms = 0;
	uint64_t elapsed = (rtb_now_ns(s->spec->clock) - s->began_ns) / 1000000u;
	s->ev.left_ms = (unsigned)(elapsed * (s->ev.total - o->run_count) / (o->run_count - o->kept));
	tell(s, EVENT_DONE);
	s->ev.run = NULL;
	s->ev.log_dir = NULL;
	free(run->openocd_log);
	free(run->serial_log);
	free(run->build_log);
	run->openocd_log = run->serial_log = run->build_log = NULL;
	run->serial_log_len = 0;
}

static bool cancelled(const struct sweeping *s)
{
	return s->spec->cancel && *s->spec->cancel;
}

/* Whether this step was complete before the sweep was cut short, and is still what it would be. */
static bool keep_past(struct sweeping *s, const struct rtb_plan_step *step)
{
	const struct rtb_plan *p = s->spec->plan;
	const struct rtb_plan_cell *c = s->ev.cell;
	const struct rtb_cell cell = {.target = p->target[c->target].name, .kernel = p->kernel[c->kernel].name,
				      .opt = (char *)c->opt, .instrumented = c->instrumented};
	if (rtb_past_attempts(&s->past, &cell, step->repeat) == 0)
		return false;
	unsigned waited;
	const struct rtb_built *built = rtb_builder_get(s->builder, step->cell, &waited);
	if (built->status)
		return false; /* the run itself will say so */
	const char *why;
	struct rtb_run *run = rtb_past_take(&s->past, &cell, step->repeat, built->firmware.image.build_id, p->samples,
					    p->cases, &why);
	if (!run && why)
		rtb_log(RTB_LOG_WARN, "%s %s %s%s, repeat %u, is done again: %s", cell.target, cell.kernel, cell.opt,
			cell.instrumented ? " instrumented" : "", step->repeat, why);
	if (!run)
		return false;
	rtb_check_run(run);
	s->out->kept++;
	s->out->run[s->out->run_count++] = run;
	note_worst(s, how_it_ended(run));
	s->ev.run = run;
	tell(s, EVENT_KEPT);
	s->ev.run = NULL;
	return true;
}

/* A pause that a signal ends. */
static void back_off(const struct sweeping *s, unsigned tried)
{
	uint64_t ms = (uint64_t)s->spec->project->backoff_ms << (tried - 1);
	uint64_t until = rtb_deadline_ms(s->spec->clock, (unsigned)(ms < BACKOFF_MAX_MS ? ms : BACKOFF_MAX_MS));
	while (!cancelled(s) && rtb_ms_left(s->spec->clock, until) > 0)
		poll(NULL, 0, 20);
}

/* Whether the board, not the image, is to blame so often that it gets no more runs. */
static bool set_aside(const struct sweeping *s, size_t target)
{
	unsigned limit = s->spec->project->set_aside;
	return limit && s->sick[target] >= limit;
}

static void note_health(struct sweeping *s, size_t target, const struct rtb_run *run)
{
	int group = rtb_status_exit(run->status);
	bool board = group == rtb_status_exit(RTB_FLASH) || group == rtb_status_exit(RTB_LINK_LOST) ||
		     group == rtb_status_exit(RTB_HANG);
	if (run->status == RTB_OK)
		s->sick[target] = 0;
	else if (board && run->status != RTB_NOT_RUN && ++s->sick[target] == s->spec->project->set_aside)
		rtb_log(RTB_LOG_WARN, "%s is set aside: %u runs in a row failed; its others are not run", run->cell.target,
			s->sick[target]);
}

/* One attempt, stored. *out is the caller's when RTB_OK. */
static enum rtb_status attempt(struct sweeping *s, const struct rtb_plan_step *step, unsigned number, const char *dir,
			       struct rtb_run **out)
{
	struct rtb_run *run = rtb_alloc(sizeof *run);
	size_t target = s->ev.cell->target;
	begin_run(s, step, run);
	run->attempt += number - 1;
	tell(s, EVENT_RUN);
	if (set_aside(s, target)) {
		run->status = RTB_NOT_RUN;
		run->error = rtb_sprintf("the board was set aside after %u failed runs in a row", s->sick[target]);
	} else {
		do_run(s, step, dir, run);
	}
	enum rtb_status st = store_run(s, run);
	if (st) {
		rtb_run_free(run);
		free(run);
		return st;
	}
	*out = run;
	return RTB_OK;
}

static enum rtb_status one_step(struct sweeping *s, size_t index)
{
	const struct rtb_plan_step *step = &s->spec->plan->step[index];
	s->ev.index = index;
	s->ev.cell = &s->spec->plan->cell[step->cell];
	s->ev.repeat = step->repeat;
	if (keep_past(s, step))
		return RTB_OK;
	struct rtb_run *run = NULL;
	char *dir = NULL;
	for (unsigned n = 1;; n++) {
		enum rtb_status st = check_space(s);
		dir = run_dir(s, s->ev.cell, step->repeat, n);
		st = st ? st : need_dir(dir, s->e);
		st = st ? st : attempt(s, step, n, dir, &run);
		if (st) {
			free(dir);
			return st;
		}
		if (run->status == RTB_OK || n >= s->spec->project->attempts || !rtb_status_retry(run->status) ||
		    run->status == RTB_NOT_RUN || cancelled(s))
			break;
		rtb_log(RTB_LOG_WARN, "%s %s %s, repeat %u: attempt %u: %s: %s", run->cell.target, run->cell.kernel,
			run->cell.opt, run->repeat, n, rtb_status_word(run->status), run->error);
		add_phases(s, run);
		rtb_run_free(run);
		free(run);
		free(dir);
		back_off(s, n);
	}
	note_health(s, s->ev.cell->target, run);
	if (run->status == RTB_NOT_RUN)
		rmdir(dir);
	keep_run(s, run, dir);
	return RTB_OK;
}

static enum rtb_status all_steps(struct sweeping *s)
{
	enum rtb_status st = RTB_OK;
	bool stop = false;
	for (size_t i = 0; st == RTB_OK && !stop && i < s->spec->plan->step_count && !cancelled(s); i++) {
		st = one_step(s, i);
		stop = st == RTB_OK && s->spec->fail_fast && how_it_ended(s->out->run[s->out->run_count - 1]) != RTB_OK;
	}
	if (cancelled(s))
		note_worst(s, RTB_INTERRUPTED);
	return st;
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
			if (s->out->run[i]->finding_count != before[i]) {
				st = rtb_store_judge(s->store, s->out->run[i], s->e);
				note_worst(s, how_it_ended(s->out->run[i]));
			}
	free(before);
	return st;
}

static enum rtb_status run_stored(struct sweeping *s)
{
	struct rtb_sweep_result *o = s->out;
	size_t total = s->spec->plan->step_count;
	o->run = rtb_alloc(total * sizeof *o->run);
	o->log_dir = rtb_alloc(total * sizeof *o->log_dir);
	s->ev = (struct rtb_event){.sweep_id = o->sweep.id, .total = total, .plan = s->spec->plan};
	struct rtb_builder_spec bs = {s->spec->project, s->spec->plan, s->kernel, &s->tools, s->cells_dir, s->spec->clock,
				      s->spec->cancel};
	s->builder = rtb_builder_start(&bs);
	tell(s, EVENT_BEGIN);
	enum rtb_status st = all_steps(s);
	if (st == RTB_OK)
		st = judge_all(s);
	if (st == RTB_OK && o->run_count)
		st = rtb_store_store_ms(s->store, o->run, o->run_count, s->e);
	if (st)
		note_worst(s, st);
	o->sweep.ended_ns = s->spec->clock->wall_ns(s->spec->clock->ctx);
	enum rtb_status end = rtb_store_end_sweep(s->store, &o->sweep, s->e);
	o->total_ms = (unsigned)((rtb_now_ns(s->spec->clock) - s->began_ns) / 1000000u);
	s->ev.cell = NULL;
	tell(s, EVENT_END);
	return st ? st : end;
}

static void clean_up(struct sweeping *s)
{
	rtb_builder_end(s->builder);
	rtb_past_free(&s->past);
	rtb_lock_release(&s->lock);
	for (size_t i = 0; s->board && i < s->spec->plan->target_count; i++)
		rtb_board_close(&s->board[i]);
	for (size_t i = 0; s->kernel && i < s->spec->plan->kernel_count; i++)
		rtb_kernel_state_free(&s->kernel[i]);
	if (s->logs_dir)
		rmdir(s->logs_dir); /* goes only when no run left a log */
	rtb_store_close(s->store);
	rtb_toolchain_free(&s->tools);
	free(s->board);
	free(s->sick);
	free(s->kernel);
	free(s->cells_dir);
	free(s->logs_dir);
}

enum rtb_status rtb_sweep_run(const struct rtb_sweep_spec *spec, struct rtb_sweep_result *out,
			      struct rtb_error *e)
{
	struct sweeping s = {.spec = spec, .out = out, .e = e, .began_ns = rtb_now_ns(spec->clock), .lock = {-1}};
	*out = (struct rtb_sweep_result){0};
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
