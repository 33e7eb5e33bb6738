/* test_timing.c - the core held to cycle counts worked out by hand from the Cortex-M3 TRM (DDI
 * 0337I: table 3-1, section 3.3.3) and, where the manual gives a range, from the decisions in
 * docs/virtual-board-timing.md. Every row is timed twice: instruction by instruction, and in
 * the fast loop. Exceptions follow below the table.
 */
#include "core_fixture.h"

struct row {
	const char *name;
	unsigned cycles;
	unsigned n;           /* half-words */
	uint16_t code[24];
	uint32_t r[8];        /* r0-r7 before; 0 keeps what set_up() gives */
};

/* r0 and r1 point to memory, r7 is a small index. [r0] is an address itself, [r0+8] one of code. */
static const struct row rows[] = {
	/* --- Data processing: one cycle each (table 3-1). */
	/* adds r2,r3,r4; adds r2,r3,r4; adds.w r2,r3,r4; subs r2,#1 = 1+1+1+1 */
	{ "adds x4", 4, 5,
	  { 0x191A, 0x191A, 0xEB13, 0x0204, 0x3A01 },
	  { 0 } },
	/* movw r2,#0x1234; movt r2,#0x5678; mvn r3,r2; mov r4,r3 = 1+1+1+1 */
	{ "constants and moves", 4, 7,
	  { 0xF241, 0x2234, 0xF2C5, 0x6278, 0xEA6F, 0x0302, 0x461C },
	  { 0 } },
	/* lsl.w r2,r3,r4; ubfx r2,r3,#4,#8; bfi r2,r3,#1,#2; ssat r2,#8,r3; clz r2,r3; rbit r3,r2
	 *   1 each */
	{ "shifts, fields, saturation", 6, 12,
	  { 0xFA03, 0xF204, 0xF3C3, 0x1207, 0xF363, 0x0242, 0xF303, 0x0207, 0xFAB3, 0xF283,
	    0xFA92, 0xF3A2 },
	  { 0 } },

	/* --- Multiply (table 3-1; early termination: docs). */
	/* mul r2,r3,r4 = 1 */
	{ "mul", 1, 2,
	  { 0xFB03, 0xF204 },
	  { 0 } },
	/* mla r2,r3,r4,r5; mls r2,r3,r4,r5 = 2+2 */
	{ "mla, mls", 4, 4,
	  { 0xFB03, 0x5204, 0xFB03, 0x5214 },
	  { 0 } },
	/* umull r4,r5,r2,r3 = 3 */
	{ "umull, both 16 bit", 3, 2,
	  { 0xFBA2, 0x4503 },
	  { [2] = 0xFFFF, [3] = 1 } },
	/* umull r4,r5,r2,r3 = 3+1 */
	{ "umull, one longer", 4, 2,
	  { 0xFBA2, 0x4503 },
	  { [2] = 0x10000, [3] = 1 } },
	/* umull r4,r5,r2,r3 = 3+1+1 */
	{ "umull, both longer", 5, 2,
	  { 0xFBA2, 0x4503 },
	  { [2] = 0x10000, [3] = 0x80000000 } },
	/* smull r4,r5,r2,r3 = 3: both fit 16 bits signed */
	{ "smull, small negatives", 3, 2,
	  { 0xFB82, 0x4503 },
	  { [2] = 0xFFFF8000, [3] = 0xFFFFFFFF } },
	/* smull r4,r5,r2,r3 = 3+1+1 */
	{ "smull, just longer", 5, 2,
	  { 0xFB82, 0x4503 },
	  { [2] = 0xFFFF7FFF, [3] = 0x8000 } },
	/* umlal r4,r5,r2,r3 = 4 */
	{ "umlal, all short", 4, 2,
	  { 0xFBE2, 0x4503 },
	  { [2] = 7, [3] = 9, [4] = 1 } },
	/* umlal r4,r5,r2,r3 = 4+1+1+1 */
	{ "umlal, all long", 7, 2,
	  { 0xFBE2, 0x4503 },
	  { [2] = 0x10000, [3] = 0x10000, [5] = 1 } },
	/* smlal r4,r5,r2,r3 = 4: upper half is only the sign */
	{ "smlal, accumulator -1", 4, 2,
	  { 0xFBC2, 0x4503 },
	  { [2] = 7, [3] = 9, [4] = 0xFFFFFFFF, [5] = 0xFFFFFFFF } },

	/* --- Divide, 2 to 12 (table 3-1): 2 when the quotient is 0, else 4 + ceil(quotient bits / 4) (docs). */
	/* udiv r4,r2,r3 = 2: quotient 0 */
	{ "udiv 5 / 7", 2, 2,
	  { 0xFBB2, 0xF4F3 },
	  { [2] = 5, [3] = 7 } },
	/* udiv r4,r2,r3 = 4+ceil(1/4) */
	{ "udiv 7 / 5", 5, 2,
	  { 0xFBB2, 0xF4F3 },
	  { [2] = 7, [3] = 5 } },
	/* udiv r4,r2,r3 = clz 30-25+1 = 6 bits: 4+2 */
	{ "udiv 100 / 3", 6, 2,
	  { 0xFBB2, 0xF4F3 },
	  { [2] = 100, [3] = 3 } },
	/* udiv r4,r2,r3 = 32 bits: 4+8 */
	{ "udiv 2^32-1 / 1", 12, 2,
	  { 0xFBB2, 0xF4F3 },
	  { [2] = 0xFFFFFFFF, [3] = 1 } },
	/* udiv r4,r2,r3 = 2 */
	{ "udiv by 0", 2, 2,
	  { 0xFBB2, 0xF4F3 },
	  { [2] = 5 } },
	/* sdiv r4,r2,r3 = as 100 / 3 */
	{ "sdiv -100 / 3", 6, 2,
	  { 0xFB92, 0xF4F3 },
	  { [2] = 0xFFFFFF9C, [3] = 3 } },
	/* sdiv r4,r2,r3 = 32 bits */
	{ "sdiv INT_MIN / -1", 12, 2,
	  { 0xFB92, 0xF4F3 },
	  { [2] = 0x80000000, [3] = 0xFFFFFFFF } },

	/* --- Branches: 1 untaken, 1+P taken; P = 1 for targets known at decode, +1 when a 32-bit target
	 * straddles two words (table 3-1, docs "Refill"). */
	/* cmp r0,r0; bne 1f; nop; 1: nop = 1+1+1+1 */
	{ "b<c> untaken", 4, 4,
	  { 0x4280, 0xD100, 0xBF00, 0xBF00 },
	  { 0 } },
	/* cmp r0,r0; beq 1f; nop; 1: nop = 1+(1+1)+1 */
	{ "b<c> taken", 4, 4,
	  { 0x4280, 0xD000, 0xBF00, 0xBF00 },
	  { 0 } },
	/* b 1f; nop; 1: adds.w r2,r2,r2 = (1+1)+1 */
	{ "b to aligned 32 bit", 3, 4,
	  { 0xE000, 0xBF00, 0xEB12, 0x0202 },
	  { 0 } },
	/* nop; b 1f; nop; 1: adds.w r2,r2,r2 = 1+(1+2)+1 */
	{ "b to straddling 32 bit", 5, 5,
	  { 0xBF00, 0xE000, 0xBF00, 0xEB12, 0x0202 },
	  { 0 } },
	/* b.w 1f; nop; nop; 1: nop = (1+1)+1 */
	{ "b.w", 3, 5,
	  { 0xF000, 0xB802, 0xBF00, 0xBF00, 0xBF00 },
	  { 0 } },
	/* movs r2,#0; cbz r2,1f; nop; 1: cbnz r2,2f; nop; 2: nop = 1+(1+1)+1+1+1 */
	{ "cbz taken, cbnz not", 6, 6,
	  { 0x2200, 0xB102, 0xBF00, 0xB902, 0xBF00, 0xBF00 },
	  { 0 } },
	/* bl 1f; b 2f; 1: bx lr; 2: nop
	 *   bl 1+1, bx 1+2 (P = 2: from a register), b 1+1, nop 1 */
	{ "bl and bx lr", 8, 5,
	  { 0xF000, 0xF801, 0xE000, 0x4770, 0xBF00 },
	  { 0 } },
	/* blx r6; nop; nop = (1+2)+1: lands on the last nop */
	{ "blx register", 4, 3,
	  { 0x47B0, 0xBF00, 0xBF00 },
	  { [6] = 0x08000405 } },
	/* mov pc,r6; nop; nop = (1+2)+1 */
	{ "mov pc", 4, 3,
	  { 0x46B7, 0xBF00, 0xBF00 },
	  { [6] = 0x08000404 } },
	/* movs r2,#2; add pc,r2; nop; nop; nop = 1+(1+2)+1: skips to the last nop */
	{ "add pc", 5, 5,
	  { 0x2202, 0x4497, 0xBF00, 0xBF00, 0xBF00 },
	  { 0 } },
	/* tbb [pc,r2]; .byte 1; .byte 1; nop = (2+3)+1 */
	{ "tbb", 6, 4,
	  { 0xE8DF, 0xF002, 0x0101, 0xBF00 },
	  { [2] = 0 } },
	/* tbh [pc,r2,lsl #1]; .hword 1; nop = (2+3)+1 */
	{ "tbh", 6, 4,
	  { 0xE8DF, 0xF012, 0x0001, 0xBF00 },
	  { [2] = 0 } },
	/* movs r2,#10; 1: subs r2,#1; bne 1b = 1 + 10*1 + 9*(1+1) + 1 */
	{ "loop of ten", 30, 3,
	  { 0x220A, 0x3A01, 0xD1FD },
	  { 0 } },

	/* --- Single loads and stores (3.3.3): LDR 2, overlapped 1; STR 1; STR with register offset 2. */
	/* ldr r2,[r0] = 2 */
	{ "ldr alone", 2, 1,
	  { 0x6802 },
	  { 0 } },
	/* ldr r2,[r0]; adds r2,r2,r2 = 2+1 */
	{ "ldr, use", 3, 2,
	  { 0x6802, 0x1892 },
	  { 0 } },
	/* ldr r2,[r0]; ldr r3,[r1] = 2+2-1 */
	{ "ldr, ldr", 3, 2,
	  { 0x6802, 0x680B },
	  { 0 } },
	/* ldr r2,[r0]; ldr r3,[r1]; ldrb r4,[r0,#4] = 2+1+1 */
	{ "ldr, ldr, ldr", 4, 3,
	  { 0x6802, 0x680B, 0x7904 },
	  { 0 } },
	/* ldr r2,[r0]; ldr r3,[r2] = 2+2: the first makes the second's address */
	{ "ldr, dependent ldr", 4, 2,
	  { 0x6802, 0x6813 },
	  { 0 } },
	/* ldr r2,[pc,#0]; ldr r3,[r0] = 2+1 */
	{ "ldr literal, ldr", 3, 2,
	  { 0x4A00, 0x6803 },
	  { 0 } },
	/* ldr r2,[r0]; str r2,[r1,#20] = 2+1 */
	{ "ldr, str of the result", 3, 2,
	  { 0x6802, 0x614A },
	  { 0 } },
	/* ldr r2,[r0]; str r3,[r1,r7] = 2+2-1 */
	{ "ldr, str register offset", 3, 2,
	  { 0x6802, 0x51CB },
	  { 0 } },
	/* ldr r2,[r0]; nop; ldr r3,[r1] = 2+1+2: not neighbours */
	{ "ldr, nop, ldr", 5, 3,
	  { 0x6802, 0xBF00, 0x680B },
	  { 0 } },
	/* str r2,[r0] = 1 */
	{ "str alone", 1, 1,
	  { 0x6002 },
	  { 0 } },
	/* str r2,[r0]; str r3,[r1] = 1+1 */
	{ "str, str", 2, 2,
	  { 0x6002, 0x600B },
	  { 0 } },
	/* str r2,[r0]; ldr r3,[r1] = 1+2: nothing overlaps with a store before it */
	{ "str, ldr", 3, 2,
	  { 0x6002, 0x680B },
	  { 0 } },
	/* str r2,[r0,r7] = 2 */
	{ "str register offset", 2, 1,
	  { 0x51C2 },
	  { 0 } },
	/* str r2,[r0,r7]; ldr r3,[r1] = 2+2 */
	{ "str register offset, ldr", 4, 2,
	  { 0x51C2, 0x680B },
	  { 0 } },
	/* ldr r2,[r0],#4; ldr r3,[r0],#4 = 2+1 */
	{ "ldr post-indexed twice", 3, 4,
	  { 0xF850, 0x2B04, 0xF850, 0x3B04 },
	  { 0 } },
	/* adds r0,#4; ldr r2,[r0] = 1+1+2: no forwarding to the address adder */
	{ "result used as address", 4, 2,
	  { 0x3004, 0x6802 },
	  { 0 } },
	/* movs r7,#4; str r2,[r0,r7] = 1+1+2 */
	{ "result used as index", 4, 2,
	  { 0x2704, 0x51C2 },
	  { 0 } },
	/* adds r0,#4; nop; ldr r2,[r0] = 1+1+2 */
	{ "result used a little later", 4, 3,
	  { 0x3004, 0xBF00, 0x6802 },
	  { 0 } },
	/* adds r2,#4; str r2,[r0] = 1+1: data, not address */
	{ "result stored", 2, 2,
	  { 0x3204, 0x6002 },
	  { 0 } },
	/* ldr r2,[r0,#2] = 2+1: two half-words */
	{ "ldr half-word aligned", 3, 2,
	  { 0xF8D0, 0x2002 },
	  { 0 } },
	/* ldr.w r2,[r0,#1] = 2+2: byte, half-word, byte */
	{ "ldr byte aligned", 4, 2,
	  { 0xF8D0, 0x2001 },
	  { 0 } },
	/* ldrh.w r2,[r0,#1] = 2+1: two bytes */
	{ "ldrh byte aligned", 3, 2,
	  { 0xF8B0, 0x2001 },
	  { 0 } },
	/* str.w r2,[r0,#1] = 1: through the write buffer */
	{ "str byte aligned", 1, 2,
	  { 0xF8C0, 0x2001 },
	  { 0 } },
	/* ldrex r2,[r0]; strex r3,r2,[r1] = timed as LDR, LDR: 2+1 */
	{ "ldrex, strex", 3, 4,
	  { 0xE850, 0x2F00, 0xE841, 0x2300 },
	  { 0 } },
	/* clrex = 1 */
	{ "clrex", 1, 2,
	  { 0xF3BF, 0x8F2F },
	  { 0 } },
	/* ldr pc,[r0,#8]; nop; nop = (2+3)+1: [r0+8] holds the last nop */
	{ "ldr pc", 6, 4,
	  { 0xF8D0, 0xF008, 0xBF00, 0xBF00 },
	  { 0 } },
	/* ldr pc,[r0,#8]; nop; 1: adds.w r2,r2,r2
	 *   (2+3)+1: a refill takes three at most, also across two words */
	{ "ldr pc to straddling 32 bit", 6, 5,
	  { 0xF8D0, 0xF008, 0xBF00, 0xEB12, 0x0202 },
	  { 0 } },

	/* --- Several words (3.3.3): LDM, STM, LDRD, STRD 1+N, never overlapped. */
	/* ldmia r0,{r2-r4} = 1+3 */
	{ "ldm 3", 4, 2,
	  { 0xE890, 0x001C },
	  { 0 } },
	/* stmia r0!,{r1-r8} = 1+8 */
	{ "stm 8", 9, 2,
	  { 0xE8A0, 0x01FE },
	  { 0 } },
	/* push {r4,lr}; pop {r4,r5} = (1+2)+(1+2) */
	{ "push, pop", 6, 2,
	  { 0xB510, 0xBC30 },
	  { 0 } },
	/* movs r2,#0; push {r2,r6}; pop {r3,pc}; nop; nop = 1 + (1+2) + (1+2+3) + 1 */
	{ "push, pop pc", 11, 5,
	  { 0x2200, 0xB444, 0xBD08, 0xBF00, 0xBF00 },
	  { [6] = 0x08000409 } },
	/* ldrd r2,r3,[r0]; strd r2,r3,[r1] = (1+2)+(1+2) */
	{ "ldrd, strd", 6, 4,
	  { 0xE9D0, 0x2300, 0xE9C1, 0x2300 },
	  { 0 } },
	/* ldr r2,[r0]; ldmia r1,{r3,r4} = 2+(1+2) */
	{ "ldr, ldm", 5, 3,
	  { 0x6802, 0xE891, 0x0018 },
	  { 0 } },
	/* ldmia r1,{r3,r4}; ldr r2,[r0] = (1+2)+2 */
	{ "ldm, ldr", 5, 3,
	  { 0xE891, 0x0018, 0x6802 },
	  { 0 } },

	/* --- IT: 1, or folded to 0 when fetched in one word with the instruction before it; what it skips
	 * takes 1 (table 3-1 note, docs "IT"). */
	/* cmp r0,r0; nop; it eq; addeq r2,r2,#1 = 1+1+1+1 */
	{ "it alone in its word", 4, 4,
	  { 0x4280, 0xBF00, 0xBF08, 0x3201 },
	  { 0 } },
	/* cmp r0,r0; it eq; addeq r2,r2,#1 = 1+0+1 */
	{ "it folded", 2, 3,
	  { 0x4280, 0xBF08, 0x3201 },
	  { 0 } },
	/* cmp r0,r0; ite ne; ldrne r2,[r0]; moveq r3,#1 = 1+0+1+1 */
	{ "ite, one skipped load", 3, 4,
	  { 0x4280, 0xBF14, 0x6802, 0x2301 },
	  { 0 } },
	/* cmp r0,r0; itt eq; ldreq r2,[r0]; ldreq r3,[r1] = 1+0+2+1 */
	{ "itt, two loads", 4, 4,
	  { 0x4280, 0xBF04, 0x6802, 0x680B },
	  { 0 } },
	/* cmp r0,r0; ite eq; ldreq r2,[r0]; ldrne r3,[r1]
	 *   1+0+2+1: the skipped one does not overlap */
	{ "ite, then a load", 4, 4,
	  { 0x4280, 0xBF0C, 0x6802, 0x680B },
	  { 0 } },
	/* cmp r0,r0; it eq; beq 1f; nop; 1: nop = 1+0+(1+1)+1 */
	{ "it, branch taken", 4, 5,
	  { 0x4280, 0xBF08, 0xE000, 0xBF00, 0xBF00 },
	  { 0 } },

	/* --- System (table 3-1; where it gives a range, docs "System"). */
	/* nop; sev; nop.w = 1 each */
	{ "nop, sev", 3, 4,
	  { 0xBF00, 0xBF40, 0xF3AF, 0x8000 },
	  { 0 } },
	/* mrs r2,primask; msr basepri,r7 = 2+2 */
	{ "mrs, msr", 4, 4,
	  { 0xF3EF, 0x8210, 0xF387, 0x8811 },
	  { 0 } },
	/* cpsid i; cpsie i = 1+1 */
	{ "cps", 2, 2,
	  { 0xB672, 0xB662 },
	  { 0 } },
	/* dsb; dmb; isb; nop = 1 + 1 + (1+3) + 1 */
	{ "barriers", 7, 7,
	  { 0xF3BF, 0x8F4F, 0xF3BF, 0x8F5F, 0xF3BF, 0x8F6F, 0xBF00 },
	  { 0 } },
};

