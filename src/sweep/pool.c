/* Which board does which step, and the threads in which the boards do them. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "sweep/state.h"

#define NONE SIZE_MAX

static bool same_target(const struct worker *a, const struct worker *b)
{
	const struct rtb_plan *p = a->s->spec->plan;
	return p->board[a->index].of == p->board[b->index].of;
}

bool rtb_sweep_all_aside(const struct worker *w)
{
	for (size_t i = 0; i < w->s->spec->plan->board_count; i++)
		if (same_target(w, &w->s->worker[i]) && !w->s->worker[i].aside)
			return false;
	return true;
}

static bool others_work(const struct worker *w)
{
	for (size_t i = 0; i < w->s->spec->plan->board_count; i++) {
		const struct worker *other = &w->s->worker[i];
		if (other != w && other->working && !other->aside && same_target(w, other))
			return true;
	}
	return false;
}

size_t rtb_sweep_give_back(struct worker *w)
{
	struct sweeping *s = w->s;
	size_t given = 0;
	if (rtb_sweep_all_aside(w))
		return 0;
	for (size_t i = 0; i < s->spec->plan->step_count; i++) {
		const struct rtb_run *run = s->out->run[i];
		if (!run || s->progress[i].by != w || !rtb_sweep_blames_board(run))
			continue;
		s->progress[i] = (struct progress){.tries = s->progress[i].tries};
		s->out->run_count--;
		given++;
	}
	return given;
}

/* The first step that is this board's: one of its own cells, or one of a board that was set
 * aside. *later: there are others that could still become its own. What was given back stays as
 * it failed when the last board goes too. */
static size_t find_step(const struct worker *w, bool *later)
{
	const struct sweeping *s = w->s;
	const struct rtb_plan *p = s->spec->plan;
	bool last = rtb_sweep_all_aside(w);
	*later = false;
	if (w->aside && !last)
		return NONE; /* somebody else does them */
	*later = others_work(w);
	for (size_t i = 0; i < p->step_count; i++) {
		const struct worker *home = &s->worker[p->cell[p->step[i].cell].board];
		if (s->progress[i].taken || !same_target(w, home) || (last && s->out->run[i]))
			continue;
		if (home == w || home->aside)
			return i;
		*later = true;
	}
	return NONE;
}

static void wait_a_little(struct sweeping *s)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += 50000000; /* a signal does not wake it */
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_cond_timedwait(&s->changed, &s->mutex, &until);
}

static size_t take_step(struct worker *w)
{
	struct sweeping *s = w->s;
	size_t found = NONE;
	bool later = true;
	pthread_mutex_lock(&s->mutex);
	w->working = false;
	pthread_cond_broadcast(&s->changed);
	while (found == NONE && later && !s->stop && !rtb_sweep_cancelled(s)) {
		found = find_step(w, &later);
		if (found == NONE && later)
			wait_a_little(s);
	}
	if (s->stop || rtb_sweep_cancelled(s))
		found = NONE;
	if (found != NONE) {
		s->progress[found] = (struct progress){true, s->progress[found].tries, w};
		w->working = true;
		pthread_cond_broadcast(&s->changed);
	}
	pthread_mutex_unlock(&s->mutex);
	return found;
}

/* A service ends with the thread that started it (its parent's death signal), so it is stopped
 * here. */
static void *work(void *arg)
{
	struct worker *w = arg;
	for (size_t i; (i = take_step(w)) != NONE;)
		rtb_sweep_step(w, i);
	rtb_board_stop(&w->board);
	return NULL;
}

/* The first board is worked by the calling thread, which is also the one that takes signals. */
void rtb_sweep_pool(struct sweeping *s)
{
	size_t n = s->spec->plan->board_count;
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (size_t i = 1; i < n; i++) {
		int err = pthread_create(&s->worker[i].thread, NULL, work, &s->worker[i]);
		s->worker[i].started = err == 0;
		if (err) {
			struct rtb_error e = {0};
			rtb_fail(&e, RTB_INTERNAL, "no thread for board %zu: error %d", i + 1, err);
			rtb_sweep_stop(s, RTB_INTERNAL, &e);
		}
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	work(&s->worker[0]);
	for (size_t i = 1; i < n; i++)
		if (s->worker[i].started)
			pthread_join(s->worker[i].thread, NULL);
}
