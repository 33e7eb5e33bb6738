/* The parts of an ftdi:// link that need no chip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "adapter/ftdi_spec.h"
#include "link/link.h"

static void names(void **state)
{
	(void)state;
	struct rtb_ftdi_spec s;
	assert_true(rtb_ftdi_parse("A50285BI", &s));
	assert_string_equal(s.serial, "A50285BI");
	assert_int_equal(s.vid, 0);
	assert_int_equal(s.interface, 1);
	assert_true(rtb_ftdi_parse("0403:6010/B", &s));
	assert_int_equal(s.vid, 0x0403);
	assert_int_equal(s.pid, 0x6010);
	assert_int_equal(s.interface, 2);
	assert_string_equal(s.serial, "");
	static const char *const wrong[] = {"", "/A", "S/E", "S/AB", "S/", "0403:", "0403:6001x", "0:0", ":6001"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(rtb_ftdi_parse(wrong[i], &s));
}

static void status_bytes_are_taken_off_each_packet(void **state)
{
	(void)state;
	unsigned char b[64 * 2 + 5];
	for (size_t i = 0; i < sizeof b; i++)
		b[i] = i % 64 == 0 ? 0x01 : i % 64 == 1 ? 0x60 : (unsigned char)(i % 64);
	b[65] |= RTB_FTDI_OVERRUN;
	unsigned errors = 0;
	assert_int_equal(rtb_ftdi_strip(b, sizeof b, 64, &errors), 62 + 62 + 3);
	for (size_t i = 0; i < 127; i++)
		assert_int_equal(b[i], i % 62 + 2);
	assert_int_equal(errors, RTB_FTDI_OVERRUN);
	unsigned char idle[2] = {0x01, 0x60};
	errors = 0;
	assert_int_equal(rtb_ftdi_strip(idle, 2, 512, &errors), 0);
	assert_int_equal(rtb_ftdi_strip(idle, 1, 512, &errors), 0);
	assert_int_equal(errors, 0);
}

static void rates(void **state)
{
	(void)state;
	assert_true(rtb_ftdi_rate(115200, false) > 115300 && rtb_ftdi_rate(115200, false) < 115400); /* 26 */
	assert_true(rtb_ftdi_rate(921600, false) > 923000 && rtb_ftdi_rate(921600, false) < 923100); /* 3.25 */
	assert_true(rtb_ftdi_rate(2000000, false) == 2000000);
	assert_true(rtb_ftdi_rate(3000000, false) == 3000000);
	assert_true(rtb_ftdi_rate(4000000, false) == 0);
	assert_true(rtb_ftdi_rate(921600, true) > 923000 && rtb_ftdi_rate(921600, true) < 923100); /* 13 */
	assert_true(rtb_ftdi_rate(12000000, true) == 12000000);
}

/* The claim that is refused for real: tests/ftdi. */
static void results_of_opening(void **state)
{
	(void)state;
	assert_int_equal(rtb_ftdi_open_status(-3), RTB_LINK_BUSY);
	assert_int_equal(rtb_ftdi_open_status(-5), RTB_LINK_BUSY);
	assert_int_equal(rtb_ftdi_open_status(-8), RTB_LINK_DENIED);
	assert_int_equal(rtb_ftdi_open_status(-4), RTB_LINK_ABSENT);
}

static void opening(void **state)
{
	(void)state;
	struct rtb_link *l;
	struct rtb_error e = {0};
	struct rtb_link_options o = {.spec = "ftdi://0403:6001/E", .baud = 115200, .dtr = -1, .rts = -1};
	assert_int_equal(rtb_link_open(&o, &l, &e), RTB_CONFIG);
	e = (struct rtb_error){0};
	o.spec = "ftdi://no-such-serial-4711";
	assert_int_equal(rtb_link_open(&o, &l, &e), RTB_LINK_ABSENT);
	assert_non_null(strstr(e.text, "no-such-serial-4711"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(status_bytes_are_taken_off_each_packet),
		cmocka_unit_test(rates),
		cmocka_unit_test(results_of_opening),
		cmocka_unit_test(opening),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
