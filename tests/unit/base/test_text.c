/* Text from outside becomes one line that every reader takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/status.h"
#include "base/text.h"

static void assert_line(const char *text, const char *want)
{
	char *own = rtb_strdup(text);
	rtb_text_line(own);
	assert_string_equal(own, want);
	free(own);
}

static void what_no_line_may_hold_is_replaced(void **state)
{
	(void)state;
	assert_line("", "");
	assert_line("plain", "plain");
	assert_line("a\nb\r\tc", "a b  c");
	assert_line("\x1b[31mred\x7f\x01", "?[31mred??");
	assert_line("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
	assert_line("\xff \xc3 \x80", "? ? ?");
	assert_line("\xe2\x82", "??");
	assert_line("\xc0\xaf \xed\xa0\x80", "?? ???"); /* overlong, surrogate */
}

/* An error's text is cut where its room ends, which may be within a character. */
static void an_error_is_such_a_line(void **state)
{
	(void)state;
	struct rtb_error e = {0};
	char *text = rtb_alloc(2 * sizeof e.text + 1);
	for (size_t i = 0; i < sizeof e.text; i++)
		memcpy(text + 2 * i, "\xc3\xa4", 2);
	rtb_fail(&e, RTB_STORE, "%s", text);
	assert_int_equal(strlen(e.text), sizeof e.text - 1);
	assert_int_equal(e.text[sizeof e.text - 2], '?');
	free(text);
	e = (struct rtb_error){0};
	rtb_fail(&e, RTB_FLASH, "openocd: %s", "\xb5\x1b\n");
	assert_string_equal(e.text, "openocd: ?? ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_no_line_may_hold_is_replaced), cmocka_unit_test(an_error_is_such_a_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
