/* session.c - the conversation: wait for ready, send G, wait for hello, and hand what follows to
 * session_case.c. Frames drive it; the loop at the bottom only reads, sends and keeps time.
 *
 * A frame is ours by its nonce, never by the time at which it came: adapters and network bridges
 * deliver bytes long after a flush. So leftovers are passed over and counted, and what is seen
 * while waiting decides only at the deadline what the failure is called.
 */
#include "link/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/log.h"
#include "link/session_state.h"
#include "rtbench/cases.h"

enum {
	SLICE_MS = 200,    /* longest time a cancel goes unnoticed */
	RESEND_MS = 300,   /* a ready this long after G was said by a board that did not hear it */
	MAX_COMMANDS = 6,
};

bool session_build_ok(const struct rtb_session *s, const char *build)
{
	return !s->build_id || strcmp(s->build_id, build) == 0;
}

void session_end(struct rtb_session *s, enum rtb_status st, const char *fmt, ...)
{
	struct rtb_session_state *x = s->state;
	if (x->ended)
		return;
	va_list ap;
	va_start(ap, fmt);
	x->result = st;
	if (st != x->error.status) /* how it ended outweighs what was wrong on the way */
		x->error = (struct rtb_error){0};
	if (st != RTB_OK)
		rtb_vfail(&x->error, st, fmt, ap);
	va_end(ap);
	x->ended = true;
	x->phase = PHASE_IDLE;
}

static void leftover(struct rtb_session *s, const struct rtb_message *m)
{
	s->counts.leftovers++;
	rtb_log(RTB_LOG_INFO, "link: passed over a \"%s\" frame of another conversation (nonce %08x)",
		rtb_message_word(m->type), m->nonce);
}

static void foreign_build(struct rtb_session *s, const char *build)
{
	s->counts.foreign_builds++;
	snprintf(s->state->seen.foreign_build, sizeof s->state->seen.foreign_build, "%s", build);
	rtb_log(RTB_LOG_INFO, "link: passed over a frame of build %s", build);
}

static void fault_seen(struct rtb_session *s, const struct rtb_fault *f)
{
	rtb_fail(&s->state->seen.fault, RTB_FAULT, "the firmware faulted before it said hello: %s, "
		 "pc 0x%08x, cfsr 0x%08x", f->kind, f->pc, f->cfsr);
}

/* Between cases a ready is worth remembering: the board says it twice a second only. */
static void in_idle(struct rtb_session *s, const struct rtb_message *m)
{
	struct rtb_session_state *x = s->state;
	x->ready_known = m->type == RTB_FRAME_READY;
	if (x->ready_known)
		memcpy(x->ready_build, m->u.ready.build, sizeof x->ready_build);
	else
		leftover(s, m);
}

/* Without a receive line the board walks through its cases; ours comes round or it does not. */
static bool walking_hello(struct rtb_session *s, const struct rtb_message *m)
{
	struct rtb_session_state *x = s->state;
	if (s->handshake || m->type != RTB_FRAME_HELLO || m->nonce != 0)
		return false;
	if (!session_build_ok(s, m->u.hello.build)) {
		foreign_build(s, m->u.hello.build);
		return false;
	}
	if (strcmp(m->u.hello.case_name, x->ask.case_name) == 0)
		return true;
	if (++x->seen.other_cases > RTB_CASE_COUNT + 1)
		session_end(s, RTB_UNSUPPORTED, "the board walked through %u cases, \"%s\" was not among them",
			    x->seen.other_cases, x->ask.case_name);
	return false;
}

static void in_ready(struct rtb_session *s, struct rtb_message *m)
{
	struct rtb_session_state *x = s->state;
	if (walking_hello(s, m)) {
		session_case_begin(s, m);
		return;
	}
	if (!s->handshake) /* other cases take their time */
		x->phase_deadline_ns = rtb_deadline_ms(s->clock, s->limits.ready_ms > s->limits.heartbeat_ms ?
						       s->limits.ready_ms : s->limits.heartbeat_ms);
	if (m->type == RTB_FRAME_FAULT)
		fault_seen(s, &m->u.fault);
	else if (m->type != RTB_FRAME_READY)
		leftover(s, m);
	else if (!session_build_ok(s, m->u.ready.build))
		foreign_build(s, m->u.ready.build);
	else if (s->handshake)
		x->command_due = true;
	rtb_message_free(m);
}

/* The board did not take the command. It may have been damaged on its way, so it is sent again at
 * once; what is said twice was no accident, and "unsupported" with our nonce is an answer. */