static void set_up(struct board *b, const struct row *t)
{
	put_code(b, CODE, t->code, t->n);
	CODE_AT(b, CODE + 2 * t->n, BKPT_STAMP);
	vb_put(b->sram + 0x100, 4, DATA + 0x80);
	vb_put(b->sram + 0x108, 4, (CODE + 6) | 1);
	b->c->r[0] = DATA;
	b->c->r[1] = DATA + 0x100;
	b->c->r[7] = 4;
	for (unsigned i = 0; i < 8; i++)
		if (t->r[i])
			b->c->r[i] = t->r[i];
}

static void test_rows(void **state)
{
	unsigned wrong = 0;
	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct board *b = board_new();
		set_up(b, &rows[i]);
		uint64_t fast = run_to_stamp(b), single;
		board_free(b);
		b = board_new();
		set_up(b, &rows[i]);
		while (!b->stamps)
			vb_cpu_step(b->c);
		single = b->stamp;
		board_free(b);
		if (fast != rows[i].cycles || single != rows[i].cycles) {
			print_error("%s: %u by hand, %u in the loop, %u stepped\n", rows[i].name,
				    rows[i].cycles, (unsigned)fast, (unsigned)single);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

/* --- exceptions ---------------------------------------------------------------------------- */

static void raise_irq(void *ctx, uint64_t at)
{
	(void)at;
	vb_irq_set(ctx, 0, true);
	vb_irq_set(ctx, 0, false);
}

static void raise_irq1(void *ctx, uint64_t at)
{
	(void)at;
	vb_irq_set(ctx, 1, true);
	vb_irq_set(ctx, 1, false);
}

/* Interrupt 0 at priority 0x20, interrupt 1 at 0x10 (higher), both enabled. */
static void two_interrupts(struct board *b)
{
	poke(b, R_IPR, 0x1020);
	poke(b, R_ISER, 3);
}

/* STR to ICSR (1), then entry: 12 to the first instruction of the handler. */
static void test_entry_and_return(void **state)
{
	struct board *b = board_new();
	(void)state;
	/* str r1, [r0]; bkpt */
	CODE_AT(b, CODE, 0x6001, BKPT_STAMP);
	b->c->r[0] = R_ICSR;
	b->c->r[1] = 1u << 28;
	assert_int_equal(run_to_stamp(b), 1 + 12);
	/* BKPT 1, BX LR 1, ten to unstack, and the next instruction of the thread runs. */
	assert_int_equal(run_to_stamp(b), 13 + 1 + 1 + 10);
	board_free(b);
}

/* A return to a 32-bit instruction across two words fetches once more. */
static void test_return_to_straddling(void **state)
{
	struct board *b = board_new();
	(void)state;
	/* str r1, [r0]; nop is not there: adds.w at CODE + 2 straddles; bkpt */
	CODE_AT(b, CODE, 0x6001, 0xEB12, 0x0202, BKPT_STAMP);
	b->c->r[0] = R_ICSR;
	b->c->r[1] = 1u << 28;
	run_to_stamp(b);
	assert_int_equal(run_to_stamp(b), 13 + 1 + 1 + 11 + 1);
	board_free(b);
}

/* The return instruction pays for itself: POP {PC} of one word, 1 + 1. */
static void test_return_by_pop(void **state)
{
	struct board *b = board_new();
	(void)state;
	CODE_AT(b, CODE, 0x6001, BKPT_STAMP);
	/* push {lr}; bkpt; pop {pc} */
	CODE_AT(b, HANDLER(VB_EXC_PENDSV), 0xB500, BKPT_STAMP, 0xBD00);
	b->c->r[0] = R_ICSR;
	b->c->r[1] = 1u << 28;
	assert_int_equal(run_to_stamp(b), 13 + 2);
	assert_int_equal(run_to_stamp(b), 15 + 1 + 2 + 10);
	board_free(b);
}

static void test_tail_chain(void **state)
{
	struct board *b = board_new();
	(void)state;
	two_interrupts(b);
	/* str r1, [r0] to ISPR pends both; number 1 goes first. */
	CODE_AT(b, CODE, 0x6001, BKPT_STAMP);
	b->c->r[0] = R_ISPR;
	b->c->r[1] = 3;
	assert_int_equal(run_to_stamp(b), 13);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0 + 1);
	/* BKPT 1, BX LR 1, six, and the other handler's first instruction. */
	assert_int_equal(run_to_stamp(b), 13 + 1 + 1 + 6);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0);
	assert_int_equal(b->c->r[14], 0xFFFFFFF9u);
	/* Then back to the thread: one frame was stacked, one is unstacked. */
	assert_int_equal(run_to_stamp(b), 21 + 1 + 1 + 10);
	assert_int_equal(b->c->r[13], STACK_TOP);
	board_free(b);
}

