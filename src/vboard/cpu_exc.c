/* cpu_exc.c - exceptions: which one, entry, late arrival, tail-chaining, return
 * (ARMv7-M ARM B1.5; times: docs/virtual-board-timing.md, "Exceptions"). */
#include "vboard/cpu_core.h"

enum {
	ENTRY_CYCLES = 12, /* eight words stacked, vector fetched, pipeline filled */
	CHAIN_CYCLES = 6,  /* vector fetch and refill alone */
	EXIT_CYCLES = 10,  /* eight words unstacked, refill */
};

static inline bool test_bit(const uint32_t *map, unsigned n)
{
	return map[n >> 5] >> (n & 31) & 1;
}

static inline void set_bit(uint32_t *map, unsigned n)
{
	map[n >> 5] |= 1u << (n & 31);
}

static inline void clear_bit(uint32_t *map, unsigned n)
{
	map[n >> 5] &= ~(1u << (n & 31));
}

int vb_exc_group(const struct vb_cpu *c, int prio)
{
	return prio < 0 ? prio : prio & ~(int)((2u << c->scb.prigroup) - 1);
}

int vb_exec_priority(const struct vb_cpu *c)
{
	int p = 256;
	for (unsigned w = 0; w < VB_EXC_WORDS; w++) {
		for (uint32_t left = c->nvic.active[w]; left; left &= left - 1) {
			int a = vb_exc_group(c, c->nvic.prio[32 * w + (unsigned)__builtin_ctz(left)]);
			if (a < p)
				p = a;
		}
	}
	if (c->basepri && vb_exc_group(c, (int)c->basepri) < p)
		p = vb_exc_group(c, (int)c->basepri);
	if (c->primask && p > 0)
		p = 0;
	if (c->faultmask && p > -1)
		p = -1;
	return p;
}

/* Lowest priority value, then lowest number; 0 when nothing is pending and enabled. */
unsigned vb_exc_highest_pending(const struct vb_cpu *c)
{
	unsigned best = 0;
	for (unsigned w = 0; w < VB_EXC_WORDS; w++) {
		for (uint32_t left = c->nvic.pending[w] & c->nvic.enabled[w]; left; left &= left - 1) {
			unsigned n = 32 * w + (unsigned)__builtin_ctz(left);
			if (!best || c->nvic.prio[n] < c->nvic.prio[best])
				best = n;
		}
	}
	return best;
}

bool vb_exc_any_pending(const struct vb_cpu *c)
{
	for (unsigned w = 0; w < VB_EXC_WORDS; w++)
		if (c->nvic.pending[w] & c->nvic.enabled[w])
			return true;
	return false;
}

/* C_MASKINTS hides PendSV, SysTick and external interrupts from a debugged core (C1.6.2). */
static bool masked_by_debugger(const struct vb_cpu *c, unsigned exc)
{
	uint32_t both = DHCSR_DEBUGEN | DHCSR_MASKINTS;
	return exc >= VB_EXC_PENDSV && (c->debug.dhcsr & both) == both;
}

unsigned vb_exc_ready(const struct vb_cpu *c)
{
	if (!vb_exc_any_pending(c))
		return 0;
	unsigned n = vb_exc_highest_pending(c);
	if (masked_by_debugger(c, n) || vb_exc_group(c, c->nvic.prio[n]) >= vb_exec_priority(c))
		return 0;
	return n;
}

void vb_exc_pend(struct vb_cpu *c, unsigned exc)
{
	if (!test_bit(c->nvic.pending, exc) && c->scb.scr & SCR_SEVONPEND)
		c->event = true;
	set_bit(c->nvic.pending, exc);
	vb_attention(c);
}

void vb_exc_unpend(struct vb_cpu *c, unsigned exc)
{
	clear_bit(c->nvic.pending, exc);
}

void vb_irq_set(struct vb_machine *m, unsigned irq, bool level)
{
	struct vb_cpu *c = &m->cpu;
	unsigned exc = VB_EXC_IRQ0 + irq;
	bool before = test_bit(c->nvic.line, exc);
	if (level && !before) {
		set_bit(c->nvic.line, exc);
		vb_exc_pend(c, exc);
	} else if (!level) {
		clear_bit(c->nvic.line, exc);
	}
}

