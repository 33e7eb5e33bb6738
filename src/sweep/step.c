/* One run: built, flashed, measured, stored; again when it failed in a way that can heal. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "check/check.h"
#include "sweep/facts.h"
#include "sweep/recover.h"
#include "sweep/state.h"

#define BACKOFF_MAX_MS 600000u

static void on_phase(void *ctx, enum rtb_phase phase, const char *case_name)
{
	struct worker *w = ctx;
	w->ev.phase = phase;
	w->ev.case_name = case_name;
	rtb_sweep_tell(w, EVENT_PHASE);
	w->ev.case_name = NULL;
}

static struct rtb_cell cell_of(const struct rtb_plan *p, const struct rtb_plan_cell *c)
{
	return (struct rtb_cell){.target = p->target[c->target].name, .kernel = p->kernel[c->kernel].name,
				 .opt = (char *)c->opt, .instrumented = c->instrumented};
}

static unsigned past_attempts(struct sweeping *s, const struct rtb_cell *cell, unsigned repeat)
{
	pthread_mutex_lock(&s->mutex);
	unsigned n = rtb_past_attempts(&s->past, cell, repeat);
	pthread_mutex_unlock(&s->mutex);
	return n;
}

static void begin_run(struct worker *w, const struct rtb_plan_step *step, struct rtb_run *run)
{
	struct sweeping *s = w->s;
	struct rtb_cell c = cell_of(s->spec->plan, w->ev.cell);
	run->sweep_id = s->out->sweep.id;
	run->repeat = step->repeat;
	run->cell = (struct rtb_cell){.target = rtb_strdup(c.target), .kernel = rtb_strdup(c.kernel), .opt = rtb_strdup(c.opt),
				      .instrumented = c.instrumented};
	run->attempt = 1 + past_attempts(s, &c, step->repeat);
	run->started_ns = s->spec->clock->wall_ns(s->spec->clock->ctx);
}

/* Build, flash, measure; run->status and run->error say how it went. */
static void do_run(struct worker *w, const struct rtb_plan_step *step, const char *dir, struct rtb_run *run)
{
	struct sweeping *s = w->s;
	const struct rtb_plan_cell *c = w->ev.cell;
	on_phase(w, PHASE_BUILD, NULL);
	const struct rtb_built *built = rtb_builder_get(s->builder, step->cell, &run->phases.wait_ms);
	if (step->repeat == 1)
		run->phases.build_ms = built->firmware.ms;
	rtb_facts_of_build(run, s->spec->plan, c, &s->kernel[c->kernel], &s->tools, built);
	run->build_log = rtb_sprintf("%s\n%s\n", built->firmware.log ? built->firmware.log : "",
				     built->firmware.inputs ? built->firmware.inputs : "");
	run->status = built->status;
	if (built->status) {
		run->error = rtb_strdup(built->error.text);
		return;
	}
	struct rtb_cell_job job = {
		.plan = s->spec->plan, .firmware = &built->firmware, .board = &w->board,
		.always_flash = s->spec->always_flash, .rung = w->rung, .dir = dir, .clock = s->spec->clock, .cancel = s->spec->cancel,
		.on_phase = on_phase, .ctx = w};
	w->last = rtb_cell_measure(&job, run);
	if (w->last != RTB_OK)
		rtb_board_stop(&w->board); /* the next cell begins with a fresh one */
}

static enum rtb_status store_run(struct worker *w, struct rtb_run *run, struct rtb_error *e)
{
	struct sweeping *s = w->s;
	on_phase(w, PHASE_STORE, NULL);
	run->ended_ns = s->spec->clock->wall_ns(s->spec->clock->ctx);
	rtb_check_run(run);
	pthread_mutex_lock(&s->store_mutex);
	uint64_t began = rtb_now_ns(s->spec->clock);
	enum rtb_status st = rtb_store_put_run(s->store, run, e);
	run->phases.store_ms = (unsigned)((rtb_now_ns(s->spec->clock) - began) / 1000000u);
	pthread_mutex_unlock(&s->store_mutex);
	return st;
}

/* Guarded. */
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

static unsigned guess_left(const struct sweeping *s)
{
	const struct rtb_sweep_result *o = s->out;
	uint64_t elapsed = (rtb_now_ns(s->spec->clock) - s->began_ns) / 1000000u;
	return (unsigned)(elapsed * (s->spec->plan->step_count - o->run_count) / (o->run_count - o->kept));
}

/* What another board made of it before it was set aside. Guarded. */
static void drop_run(struct rtb_sweep_result *o, size_t index)
{
	if (!o->run[index])
		return;
	rtb_run_free(o->run[index]);
	free(o->run[index]);
	free(o->log_dir[index]);
}