/* Interrupt 1 arrives `after` cycles into the entry of interrupt 0. */
static void late_arrival(unsigned after, uint64_t expected)
{
	struct board *b = board_new();
	struct vb_event late = { .fire = raise_irq1, .ctx = &b->m };
	two_interrupts(b);
	CODE_AT(b, CODE, 0x6001, BKPT_STAMP);
	b->c->r[0] = R_ISPR;
	b->c->r[1] = 1;
	vb_sched_at(&b->m.sched, &late, 1 + after);
	assert_int_equal(run_to_stamp(b), expected);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0 + 1);
	/* Interrupt 0, whose entry it took over, is chained. */
	assert_int_equal(run_to_stamp(b), expected + 1 + 1 + 6);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0);
	board_free(b);
}

static void test_late_arrival(void **state)
{
	(void)state;
	late_arrival(1, 1 + 12);      /* while stacking: no time lost */
	late_arrival(6, 1 + 12);      /* the last cycle at which a new vector fetch fits */
	late_arrival(7, 1 + 7 + 6);   /* six from its arrival */
	late_arrival(11, 1 + 11 + 6);
}

/* One cycle later the first handler has begun: an ordinary preemption, at the end of its first
 * instruction (the BKPT at 13, one cycle). */
static void test_too_late_preempts(void **state)
{
	struct board *b = board_new();
	struct vb_event late = { .fire = raise_irq1, .ctx = &b->m };
	(void)state;
	two_interrupts(b);
	CODE_AT(b, CODE, 0x6001, BKPT_STAMP);
	CODE_AT(b, HANDLER(VB_EXC_IRQ0), NOP, BKPT_STAMP, BX_LR);
	b->c->r[0] = R_ISPR;
	b->c->r[1] = 1;
	vb_sched_at(&b->m.sched, &late, 14);
	assert_int_equal(run_to_stamp(b), 13 + 1 + 12);
	assert_int_equal(b->c->r[14], 0xFFFFFFF1u);
	board_free(b);
}

