#include "sweep/recover.h"

#include "base/log.h"

static bool always(const struct rtb_adapter_conf *c)
{
	(void)c;
	return true;
}

static const struct {
	const char *word;
	bool (*wired)(const struct rtb_adapter_conf *c);
	enum rtb_status (*climb)(struct rtb_adapter *a, struct rtb_error *e); /* NULL: the next attempt does it */
} rungs[RUNG_COUNT] = {
	[RUNG_PROBE] = {"link and probe", always, NULL},
	[RUNG_RESET_PIN] = {"reset pin", rtb_adapter_can_reset, rtb_adapter_reset},
	[RUNG_POWER] = {"power cycle", rtb_adapter_can_power, rtb_adapter_power_cycle},
};

const char *rtb_rung_word(enum rtb_rung r)
{
	return rungs[r].word;
}

enum rtb_rung rtb_rung_after(const struct rtb_adapter_conf *c, unsigned failed)
{
	enum rtb_rung at = RUNG_PROBE;
	for (int r = RUNG_PROBE + 1; r < RUNG_COUNT && failed > 1; r++)
		if (rungs[r].wired(c)) {
			at = (enum rtb_rung)r;
			failed--;
		}
	return at;
}

void rtb_recover(const struct rtb_target *t, const struct rtb_clock *clock, unsigned failed)
{
	struct rtb_adapter_conf conf;
	struct rtb_adapter *a = NULL;
	struct rtb_error e = {0};
	if (rtb_target_adapter(t, &conf, &e) != RTB_OK)
		return; /* loading the target has refused that */
	enum rtb_rung r = rtb_rung_after(&conf, failed);
	if (!rungs[r].climb) {
		rtb_log(RTB_LOG_INFO, "%s: recovery: %s, with the next attempt", t->name, rungs[r].word);
		return;
	}
	uint64_t began = rtb_now_ns(clock);
	enum rtb_status s = rtb_adapter_open(&conf, clock, &a, &e);
	if (s == RTB_OK)
		s = rungs[r].climb(a, &e);
	rtb_adapter_close(a);
	unsigned ms = (unsigned)((rtb_now_ns(clock) - began) / 1000000);
	if (s == RTB_OK)
		rtb_log(RTB_LOG_WARN, "%s: recovery: %s, %u ms", t->name, rungs[r].word, ms);
	else
		rtb_log(RTB_LOG_WARN, "%s: recovery: %s failed after %u ms: %s", t->name, rungs[r].word, ms, e.text);
}
