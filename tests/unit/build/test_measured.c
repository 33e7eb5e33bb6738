/* The measured functions, in images that the real compiler makes: what is found between the
 * reads, and which ones are found wanting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "build/measured.h"
#include "build/thumb.h"

static const char source[] =
	"typedef unsigned u32;\n"
	"#define M __attribute__((noipa, noinline, used))\n"
	"static inline __attribute__((always_inline)) u32 now(void)\n"
	"{ u32 t; __asm volatile(\"ldr %0, [%1]\" : \"=r\"(t) : \"r\"(0xE0001004u) : \"memory\"); return t; }\n"
	"#define ICSR (*(volatile u32 *)0xE000ED04)\n"
	"#define PORT (*(volatile u32 *)0x40010C10)\n"
	"volatile u32 start, flag; u32 table[8];\n"
	"M void kernel_give(u32 *s) { (*s)++; }\n"
	"M void board_put(u32 c) { PORT = c; }\n"
	"M u32 rtb_measured_call(void) { u32 a = now(); kernel_give(table); return now() - a; }\n"
	"M u32 rtb_measured_nothing(void) { u32 a = now(); return now() - a; }\n"
	"M u32 rtb_measured_moved(void) { u32 a = now(), b = now(); kernel_give(table); return b - a; }\n"
	"M u32 rtb_measured_print(void) { u32 a = now(); board_put('x'); PORT = 3; return now() - a; }\n"
	"M u32 rtb_measured_svc(void) { u32 a = now(); __asm volatile(\"svc 3\" ::: \"memory\"); return now() - a; }\n"
	"M u32 rtb_measured_pend(void) { u32 a = now(); ICSR = 1u << 28; return now() - a; }\n"
	"M u32 rtb_measured_lock(void) { u32 a = now(); __asm volatile(\"msr basepri, %0\" :: \"r\"(64) : \"memory\");\n"
	"	table[1]++; return now() - a; }\n"
	"M u32 rtb_measured_either(void) { u32 a = now(); if (flag == 300) for (const char *p = \"abc\"; *p; p++) board_put(*p);\n"
	"	if (flag > 1000) kernel_give(table); else table[2] += flag; return now() - a; }\n"
	"M void rtb_measured_wake(void) { start = now(); kernel_give(table); }\n"
	"M u32 rtb_measured_wake_end(void) { kernel_give(table + 1); return now(); }\n"
	"M void rtb_measured_early(void) { kernel_give(table); start = now(); }\n"
	"M u32 rtb_measured_early_end(void) { u32 t = now(); kernel_give(table); return t; }\n"
	"M u32 rtb_measured_blind(void) { kernel_give(table); return 0; }\n"
	"M u32 rtb_measured_delay(void) { kernel_give(table); return *(volatile u32 *)0xE000E018; }\n"
	"M u32 rtb_measured_calibrate_read_cost(void) { u32 a = now(); return now() - a; }\n"
	"M u32 rtb_measured_pointer(void (*f)(u32 *)) { u32 a = now(); f(table); return now() - a; }\n"
	"void reset(void);\nvoid reset(void) { for (;;) ; }\n";

static char dir[64];

static void build(const char *flags, struct rtb_buf *file, struct rtb_image *image, struct rtb_measured_list *l)
{
	char *name = rtb_sprintf("%s/m.c", dir), *elf = rtb_sprintf("%s/m.elf", dir);
	FILE *f = fopen(name, "w");
	assert_non_null(f);
	fputs(source, f);
	fclose(f);
	char *cmd = rtb_sprintf("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -ffreestanding -nostdlib -Wl,-Ttext=0x08000000 "
				"-Wl,-Tdata=0x20000000 -Wl,--entry=reset %s -o %s %s", flags, elf, name);
	assert_int_equal(system(cmd), 0);
	struct rtb_error e = {0};
	assert_int_equal(rtb_buf_read_file(file, elf, 1 << 24), 0);
	if (rtb_image_parse(file->data, file->len, elf, image, &e) != RTB_OK)
		fail_msg("%s", e.text);
	rtb_measured_find(image, file->data, file->len, l);
	free(cmd);
	free(name);
	free(elf);
}

static const struct rtb_measured *get(const struct rtb_measured_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].name, name) == 0)
			return &l->v[i];
	fail_msg("%s was not found", name);
	return NULL;
}

static void what_lies_between_is_found_at_every_level(void **state)
{
	(void)state;
	static const struct { const char *name, *calls, *fault; } want[] = {
		{"call", "kernel_give", NULL}, {"nothing", "", "nothing is called between the reads"},
		{"moved", "", "nothing is called between the reads"},
		{"print", "", "nothing is called between the reads"}, {"svc", "svc", NULL},
		{"pend", "[0xe000ed04]", NULL}, {"lock", "mask", NULL}, {"either", "kernel_give", NULL},
		{"wake", "kernel_give", NULL}, {"wake_end", "kernel_give", NULL},
		{"early", "", "nothing is called after the read"}, {"early_end", "", "nothing is called before the read"},
		{"blind", "", "no read of the counter"}, {"delay", "kernel_give", NULL},
		{"calibrate_read_cost", "", NULL}, {"pointer", "(register)", NULL},
	};
	static const char *const flags[] = {"-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-O2 -flto", "-O0 -fno-omit-frame-pointer"};
	for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
		struct rtb_buf file = {0};
		struct rtb_image image;
		struct rtb_measured_list l;
		build(flags[k], &file, &image, &l);
		assert_int_equal(l.n, sizeof want / sizeof *want);
		for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
			const struct rtb_measured *m = get(&l, want[i].name);
			const char *fault = m->fault ? m->fault : "none", *expect = want[i].fault ? want[i].fault : "none";
			if (strcmp(m->calls, want[i].calls) != 0 || strcmp(fault, expect) != 0)
				fail_msg("%s %s: calls '%s', fault '%s'", flags[k], m->name, m->calls, fault);
			assert_int_equal(m->addr % m->align, 0);
			assert_true(m->align == 16 || m->addr % (2 * m->align) != 0);
		}
		rtb_measured_free(&l);
		rtb_image_free(&image);
		rtb_buf_free(&file);
	}
}

/* Code of any content must be walked to an end, within its bounds. */
static void noise_instead_of_code(void **state)
{
	(void)state;
	struct rtb_buf file = {0};
	struct rtb_image image;
	struct rtb_measured_list l;
	build("-O2", &file, &image, &l);
	rtb_measured_free(&l);
	uint32_t seed = 7;
	for (int k = 0; k < 300; k++) {
		for (size_t s = 0; s < image.segment_count; s++)
			for (size_t i = 0; i < image.segment[s].file_bytes; i++) {
				seed = seed * 1664525 + 1013904223;
				file.data[image.segment[s].offset + i] = (char)(seed >> 24);
			}
		for (size_t i = 0; i < image.symbol_count; i++)
			if (strcmp(image.symbol[i].name, "rtb_measured_call") == 0)
				image.symbol[i].size = 2 + seed % 9000;
		rtb_measured_find(&image, file.data, file.len, &l);
		assert_true(l.n > 0);
		rtb_measured_free(&l);
	}
	rtb_image_free(&image);
	rtb_buf_free(&file);
}

