/* cpu_decode.h - between the decoder's three files. */
#ifndef VB_CPU_DECODE_H
#define VB_CPU_DECODE_H

#include "vboard/cpu_exec.h"

/* One instruction being decoded. The decode functions fill op's executor, operands and cycles,
 * and say here what the timing of neighbouring instructions depends on. */
struct vb_dec {
	uint32_t pc;          /* address of the instruction */
	uint32_t hw;          /* 16-bit opcode, or first half-word << 16 | second */
	struct vb_op *op;
	const struct vb_code *code;
	uint8_t it;           /* ITSTATE it executes under */
	uint16_t address_regs;/* load or store: registers its address is made of */
	bool follows_load;    /* single load, or store with register offset: overlaps with a load before it */
	bool is_load;         /* single load: the next may overlap with it */
	int8_t result;        /* register a data-processing instruction or load writes; -1: none */
};

struct vb_pattern {
	uint32_t mask, match;
	void (*decode)(struct vb_dec *d);
};

/* First match wins. */
extern const struct vb_pattern vb_patterns16[], vb_patterns32[];
extern const unsigned vb_patterns16_count, vb_patterns32_count;

/* --- what both widths need --- */
static inline uint32_t vb_bits(uint32_t v, unsigned hi, unsigned lo)
{
	return v >> lo & ((2u << (hi - lo)) - 1u);
}
void vb_dec_exec(struct vb_dec *d, vb_exec_fn *exec, unsigned cycles);
void vb_dec_undefined(struct vb_dec *d);
/* Data processing: rd = rn <alu> operand 2. The operand's fields are set by the caller. */
void vb_dec_alu(struct vb_dec *d, enum vb_alu alu, enum vb_operand kind, bool flags,
		unsigned rd, unsigned rn);
/* A result other than through vb_dec_alu (one cycle unless the executor says more). */
void vb_dec_result(struct vb_dec *d, vb_exec_fn *exec, unsigned cycles, unsigned rd);
/* rd = rm shifted by a constant, as a move. */
void vb_dec_move_shifted(struct vb_dec *d, unsigned type, unsigned amount, bool flags,
			 unsigned rd, unsigned rm);
void vb_dec_constant(struct vb_dec *d, unsigned rd, uint32_t value);
/* Single load or store; op->imm (offset, or address for ADDR_LIT), rm and ra are the caller's. */
void vb_dec_load(struct vb_dec *d, enum vb_width w, enum vb_addressing a, unsigned rt, unsigned rn);
void vb_dec_store(struct vb_dec *d, enum vb_width w, enum vb_addressing a, unsigned rt, unsigned rn);
/* A branch whose target is known; far is used when the target lies in another memory. */
void vb_dec_branch(struct vb_dec *d, vb_exec_fn *near, vb_exec_fn *far, uint32_t target);
/* LDM, STM, PUSH, POP. */
void vb_dec_multiple(struct vb_dec *d, vb_exec_fn *exec, unsigned rn, uint32_t list, bool write_back);

#endif