/* An interrupt while the frame is being read back: the reading is given up, six cycles from
 * the arrival its handler runs, with nothing stacked anew. */
static void test_return_abandoned(void **state)
{
	struct board *b = board_new();
	struct vb_event again = { .fire = raise_irq, .ctx = &b->m };
	(void)state;
	two_interrupts(b);
	CODE_AT(b, CODE, 0x6001, BKPT_STAMP);
	b->c->r[0] = R_ICSR;
	b->c->r[1] = 1u << 28;
	run_to_stamp(b);                             /* PendSV's handler at 13 */
	vb_sched_at(&b->m.sched, &again, 15 + 4);    /* unstacking since 15 */
	assert_int_equal(run_to_stamp(b), 15 + 4 + 6);
	assert_int_equal(b->c->ipsr, VB_EXC_IRQ0);
	assert_int_equal(b->c->r[13], STACK_TOP - 32);
	board_free(b);
}

static void test_wfi_wake(void **state)
{
	struct board *b = board_new();
	struct vb_event wake = { .fire = raise_irq, .ctx = &b->m };
	(void)state;
	two_interrupts(b);
	CODE_AT(b, CODE, 0xBF30, BKPT_STAMP); /* wfi */
	vb_sched_at(&b->m.sched, &wake, 5000);
	assert_int_equal(run_to_stamp(b), 5000 + 12);
	assert_int_equal(run_to_stamp(b), 5012 + 1 + 1 + 10);
	board_free(b);
}