/* --- time passes inside the core's own sequences ----------------------------------------- */

/* Lets events happen until `end` (not those of `end` itself), stopping early, at the event's
 * cycle, when another exception than `current` has become the one to take. */
static unsigned pass_until(struct vb_cpu *c, uint64_t end, unsigned current)
{
	struct vb_sched *s = &c->m->sched;
	while (vb_sched_next(s) < end) {
		uint64_t at = vb_sched_next(s);
		if (at > c->cycles)
			c->cycles = at;
		vb_sched_run(s, c->cycles);
		unsigned now = vb_exc_ready(c);
		if (now && now != current)
			return now;
	}
	if (end > c->cycles)
		c->cycles = end;
	return current;
}

/* Until `end`, an exception that gains priority takes the vector over; from its arrival the
 * fetch and refill take CHAIN_CYCLES. */
static unsigned settle(struct vb_cpu *c, uint64_t end, unsigned exc)
{
	for (;;) {
		unsigned now = pass_until(c, end, exc);
		if (now == exc)
			return exc;
		exc = now;
		if (c->cycles + CHAIN_CYCLES > end)
			end = c->cycles + CHAIN_CYCLES;
	}
}

/* --- entry --------------------------------------------------------------------------------- */

static bool push_frame(struct vb_cpu *c)
{
	uint32_t sp = c->r[13], frame = sp - 32;
	bool padded = (c->scb.ccr & CCR_STKALIGN) && (frame & 4);
	if (padded)
		frame -= 4;
	uint32_t word[8] = { c->r[0], c->r[1], c->r[2], c->r[3], c->r[12], c->r[14], c->r[15],
			     vb_xpsr(c) | (padded ? 1u << 9 : 0) };
	c->r[13] = frame;
	for (unsigned i = 0; i < 8; i++)
		if (!vb_stack_write(c, frame + 4 * i, word[i]))
			return false;
	return true;
}

/* Whether this fault's entry is one the debugger asked to catch. */
static void vector_catch(struct vb_cpu *c, unsigned exc)
{
	if (c->debug.catch_exc == exc && c->debug.dhcsr & DHCSR_DEBUGEN)
		c->debug.halt_request |= DFSR_VCATCH;
	c->debug.catch_exc = 0;
}

/* ExceptionTaken (B1.5.6): the state of the interrupted code is on the stack already. */
static void take(struct vb_cpu *c, unsigned exc, uint32_t exc_return)
{
	uint32_t vector;
	set_bit(c->nvic.active, exc);
	clear_bit(c->nvic.pending, exc);
	if (exc == VB_EXC_DEBUGMON)
		c->debug.demcr &= ~DEMCR_MON_PEND;
	c->r[14] = exc_return;
	c->ipsr = exc;
	vb_sp_select(c, false);
	c->control &= ~2u;
	c->it = 0;
	c->exclusive = false;
	c->event = true;
	vector_catch(c, exc);
	if (!vb_vector_read(c, exc, &vector)) {
		c->scb.hfsr |= HFSR_VECTTBL;
		if (exc == VB_EXC_HARD || exc == VB_EXC_NMI)
			vb_lockup(c);
		else
			vb_exc_pend(c, VB_EXC_HARD);
		vector = 0xFFFFFFFFu;
	}
	c->r[15] = vector & ~1u;
	c->thumb = vector & 1;
}

void vb_exc_enter(struct vb_cpu *c, unsigned exc)
{
	uint64_t end = c->cycles + ENTRY_CYCLES;
	bool thread = c->ipsr == 0;
	uint32_t exc_return = !thread ? 0xFFFFFFF1u : c->on_psp ? 0xFFFFFFFDu : 0xFFFFFFF9u;
	if (!push_frame(c)) {
		vb_fault(c, VB_EXC_BUS, CFSR_STKERR);
		if (c->lockup)
			return;
		exc = vb_exc_ready(c);
	}
	take(c, settle(c, end, exc), exc_return);
}

