/* session_case.c - from hello to done. After a first failure the messages are still followed to
 * the end of the case, so that the link is left where the next case can begin; the failure that
 * came first is the one reported, except that a fault explains everything. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "link/session_state.h"

static void fail(struct rtb_session *s, enum rtb_status st, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void fail(struct rtb_session *s, enum rtb_status st, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	rtb_vfail(&s->state->error, st, fmt, ap);
	va_end(ap);
}

static bool failed(const struct rtb_session *s)
{
	return s->state->error.status != RTB_OK;
}

/* Damage since hello makes a missing frame our loss, not the board's doing. */
static bool damage(const struct rtb_session *s, bool noise_too, char *text, size_t cap)
{
	const struct rtb_decoder_counts *c = &s->decoder.counts, *b = &s->state->seen.start;
	unsigned long long crc = c->bad_crc - b->bad_crc, bad = c->bad_frame - b->bad_frame,
			   noise = c->noise_bytes - b->noise_bytes;
	snprintf(text, cap, "%llu frames failed their CRC, %llu were cut or misshapen, %llu bytes "
		 "lay outside frames", crc, bad, noise);
	return crc || bad || (noise_too && noise);
}

/* The case has ended other than by done. */
static void end_early(struct rtb_session *s, enum rtb_status st, const char *text)
{
	char lost[160];
	if (failed(s))
		session_end(s, s->state->error.status, "%s", s->state->error.text);
	else if (damage(s, true, lost, sizeof lost))
		session_end(s, RTB_INCOMPLETE, "no valid done: %s; then %s", lost, text);
	else
		session_end(s, st, "%s", text);
}

static void keep(struct rtb_session *s, struct rtb_message *m)
{
	struct rtb_message_list *l = s->state->out;
	if (l->count == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 16;
		l->m = rtb_realloc(l->m, l->cap * sizeof *l->m);
	}
	l->m[l->count++] = *m;
}

static void check_echo(struct rtb_session *s, const struct rtb_hello *h)
{
	const struct session_ask *a = &s->state->ask;
	if (strcmp(h->case_name, a->case_name) != 0)
		fail(s, RTB_INCOMPLETE, "asked for case \"%s\", the board runs \"%s\"", a->case_name, h->case_name);
	else if (s->handshake && (h->samples != a->samples || h->raw > a->raw))
		fail(s, RTB_INCOMPLETE, "asked for %u samples and %u raw, the board understood %u and %u",
		     a->samples, a->raw, h->samples, h->raw);
}

void session_case_begin(struct rtb_session *s, struct rtb_message *m)
{
	struct rtb_session_state *x = s->state;
	char lost[160];
	damage(s, true, lost, sizeof lost); /* since the command went out */
	x->phase = PHASE_CASE;
	x->phase_deadline_ns = s->limits.case_ms ? rtb_deadline_ms(s->clock, s->limits.case_ms) : UINT64_MAX;
	x->seen = (struct session_evidence){.start = s->decoder.counts};
	x->next_seq = m->seq + 1;
	x->frames = 1;
	x->records = 0;
	if (m->type == RTB_FRAME_HELLO) {
		check_echo(s, &m->u.hello);
		if (m->seq != 0)
			fail(s, RTB_INCOMPLETE, "hello has sequence number %u, not 0", m->seq);
		keep(s, m);
	} else {
		fail(s, RTB_INCOMPLETE, "hello was lost: the first frame is \"%s\", number %u; %s",
		     rtb_message_word(m->type), m->seq, lost);
		rtb_message_free(m);
	}
}

static void check_sequence(struct rtb_session *s, const struct rtb_message *m)
{
	struct rtb_session_state *x = s->state;
	char lost[160];
	damage(s, true, lost, sizeof lost);
	if (m->nonce != x->ask.nonce)
		fail(s, RTB_INCOMPLETE, "frame \"%s\" carries nonce %08x, ours is %08x",
		     rtb_message_word(m->type), m->nonce, x->ask.nonce);
	else if (m->seq != x->next_seq)
		fail(s, RTB_INCOMPLETE, "frame \"%s\" has number %u, expected %u: %s; %s",
		     rtb_message_word(m->type), m->seq, x->next_seq,
		     m->seq < x->next_seq ? "repeated or out of order" : "frames were lost", lost);
	x->next_seq = m->seq + 1;
	x->frames++;
}

static void check_record(struct rtb_session *s, const struct rtb_record *r)
{
	struct rtb_session_state *x = s->state;
	if (strcmp(r->case_name, x->ask.case_name) != 0)
		fail(s, RTB_INCOMPLETE, "a record of case \"%s\" in case \"%s\"", r->case_name, x->ask.case_name);
	for (size_t i = 0; i < x->out->count; i++)
		if (x->out->m[i].type == RTB_FRAME_RECORD &&
		    strcmp(x->out->m[i].u.record.series, r->series) == 0)
			fail(s, RTB_INCOMPLETE, "two records of series \"%s\"", r->series);
	x->records++;
}

