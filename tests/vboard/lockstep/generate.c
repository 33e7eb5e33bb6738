/* generate.c - the block, and what every kind of unit needs. */
#include "generate.h"

/* splitmix64 */
uint32_t gen_rand(struct gen *g)
{
	uint64_t z = g->seed += 0x9E3779B97F4A7C15ull;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ z >> 27) * 0x94D049BB133111EBull;
	return (uint32_t)(z >> 32);
}

void gen_data16(struct gen *g, uint32_t v)
{
	g->code[g->n++] = (uint16_t)v;
}

void gen16(struct gen *g, uint32_t op)
{
	gen_data16(g, op);
	g->instructions++;
}

void gen32(struct gen *g, uint32_t op)
{
	gen_data16(g, op >> 16);
	gen_data16(g, op);
	g->instructions++;
}

unsigned gen_lo(struct gen *g)
{
	return gen_below(g, 8);
}

unsigned gen_reg(struct gen *g)
{
	unsigned r = gen_below(g, 14);
	return r == 13 ? 14 : r;
}

unsigned gen_other(struct gen *g, unsigned not)
{
	unsigned r;
	do
		r = gen_reg(g);
	while (r == not);
	return r;
}

static uint32_t move_wide(uint32_t op, unsigned rd, uint32_t v)
{
	return op | (v >> 12 & 0xF) << 16 | (v >> 11 & 1) << 26 | (v >> 8 & 7) << 12 | rd << 8 | (v & 0xFF);
}

void gen_constant(struct gen *g, unsigned rd, uint32_t v)
{
	gen32(g, move_wide(0xF2400000, rd, v & 0xFFFF));
	gen32(g, move_wide(0xF2C00000, rd, v >> 16));
}

void gen_it(struct gen *g, unsigned n)
{
	/* The mask: for each further instruction the low condition bit or its inverse, then a 1. */
	uint32_t cond = gen_below(g, 14), mask = 0;
	for (unsigned i = 1; i < n; i++)
		mask = mask << 1 | gen_below(g, 2);
	mask = (mask << 1 | 1) << (4 - n);
	gen16(g, 0xBF00 | cond << 4 | mask);
}

void gen_final(struct gen *g)
{
	if (g->want_it) {
		gen_it(g, 1);
		g->want_it = false;
	}
}

void gen_plain(struct gen *g)
{
	struct gen_class *c;
	do
		c = &gen_alu_classes[gen_below(g, gen_alu_count)];
	while (!c->plain);
	c->count++;
	c->unit(g);
}

static void it_block(struct gen *g)
{
	unsigned n = 1 + gen_below(g, 4);
	gen_it(g, n);
	for (unsigned i = 0; i < n; i++)
		gen_plain(g);
}

static void unit_of(struct gen *g, struct gen_class *classes, unsigned count)
{
	struct gen_class *c = &classes[gen_below(g, count)];
	c->count++;
	c->unit(g);
	g->want_it = false;
}

uint32_t gen_block(struct gen *g, unsigned instructions)
{
	g->n = 0;
	g->instructions = 0;
	while (g->instructions < instructions) {
		switch (gen_below(g, 16)) {
		case 0: case 1: case 2: case 3: case 4: case 5:
			unit_of(g, gen_alu_classes, gen_alu_count);
			break;
		case 6: case 7:
			it_block(g);
			break;
		case 8:
			g->want_it = true;
			unit_of(g, gen_mem_classes, gen_mem_count);
			break;
		case 9: case 10: case 11: case 12: case 13:
			unit_of(g, gen_mem_classes, gen_mem_count);
			break;
		default:
			unit_of(g, gen_flow_classes, gen_flow_count);
			break;
		}
	}
	uint32_t end = gen_here(g);
	gen_data16(g, 0xE7FE); /* B . */
	return end;
}
