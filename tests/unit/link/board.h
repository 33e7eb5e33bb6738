/* board.h - a board played in memory: bytes that come at given times of a clock that only reading
 * moves on, and an answer to each command. */
#ifndef TEST_LINK_BOARD_H
#define TEST_LINK_BOARD_H

#include "frames.h"
#include "link/link_ops.h"
#include "link/session.h"

struct board_event {
	uint64_t at_ns;
	char *bytes; /* NULL: the link is lost from here on */
	size_t n;
};

struct board {
	uint64_t now_ns;
	struct rtb_clock clock;
	struct board_event ev[512];
	size_t count, next;
	uint64_t last_ns;      /* time of the latest event planned */
	unsigned commands;
	char command[128];     /* the last one, without its newline */
	unsigned nonce, samples, raw, seq;
	char case_name[64];
	void (*on_command)(struct board *b);
	int user;
	struct rtb_link *link;
	struct rtb_buf heard;  /* all bytes written to the board */
};

static inline uint64_t board_now(void *ctx) { return ((struct board *)ctx)->now_ns; }

/* Plans bytes at delay_ms after the latest event (or after now). */
static inline void board_bytes(struct board *b, unsigned delay_ms, const void *p, size_t n)
{
	if (b->last_ns < b->now_ns)
		b->last_ns = b->now_ns;
	b->last_ns += delay_ms * UINT64_C(1000000);
	struct board_event *e = &b->ev[b->count++];
	*e = (struct board_event){.at_ns = b->last_ns, .n = n};
	if (p) {
		e->bytes = malloc(n ? n : 1);
		memcpy(e->bytes, p, n);
	}
}

static inline void board_lost(struct board *b, unsigned delay_ms) { board_bytes(b, delay_ms, NULL, 0); }

__attribute__((format(printf, 3, 4)))
static inline void board_frame(struct board *b, unsigned delay_ms, const char *fmt, ...)
{
	char *json = NULL;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&json, fmt, ap) < 0)
		abort();
	va_end(ap);
	struct rtb_buf f = {0};
	add_frame(&f, json);
	board_bytes(b, delay_ms, f.data, f.len);
	rtb_buf_free(&f);
	free(json);
}

static inline void board_ready(struct board *b, unsigned delay_ms, const char *build)
{
	board_frame(b, delay_ms, READY_FMT, build, 3u);
}

#define board_counted(b, delay_ms, type, body, ...) \
	board_frame(b, delay_ms, "{\"t\":\"" type "\",\"seq\":%u,\"nonce\":\"%08x\"," body "}", \
		    (b)->seq++, (b)->nonce, ##__VA_ARGS__)

static inline void board_hello(struct board *b)
{
	board_counted(b, 5, "hello", HELLO_BODY_FMT, TEST_BUILD, b->case_name, b->samples, b->raw);
}
static inline void board_mark(struct board *b) { board_counted(b, 5, "mark", MARK_BODY); }
static inline void board_record(struct board *b, const char *series)
{
	board_counted(b, 50, "record", RECORD_BODY_FMT, b->case_name, series);
}
static inline void board_done(struct board *b, int more)
{
	unsigned frames = b->seq + 1 + (unsigned)more;
	board_counted(b, 5, "done", DONE_BODY_FMT, frames);
}

static inline void board_good_case(struct board *b)
{
	b->seq = 0;
	board_hello(b);
	board_mark(b);
	board_record(b, "");
	board_counted(b, 5, "stack", STACK_BODY);
	board_mark(b);
	board_done(b, 0);
	board_ready(b, 20, TEST_BUILD);
}

static inline enum rtb_status board_read(struct rtb_link *l, void *buf, size_t cap, int timeout_ms,
					 size_t *got, struct rtb_error *e)
{
	struct board *b = l->ctx;
	uint64_t until = b->now_ns + (uint64_t)timeout_ms * 1000000u;
	if (b->next == b->count || b->ev[b->next].at_ns > until) {
		b->now_ns = until;
		return RTB_OK;
	}
	struct board_event *ev = &b->ev[b->next];
	if (b->now_ns < ev->at_ns)
		b->now_ns = ev->at_ns;
	if (!ev->bytes)
		return rtb_fail(e, RTB_LINK_LOST, "%s: the board was unplugged", l->name);
	*got = ev->n < cap ? ev->n : cap;
	memcpy(buf, ev->bytes, *got);
	memmove(ev->bytes, ev->bytes + *got, ev->n -= *got);
	if (ev->n == 0)
		b->next++;
	return RTB_OK;
}

static inline enum rtb_status board_write(struct rtb_link *l, const void *p, size_t n, int timeout_ms,
					  struct rtb_error *e)
{
	struct board *b = l->ctx;
	(void)timeout_ms, (void)e;
	rtb_buf_add(&b->heard, p, n);
	b->commands++;
	snprintf(b->command, sizeof b->command, "%.*s", (int)n - 1, (const char *)p);
	if (sscanf(b->command, "G%8x %63s %u %u", &b->nonce, b->case_name, &b->samples, &b->raw) != 4)
		abort();
	if (b->on_command)
		b->on_command(b);
	return RTB_OK;
}

static inline void board_close(struct rtb_link *l) { (void)l; }

static const struct rtb_link_ops board_ops = {board_read, board_write, board_close};

static inline void board_init(struct board *b, void (*on_command)(struct board *))
{
	*b = (struct board){.on_command = on_command, .now_ns = 1000000000};
	b->clock = (struct rtb_clock){board_now, board_now, b};
	b->link = rtb_link_from_ops(&board_ops, b, &b->clock, "board in memory");
}

static inline void board_free(struct board *b)
{
	for (size_t i = 0; i < b->count; i++)
		free(b->ev[i].bytes);
	rtb_buf_free(&b->heard);
	rtb_link_close(b->link);
}

#endif
