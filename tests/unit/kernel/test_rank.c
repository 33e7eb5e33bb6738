#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/rank.h"

static void better(const char *good, const char *bad)
{
	struct rtb_rank g = rtb_rank_path(good), b = rtb_rank_path(bad);
	if (g.penalty >= b.penalty)
		fail_msg("%s (%d) should come before %s (%d)", good, g.penalty, bad, b.penalty);
}

static void this_core_before_others(void **state)
{
	(void)state;
	better("port/CM3/cpu.c", "port/CM4F/cpu.c");
	better("port/ARM_CM3/cpu.c", "port/ARM_CM33/cpu.c");
	better("arch/cortex-m3/cpu.c", "arch/cortex-m33/cpu.c");
	better("arch/cortex_m3/cpu.c", "arch/cortex_r5/cpu.c");
	better("arch/ARMv7-M/cpu.c", "arch/ARMv7-A/cpu.c");
	better("arch/ARMv7-M/cpu.c", "arch/ARMv7E-M/cpu.c");
	better("irq_armv7m.S", "irq_armv8mml.S");
	better("arch/ARMv7-M/cpu.c", "arch/ARMv6-M/cpu.c");
	better("arch/arm/cpu.c", "arch/risc-v/cpu.c");
	better("arch/Cortex-M/cpu.c", "arch/Win32/cpu.c");
	better("src/cpu.c", "posix/cpu.c");
}

static void this_compiler_before_others(void **state)
{
	(void)state;
	better("cm3/gcc/switch.S", "cm3/iar/switch.S");
	better("cm3/GNU/switch.s", "cm3/ARM/switch.s");
	better("cm3/switch_gcc.S", "cm3/switch_rvds.S");
	better("cm3/gnu/switch.S", "cm3/ac6/switch.S");
	better("gcc/cm0/x.c", "iar/cm0/x.c");
}

static void the_plain_before_variants_and_asides(void **state)
{
	(void)state;
	better("port/CM3/cpu.c", "port/CM3_MPU/cpu.c");
	better("common/x.c", "common_smp/x.c");
	better("src/x.c", "test/x.c");
	better("src/x.c", "examples/x.c");
	better("cm3/gcc/src/x.S", "cm3/gcc/example_build/x.S");
	better("include/conf.h", "Template/conf.h");
	better("ARMv7-M/x.c", "ARMv7-M-ALT/x.c");
}

static void exclusion(void **state)
{
	(void)state;
	assert_true(rtb_rank_excludes(rtb_rank_path("gcc/cm4/port.c")));
	assert_true(rtb_rank_excludes(rtb_rank_path("cm3/iar/port.c")));
	assert_true(rtb_rank_excludes(rtb_rank_path("linux/port.c")));
	assert_false(rtb_rank_excludes(rtb_rank_path("gcc/cm3/port.c")));
	assert_false(rtb_rank_excludes(rtb_rank_path("portable/common/heap.c")));
	assert_true(rtb_rank_excludes(rtb_rank_path("ports/SIMX86_64/compilers/GCC/types.h")));
	/* words that merely look like one of the table's */
	assert_false(rtb_rank_excludes(rtb_rank_path("architecture/search.c")));
	assert_false(rtb_rank_excludes(rtb_rank_path("kernel/sched.c")));
	assert_false(rtb_rank_excludes(rtb_rank_path("core/trace.c")));
	/* one directory for several cores is good for each of them */
	assert_false(rtb_rank_excludes(rtb_rank_path("port/cm3_cm4/port.c")));
}

static void words(void **state)
{
	(void)state;
	char out[200];
	rtb_rank_words(rtb_rank_path("gcc/cm3/port.c"), out, sizeof out);
	assert_string_equal(out, "names this core, names this compiler");
	rtb_rank_words(rtb_rank_path("tasks.c"), out, sizeof out);
	assert_string_equal(out, "");
	rtb_rank_words(rtb_rank_path("gcc/cm3/port.c"), out, 8);
	assert_string_equal(out, "names t");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_core_before_others),
		cmocka_unit_test(this_compiler_before_others),
		cmocka_unit_test(the_plain_before_variants_and_asides),
		cmocka_unit_test(exclusion),
		cmocka_unit_test(words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
