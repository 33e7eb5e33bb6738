/* generate.h - random blocks of instructions for the lockstep comparison.
 *
 * A block is straight-line code with forward branches, ending at a fixed address. It never
 * leaves its code, data and stack windows, and keeps away from what the architecture calls
 * UNPREDICTABLE or leaves to the implementation:
 *  - SP and PC as operands where they are not allowed, overlapping write-back, and so on;
 *  - STREX without an LDREX to the same address right before it, unless CLREX came between
 *    (the monitor's reach is IMPLEMENTATION DEFINED; QEMU compares address and value);
 *  - the lower four bits of priority masks (QEMU's core implements eight bits, this one four).
 */
#ifndef LOCKSTEP_GENERATE_H
#define LOCKSTEP_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#define CODE_BASE   0x20002000u
#define CODE_SIZE   0x2000u
#define DATA_BASE   0x20006000u
#define DATA_SIZE   0x400u
#define STACK_BASE  0x20007000u
#define STACK_SIZE  0x400u

struct gen {
	uint64_t seed;
	uint16_t code[CODE_SIZE / 2];
	unsigned n;              /* half-words used */
	unsigned instructions;   /* emitted so far in this block */
	bool want_it;            /* the unit's last instruction shall stand in an IT block */
};

typedef void gen_unit(struct gen *g);
struct gen_class {
	const char *name;
	gen_unit *unit;
	bool plain;   /* one instruction without preparation: may stand anywhere in an IT block */
	unsigned long count;
};

extern struct gen_class gen_alu_classes[], gen_mem_classes[], gen_flow_classes[];
extern const unsigned gen_alu_count, gen_mem_count, gen_flow_count;

/* A block of at least `instructions`; returns the address of its end. */
uint32_t gen_block(struct gen *g, unsigned instructions);

/* --- between the generator's files --- */
uint32_t gen_rand(struct gen *g);
static inline uint32_t gen_below(struct gen *g, uint32_t n)
{
	return gen_rand(g) % n;
}
static inline bool gen_coin(struct gen *g)
{
	return gen_rand(g) & 1;
}
static inline uint32_t gen_here(const struct gen *g)
{
	return CODE_BASE + 2 * g->n;
}
void gen16(struct gen *g, uint32_t op);
void gen32(struct gen *g, uint32_t op);
void gen_data16(struct gen *g, uint32_t v);       /* a half-word that is not executed */
unsigned gen_lo(struct gen *g);                   /* r0-r7 */
unsigned gen_reg(struct gen *g);                  /* r0-r12, r14 */
unsigned gen_other(struct gen *g, unsigned not);  /* likewise, another one */
void gen_constant(struct gen *g, unsigned rd, uint32_t v); /* MOVW, MOVT */
void gen_plain(struct gen *g);                    /* one plain instruction */
void gen_it(struct gen *g, unsigned n);           /* IT over the next n */
/* Called before a unit's last instruction: puts an IT before it when that was asked for. */
void gen_final(struct gen *g);

#endif
