/* The board's side of the command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/command.h"
#include "core/stat.h"

static struct command_line line;

/* Feeds text; true when its last byte completed a line and none before did. */
static bool feed(const char *text, size_t n)
{
	bool complete = false;
	for (size_t i = 0; i < n; i++) {
		assert_false(complete);
		complete = command_feed(&line, text[i]);
	}
	return complete;
}

static void test_good_command(void **state)
{
	(void)state;
	struct rtb_command cmd;
	assert_true(command_parse("G1a2b3c4d sem_wake 10000 25", &cmd));
	assert_string_equal(cmd.nonce, "1a2b3c4d");
	assert_string_equal(cmd.case_name, "sem_wake");
	assert_int_equal(cmd.samples, 10000);
	assert_int_equal(cmd.raw, 25);
	assert_true(command_parse("G00000000 x 1000000 4294967295", &cmd));
	assert_int_equal(cmd.samples, RTB_SAMPLES_MAX);
	assert_int_equal(cmd.raw, UINT32_MAX);
}

static void test_bad_commands(void **state)
{
	(void)state;
	const char *const bad[] = {
		"", "G", "g1a2b3c4d yield 1 0", "G1A2B3C4D yield 1 0", "G1a2b3c4 yield 1 0",
		"G1a2b3c4d", "G1a2b3c4d ", "G1a2b3c4d yield", "G1a2b3c4d yield ", "G1a2b3c4d yield 1",
		"G1a2b3c4d yield 1 ", "G1a2b3c4d yield 0 0", "G1a2b3c4d yield -1 0",
		"G1a2b3c4d yield 1000001 0", "G1a2b3c4d yield 1 4294967296",
		"G1a2b3c4d yield 99999999999 0", "G1a2b3c4d yield 1 0 ", "G1a2b3c4d yield 1 0x",
		"G1a2b3c4d  yield 1 0", "G1a2b3c4d yield  1 0", "G1a2b3c4d\tyield 1 0",
		"G1a2b3c4d yi\x01ld 1 0", "GG1a2b3c4d yield 1 0",
	};
	struct rtb_command cmd;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (command_parse(bad[i], &cmd))
			fail_msg("accepted: '%s'", bad[i]);
}

static void test_nonce_of_a_bad_command(void **state)
{
	(void)state;
	struct rtb_command cmd;
	assert_false(command_parse("G1a2b3c4d yield many 0", &cmd));
	assert_string_equal(cmd.nonce, "1a2b3c4d");
	assert_false(command_parse("what", &cmd));
	assert_string_equal(cmd.nonce, "00000000");
}

static void test_lines(void **state)
{
	(void)state;
	memset(&line, 0, sizeof(line));
	assert_false(feed("\n\r\n", 3));
	assert_true(feed("abc\r\n", 5));
	assert_string_equal(line.text, "abc");
	assert_false(feed("de", 2));
	assert_true(feed("f\n", 2));
	assert_string_equal(line.text, "def");
}

/* Noise before a command ends at the next line end at the latest, whatever its length. */
static void test_noise(void **state)
{
	(void)state;
	char noise[3 * RTB_CMD_MAX];
	memset(noise, 'G', sizeof(noise));
	noise[sizeof(noise) - 1] = '\n';
	memset(&line, 0, sizeof(line));
	assert_true(feed(noise, sizeof(noise)));
	assert_string_equal(line.text, "");
	assert_true(feed("G1a2b3c4d yield 1 0\0junk\n", 25));
	struct rtb_command cmd;
	assert_false(command_parse(line.text, &cmd)); /* the NUL hides nothing */

	memset(noise, 'x', RTB_CMD_MAX);
	noise[RTB_CMD_MAX] = '\n';
	assert_true(feed(noise, RTB_CMD_MAX + 1));
	assert_int_equal(strlen(line.text), RTB_CMD_MAX); /* the longest that fits */
	assert_false(command_parse(line.text, &cmd));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_command),
		cmocka_unit_test(test_bad_commands),
		cmocka_unit_test(test_nonce_of_a_bad_command),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_noise),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