/* The result keeps what tables and checks need; logs are in the store. */
static void keep_run(struct worker *w, size_t index, struct rtb_run *run, char *dir)
{
	struct sweeping *s = w->s;
	struct rtb_sweep_result *o = s->out;
	if (run->status == RTB_OK) {
		rtb_places_forget(dir);
		dir = NULL;
	}
	pthread_mutex_lock(&s->mutex);
	drop_run(o, index);
	o->run[index] = run;
	o->log_dir[index] = dir;
	o->run_count++;
	add_phases(s, run);
	if (s->spec->fail_fast && rtb_sweep_ended(run))
		s->stop = true;
	w->ev.left_ms = guess_left(s);
	pthread_mutex_unlock(&s->mutex);
	w->ev.run = run;
	w->ev.log_dir = dir;
	rtb_sweep_tell(w, EVENT_DONE);
	w->ev.run = NULL;
	w->ev.log_dir = NULL;
	free(run->openocd_log);
	free(run->serial_log);
	free(run->build_log);
	run->openocd_log = run->serial_log = run->build_log = NULL;
	run->serial_log_len = 0;
}

static struct rtb_run *take_past(struct sweeping *s, const struct rtb_plan_step *step, const struct rtb_cell *cell)
{
	const struct rtb_plan *p = s->spec->plan;
	unsigned waited;
	const struct rtb_built *built = rtb_builder_get(s->builder, step->cell, &waited);
	if (built->status)
		return NULL; /* the run itself will say so */
	const char *why;
	pthread_mutex_lock(&s->mutex);
	struct rtb_run *run = rtb_past_take(&s->past, cell, step->repeat, built->firmware.image.build_id, p->samples,
					    p->cases, &why);
	pthread_mutex_unlock(&s->mutex);
	if (!run && why)
		rtb_log(RTB_LOG_WARN, "%s %s %s%s, repeat %u, is done again: %s", cell->target, cell->kernel, cell->opt,
			cell->instrumented ? " instrumented" : "", step->repeat, why);
	return run;
}

/* Where a later attempt was another image, and what this one was made of is wanted again, it is this
 * one that tables and comparisons must go by. */
static void let_stand(struct sweeping *s, const struct rtb_run *run)
{
	struct rtb_error e = {0};
	pthread_mutex_lock(&s->mutex);
	bool beaten = rtb_past_beaten(&s->past, run);
	pthread_mutex_unlock(&s->mutex);
	if (!beaten)
		return;
	pthread_mutex_lock(&s->store_mutex);
	enum rtb_status st = rtb_store_stand(s->store, run->id, &e);
	pthread_mutex_unlock(&s->store_mutex);
	if (st)
		rtb_sweep_stop(s, st, &e);
	else
		rtb_log(RTB_LOG_WARN, "%s %s %s%s, repeat %u: run %lld counts again: it is what would be measured now",
			run->cell.target, run->cell.kernel, run->cell.opt, run->cell.instrumented ? " instrumented" : "",
			run->repeat, (long long)run->id);
}

/* Whether this step was complete before the sweep was cut short, and is still what it would be. */
static bool keep_past(struct worker *w, size_t index)
{
	struct sweeping *s = w->s;
	const struct rtb_plan_step *step = &s->spec->plan->step[index];
	struct rtb_cell cell = cell_of(s->spec->plan, w->ev.cell);
	struct rtb_run *run = past_attempts(s, &cell, step->repeat) ? take_past(s, step, &cell) : NULL;
	if (!run)
		return false;
	let_stand(s, run);
	rtb_check_run(run);
	pthread_mutex_lock(&s->mutex);
	s->out->kept++;
	s->out->run[index] = run;
	s->out->run_count++;
	pthread_mutex_unlock(&s->mutex);
	w->ev.run = run;
	rtb_sweep_tell(w, EVENT_KEPT);
	w->ev.run = NULL;
	return true;
}

/* A pause that a signal ends. */
static void back_off(const struct sweeping *s, unsigned tried)
{
	uint64_t ms = (uint64_t)s->spec->project->backoff_ms << (tried - 1);
	uint64_t until = rtb_deadline_ms(s->spec->clock, (unsigned)(ms < BACKOFF_MAX_MS ? ms : BACKOFF_MAX_MS));
	while (!rtb_sweep_cancelled(s) && rtb_ms_left(s->spec->clock, until) > 0)
		poll(NULL, 0, 20);
}

