/* interpreter.c - a byte-code machine: dense and sparse switches, tables of functions. */
#include <stdint.h>

enum op { PUSH, ADD, SUB, MUL, DUP, SWAP, OVER, JUMP, JUMPNZ, LOAD, STORE, SHIFT, CALL, HALT };

static const int8_t code[] = {
	PUSH, 60, STORE, 0, PUSH, 1, STORE, 1,
	/* 8: */ LOAD, 1, LOAD, 0, MUL, PUSH, 7, ADD, STORE, 1,
	LOAD, 1, CALL, 3, STORE, 1, LOAD, 0, CALL, 1, LOAD, 1, SWAP, SUB, STORE, 1,
	LOAD, 0, PUSH, 1, SUB, DUP, STORE, 0, JUMPNZ, 8, LOAD, 1, LOAD, 1, SHIFT, OVER, ADD, HALT,
};
static int32_t stack[32], vars[4];

static int32_t twice(int32_t x) { return 2 * x; }
static int32_t negate(int32_t x) { return -x; }
static int32_t square(int32_t x) { return (int32_t)((uint32_t)x * (uint32_t)x); }
static int32_t digits(int32_t x)
{
	switch (x & 0x3FF) {
	case 1: return 17;
	case 10: return 23;
	case 100: return 99;
	case 333: return -5;
	case 512: return 1 << 20;
	case 1000: return 4;
	default: return x % 1013;
	}
}
static int32_t (*const calls[])(int32_t) = { twice, negate, square, digits };

static int32_t run(void)
{
	int32_t *sp = stack;
	for (const int8_t *pc = code;;) {
		switch ((enum op)*pc++) {
		case PUSH: *sp++ = *pc++; break;
		case ADD: sp--; sp[-1] = (int32_t)((uint32_t)sp[-1] + (uint32_t)sp[0]); break;
		case SUB: sp--; sp[-1] = (int32_t)((uint32_t)sp[-1] - (uint32_t)sp[0]); break;
		case MUL: sp--; sp[-1] = (int32_t)((uint32_t)sp[-1] * (uint32_t)sp[0]); break;
		case DUP: *sp = sp[-1]; sp++; break;
		case SWAP: { int32_t t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; break; }
		case OVER: *sp = sp[-2]; sp++; break;
		case JUMP: pc = code + *pc; break;
		case JUMPNZ: if (*--sp) pc = code + *pc; else pc++; break;
		case LOAD: *sp++ = vars[*pc++]; break;
		case STORE: vars[*pc++] = *--sp; break;
		case SHIFT: sp--; sp[-1] = sp[-1] >> (sp[0] & 31); *sp = sp[-1]; sp++; break;
		case CALL: sp[-1] = calls[*pc++ & 3](sp[-1]); break;
		case HALT: return sp[-1];
		}
	}
}

int main(void)
{
	uint32_t sum = 0;
	for (int i = 0; i < 20; i++) {
		sum = sum * 17 + (uint32_t)run() + (uint32_t)vars[1] + (uint32_t)i;
		vars[2] = (int32_t)sum;
	}
	return (int)sum;
}
