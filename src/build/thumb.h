/* thumb.h - one Thumb-2 instruction of ARMv7-M, as far as one must understand it to follow
 * addresses and calls through a function: where it may go on, which registers it changes, and
 * what it loads from or stores to. Not a disassembler. ARMv7-M manual (DDI 0403E) A5, A7. */
#ifndef RTB_BUILD_THUMB_H
#define RTB_BUILD_THUMB_H

#include <stdbool.h>
#include <stdint.h>

enum rtb_thumb_flow {
	THUMB_NEXT,  /* the next instruction */
	THUMB_FORK,  /* the next, or target */
	THUMB_JUMP,  /* target alone */
	THUMB_CALL,  /* target (0: in a register), then the next */
	THUMB_LEAVE, /* returns, or goes where only a register knows */
};

enum rtb_thumb_op {
	THUMB_OTHER,
	THUMB_CONST,   /* rd = imm */
	THUMB_TOP,     /* upper half of rd = imm */
	THUMB_COPY,    /* rd = rn */
	THUMB_ADD,     /* rd = rn + imm, modulo 2^32 */
	THUMB_LITERAL, /* rd = word at address imm */
	THUMB_LOAD,    /* rd = something at rn + imm */
	THUMB_STORE,   /* something at rn + imm = a register */
	THUMB_SVC,
	THUMB_MASK,    /* changes PRIMASK, BASEPRI, FAULTMASK, or which stack is used */
	THUMB_IT,      /* imm: how many instructions are conditional from here on, 1..4 */
};

struct rtb_thumb {
	unsigned bytes;        /* 2 or 4 */
	enum rtb_thumb_flow flow;
	enum rtb_thumb_op op;
	uint32_t target;
	uint16_t writes;       /* bit n: changes rn (rd included) */
	uint8_t rd, rn;
	uint32_t imm;
};

/* The instruction at addr, whose half-words are first and (if it is of 4 bytes) second. Always
 * fills out; what is not known is THUMB_OTHER that goes on and writes nothing. */
void rtb_thumb_decode(uint32_t addr, uint16_t first, uint16_t second, struct rtb_thumb *out);

/* Whether an instruction that begins with this half-word has a second one. */
bool rtb_thumb_is_long(uint16_t first);

#endif
