/* cpu_run.c - the loop: instructions until the horizon, and everything that is looked at
 * between them. */
#include "vboard/cpu_core.h"

static void execute(struct vb_cpu *c)
{
	struct vb_op *op = vb_code_resume(c);
	do {
		unsigned cycles = op->cycles; /* before: an op may forget itself */
		struct vb_op *next = op->fn(c, op);
		c->cycles += cycles;
		op = next;
	} while (VB_LIKELY(c->cycles < c->horizon));
	vb_code_suspend(c, op);
	c->debug.retired = true;
}

/* One instruction, and the hook before it. Decoding takes a turn of its own. */
static void execute_one(struct vb_cpu *c)
{
	struct vb_op *op = vb_code_resume(c);
	while (op->fn == vb_x_undecoded || op->fn == vb_x_edge)
		op = op->fn(c, op);
	if (c->trace) {
		c->it = op->it;
		c->r[15] = vb_pc(c, op);
		c->trace(c->trace_ctx, c, c->r[15]);
	}
	unsigned cycles = op->cycles;
	op = op->fn(c, op);
	c->cycles += cycles;
	vb_code_suspend(c, op);
	c->debug.retired = true;
}

static bool stepping(const struct vb_cpu *c)
{
	uint32_t both = DHCSR_DEBUGEN | DHCSR_STEP;
	return (c->debug.dhcsr & both) == both;
}

static void resets(struct vb_cpu *c)
{
	if (c->reset_asked)
		vb_machine_reset(c->m, VB_RESET_SYSTEM);
	else if (c->vectreset_asked)
		vb_cpu_reset(c, false);
	c->reset_asked = c->vectreset_asked = false;
}

/* What is due between two instructions and takes no decision: events, resets, the second half
 * of an exception return, a halt. */
static void settle_boundary(struct vb_cpu *c)
{
	vb_sched_run(&c->m->sched, c->cycles);
	if (c->reset_asked || c->vectreset_asked)
		resets(c);
	if (c->exc_return) {
		uint32_t value = c->exc_return;
		c->exc_return = 0;
		vb_exc_return(c, value);
		vb_sched_run(&c->m->sched, c->cycles);
	}
	if (c->debug.halt_request)
		vb_debug_halt(c);
}

static uint64_t next_stop(const struct vb_cpu *c, uint64_t until)
{
	uint64_t next = vb_sched_next(&c->m->sched);
	return next < until ? next : until;
}

/* One thing: an exception, a sleep up to the next event, an instruction or, at full speed, the
 * instructions up to the horizon. */
static void advance(struct vb_cpu *c, uint64_t until, bool single)
{
	if (c->sleeping) {
		vb_wake_check(c);
		if (c->sleeping) {
			c->cycles = next_stop(c, until);
			return;
		}
	}
	unsigned exc = vb_exc_ready(c);
	if (exc) {
		vb_exc_enter(c, exc);
	} else if (single || c->trace) {
		c->horizon = 0;
		execute_one(c);
	} else {
		c->horizon = next_stop(c, until);
		execute(c);
	}
}

/* The core stands still: events go on. */
static void pass_time(struct vb_cpu *c, uint64_t until)
{
	while (c->debug.halted || c->lockup) {
		uint64_t next = next_stop(c, until);
		if (next > c->cycles)
			c->cycles = next;
		settle_boundary(c);
		if (c->cycles >= until)
			return;
	}
}

enum vb_stop vb_machine_run(struct vb_machine *m, uint64_t until)
{
	struct vb_cpu *c = &m->cpu;
	pass_time(c, until);
	for (;;) {
		settle_boundary(c);
		if (c->stop_asked) {
			c->stop_asked = false;
			return VB_STOP_ASKED;
		}
		if (c->debug.halted)
			return VB_STOP_HALTED;
		if (c->lockup)
			return VB_STOP_LOCKUP;
		if (c->cycles >= until)
			return VB_STOP_CYCLES;
		bool single = stepping(c);
		advance(c, until, single);
		if (single) /* a debug event also wakes WFI and WFE (B1.5.17) */
			c->debug.halt_request |= DFSR_HALTED;
	}
}

void vb_cpu_step(struct vb_cpu *c)
{
	settle_boundary(c);
	if (!c->debug.halted && !c->lockup)
		advance(c, UINT64_MAX, true);
	settle_boundary(c);
}
