#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t mono(void *ctx)
{
	(void)ctx;
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t wall(void *ctx)
{
	(void)ctx;
	return read_clock(CLOCK_REALTIME);
}

const struct rtb_clock *rtb_clock_system(void)
{
	static const struct rtb_clock c = {mono, wall, 0};
	return &c;
}

int rtb_ms_left(const struct rtb_clock *c, uint64_t deadline_ns)
{
	uint64_t now = rtb_now_ns(c);
	if (now >= deadline_ns)
		return 0;
	uint64_t ms = (deadline_ns - now + 999999u) / 1000000u;
	return ms > INT32_MAX ? INT32_MAX : (int)ms;
}

uint64_t rtb_deadline_ms(const struct rtb_clock *c, uint64_t ms)
{
	return rtb_now_ns(c) + ms * 1000000u;
}

void rtb_iso8601(uint64_t wall_ns, char out[32])
{
	time_t s = (time_t)(wall_ns / 1000000000u);
	struct tm tm;
	gmtime_r(&s, &tm);
	size_t n = strftime(out, 32, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out + n, 32 - n, ".%03uZ", (unsigned)(wall_ns / 1000000u % 1000u));
}
