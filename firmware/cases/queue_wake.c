/* queue_wake - a low task sends a message of 4 bytes to a high task that waits for it.
 *
 * Start: task low, before its call of send.
 * End:   task high, after its call of receive has returned with the message.
 * Between: send finds the waiter, the message is copied, one switch, the rest of receive.
 */
#include "core/bench.h"

struct state {
	volatile uint32_t start;
	uint32_t sends;
	rtb_queue queue;
	RTB_TASK(low);
	RTB_TASK(high);
};
RTB_CASE(queue_wake, struct state, setup);

struct received {
	uint32_t end, message;
};

RTB_MEASURED static void rtb_measured_queue_wake(uint32_t message)
{
	s.start = cycles_now();
	rtb_queue_send(&s.queue, message);
}

RTB_MEASURED static void rtb_measured_queue_wake_end(struct received *r)
{
	uint32_t message = rtb_queue_recv(&s.queue);
	r->end = cycles_now();
	r->message = message;
}

static void high(void *arg)
{
	(void)arg;
	for (;;) {
		struct received r;
		rtb_measured_queue_wake_end(&r);
		rtb_check(r.message);
		if (!rtb_sample((int32_t)(r.end - s.start)))
			rtb_case_end();
	}
}

static void low(void *arg)
{
	(void)arg;
	for (;;)
		rtb_measured_queue_wake(s.sends++ * 0x9e3779b9u);
}

static void setup(void)
{
	rtb_queue_init(&s.queue);
	RTB_SPAWN(high, high, RTB_PRIO_HIGH);
	RTB_SPAWN(low, low, RTB_PRIO_LOW);
}
