/* Which rung of the ladder follows how many failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sweep/recover.h"

static struct rtb_adapter_conf with(const char *kind, int reset, int power)
{
	return (struct rtb_adapter_conf){.kind = kind, .reset = {reset, false}, .power = {power, false}, .boot = {-1, false}};
}

static void each_failure_climbs_to_the_next_wired_rung(void **state)
{
	(void)state;
	struct rtb_adapter_conf none = with("null", 3, 4), both = with("ftdi", 3, 4), pin = with("ftdi", 3, -1),
				power = with("ftdi", -1, 4);
	const struct { struct rtb_adapter_conf *c; enum rtb_rung after[4]; } want[] = {
		{&none, {RUNG_PROBE, RUNG_PROBE, RUNG_PROBE, RUNG_PROBE}},
		{&both, {RUNG_PROBE, RUNG_RESET_PIN, RUNG_POWER, RUNG_POWER}},
		{&pin, {RUNG_PROBE, RUNG_RESET_PIN, RUNG_RESET_PIN, RUNG_RESET_PIN}},
		{&power, {RUNG_PROBE, RUNG_POWER, RUNG_POWER, RUNG_POWER}},
	};
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
		for (unsigned failed = 1; failed <= 4; failed++)
			assert_int_equal(rtb_rung_after(want[i].c, failed), want[i].after[failed - 1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_failure_climbs_to_the_next_wired_rung)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