static void refused(struct rtb_session *s, const struct rtb_message *m)
{
	struct rtb_session_state *x = s->state;
	const char *code = m->u.error.code;
	if (m->nonce == x->ask.nonce && strcmp(code, "unsupported") == 0) {
		session_end(s, RTB_UNSUPPORTED, "case \"%s\": %s", x->ask.case_name, m->u.error.text);
		return;
	}
	struct rtb_error now = {0};
	if (strcmp(code, "case") == 0)
		rtb_fail(&now, RTB_UNSUPPORTED, "the image has no case \"%s\": %s", x->ask.case_name,
			 m->u.error.text);
	else if (strcmp(code, "command") == 0)
		rtb_fail(&now, RTB_INCOMPLETE, "the board did not understand the command: %s", m->u.error.text);
	else
		leftover(s, m);
	if (now.status == RTB_UNSUPPORTED && x->seen.refused.status == RTB_UNSUPPORTED)
		session_end(s, now.status, "%s", now.text);
	else if (now.status != RTB_OK)
		x->seen.refused = now;
	x->command_due = now.status != RTB_OK;
}

static void own_hello(struct rtb_session *s, struct rtb_message *m)
{
	if (m->type == RTB_FRAME_HELLO && !session_build_ok(s, m->u.hello.build))
		session_end(s, RTB_STALE_IMAGE, "the board runs build %s, not %s", m->u.hello.build, s->build_id);
	if (s->state->ended)
		rtb_message_free(m);
	else
		session_case_begin(s, m);
}

static void in_hello(struct rtb_session *s, struct rtb_message *m)
{
	struct rtb_session_state *x = s->state;
	if (m->has_seq && m->nonce == x->ask.nonce) {
		own_hello(s, m);
		return;
	}
	if (m->type == RTB_FRAME_READY && !session_build_ok(s, m->u.ready.build)) {
		foreign_build(s, m->u.ready.build);
	} else if (m->type == RTB_FRAME_READY) {
		x->seen.ready_after_command++;
		x->command_due = m->at_ns - x->command_ns >= RESEND_MS * UINT64_C(1000000);
	} else if (m->type == RTB_FRAME_ERROR) {
		refused(s, m);
	} else if (m->type == RTB_FRAME_FAULT) {
		fault_seen(s, &m->u.fault);
	} else {
		if (m->type == RTB_FRAME_HELLO && session_build_ok(s, m->u.hello.build))
			x->seen.other_nonce = m->nonce;
		leftover(s, m);
	}
	rtb_message_free(m);
}

static void broken(struct rtb_session *s, const struct rtb_message *m, enum rtb_status st,
		   const struct rtb_error *e)
{
	struct rtb_session_state *x = s->state;
	if (x->phase == PHASE_CASE) {
		session_case_broken(s, st, e);
		return;
	}
	rtb_log(RTB_LOG_INFO, "link: a frame passed its CRC but not the reading: %s", e->text);
	rtb_fail(st == RTB_PROTOCOL ? &x->seen.protocol : &x->seen.broken, st, "%s", e->text);
	/* Ours by its nonce: the case has begun, and this ends it as well as a damaged frame. */
	if (x->phase == PHASE_HELLO && m->has_seq && m->nonce == x->ask.nonce) {
		struct rtb_message none = {.type = RTB_FRAME_TYPE_COUNT, .at_ns = m->at_ns,
					   .has_seq = true, .seq = m->seq, .nonce = m->nonce};
		rtb_fail(&x->error, st, "%s", e->text);
		session_case_begin(s, &none);
	}
}

static void on_frame(void *ctx, const char *json, size_t length)
{
	struct rtb_session *s = ctx;
	struct rtb_session_state *x = s->state;
	struct rtb_message m;
	struct rtb_error e = {0};
	enum rtb_status st = rtb_message_parse(json, length, &m, &e);
	m.at_ns = rtb_now_ns(s->clock);
	x->silence_deadline_ns = m.at_ns + s->limits.heartbeat_ms * UINT64_C(1000000);
	if (st != RTB_OK) {
		broken(s, &m, st, &e);
		return;
	}
	x->seen.frames++;
	if (s->on_message)
		s->on_message(s->ctx, &m, m.at_ns);
	switch (x->phase) {
	case PHASE_IDLE:
		in_idle(s, &m);
		rtb_message_free(&m);
		break;
	case PHASE_READY:
		in_ready(s, &m);
		break;
	case PHASE_HELLO:
		in_hello(s, &m);
		break;
	case PHASE_CASE:
		session_case_message(s, &m);
		break;
	}
}

void rtb_session_init(struct rtb_session *s)
{
	s->state = rtb_alloc(sizeof *s->state);
	s->counts = (struct rtb_session_counts){0};
	rtb_decoder_init(&s->decoder, on_frame, s);
}

void rtb_session_free(struct rtb_session *s)
{
	rtb_decoder_free(&s->decoder);
	free(s->state);
	s->state = NULL;
}