/* Encodings from the manual's tables and the assembler. */
static void single_instructions(void **state)
{
	(void)state;
	static const struct { uint16_t a, b; enum rtb_thumb_flow flow; enum rtb_thumb_op op; uint32_t x; uint16_t writes; } t[] = {
		{0xd0fe, 0, THUMB_FORK, THUMB_OTHER, 0x1000, 0},       /* beq . */
		{0xe7ed, 0, THUMB_JUMP, THUMB_OTHER, 0xfde, 0},        /* b .-34 */
		{0xb1ff, 0, THUMB_FORK, THUMB_OTHER, 0x1042, 0},       /* cbz r7, .+66 */
		{0xf7fe, 0xff72, THUMB_CALL, THUMB_OTHER, 0xfffffee8, 0},
		{0xf001, 0xb9b8, THUMB_JUMP, THUMB_OTHER, 0x2374, 0},  /* b.w */
		{0xf47f, 0xaffe, THUMB_FORK, THUMB_OTHER, 0x1000, 0},  /* bne.w . */
		{0x4770, 0, THUMB_LEAVE, THUMB_OTHER, 0, 0},
		{0x4798, 0, THUMB_CALL, THUMB_OTHER, 0, 0},            /* blx r3 */
		{0xbd38, 0, THUMB_LEAVE, THUMB_OTHER, 0, 0x38},
		{0xe8bd, 0x8010, THUMB_LEAVE, THUMB_OTHER, 0, 0x2010}, /* pop.w {r4, pc} */
		{0xf85d, 0xfb04, THUMB_LEAVE, THUMB_LOAD, 0, 0x2000},  /* ldr pc, [sp], #4 */
		{0xf5b1, 0x7f96, THUMB_NEXT, THUMB_OTHER, 0, 0},       /* cmp.w r1, #300 */
		{0xf04f, 0x23e0, THUMB_NEXT, THUMB_CONST, 0xe000e000, 8},
		{0xf06f, 0x0101, THUMB_NEXT, THUMB_CONST, 0xfffffffe, 2},
		{0xf241, 0x0304, THUMB_NEXT, THUMB_CONST, 0x1004, 8},  /* movw r3, #0x1004 */
		{0xf2ce, 0x0300, THUMB_NEXT, THUMB_TOP, 0xe000, 8},    /* movt r3, #0xe000 */
		{0xf8d3, 0x1424, THUMB_NEXT, THUMB_LOAD, 0x424, 2},
		{0xf840, 0x3b08, THUMB_NEXT, THUMB_STORE, 0, 1},       /* str r3, [r0], #8 */
		{0xf383, 0x8811, THUMB_NEXT, THUMB_MASK, 0, 0},        /* msr basepri, r3 */
		{0xb672, 0, THUMB_NEXT, THUMB_MASK, 0, 0},
		{0xdf03, 0, THUMB_NEXT, THUMB_SVC, 0, 0},
		{0xe9c5, 0x4300, THUMB_NEXT, THUMB_OTHER, 0, 0},       /* strd r4, r3, [r5] */
		{0xbf18, 0, THUMB_NEXT, THUMB_IT, 1, 0},               /* it ne */
		{0xbf06, 0, THUMB_NEXT, THUMB_IT, 3, 0},               /* itte eq */
		{0x4b0a, 0, THUMB_NEXT, THUMB_LITERAL, 0x102c, 8},
	};
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct rtb_thumb got;
		rtb_thumb_decode(0x1000, t[i].a, t[i].b, &got);
		uint32_t x = got.flow == THUMB_CALL || got.flow == THUMB_JUMP || got.flow == THUMB_FORK ? got.target : got.imm;
		if (got.flow != t[i].flow || got.op != t[i].op || x != t[i].x || got.writes != t[i].writes)
			fail_msg("%04x %04x: flow %d op %d x %08x writes %04x", t[i].a, t[i].b, got.flow, got.op, x, got.writes);
		assert_int_equal(got.bytes, t[i].a >= 0xe800 ? 4 : 2);
	}
}

static int set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/rtb-measured-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	char *cmd = rtb_sprintf("rm -rf %s", dir);
	int rc = system(cmd);
	free(cmd);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_instructions),
		cmocka_unit_test(what_lies_between_is_found_at_every_level),
		cmocka_unit_test(noise_instead_of_code),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
