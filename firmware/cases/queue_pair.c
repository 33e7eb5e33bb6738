/* queue_pair - a message of 4 bytes sent and received by one task; nobody waits, nothing
 * switches.
 *
 * send   from before to after send, into an empty queue
 * recv   from before to after receive, of the only message
 * The other half of each pair happens outside the measured section.
 */
#include "core/bench.h"

struct state {
	uint32_t turns;
	rtb_queue queue;
	RTB_TASK(worker);
};
RTB_CASE(queue_pair, struct state, setup);

struct received {
	int32_t sample;
	uint32_t message;
};

RTB_MEASURED static int32_t rtb_measured_queue_pair_send(uint32_t message)
{
	uint32_t start = cycles_now();
	rtb_queue_send(&s.queue, message);
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

RTB_MEASURED static void rtb_measured_queue_pair_recv(struct received *r)
{
	uint32_t start = cycles_now();
	uint32_t message = rtb_queue_recv(&s.queue);
	uint32_t end = cycles_now();
	r->sample = (int32_t)(end - start);
	r->message = message;
}

static void worker(void *arg)
{
	(void)arg;
	struct received r;
	do {
		r.sample = rtb_measured_queue_pair_send(++s.turns * 0x9e3779b9u);
		rtb_check(rtb_queue_recv(&s.queue));
	} while (rtb_sample(r.sample));
	rtb_series_end();
	do {
		rtb_queue_send(&s.queue, ++s.turns * 0x9e3779b9u);
		rtb_measured_queue_pair_recv(&r);
		rtb_check(r.message);
	} while (rtb_sample(r.sample));
	rtb_case_end();
}

static void setup(void)
{
	rtb_queue_init(&s.queue);
	RTB_SPAWN(worker, worker, RTB_PRIO_MID);
}
