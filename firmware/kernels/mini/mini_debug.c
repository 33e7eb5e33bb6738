/* mini_debug.c - trace, statistics and checks of an instrumented mini. See mini_debug.h. */
#include "mini_internal.h"

#if MINI_DEBUG

#define CYCCNT (*(volatile uint32_t *)0xE0001004)

struct mini_trace mini_trace_ring[MINI_TRACE];
uint32_t mini_trace_count;

static uint32_t switched_at;

/* A handler above MINI_IRQ_PRIO never gets here, so locking is enough; the callers have. */
void mini_trace(enum mini_event event, const void *object)
{
	struct mini_trace *t = &mini_trace_ring[mini_trace_count++ % MINI_TRACE];
	t->cycles = CYCCNT;
	t->what = (uint32_t)event << 24 | ((uint32_t)object & 0x00ffffff);
}

void mini_debug_created(struct mini_task *t, const char *name, uint32_t *stack)
{
	t->name = name;
	t->stack = stack;
	t->stack_guard = *stack;
	t->cycles = 0;
	t->switches = 0;
}

void mini_debug_switch(void)
{
	struct mini_task *out = mini.current, *in = mini.next;
	uint32_t now = CYCCNT;
	out->cycles += now - switched_at;
	switched_at = now;
	in->switches++;
	mini_trace(MINI_EV_SWITCH, in);
	MINI_ASSERT(out->sp > out->stack);
	MINI_ASSERT(*out->stack == out->stack_guard);
}

#endif
