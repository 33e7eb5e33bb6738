#include "sweep/builder.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct rtb_builder {
	struct rtb_builder_spec spec;
	struct rtb_built *built; /* by cell; entry i is the thread's own until i < done */
	size_t done;
	rtb_flag stop_now; /* ends a running make */
	struct rtb_built interrupted;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	/* Digest of each target's inputs, made when first needed. */
	char (*inputs)[RTB_SHA256_HEX];
};

static bool stopped(const struct rtb_builder *b)
{
	return b->stop_now || (b->spec.cancel && *b->spec.cancel);
}

static void build_one(struct rtb_builder *b, size_t index, struct rtb_built *out)
{
	const struct rtb_plan *plan = b->spec.plan;
	const struct rtb_plan_cell *c = &plan->cell[index];
	const struct rtb_target *t = &plan->target[c->target];
	const struct rtb_project *p = b->spec.project;
	if (!b->inputs[c->target][0])
		out->status = rtb_firmware_inputs(p->home, t->base_dir, b->inputs[c->target], &out->error);
	if (out->status)
		return;
	struct rtb_memory *memory = rtb_alloc(t->memory_count * sizeof *memory);
	for (size_t i = 0; i < t->memory_count; i++)
		memory[i] = (struct rtb_memory){t->memory[i].name, strcmp(t->memory[i].kind, "flash") == 0,
						t->memory[i].base, t->memory[i].size};
	struct rtb_firmware_spec s = {
		.home = p->home, .cells_dir = b->spec.cells_dir, .target = t->firmware, .target_dir = t->base_dir,
		.kernel = plan->kernel[c->kernel].name, .opt = c->opt, .instrumented = c->instrumented,
		.handshake = t->link.handshake, .samples = plan->samples, .baud = t->link.baud,
		.entry = plan->kernel[c->kernel].entry,
		.kernel_hash = plan->kernel[c->kernel].entry ? b->spec.kernel[c->kernel].kernel_hash : NULL,
		.inputs = b->inputs[c->target], .tools = b->spec.tools, .memory = memory,
		.memories = t->memory_count, .jobs = p->jobs, .timeout_ms = p->build_timeout_ms,
		.clock = b->spec.clock, .cancel = &b->stop_now};
	out->status = rtb_firmware_build(&s, &out->firmware, &out->error);
	free(memory);
}

static void *build_all(void *arg)
{
	struct rtb_builder *b = arg;
	for (size_t i = 0; i < b->spec.plan->cell_count && !stopped(b); i++) {
		build_one(b, i, &b->built[i]);
		pthread_mutex_lock(&b->mutex);
		b->done = i + 1;
		pthread_cond_broadcast(&b->changed);
		pthread_mutex_unlock(&b->mutex);
	}
	return NULL;
}

struct rtb_builder *rtb_builder_start(const struct rtb_builder_spec *spec)
{
	struct rtb_builder *b = rtb_alloc(sizeof *b);
	b->spec = *spec;
	b->built = rtb_alloc(spec->plan->cell_count * sizeof *b->built);
	b->inputs = rtb_alloc(spec->plan->target_count * sizeof *b->inputs);
	rtb_fail(&b->interrupted.error, RTB_INTERRUPTED, "interrupted while building");
	b->interrupted.status = RTB_INTERRUPTED;
	pthread_mutex_init(&b->mutex, NULL);
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&b->changed, &attr);
	pthread_condattr_destroy(&attr);
	/* Signals are the main thread's: it is the one that decides what they mean. */
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int err = pthread_create(&b->thread, NULL, build_all, b);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err) {
		build_all(b); /* no thread to be had: build first, then measure */
		b->thread = pthread_self();
	}
	return b;
}

/* Until the next look at cancel, which no condition variable hears of. */
static void wait_a_little(struct rtb_builder *b)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += 50000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_cond_timedwait(&b->changed, &b->mutex, &until);
}

const struct rtb_built *rtb_builder_get(struct rtb_builder *b, size_t cell, unsigned *waited_ms)
{
	uint64_t began = rtb_now_ns(b->spec.clock);
	const struct rtb_built *found = NULL;
	pthread_mutex_lock(&b->mutex);
	while (!found) {
		if (cell < b->done)
			found = &b->built[cell];
		else if (b->spec.cancel && *b->spec.cancel)
			found = &b->interrupted;
		else
			wait_a_little(b);
	}
	pthread_mutex_unlock(&b->mutex);
	*waited_ms = (unsigned)((rtb_now_ns(b->spec.clock) - began) / 1000000u);
	return found;
}

void rtb_builder_end(struct rtb_builder *b)
{
	if (!b)
		return;
	b->stop_now = 1;
	if (!pthread_equal(b->thread, pthread_self()))
		pthread_join(b->thread, NULL);
	for (size_t i = 0; i < b->spec.plan->cell_count; i++)
		rtb_firmware_free(&b->built[i].firmware);
	pthread_cond_destroy(&b->changed);
	pthread_mutex_destroy(&b->mutex);
	free(b->built);
	free(b->inputs);
	free(b);
}
