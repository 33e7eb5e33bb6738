/* clock.h - time as something that is handed in, so that tests need not sleep. */
#ifndef RTB_BASE_CLOCK_H
#define RTB_BASE_CLOCK_H

#include <stdint.h>

struct rtb_clock {
	uint64_t (*now_ns)(void *ctx);   /* monotonic, never steps; ns */
	uint64_t (*wall_ns)(void *ctx);  /* Unix time in ns; for stamps only, never for waits */
	void *ctx;
};

/* CLOCK_MONOTONIC and CLOCK_REALTIME. Static, never freed. */
const struct rtb_clock *rtb_clock_system(void);

static inline uint64_t rtb_now_ns(const struct rtb_clock *c) { return c->now_ns(c->ctx); }
/* Milliseconds left until deadline_ns, rounded up, 0 when past; at most INT32_MAX. */
int rtb_ms_left(const struct rtb_clock *c, uint64_t deadline_ns);
/* deadline = now + ms */
uint64_t rtb_deadline_ms(const struct rtb_clock *c, uint64_t ms);
/* "2026-01-31T12:34:56.789Z" (UTC) of a wall stamp; out has room for 32 bytes. */
void rtb_iso8601(uint64_t wall_ns, char out[32]);

#endif
