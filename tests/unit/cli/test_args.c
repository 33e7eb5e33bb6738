/* Option tables: what is parsed, what is refused and with which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "cli/args.h"

static const struct rtb_opt opts[] = {
	{"kernel", 'k', "K", "a kernel", true},
	{"samples", 0, "N", "how many", false},
	{"matrix", 0, NULL, "all", false},
	{"wait", 'w', "[=N]", "how long", false},
	{0},
};
static const struct rtb_cmd with_operands = {.name = "try", .summary = "s", .operands = "A [B]", .opts = opts};
static const struct rtb_cmd without = {.name = "try", .summary = "s", .operands = "", .opts = opts};

struct parsed {
	struct rtb_args a;
	struct rtb_error e;
	enum rtb_status st;
	bool help;
};

#define PARSE(cmd, ...) parse(cmd, (char *[]){"rtbench", "try", __VA_ARGS__ __VA_OPT__(,) NULL})
static struct parsed parse(const struct rtb_cmd *cmd, char **argv)
{
	struct parsed p = {0};
	int argc = 0;
	while (argv[argc])
		argc++;
	p.st = rtb_args_parse(cmd, argc, argv, 2, &p.a, &p.help, &p.e);
	return p;
}

static void options_and_operands_mix(void **state)
{
	(void)state;
	struct parsed p = PARSE(&with_operands, "one", "-k", "mini", "--matrix", "two", "--kernel=bare", "-vv");
	assert_int_equal(p.st, RTB_OK);
	assert_string_equal(rtb_arg(&p.a, "kernel"), "bare");
	assert_string_equal(rtb_arg_all(&p.a, "kernel")[0], "mini");
	assert_null(rtb_arg_all(&p.a, "kernel")[2]);
	assert_true(rtb_arg_flag(&p.a, "matrix"));
	assert_null(rtb_arg(&p.a, "samples"));
	assert_null(rtb_arg_all(&p.a, "samples")[0]);
	assert_int_equal(p.a.operand_count, 2);
	assert_string_equal(p.a.operands[1], "two");
	assert_int_equal(p.a.verbose, 2);
	rtb_args_free(&p.a);
}

static void refused(const struct rtb_cmd *cmd, char **argv, const char *word)
{
	struct parsed p = parse(cmd, argv);
	assert_int_equal(p.st, RTB_USAGE);
	assert_non_null(strstr(p.e.text, word));
	rtb_args_free(&p.a);
}

static void bad_usage_names_the_word(void **state)
{
	(void)state;
	refused(&without, (char *[]){"rtbench", "try", "--frobnicate", NULL}, "--frobnicate");
	refused(&without, (char *[]){"rtbench", "try", "-z", NULL}, "-z");
	refused(&without, (char *[]){"rtbench", "try", "--samples", NULL}, "needs a value");
	refused(&without, (char *[]){"rtbench", "try", "stray", NULL}, "stray");
	refused(&without, (char *[]){"rtbench", "try", "--matrix", "--matrix", NULL}, "more than once");
	refused(&without, (char *[]){"rtbench", "try", "--color", "mauve", NULL}, "mauve");
	refused(&without, (char *[]){"rtbench", "try", "--matrix=yes", NULL}, "--matrix=yes");
}

/* The value of such an option is never the next word, in neither spelling. */
static void a_value_that_may_be_left_out(void **state)
{
	(void)state;
	const struct { char *word; const char *value; } good[] = {{"--wait", ""}, {"--wait=5", "5"}, {"-w", ""}, {"-w5", "5"}};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct parsed p = PARSE(&without, good[i].word, "--matrix");
		assert_int_equal(p.st, RTB_OK);
		assert_string_equal(rtb_arg(&p.a, "wait"), good[i].value);
		assert_true(rtb_arg_flag(&p.a, "matrix"));
		rtb_args_free(&p.a);
	}
	refused(&without, (char *[]){"rtbench", "try", "--wait", "5", NULL}, "if '5' belongs to --wait, write --wait=5");
	refused(&without, (char *[]){"rtbench", "try", "--wait=5", "6", NULL}, "'6' is one");
}

static void numbers_are_checked(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "-1", "+1", " 1", "1x", "0", "101", "99999999999999999999"};
	unsigned v;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct parsed p = PARSE(&without, "--samples", (char *)bad[i]);
		assert_int_equal(rtb_arg_uint(&p.a, "samples", 7, 1, 100, &v, &p.e), RTB_USAGE);
		rtb_args_free(&p.a);
	}
	struct parsed p = PARSE(&without, "--samples", "100");
	assert_int_equal(rtb_arg_uint(&p.a, "samples", 7, 1, 100, &v, &p.e), RTB_OK);
	assert_int_equal(v, 100);
	rtb_args_free(&p.a);
	p = PARSE(&without);
	assert_int_equal(rtb_arg_uint(&p.a, "samples", 7, 1, 100, &v, &p.e), RTB_OK);
	assert_int_equal(v, 7);
	rtb_args_free(&p.a);
}

static void help_lists_every_option(void **state)
{
	(void)state;
	struct rtb_buf b = {0};
	rtb_args_help(&with_operands, &b);
	for (const struct rtb_opt *o = opts; o->name; o++)
		assert_non_null(strstr(rtb_buf_cstr(&b), o->help));
	for (const struct rtb_opt *o = rtb_common_opts; o->name; o++)
		assert_non_null(strstr(rtb_buf_cstr(&b), o->name));
	rtb_buf_free(&b);
	struct parsed p = PARSE(&without, "--help");
	assert_true(p.help);
	rtb_args_free(&p.a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_operands_mix),
		cmocka_unit_test(bad_usage_names_the_word),
		cmocka_unit_test(a_value_that_may_be_left_out),
		cmocka_unit_test(numbers_are_checked),
		cmocka_unit_test(help_lists_every_option),
	};
	return cmocka_run_group_tests_name("cli/args", tests, NULL, NULL);
}
