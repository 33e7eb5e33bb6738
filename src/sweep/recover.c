#include "sweep/recover.h"

#include <string.h>

#include "base/log.h"

static bool always(const struct rtb_wiring *w)
{
	(void)w;
	return true;
}

static bool can_hold(const struct rtb_wiring *w)
{
	return w->hold;
}

static bool can_reset(const struct rtb_wiring *w)
{
	return rtb_adapter_can_reset(&w->adapter);
}

static bool can_power(const struct rtb_wiring *w)
{
	return rtb_adapter_can_power(&w->adapter);
}

static const struct {
	const char *word;
	bool (*wired)(const struct rtb_wiring *w);
	enum rtb_status (*climb)(struct rtb_adapter *a, struct rtb_error *e); /* NULL: the next attempt does it */
} rungs[RUNG_COUNT] = {
	[RUNG_NONE] = {"", always, NULL},
	[RUNG_PROBE] = {"link and probe", always, NULL},
	[RUNG_HOLD] = {"reset under hold", can_hold, NULL},
	[RUNG_RESET_PIN] = {"reset pin", can_reset, rtb_adapter_reset},
	[RUNG_POWER] = {"power cycle", can_power, rtb_adapter_power_cycle},
};

const char *rtb_rung_word(enum rtb_rung r)
{
	return rungs[r].word;
}

enum rtb_rung rtb_rung_after(const struct rtb_wiring *w, enum rtb_rung at, enum rtb_status failed)
{
	if (at == RUNG_NONE && failed == RTB_NO_ATTACH && w->hold)
		return RUNG_HOLD;
	for (int r = (int)at + 1; r < RUNG_COUNT; r++)
		if (rungs[r].wired(w))
			return (enum rtb_rung)r;
	return at;
}

static bool hold_wired(const struct rtb_target *t)
{
	return t->openocd.reset_wired && strcmp(t->flash, "openocd") == 0;
}

enum rtb_rung rtb_rung_first(const struct rtb_target *t, enum rtb_status last)
{
	return last == RTB_NO_ATTACH && hold_wired(t) ? RUNG_HOLD : RUNG_NONE;
}

bool rtb_rung_holds(const struct rtb_target *t, enum rtb_rung r)
{
	return r >= RUNG_HOLD && hold_wired(t);
}

static void log_rung(const struct rtb_target *t, enum rtb_rung r, unsigned ms, enum rtb_status st, const char *why)
{
	if (st == RTB_OK)
		rtb_log(RTB_LOG_WARN, "%s: recovery: %s, %u ms", t->name, rungs[r].word, ms);
	else
		rtb_log(RTB_LOG_WARN, "%s: recovery: %s failed after %u ms: %s", t->name, rungs[r].word, ms, why);
}

enum rtb_rung rtb_recover(const struct rtb_target *t, const struct rtb_clock *clock, enum rtb_rung at,
			  enum rtb_status failed)
{
	struct rtb_wiring w = {.hold = hold_wired(t)};
	struct rtb_adapter *a = NULL;
	struct rtb_error e = {0};
	if (rtb_target_adapter(t, &w.adapter, &e) != RTB_OK)
		return at; /* loading the target has refused that */
	enum rtb_rung r = rtb_rung_after(&w, at, failed);
	if (!rungs[r].climb)
		return r;
	uint64_t began = rtb_now_ns(clock);
	enum rtb_status s = rtb_adapter_open(&w.adapter, clock, &a, &e);
	if (s == RTB_OK)
		s = rungs[r].climb(a, &e);
	rtb_adapter_close(a);
	log_rung(t, r, (unsigned)((rtb_now_ns(clock) - began) / 1000000), s, e.text);
	return r;
}

void rtb_recovered(const struct rtb_target *t, enum rtb_rung r, unsigned ms, enum rtb_status st,
		   const struct rtb_error *why)
{
	if (r != RUNG_NONE && !rungs[r].climb && st != RTB_INTERRUPTED)
		log_rung(t, r, ms, st, why->text);
}
