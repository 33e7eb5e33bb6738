/* gen_flow.c - branches forward over a few plain instructions, exceptions that come back. */
#include "generate.h"

/* The instructions that a taken branch skips; returns how many half-words. */
static unsigned filler(struct gen *g)
{
	unsigned before = g->n, n = 1 + gen_below(g, 3);
	for (unsigned i = 0; i < n; i++)
		gen_plain(g);
	return g->n - before;
}

/* Replaces the instruction at `at` once the distance is known. */
static void patch16(struct gen *g, unsigned at, uint32_t op)
{
	g->code[at] = (uint16_t)op;
}

static void patch32(struct gen *g, unsigned at, uint32_t op)
{
	g->code[at] = (uint16_t)(op >> 16);
	g->code[at + 1] = (uint16_t)op;
}

static void b16(struct gen *g)
{
	g->want_it = gen_below(g, 4) == 0;
	gen_final(g);
	unsigned at = g->n;
	gen16(g, 0);
	unsigned skip = filler(g);
	patch16(g, at, 0xE000 | (skip - 1));
}

static void bcond16(struct gen *g)
{
	unsigned at = g->n;
	uint32_t cond = gen_below(g, 14);
	gen16(g, 0);
	unsigned skip = filler(g);
	patch16(g, at, 0xD000 | cond << 8 | (skip - 1));
}

static void cbz(struct gen *g)
{
	unsigned at = g->n;
	uint32_t op = 0xB100 | gen_below(g, 2) << 11 | gen_lo(g);
	gen16(g, 0);
	unsigned skip = filler(g);
	patch16(g, at, op | (skip - 1) << 3);
}

static void b32(struct gen *g)
{
	unsigned at = g->n;
	gen32(g, 0);
	unsigned skip = filler(g);
	patch32(g, at, 0xF000B800 | skip); /* J1 = J2 = 1: a short positive offset */
}

static void bl(struct gen *g)
{
	unsigned at = g->n;
	gen32(g, 0);
	unsigned skip = filler(g);
	patch32(g, at, 0xF000F800 | skip);
}

static void bcond32(struct gen *g)
{
	unsigned at = g->n;
	uint32_t cond = gen_below(g, 14);
	gen32(g, 0);
	unsigned skip = filler(g);
	patch32(g, at, 0xF0008000 | cond << 22 | skip);
}

/* The constant is patched when the target is known. */
static void constant_to_here(struct gen *g, unsigned at, unsigned r)
{
	unsigned n = g->n, instructions = g->instructions;
	uint32_t target = gen_here(g) | 1;
	g->n = at;
	gen_constant(g, r, target);
	g->n = n;
	g->instructions = instructions;
}

static void bx_blx(struct gen *g)
{
	unsigned at = g->n, r = gen_reg(g);
	gen_constant(g, r, 0);
	gen16(g, (gen_coin(g) ? 0x4700 : 0x4780) | r << 3);
	filler(g);
	constant_to_here(g, at, r);
}

static void mov_pc(struct gen *g)
{
	unsigned at = g->n, r = gen_reg(g);
	gen_constant(g, r, 0);
	gen16(g, 0x4687 | r << 3);
	filler(g);
	constant_to_here(g, at, r);
}

static void add_pc(struct gen *g)
{
	unsigned r = gen_lo(g), at = g->n;
	gen16(g, 0x2000 | r << 8); /* MOVS r, #distance */
	gen16(g, 0x4487 | r << 3);
	unsigned skip = filler(g);
	patch16(g, at, 0x2000 | r << 8 | 2 * (skip - 1));
}

static void pop_pc(struct gen *g)
{
	unsigned r = gen_lo(g), at;
	gen_constant(g, r, STACK_BASE + STACK_SIZE / 2);
	gen16(g, 0x4685 | r << 3);
	at = g->n;
	gen_constant(g, r, 0);
	gen16(g, 0xB400 | 1u << r);
	if (gen_coin(g))
		gen16(g, 0xBD00);
	else
		gen32(g, 0xF85DFB04); /* LDR PC, [SP], #4 */
	filler(g);
	constant_to_here(g, at, r);
}

static void ldm_pc(struct gen *g)
{
	unsigned r = gen_lo(g), base = 8 + gen_below(g, 5), at;
	gen_constant(g, base, DATA_BASE + 0x100);
	at = g->n;
	gen_constant(g, r, 0);
	gen32(g, 0xF8C00004 | base << 16 | r << 12);             /* STR r, [base, #4] */
	gen32(g, 0xE8908000 | base << 16 | (1u << (r ^ 1)));     /* LDM base, {other, PC} */
	filler(g);
	constant_to_here(g, at, r);
}

