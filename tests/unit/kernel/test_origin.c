/* Version macros of the forms that kernels use, and licence texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/origin.h"

static void version_is(const char *text, const char *version)
{
	struct rtb_version_pick pick = {0};
	rtb_version_look(&pick, text, "x.h");
	assert_string_equal(pick.text ? pick.text : "", version);
	free(pick.text);
	free(pick.from);
}

static void forms(void **state)
{
	(void)state;
	version_is("#define AB_KERNEL_VERSION_NUMBER \"V3.1.0+\"\n", "V3.1.0+");
	version_is("# define AB_MAJOR_VERSION 6\n#define AB_MINOR_VERSION 4\n#define AB_PATCH_VERSION 2\n", "6.4.2");
	version_is("#define AB_VERSION 4 /**< major */\n#define AB_SUBVERSION 1\n#define AB_REVISION 7\n", "4.1.7");
	version_is("#define AB_VERSION   30802u  /* x 10000 */\n", "30802");
	version_is("#define AB_VERSION_STRING (\"1.2\")\n", "1.2");
	version_is("#define AB_VERSION_MAJOR 2\n#define AB_VERSION_MINOR 0\n", "2.0");
}

static void better_ones_first(void **state)
{
	(void)state;
	version_is("#define AB_VERSION 30802\n#define AB_KERNEL_VERSION \"3.8.2\"\n", "3.8.2");
	version_is("#define OTHER_VERSION \"9.9\"\n#define AB_KERNEL_VERSION \"3.8.2\"\n", "3.8.2");
	version_is("#define AB_KERNEL_VERSION \"3.8.2\"\n#define OTHER_VERSION \"9.9\"\n", "3.8.2");
	version_is("#define abOsVersionAPI 20020000\n#define abOsVersionKernel 50070000\n", "50070000");
}

static void no_versions(void **state)
{
	(void)state;
	version_is("", "");
	version_is("#define VERSION_CHECK(a, b) ((a) > 1)\n", "");
	version_is("#define __AB_CMSIS_VERSION 5\n#define COMPILER_VERSION \"12\"\n", "");
	version_is("#define AB_VERSION_NAME \"stable\"\n", "");
	version_is("#define AB_VERSION", "");
	version_is("int version = 3;\n", "");
}

/* One file in use, no macro in it, in a tree that has a tag. */
static void falls_back_on_the_tag(void **state)
{
	(void)state;
	char *from = NULL;
	struct rtb_entry_tree t = {.path = (char *)"/nowhere", .describe = (char *)"v1.2-3-gabcdef0"};
	struct rtb_entry n = {.tree = &t, .tree_count = 1};
	char *version = rtb_origin_version(&n, &from);
	assert_string_equal(version, "v1.2-3-gabcdef0");
	assert_non_null(strstr(from, "git describe"));
	free(version);
	free(from);
	t.describe = (char *)"";
	version = rtb_origin_version(&n, &from);
	assert_string_equal(version, "");
	free(version);
	free(from);
}

static void licences(void **state)
{
	(void)state;
	assert_string_equal(rtb_licence_of_text("Apache License\n Version 2.0, January 2004"), "Apache-2.0");
	assert_string_equal(rtb_licence_of_text("GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June"), "GPL-3.0");
	assert_string_equal(rtb_licence_of_text("Permission is hereby granted, free of charge, to ... without restriction"), "MIT");
	assert_string_equal(rtb_licence_of_text("Redistribution and use in source and binary forms ... Neither the name of"), "BSD-3-Clause");
	assert_string_equal(rtb_licence_of_text("Redistribution and use in source and binary forms"), "BSD-2-Clause");
	assert_string_equal(rtb_licence_of_text("All rights reserved."), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms), cmocka_unit_test(better_ones_first), cmocka_unit_test(no_versions),
		cmocka_unit_test(falls_back_on_the_tag),
		cmocka_unit_test(licences),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
