/* The texts were printed by arm-none-eabi-gcc 12.2 and its binutils, paths shortened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kernel/diag.h"

static void headers(void **state)
{
	(void)state;
	struct rtb_diags d;
	rtb_diag_parse("In file included from p/port.c:3:\n"
		       "p/a b/port_impl.h:7:10: fatal error: sub/kern.h: No such file or directory\n"
		       "    7 | #include \"sub/kern.h\"\n"
		       "compilation terminated.\n"
		       "other.c:1:10: fatal error: sub/kern.h: No such file or directory\n", &d);
	assert_int_equal(d.n, 1);
	assert_int_equal(d.v[0].kind, RTB_DIAG_HEADER);
	assert_string_equal(d.v[0].name, "sub/kern.h");
	assert_string_equal(d.v[0].where, "p/a b/port_impl.h");
	rtb_diags_free(&d);
	rtb_diag_parse("arm-none-eabi-gcc: fatal error: no input files\n", &d);
	assert_int_equal(rtb_diags_count(&d, RTB_DIAG_HEADER), 0);
	assert_int_equal(rtb_diags_count(&d, RTB_DIAG_ERROR), 1);
	rtb_diags_free(&d);
}

static void symbols(void **state)
{
	(void)state;
	struct rtb_diags d;
	rtb_diag_parse("/usr/lib/bin/ld: out/obj/ports/x/port.c.o: in function `rtb_yield':\n"
		       "/src/ports/x/port.c:12: undefined reference to `k_yield'\n"
		       "/usr/lib/bin/ld: out/port.c.o:(.vectors+0x38): undefined reference to `PendSV_Handler'\n"
		       "/usr/lib/bin/ld: /src/port.c:19: undefined reference to `k_yield'\n"
		       "/usr/lib/bin/ld: k.a(b.c.o):/src/b.c:3: multiple definition of `v'; k.a(a.c.o):/src/a.c:1: first defined here\n"
		       "collect2: error: ld returned 1 exit status\n", &d);
	assert_int_equal(rtb_diags_count(&d, RTB_DIAG_UNDEFINED), 2);
	assert_string_equal(d.v[0].name, "k_yield");
	assert_string_equal(d.v[0].where, "/src/ports/x/port.c:12");
	assert_string_equal(d.v[1].name, "PendSV_Handler");
	assert_string_equal(d.v[1].where, "out/port.c.o:(.vectors+0x38)");
	const struct rtb_diag *m = rtb_diags_first(&d, RTB_DIAG_MULTIPLE);
	assert_non_null(m);
	assert_string_equal(m->name, "v");
	assert_string_equal(m->where, "k.a(b.c.o):/src/b.c:3");
	rtb_diags_free(&d);
}

static void errors(void **state)
{
	(void)state;
	struct rtb_diags d;
	rtb_diag_parse("k/switch.s: Assembler messages:\nk/switch.s:14: Error: bad instruction `area |.text|,code'\n"
		       "k/a.c:3:2: error: #error \"which core\"\r\nmake: *** [Makefile:3: k] Error 1\n", &d);
	assert_int_equal(d.n, 2);
	assert_string_equal(d.v[0].where, "k/switch.s");
	assert_string_equal(d.v[1].where, "k/a.c");
	rtb_diags_free(&d);
	rtb_diag_parse("", &d);
	assert_int_equal(d.n, 0);
	assert_null(rtb_diags_first(&d, RTB_DIAG_ERROR));
	rtb_diags_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers), cmocka_unit_test(symbols), cmocka_unit_test(errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
