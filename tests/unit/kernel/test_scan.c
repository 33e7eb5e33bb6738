#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "kernel/scan.h"

static void collect(void *ctx, const char *name, size_t n)
{
	struct rtb_buf *b = ctx;
	if (b->len)
		rtb_buf_str(b, " ");
	rtb_buf_add(b, name, n);
}

static void c_gives(const char *text, const char *names)
{
	struct rtb_buf b = {0};
	rtb_scan_c(text, strlen(text), collect, &b);
	assert_string_equal(rtb_buf_cstr(&b), names);
	rtb_buf_free(&b);
}

static void asm_gives(const char *text, const char *names)
{
	struct rtb_buf b = {0};
	rtb_scan_asm(text, strlen(text), collect, &b);
	assert_string_equal(rtb_buf_cstr(&b), names);
	rtb_buf_free(&b);
}

static void functions(void **state)
{
	(void)state;
	c_gives("int f(void) { return g(1); }\nvoid h(int a, void (*b)(int))\n{\n}\n", "f h");
	c_gives("int f(void);\nextern int g(void);\n", "");
	c_gives("void f(int a) __attribute__((noinline));\nvoid f(int a)\n{ if (a) { x(); } }\nint g() {}", "f g");
	c_gives("LINKAGE(void) f(void) { }", "LINKAGE f");
	c_gives("__attribute__((naked)) void f(void) { __asm(\"}\"); }\nint z;", "f z");
	c_gives("/* int a; { */ // int b; {\nint c; char d = '{'; char e[] = \"}{\\\"{\";", "c d e");
}

static void variables(void **state)
{
	(void)state;
	c_gives("int a, b = 3, *c;\nstatic int d[4] = {1, 2};\nextern int e;\ntypedef int t;\n", "a b c d");
	c_gives("struct s { int x; } v;\nstruct s;\nenum { A, B };\n", "v s");
	c_gives("int a[2][N];\nint (*fp)(void);\nint last;", "a last");
	c_gives("int x __attribute__((aligned(8)));\nint f(void) __attribute__((used)) { }", "x f");
}

static void conditionals(void **state)
{
	(void)state;
	c_gives("#if A\nvoid f(int a) {\n#else\nvoid f(void) {\n#endif\n}\nint g(void) { }\n", "f f g");
	c_gives("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint g(void) { }\nint v;\n#ifdef __cplusplus\n}\n#endif\nint h(void) {}",
		"g v h");
	c_gives("#define X(a) void a(void) { \\\n }\nint g(void) { }\n", "g");
	/* a brace that a branch left open is forgotten at the next one in the first column */
	c_gives("void f(void) {\n#if A\n if (x) {\n#endif\n}\nint g(void)\n{\n}\n", "f g");
}

static void broken_text(void **state)
{
	(void)state;
	c_gives("", "");
	c_gives("\"", "");
	c_gives("/*", "");
	c_gives("#if", "");
	c_gives("}}}}int f(void){", "f");
	c_gives("int f(", "");
	c_gives("'\\", "");
}

static void assembler(void **state)
{
	(void)state;
	asm_gives("\t.global f, g\nf:\n  bx lr\n1:\n.thumb_func\nlocal: nop\n", "f g f 1 local");
	asm_gives("        EXPORT  PendSV_Handler\n        PUBLIC os_start\nos_start\n", "PendSV_Handler os_start");
	asm_gives("", "");
	asm_gives(".globl", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions), cmocka_unit_test(variables), cmocka_unit_test(conditionals),
		cmocka_unit_test(broken_text), cmocka_unit_test(assembler),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
