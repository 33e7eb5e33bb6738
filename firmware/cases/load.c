/* load.c - loads for the jitter cases. See load.h.
 *
 * The leader waits at the gate for a kind other than idle, tells the helper and goes on until
 * another kind is wanted. It is always the leader that stops the two, with nothing of theirs
 * under way, and it waits until the helper has left its loop: no task is ever found waiting in
 * a semaphore of a former kind.
 */
#include "cases/load.h"

static void lead(struct load *load, enum load_kind kind)
{
	while (load->kind == kind) {
		switch (kind) {
		case LOAD_SEM:
			rtb_sem_give(&load->ping);
			rtb_sem_take(&load->pong);
			break;
		case LOAD_QUEUE:
			rtb_queue_send(&load->there, 1);
			rtb_queue_recv(&load->back);
			break;
		default:
			rtb_delay(1);
			break;
		}
	}
	load->stop = true;
	if (kind == LOAD_SEM)
		rtb_sem_give(&load->ping);
	else if (kind == LOAD_QUEUE)
		rtb_queue_send(&load->there, 0);
	rtb_sem_take(&load->helper_back);
}

static void leader(void *arg)
{
	struct load *load = arg;
	for (;;) {
		rtb_sem_take(&load->gate);
		load->stop = false;
		load->running = load->kind;
		rtb_sem_give(&load->helper_gate);
		lead(load, load->running);
	}
}

static void help(struct load *load, enum load_kind kind)
{
	while (!load->stop) {
		switch (kind) {
		case LOAD_SEM:
			rtb_sem_take(&load->ping);
			if (!load->stop)
				rtb_sem_give(&load->pong);
			break;
		case LOAD_QUEUE:
			if (rtb_queue_recv(&load->there))
				rtb_queue_send(&load->back, 1);
			break;
		default:
			rtb_delay(1);
			break;
		}
	}
}

static void helper(void *arg)
{
	struct load *load = arg;
	for (;;) {
		rtb_sem_take(&load->helper_gate);
		help(load, load->running);
		rtb_sem_give(&load->helper_back);
	}
}

void load_setup(struct load *load, unsigned prio)
{
	rtb_sem_init(&load->gate, 0);
	rtb_sem_init(&load->helper_gate, 0);
	rtb_sem_init(&load->helper_back, 0);
	rtb_sem_init(&load->ping, 0);
	rtb_sem_init(&load->pong, 0);
	rtb_queue_init(&load->there);
	rtb_queue_init(&load->back);
	rtb_spawn(&load->leader, "leader", leader, load, prio + 1, load->leader_stack,
		  sizeof(load->leader_stack));
	rtb_spawn(&load->helper, "helper", helper, load, prio, load->helper_stack,
		  sizeof(load->helper_stack));
}

void load_next(struct load *load)
{
	load->kind = (enum load_kind)(load->kind + 1);
	rtb_sem_give(&load->gate);
}
