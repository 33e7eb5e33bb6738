/* Names of serial ports by identity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "link/link.h"
#include "link/usb_spec.h"

static void names(void **state)
{
	(void)state;
	struct rtb_usb_spec s;
	assert_true(rtb_usb_spec_parse("0403:6001", &s));
	assert_int_equal(s.vid, 0x0403);
	assert_true(rtb_usb_spec_matches(&s, 0x0403, 0x6001, NULL, -1));
	assert_false(rtb_usb_spec_matches(&s, 0x0403, 0x6010, NULL, -1));
	assert_true(rtb_usb_spec_parse("FT4711:1", &s));
	assert_int_equal(s.vid, 0);
	assert_true(rtb_usb_spec_matches(&s, 0x0403, 0x6010, "FT4711", 1));
	assert_false(rtb_usb_spec_matches(&s, 0x0403, 0x6010, "FT4711", 0));
	assert_false(rtb_usb_spec_matches(&s, 0x0403, 0x6010, NULL, 1));
	static const char *const wrong[] = {":1", "S:", "S:x", "S:100", "S:1:2"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(rtb_usb_spec_parse(wrong[i], &s));
}

static void opening(void **state)
{
	(void)state;
	struct rtb_link *l;
	struct rtb_error e = {0};
	struct rtb_link_options o = {.spec = "usb:S:x", .baud = 115200, .dtr = -1, .rts = -1};
	assert_int_equal(rtb_link_open(&o, &l, &e), RTB_CONFIG);
	e = (struct rtb_error){0};
	o.spec = "usb:no-such-serial-4711";
	assert_int_equal(rtb_link_open(&o, &l, &e), RTB_LINK_ABSENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(opening)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