/* With PRIMASK set WFI wakes and goes on without a handler. */
static void test_wfi_masked(void **state)
{
	struct board *b = board_new();
	struct vb_event wake = { .fire = raise_irq, .ctx = &b->m };
	(void)state;
	two_interrupts(b);
	CODE_AT(b, CODE, 0xB672, 0xBF30, BKPT_STAMP); /* cpsid i; wfi */
	vb_sched_at(&b->m.sched, &wake, 5000);
	assert_int_equal(run_to_stamp(b), 5000);
	assert_int_equal(b->c->ipsr, 0);
	board_free(b);
}

/* An interrupt in the middle of a long instruction waits for its end. */
static void test_latency_of_long_instruction(void **state)
{
	struct board *b = board_new();
	struct vb_event irq = { .fire = raise_irq, .ctx = &b->m };
	(void)state;
	two_interrupts(b);
	CODE_AT(b, CODE, 0xE890, 0x00FE, BKPT_STAMP); /* ldm r0, {r1-r7}: 1+7 */
	b->c->r[0] = DATA;
	vb_sched_at(&b->m.sched, &irq, 3);
	assert_int_equal(run_to_stamp(b), 8 + 12);
	board_free(b);
}

/* --- counters ------------------------------------------------------------------------------ */

/* Two reads of CYCCNT: a load, two NOPs, a load. The reads are one load and two NOPs apart. */
static void test_cyccnt(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_DEMCR, 1u << 24);
	poke(b, R_DWT_CTRL, 1);
	poke(b, R_CYCCNT, 100);
	CODE_AT(b, CODE, 0x6801, NOP, NOP, 0x6802, BKPT_STAMP); /* ldr r1,[r0]; nop; nop; ldr r2,[r0] */
	b->c->r[0] = R_CYCCNT;
	assert_int_equal(run_to_stamp(b), 2 + 1 + 1 + 2);
	assert_int_equal(b->c->r[1], 100);
	assert_int_equal(b->c->r[2], 104);
	board_free(b);
}