/* Parts come in order, after their record, without a hole. */
static void check_raw(struct rtb_session *s, const struct rtb_raw_part *r)
{
	const struct rtb_message_list *l = s->state->out;
	bool record = false;
	size_t have = 0;
	for (size_t i = 0; i < l->count; i++) {
		const struct rtb_message *m = &l->m[i];
		record |= m->type == RTB_FRAME_RECORD && strcmp(m->u.record.series, r->series) == 0;
		if (m->type == RTB_FRAME_RAW && strcmp(m->u.raw.series, r->series) == 0)
			have += m->u.raw.count;
	}
	if (!record || strcmp(r->case_name, s->state->ask.case_name) != 0)
		fail(s, RTB_INCOMPLETE, "raw samples of \"%s\" series \"%s\" without a record", r->case_name,
		     r->series);
	else if (r->from != have)
		fail(s, RTB_INCOMPLETE, "raw samples of series \"%s\" go on at %u after %zu", r->series,
		     r->from, have);
}

static void done(struct rtb_session *s, const struct rtb_message *m)
{
	struct rtb_session_state *x = s->state;
	char lost[160];
	if (m->u.done.frames != x->frames)
		fail(s, RTB_INCOMPLETE, "done counts %u frames, %u came", m->u.done.frames, x->frames);
	if (damage(s, false, lost, sizeof lost))
		fail(s, RTB_INCOMPLETE, "%s", lost);
	if (x->records == 0)
		fail(s, RTB_INCOMPLETE, "done without any record");
	if (failed(s))
		session_end(s, x->error.status, "%s", x->error.text);
	else
		session_end(s, RTB_OK, " ");
}

static void reset(struct rtb_session *s, const struct rtb_message *m)
{
	char text[160];
	if (m->type == RTB_FRAME_HELLO)
		snprintf(text, sizeof text, "a second hello came before done (boot %u, reset by %s)",
			 m->u.hello.boot, m->u.hello.reset);
	else
		snprintf(text, sizeof text, "the board said ready before done (boot %u)", m->u.ready.boot);
	end_early(s, RTB_BOARD_RESET, text);
	/* The board waits again; the next case need not wait for it to repeat itself. */
	if (m->type == RTB_FRAME_READY) {
		s->state->ready_known = true;
		memcpy(s->state->ready_build, m->u.ready.build, sizeof s->state->ready_build);
	}
}

static void outside_sequence(struct rtb_session *s, const struct rtb_message *m)
{
	const struct rtb_fault *f = &m->u.fault;
	if (m->type == RTB_FRAME_FAULT) { /* explains whatever was wrong before */
		session_end(s, RTB_FAULT, "the firmware faulted in case \"%s\": %s, pc 0x%08x, lr 0x%08x, "
			    "cfsr 0x%08x, hfsr 0x%08x", s->state->ask.case_name, f->kind, f->pc, f->lr,
			    f->cfsr, f->hfsr);
	} else if (strcmp(m->u.error.code, "unsupported") == 0) {
		session_end(s, RTB_UNSUPPORTED, "case \"%s\": %s", s->state->ask.case_name, m->u.error.text);
	} else {
		fail(s, RTB_INCOMPLETE, "the board reports \"%s\" in the middle of a case: %s",
		     m->u.error.code, m->u.error.text);
	}
}

void session_case_message(struct rtb_session *s, struct rtb_message *m)
{
	if (m->type == RTB_FRAME_READY || m->type == RTB_FRAME_HELLO) {
		reset(s, m);
		rtb_message_free(m);
		return;
	}
	if (!m->has_seq) {
		keep(s, m);
		outside_sequence(s, m);
		return;
	}
	check_sequence(s, m);
	if (m->type == RTB_FRAME_RECORD)
		check_record(s, &m->u.record);
	else if (m->type == RTB_FRAME_RAW)
		check_raw(s, &m->u.raw);
	keep(s, m);
	if (m->type == RTB_FRAME_DONE)
		done(s, m);
}

void session_case_broken(struct rtb_session *s, enum rtb_status st, const struct rtb_error *e)
{
	fail(s, st, "%s", e->text);
}

void session_case_timeout(struct rtb_session *s, bool silence)
{
	const struct rtb_session_state *x = s->state;
	char text[160];
	if (silence)
		snprintf(text, sizeof text, "case \"%s\" began, then no frame came for %u ms (%u frames before)",
			 x->ask.case_name, s->limits.heartbeat_ms, x->frames);
	else
		snprintf(text, sizeof text, "case \"%s\" did not end within %u ms", x->ask.case_name,
			 s->limits.case_ms);
	end_early(s, RTB_HANG, text);
}
