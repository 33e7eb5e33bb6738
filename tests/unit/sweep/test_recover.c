/* Which rung of the ladder follows how many failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sweep/recover.h"

static struct rtb_wiring with(const char *kind, int reset, int power, bool hold)
{
	return (struct rtb_wiring){.hold = hold, .adapter = {.kind = kind, .reset = {reset, false},
		.power = {power, false}, .boot = {-1, false}}};
}

static void each_failure_climbs_to_the_next_wired_rung(void **state)
{
	(void)state;
	const struct { struct rtb_wiring w; enum rtb_status failed; enum rtb_rung after[5]; } want[] = {
		{with("null", 3, 4, false), RTB_HANG, {RUNG_PROBE, RUNG_PROBE, RUNG_PROBE, RUNG_PROBE, RUNG_PROBE}},
		{with("null", 3, 4, true), RTB_HANG, {RUNG_PROBE, RUNG_HOLD, RUNG_HOLD, RUNG_HOLD, RUNG_HOLD}},
		{with("ftdi", 3, 4, true), RTB_HANG, {RUNG_PROBE, RUNG_HOLD, RUNG_RESET_PIN, RUNG_POWER, RUNG_POWER}},
		{with("ftdi", 3, 4, false), RTB_HANG, {RUNG_PROBE, RUNG_RESET_PIN, RUNG_POWER, RUNG_POWER, RUNG_POWER}},
		{with("ftdi", 3, -1, false), RTB_HANG, {RUNG_PROBE, RUNG_RESET_PIN, RUNG_RESET_PIN, RUNG_RESET_PIN, RUNG_RESET_PIN}},
		{with("ftdi", -1, 4, false), RTB_HANG, {RUNG_PROBE, RUNG_POWER, RUNG_POWER, RUNG_POWER, RUNG_POWER}},
		/* a chip that the probe did not reach will not be reached the same way again */
		{with("ftdi", 3, 4, true), RTB_NO_ATTACH, {RUNG_HOLD, RUNG_RESET_PIN, RUNG_POWER, RUNG_POWER, RUNG_POWER}},
		{with("null", 3, 4, false), RTB_NO_ATTACH, {RUNG_PROBE, RUNG_PROBE, RUNG_PROBE, RUNG_PROBE, RUNG_PROBE}},
	};
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		enum rtb_rung at = RUNG_NONE;
		for (unsigned failed = 0; failed < 5; failed++) {
			at = rtb_rung_after(&want[i].w, at, want[i].failed);
			assert_int_equal(at, want[i].after[failed]);
		}
	}
}

static void the_reset_line_is_held_where_it_is_wired(void **state)
{
	(void)state;
	struct rtb_target t = {.flash = "openocd", .openocd = {.reset_wired = true}};
	const bool held[RUNG_COUNT] = {[RUNG_HOLD] = true, [RUNG_RESET_PIN] = true, [RUNG_POWER] = true};
	for (int r = 0; r < RUNG_COUNT; r++)
		assert_int_equal(rtb_rung_holds(&t, (enum rtb_rung)r), held[r]);
	/* a board that could not be reached at last is held from the start of its next run */
	assert_int_equal(rtb_rung_first(&t, RTB_NO_ATTACH), RUNG_HOLD);
	assert_int_equal(rtb_rung_first(&t, RTB_HANG), RUNG_NONE);
	t.openocd.reset_wired = false;
	assert_false(rtb_rung_holds(&t, RUNG_POWER));
	assert_int_equal(rtb_rung_first(&t, RTB_NO_ATTACH), RUNG_NONE);
	t.openocd.reset_wired = true;
	t.flash = "null"; /* no probe that could hold it */
	assert_false(rtb_rung_holds(&t, RUNG_POWER));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_failure_climbs_to_the_next_wired_rung),
		cmocka_unit_test(the_reset_line_is_held_where_it_is_wired),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
