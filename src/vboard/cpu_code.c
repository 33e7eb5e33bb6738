/* cpu_code.c - the decoded memories: finding the op of an address, forgetting stale ones. */
#include <stdlib.h>

#include "base/buf.h"
#include "vboard/cpu_exec.h"

/* An IT instruction and the block it governs span at most 2 + 3 * 4 bytes before the last
 * instruction's start, and an instruction looks ahead over the next one: nine half-words back
 * from a change may have been decoded with the old contents in mind. */
#define LOOKBACK 9u

static void undecode(struct vb_op *op)
{
	*op = (struct vb_op){ .fn = vb_x_undecoded };
}

static void leave_memory(struct vb_op *op)
{
	*op = (struct vb_op){ .fn = vb_x_edge, .len = 1 };
}

/* The default memory map (ARMv7-M ARM B3.1): peripherals, devices and the system space are XN. */
static bool execute_never(uint32_t addr)
{
	return (addr >= 0x40000000u && addr < 0x60000000u) || addr >= 0xA0000000u;
}

static struct vb_code *find_code(struct vb_cpu *c, uint32_t addr)
{
	for (unsigned i = 0; i < c->code_count; i++)
		if (addr - c->codes[i].base < c->codes[i].size)
			return &c->codes[i];
	struct vb_bus *b = &c->m->bus;
	for (unsigned i = 0; i < b->count; i++) {
		const struct vb_window *w = &b->window[i];
		if (!w->mem || addr - w->base >= w->size || c->code_count == VB_MAX_CODE)
			continue;
		struct vb_code *code = &c->codes[c->code_count++];
		uint32_t n = w->size / 2;
		*code = (struct vb_code){ .base = w->base, .size = n * 2, .mem = w->mem };
		code->ops = rtb_alloc((n + 2) * sizeof(*code->ops));
		for (uint32_t k = 0; k < n; k++)
			undecode(&code->ops[k]);
		leave_memory(&code->ops[n]);
		leave_memory(&code->ops[n + 1]);
		return code;
	}
	return NULL;
}

static struct vb_op *nowhere(struct vb_cpu *c, uint32_t addr)
{
	c->nowhere.base = addr;
	c->code = &c->nowhere;
	return c->nowhere.ops;
}

struct vb_op *vb_code_goto(struct vb_cpu *c, uint32_t addr)
{
	if (VB_UNLIKELY(!c->thumb || execute_never(addr)))
		return nowhere(c, addr);
	struct vb_code *code = c->code;
	if (!code || addr - code->base >= code->size) {
		code = find_code(c, addr);
		if (!code)
			return nowhere(c, addr);
		c->code = code;
	}
	return &code->ops[(addr - code->base) >> 1];
}

bool vb_code_straddles(struct vb_cpu *c)
{
	uint32_t pc = c->r[15];
	if (!(pc & 2) || execute_never(pc))
		return false;
	const struct vb_code *code = find_code(c, pc);
	return code && vb_get(code->mem + (pc - code->base), 2) >= 0xE800;
}

/* Forgets ops [first, last] and, as they look ahead, those shortly before them; further back
 * only IT instructions, whose blocks may reach into what is forgotten. */
static void forget(struct vb_code *code, uint32_t first, uint32_t last)
{
	uint32_t n = code->size / 2;
	uint32_t from = first > LOOKBACK ? first - LOOKBACK : 0;
	uint32_t its = from > LOOKBACK ? from - LOOKBACK : 0;
	if (last >= n)
		last = n - 1;
	for (uint32_t k = its; k < from; k++)
		if (code->ops[k].fn == vb_x_it)
			undecode(&code->ops[k]);
	for (uint32_t k = from; k <= last; k++)
		undecode(&code->ops[k]);
}

static void forget_bytes(struct vb_cpu *c, const uint8_t *mem, uint32_t size)
{
	for (unsigned i = 0; i < c->code_count; i++) {
		struct vb_code *code = &c->codes[i];
		if (mem + size <= code->mem || mem >= code->mem + code->size)
			continue;
		uint32_t lo = mem > code->mem ? (uint32_t)(mem - code->mem) : 0;
		uint32_t hi = (uint32_t)(mem + size - code->mem) - 1;
		forget(code, lo >> 1, hi >> 1);
	}
}

/* Flash has two addresses, so the change is followed through the memory, not the address. */
void vb_code_changed(void *cpu, uint32_t addr, uint32_t size)
{
	struct vb_cpu *c = cpu;
	const struct vb_bus *b = &c->m->bus;
	for (unsigned i = 0; i < b->count; i++) {
		const struct vb_window *w = &b->window[i];
		if (w->mem && addr - w->base < w->size) {
			forget_bytes(c, w->mem + (addr - w->base), size);
			return;
		}
	}
}

void vb_code_forget_all(struct vb_cpu *c)
{
	for (unsigned i = 0; i < c->code_count; i++)
		forget(&c->codes[i], 0, c->codes[i].size / 2 - 1);
	c->sram_code_lo = 0;
	c->sram_code_span = 0;
}

void vb_code_free(struct vb_cpu *c)
{
	for (unsigned i = 0; i < c->code_count; i++)
		free(c->codes[i].ops);
	c->code_count = 0;
	free(c->nowhere.ops);
	c->nowhere.ops = NULL;
	c->code = NULL;
}

static uint8_t it_advance(uint8_t it)
{
	return (it & 7) ? (uint8_t)((it & 0xE0) | ((it << 1) & 0x1F)) : 0;
}

/* Someone (an exception return, the debugger) set the program counter with an ITSTATE other
 * than the one this place was decoded for. */
static void redecode_for_it(struct vb_cpu *c, struct vb_op *op)
{
	uint32_t n = c->code->size / 2, k = (uint32_t)(op - c->code->ops);
	forget(c->code, k, k + LOOKBACK);
	for (uint8_t it = c->it; it && k < n; it = it_advance(it)) {
		struct vb_op *o = &c->code->ops[k];
		o->it = it;
		vb_decode(c, o);
		k += o->len;
	}
}

struct vb_op *vb_code_resume(struct vb_cpu *c)
{
	c->code = NULL;
	struct vb_op *op = vb_code_goto(c, c->r[15]);
	if (VB_UNLIKELY(op->it != c->it) && c->code != &c->nowhere)
		redecode_for_it(c, op);
	return op;
}

void vb_code_suspend(struct vb_cpu *c, struct vb_op *op)
{
	c->r[15] = vb_pc(c, op);
	if (c->code != &c->nowhere)
		c->it = op->it;
	c->code = NULL;
}

struct vb_op *vb_x_undecoded(struct vb_cpu *c, struct vb_op *op)
{
	vb_decode(c, op);
	return op;
}

/* Execution ran past the end of a memory: what follows may be another one. */
struct vb_op *vb_x_edge(struct vb_cpu *c, struct vb_op *op)
{
	return vb_code_goto(c, vb_pc(c, op));
}

struct vb_op *vb_x_cut_off(struct vb_cpu *c, struct vb_op *op)
{
	vb_fault(c, VB_EXC_BUS, CFSR_IBUSERR);
	return op;
}

struct vb_op *vb_x_nowhere(struct vb_cpu *c, struct vb_op *op)
{
	uint32_t pc = vb_pc(c, op);
	if (!c->thumb)
		return vb_usage_fault(c, op, CFSR_INVSTATE);
	if (execute_never(pc))
		vb_fault(c, VB_EXC_MEM, CFSR_IACCVIOL);
	else
		vb_fault(c, VB_EXC_BUS, CFSR_IBUSERR);
	return op;
}