/* --- return -------------------------------------------------------------------------------- */

/* Whether more exceptions are active than the one that returns. */
static bool others_active(const struct vb_cpu *c)
{
	for (unsigned w = 0; w < VB_EXC_WORDS; w++) {
		uint32_t own = c->ipsr >> 5 == w ? 1u << (c->ipsr & 31) : 0;
		if (c->nvic.active[w] & ~own)
			return true;
	}
	return false;
}

/* A handler ends. A request line that is still up asks again. */
static void deactivate(struct vb_cpu *c, unsigned exc)
{
	clear_bit(c->nvic.active, exc);
	if (exc != VB_EXC_NMI)
		c->faultmask = 0;
	if (test_bit(c->nvic.line, exc))
		set_bit(c->nvic.pending, exc);
}

static bool return_allowed(const struct vb_cpu *c, uint32_t value, bool nested)
{
	if ((value & 0x0FFFFFF0u) != 0x0FFFFFF0u || !test_bit(c->nvic.active, c->ipsr))
		return false;
	switch (value & 0xF) {
	case 0x1: return nested;
	case 0x9: case 0xD: return !nested || c->scb.ccr & CCR_NONBASETHRDENA;
	default: return false;
	}
}

/* Goes to the handler of `exc` without touching the frame on the stack. */
static void chain(struct vb_cpu *c, unsigned exc, uint32_t exc_return)
{
	take(c, settle(c, c->cycles + CHAIN_CYCLES, exc), exc_return);
}

static bool pop_frame(struct vb_cpu *c, uint32_t value)
{
	bool psp = (value & 0xF) == 0xD, thread = (value & 0xF) != 1;
	uint32_t sp = psp ? c->sp_other : c->r[13], word[8];
	for (unsigned i = 0; i < 8; i++)
		if (!vb_stack_read(c, sp + 4 * i, &word[i])) {
			vb_fault(c, VB_EXC_BUS, CFSR_UNSTKERR);
			return false;
		}
	if (((word[7] & 0x1FF) == 0) != thread) {
		vb_fault(c, VB_EXC_USAGE, CFSR_INVPC);
		return false;
	}
	sp += 32;
	if (c->scb.ccr & CCR_STKALIGN && word[7] & 1u << 9)
		sp |= 4;
	c->ipsr = word[7] & 0x1FF;
	vb_sp_select(c, psp);
	c->r[13] = sp;
	if (thread)
		c->control = (c->control & 1) | (psp ? 2u : 0);
	memcpy(c->r, word, 4 * sizeof(word[0]));
	c->r[12] = word[4];
	c->r[14] = word[5];
	c->r[15] = word[6] & ~1u;
	vb_apsr_set(c, word[7]);
	c->thumb = word[7] >> 24 & 1;
	/* ICI is not used by this core (LDM and STM run to their end), so these bits are IT or 0. */
	c->it = (uint8_t)((word[7] >> 10 & 0x3F) << 2 | (word[7] >> 25 & 3));
	return true;
}

void vb_exc_return(struct vb_cpu *c, uint32_t value)
{
	unsigned returning = c->ipsr;
	bool allowed = return_allowed(c, value, others_active(c));
	deactivate(c, returning);
	if (!allowed) {
		vb_fault(c, VB_EXC_USAGE, CFSR_INVPC);
		if (!c->lockup)
			chain(c, vb_exc_ready(c), 0xF0000000u | (value & 0x0FFFFFFFu));
		return;
	}
	unsigned next = vb_exc_ready(c);
	if (!next) {
		/* An exception that arrives while the frame is being read abandons the reading. */
		next = pass_until(c, c->cycles + EXIT_CYCLES, 0);
		if (!next && pop_frame(c, value)) {
			c->cycles += vb_code_straddles(c); /* two fetches */
			c->exclusive = false;
			c->event = true;
			if (c->scb.scr & SCR_SLEEPONEXIT && c->ipsr == 0)
				vb_sleep(c, false);
			return;
		}
		if (c->lockup)
			return;
		next = next ? next : vb_exc_ready(c);
	}
	chain(c, next, value);
}