static void ldr_pc(struct gen *g)
{
	if (g->n & 1)
		gen16(g, 0xBF00);
	gen32(g, 0xF8DFF000); /* LDR.W PC, [PC, #0]: the word that follows */
	uint32_t target = gen_here(g) + 4;
	gen_data16(g, target | 1);
	gen_data16(g, target >> 16);
}

/* Table branch into one of several fillers. */
static void table(struct gen *g, bool half, bool from_register)
{
	unsigned rm = gen_lo(g), rn = 8 + gen_below(g, 5), at = g->n;
	if (from_register)
		gen_constant(g, rn, 0);
	gen16(g, 0x2000 | rm << 8 | gen_below(g, 4));
	gen32(g, 0xE8D0F000 | (from_register ? rn : 15u) << 16 | (half ? 0x10u : 0) | rm);
	unsigned first = g->n, entry[4];
	for (unsigned i = 0; i < (half ? 4u : 2u); i++)
		gen_data16(g, 0);
	for (unsigned i = 0; i < 4; i++) {
		entry[i] = g->n - first;
		gen_plain(g);
	}
	for (unsigned i = 0; i < 4; i++) {
		if (half)
			g->code[first + i] = (uint16_t)entry[i];
		else
			g->code[first + i / 2] |= (uint16_t)(entry[i] << 8 * (i & 1));
	}
	if (from_register) {
		unsigned n = g->n, instructions = g->instructions;
		g->n = at;
		gen_constant(g, rn, CODE_BASE + 2 * first);
		g->n = n;
		g->instructions = instructions;
	}
}

static void tbb(struct gen *g)
{
	table(g, false, gen_coin(g));
}

static void tbh(struct gen *g)
{
	table(g, true, gen_coin(g));
}

static void stack_for_exception(struct gen *g)
{
	unsigned r = gen_lo(g);
	gen_constant(g, r, STACK_BASE + STACK_SIZE / 2 + 4 * gen_below(g, 8));
	gen16(g, 0x4685 | r << 3);
}

/* SVC: the handler returns at once; what remains is the frame on the stack. */
static void svc(struct gen *g)
{
	stack_for_exception(g);
	g->want_it = gen_below(g, 4) == 0;
	gen_final(g);
	gen16(g, 0xDF00 | gen_below(g, 256));
}

/* UDF, both widths: the HardFault handler steps over it. Never conditional: the handler does
 * not advance ITSTATE. */
static void udf(struct gen *g)
{
	stack_for_exception(g);
	if (gen_coin(g))
		gen16(g, 0xDE00 | gen_below(g, 256));
	else
		gen32(g, 0xF7F0A000 | gen_below(g, 4096));
}

/* To the process stack and back. */
static void process_stack(struct gen *g)
{
	unsigned r = gen_lo(g);
	gen_constant(g, r, STACK_BASE + STACK_SIZE / 4);
	gen32(g, 0xF3808809 | r << 16);  /* MSR PSP, r */
	gen16(g, 0x2002 | r << 8);
	gen32(g, 0xF3808814 | r << 16);  /* MSR CONTROL, r */
	gen32(g, 0xF3BF8F6F);
	if (gen_coin(g))
		gen16(g, 0xDF00);
	gen16(g, 0xB401 | 1u << r);
	gen16(g, 0x2000 | r << 8);
	gen32(g, 0xF3808814 | r << 16);
	gen32(g, 0xF3BF8F6F);
}

struct gen_class gen_flow_classes[] = {
	{ "B, 16 bit", b16, false, 0 },
	{ "B<c>, 16 bit", bcond16, false, 0 },
	{ "CBZ, CBNZ", cbz, false, 0 },
	{ "B, 32 bit", b32, false, 0 },
	{ "B<c>, 32 bit", bcond32, false, 0 },
	{ "BL", bl, false, 0 },
	{ "BX, BLX", bx_blx, false, 0 },
	{ "MOV PC", mov_pc, false, 0 },
	{ "ADD PC", add_pc, false, 0 },
	{ "POP {PC}, LDR PC post-indexed", pop_pc, false, 0 },
	{ "LDM with PC", ldm_pc, false, 0 },
	{ "LDR PC literal", ldr_pc, false, 0 },
	{ "TBB", tbb, false, 0 },
	{ "TBH", tbh, false, 0 },
	{ "SVC and return", svc, false, 0 },
	{ "UDF and return", udf, false, 0 },
	{ "process stack", process_stack, false, 0 },
};
const unsigned gen_flow_count = sizeof(gen_flow_classes) / sizeof(gen_flow_classes[0]);