bool rtb_sweep_blames_board(const struct rtb_run *run)
{
	int group = rtb_status_exit(run->status);
	return run->status != RTB_NOT_RUN &&
	       (group == rtb_status_exit(RTB_FLASH) || group == rtb_status_exit(RTB_LINK_LOST) ||
		group == rtb_status_exit(RTB_HANG));
}

static void set_aside(struct worker *w)
{
	struct sweeping *s = w->s;
	pthread_mutex_lock(&s->mutex);
	w->aside = true;
	bool all = rtb_sweep_all_aside(w);
	size_t given = rtb_sweep_give_back(w);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
	if (all)
		rtb_log(RTB_LOG_WARN, "%s is set aside: %u runs in a row failed; its others are not run",
			w->board.target->name, w->sick);
	else
		rtb_log(RTB_LOG_WARN, "%s is set aside: %u runs in a row failed; its others, and the %zu that failed on it, "
			"are done by the other boards", w->board.target->name, w->sick, given);
}

/* Whether the board is to blame so often that it gets no more runs. After this the run may be
 * another board's. */
static void note_health(struct worker *w, const struct rtb_run *run)
{
	if (run->status == RTB_OK)
		w->sick = 0;
	if (rtb_sweep_blames_board(run) && ++w->sick == w->s->spec->project->set_aside)
		set_aside(w);
}

/* One attempt, stored, after so many others in this sweep. *out is the caller's when RTB_OK. */
static enum rtb_status attempt(struct worker *w, const struct rtb_plan_step *step, unsigned before, const char *dir,
			       struct rtb_run **out, struct rtb_error *e)
{
	struct rtb_run *run = rtb_alloc(sizeof *run);
	begin_run(w, step, run);
	run->attempt += before;
	rtb_sweep_tell(w, EVENT_RUN);
	if (w->aside) {
		run->status = RTB_NOT_RUN;
		run->error = rtb_sprintf("the board was set aside after %u failed runs in a row", w->sick);
	} else {
		do_run(w, step, dir, run);
	}
	enum rtb_status st = store_run(w, run, e);
	if (st) {
		rtb_run_free(run);
		free(run);
		return st;
	}
	*out = run;
	return RTB_OK;
}

/* Before the next attempt; n have been made on this board. Frees the run. */
static void forget_attempt(struct worker *w, struct rtb_run *run, unsigned n)
{
	rtb_log(RTB_LOG_WARN, "%s %s %s, repeat %u: attempt %u: %s: %s", run->cell.target, run->cell.kernel,
		run->cell.opt, run->repeat, run->attempt, rtb_status_word(run->status), run->error);
	pthread_mutex_lock(&w->s->mutex);
	add_phases(w->s, run);
	pthread_mutex_unlock(&w->s->mutex);
	rtb_run_free(run);
	free(run);
	w->rung = rtb_recover(w->board.target, w->s->spec->clock, w->rung, w->last);
	back_off(w->s, n);
}

static void do_step(struct worker *w, size_t index)
{
	struct sweeping *s = w->s;
	const struct rtb_plan_step *step = &s->spec->plan->step[index];
	unsigned *tries = &s->progress[index].tries;
	if (*tries == 0 && keep_past(w, index))
		return;
	struct rtb_run *run = NULL;
	char *dir = NULL;
	w->rung = rtb_rung_first(w->board.target, w->last);
	for (unsigned n = 1;; n++) {
		struct rtb_error e = {0};
		enum rtb_status st = rtb_places_space(s, &e);
		dir = rtb_places_run(s, w->ev.cell, step->repeat, *tries + 1);
		st = st ? st : rtb_places_dir(dir, &e);
		st = st ? st : attempt(w, step, *tries, dir, &run, &e);
		if (st) {
			free(dir);
			rtb_sweep_stop(s, st, &e);
			return;
		}
		++*tries;
		if (run->status == RTB_OK || n >= s->spec->project->attempts || !rtb_status_retry(run->status) ||
		    run->status == RTB_NOT_RUN || rtb_sweep_cancelled(s))
			break;
		forget_attempt(w, run, n);
		free(dir);
	}
	if (run->status == RTB_NOT_RUN)
		rmdir(dir);
	keep_run(w, index, run, dir);
	note_health(w, run);
}

void rtb_sweep_step(struct worker *w, size_t index)
{
	const struct rtb_plan *p = w->s->spec->plan;
	w->ev.index = index;
	w->ev.cell = &p->cell[p->step[index].cell];
	w->ev.repeat = p->step[index].repeat;
	char *cell = rtb_plan_cell_name(p, w->ev.cell);
	rtb_log_set_about(cell);
	do_step(w, index);
	rtb_log_set_about(NULL);
	free(cell);
}
