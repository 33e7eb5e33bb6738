/* footprint - the standard set: three tasks, two semaphores, one queue, each used.
 *
 * What it is for is its size: footprint.elf holds this case alone, so that the linker keeps of
 * the kernel what such an application needs, and the host reads flash and RAM off the map. The
 * kernel's objects are static and in a section of their own (.bss.rtb_objects), counted to the
 * kernel; the stacks lie in the arena and are counted apart.
 *
 * The figure that it brings besides is one turn of the set.
 * Start: task low, before it gives the first semaphore.
 * End:   task low, after it has taken the second.
 * Between: give wakes high, which sends a message and waits again; the message wakes middle,
 * which gives the second semaphore and waits again. Three switches.
 */
#include "core/bench.h"

#define OBJECT __attribute__((section(".bss.rtb_objects")))
static rtb_task high_task OBJECT, middle_task OBJECT, low_task OBJECT;
static rtb_sem request OBJECT, answer OBJECT;
static rtb_queue queue OBJECT;

struct state {
	uint32_t turns, last_message;
	RTB_STACK(high_stack, RTB_STACK_BYTES);
	RTB_STACK(middle_stack, RTB_STACK_BYTES);
	RTB_STACK(low_stack, RTB_STACK_BYTES);
};
RTB_CASE(footprint, struct state, setup);

RTB_MEASURED static int32_t rtb_measured_footprint(void)
{
	uint32_t start = cycles_now();
	rtb_sem_give(&request);
	rtb_sem_take(&answer);
	uint32_t end = cycles_now();
	return (int32_t)(end - start);
}

static void high(void *arg)
{
	(void)arg;
	for (uint32_t message = 1;; message++) {
		rtb_sem_take(&request);
		rtb_queue_send(&queue, message * 0x9e3779b9u);
	}
}

static void middle(void *arg)
{
	(void)arg;
	for (;;) {
		s.last_message = rtb_queue_recv(&queue);
		rtb_sem_give(&answer);
	}
}

static void low(void *arg)
{
	(void)arg;
	for (;;) {
		int32_t sample = rtb_measured_footprint();
		rtb_check(s.last_message);
		rtb_check(++s.turns);
		if (!rtb_sample(sample))
			rtb_case_end();
	}
}

static void setup(void)
{
	/* For footprint.elf, which has no arena but this. */
	__asm volatile(".global rtb_footprint_arena\n\t.equ rtb_footprint_arena, %c0" : : "i"(sizeof(struct state)));
	rtb_sem_init(&request, 0);
	rtb_sem_init(&answer, 0);
	rtb_queue_init(&queue);
	rtb_spawn(&high_task, "high", high, NULL, RTB_PRIO_HIGH, s.high_stack, sizeof(s.high_stack));
	rtb_spawn(&middle_task, "middle", middle, NULL, RTB_PRIO_MID, s.middle_stack,
		  sizeof(s.middle_stack));
	rtb_spawn(&low_task, "low", low, NULL, RTB_PRIO_LOW, s.low_stack, sizeof(s.low_stack));
}