/* Reload 99: from the start at cycle 0 the counter reaches 0 after 100 clocks, then every 100. */
static void test_systick_period(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_RVR, 99);
	poke(b, R_CVR, 0);
	poke(b, R_CSR, 7);
	CODE_AT(b, CODE, 0xBF30, 0xE7FD); /* wfi; b back */
	for (unsigned k = 1; k <= 5; k++)
		assert_int_equal(run_to_stamp(b), 100 * k + 12);
	board_free(b);
}

static void test_systick_counts_down(void **state)
{
	struct board *b = board_new();
	(void)state;
	poke(b, R_RVR, 9);
	poke(b, R_CVR, 0);
	poke(b, R_CSR, 5);
	for (uint32_t i = 0; i < 25; i++)
		CODE_AT(b, CODE + 2 * i, NOP);
	static const uint32_t expected[] = { 0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 9, 8 };
	for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_int_equal(peek(b, R_CVR), expected[i]);
		vb_cpu_step(b->c);
	}
	assert_true(peek(b, R_CSR) >> 16 & 1);
	board_free(b);
}

/* The same image, the same cycles, whatever the slices it is run in. */
static void test_slices_do_not_matter(void **state)
{
	uint64_t whole = 0;
	(void)state;
	for (unsigned slice = 0; slice < 6; slice++) {
		struct board *b = board_new();
		poke(b, R_RVR, 96);
		poke(b, R_CVR, 0);
		poke(b, R_CSR, 7);
		CODE_AT(b, HANDLER(VB_EXC_SYSTICK), 0x3101, BX_LR); /* adds r1, #1: lost on return */
		/* 1: ldr r2,[r0]; udiv r3,r2,r4; str r3,[r0]; subs r5,#1; bne 1b; bkpt */
		CODE_AT(b, CODE, 0x6802, 0xFBB2, 0xF3F4, 0x6003, 0x3D01, 0xD1F9, BKPT_STAMP);
		vb_put(b->sram + 0x100, 4, 0xFFFFFFFF);
		b->c->r[0] = DATA;
		b->c->r[4] = 1;
		b->c->r[5] = 300;
		enum vb_stop s = VB_STOP_CYCLES;
		while (s == VB_STOP_CYCLES)
			s = vb_machine_run(&b->m, b->c->cycles + (slice ? 7 * slice : 1000000));
		if (slice == 0)
			whole = b->stamp;
		assert_true(b->stamp == whole);
		board_free(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_entry_and_return),
		cmocka_unit_test(test_return_to_straddling),
		cmocka_unit_test(test_return_by_pop),
		cmocka_unit_test(test_tail_chain),
		cmocka_unit_test(test_late_arrival),
		cmocka_unit_test(test_too_late_preempts),
		cmocka_unit_test(test_return_abandoned),
		cmocka_unit_test(test_wfi_wake),
		cmocka_unit_test(test_wfi_masked),
		cmocka_unit_test(test_latency_of_long_instruction),
		cmocka_unit_test(test_cyccnt),
		cmocka_unit_test(test_systick_period),
		cmocka_unit_test(test_systick_counts_down),
		cmocka_unit_test(test_slices_do_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