static enum rtb_status make_ask(struct rtb_session *s, const char *case_name, unsigned samples,
				unsigned raw, struct rtb_error *e)
{
	struct session_ask *a = &s->state->ask;
	*a = (struct session_ask){.case_name = case_name, .samples = samples, .raw = raw};
	while (s->handshake && a->nonce == 0) /* 0 is the nonce of a board that gets no command */
		if (getrandom(&a->nonce, sizeof a->nonce, 0) != sizeof a->nonce)
			return rtb_fail(e, RTB_INTERNAL, "getrandom: %m");
	int n = snprintf(a->command, sizeof a->command, "G%08x %s %u %u\n", a->nonce, case_name, samples, raw);
	if (n > RTB_CMD_MAX || *case_name == '\0' || strpbrk(case_name, " \r\n"))
		return rtb_fail(e, RTB_CONFIG, "\"%s\" cannot be a case's name", case_name);
	return RTB_OK;
}

static void enter(struct rtb_session *s, enum session_phase phase, unsigned ms)
{
	struct rtb_session_state *x = s->state;
	x->phase = phase;
	x->phase_deadline_ns = rtb_deadline_ms(s->clock, ms);
	x->seen = (struct session_evidence){.start = s->decoder.counts};
}

static void send_command(struct rtb_session *s)
{
	struct rtb_session_state *x = s->state;
	struct rtb_error e = {0};
	x->command_due = false;
	if (x->commands == MAX_COMMANDS)
		return; /* the deadline will say why */
	if (x->phase == PHASE_READY)
		enter(s, PHASE_HELLO, s->limits.hello_ms);
	if (x->commands)
		rtb_log(RTB_LOG_INFO, "link: the board still says ready; command sent again");
	x->commands++;
	s->counts.commands++;
	x->command_ns = rtb_now_ns(s->clock);
	enum rtb_status st = rtb_link_write(s->link, x->ask.command, strlen(x->ask.command),
					    (int)s->limits.hello_ms, &e);
	if (st != RTB_OK)
		session_end(s, st, "%s", e.text);
}

static void check_time(struct rtb_session *s)
{
	struct rtb_session_state *x = s->state;
	uint64_t now = rtb_now_ns(s->clock);
	if (x->phase != PHASE_CASE) {
		if (now >= x->phase_deadline_ns)
			session_wait_timeout(s);
	} else if (now >= x->silence_deadline_ns || now >= x->phase_deadline_ns) {
		session_case_timeout(s, now >= x->silence_deadline_ns);
	}
}

static int read_wait_ms(const struct rtb_session *s)
{
	const struct rtb_session_state *x = s->state;
	uint64_t until = x->phase_deadline_ns;
	if (x->phase == PHASE_CASE && x->silence_deadline_ns < until)
		until = x->silence_deadline_ns;
	int ms = rtb_ms_left(s->clock, until);
	return ms < SLICE_MS ? ms : SLICE_MS;
}

/* One turn of the loop: reads once, lets the frames act, sends what became due. */
static void turn(struct rtb_session *s)
{
	char chunk[16384];
	size_t got;
	struct rtb_error e = {0};
	enum rtb_status st = rtb_link_read(s->link, chunk, sizeof chunk, read_wait_ms(s), &got, &e);
	if (st != RTB_OK) {
		rtb_decoder_reset(&s->decoder);
		session_end(s, st, "%s", e.text);
		return;
	}
	if (got) {
		if (s->on_bytes)
			s->on_bytes(s->ctx, chunk, got);
		if (s->state->phase == PHASE_READY)
			session_sample(&s->state->seen, chunk, got);
		rtb_decoder_feed(&s->decoder, chunk, got);
	}
	if (!s->state->ended && s->state->command_due)
		send_command(s);
	if (!s->state->ended)
		check_time(s);
}

enum rtb_status rtb_session_case(struct rtb_session *s, const char *case_name, unsigned samples,
				 unsigned raw, struct rtb_message_list *out, struct rtb_error *e)
{
	struct rtb_session_state *x = s->state;
	enum rtb_status st = make_ask(s, case_name, samples, raw, e);
	if (st != RTB_OK)
		return st;
	x->ended = false;
	x->error = (struct rtb_error){0};
	x->out = out;
	x->commands = 0;
	enter(s, PHASE_READY, s->limits.ready_ms);
	/* A ready remembered from before a reset is answered too: if it was, the next one tells. */
	x->command_due = s->handshake && x->ready_known && session_build_ok(s, x->ready_build);
	x->ready_known = false;
	if (x->command_due)
		send_command(s);
	while (!x->ended) {
		if (s->cancel && *s->cancel)
			session_end(s, RTB_INTERRUPTED, "interrupted while the board ran case \"%s\"", case_name);
		else
			turn(s);
	}
	x->out = NULL;
	x->ask.case_name = NULL;
	return x->result == RTB_OK ? RTB_OK : rtb_fail(e, x->result, "%s", x->error.text);
}
