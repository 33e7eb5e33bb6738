/* session_verdict.c - why the waiting came to nothing. What is certain comes before what is
 * likely: a frame of another build says more than noise beside it. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "link/escape.h"
#include "link/session_state.h"

void session_sample(struct session_evidence *seen, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];
		seen->printable += (c >= ' ' && c <= '~') || c == '\r' || c == '\n' || c == '\t';
	}
	size_t room = sizeof seen->sample - seen->sample_len;
	if (room > sizeof seen->sample / 4) /* else a short byte would follow one left out */
		seen->sample_len += rtb_escape(seen->sample + seen->sample_len, room, p, n);
}

static void noise(struct rtb_session *s)
{
	const struct session_evidence *v = &s->state->seen;
	const struct rtb_decoder_counts *c = &s->decoder.counts;
	unsigned long long bytes = c->bytes - v->start.bytes,
		damaged = c->bad_crc + c->bad_frame - v->start.bad_crc - v->start.bad_frame;
	/* At a wrong rate about two bytes of three are no printable ASCII. */
	const char *like = v->printable * 10 >= bytes * 9 ?
		"it reads like another program's text; is our image running?" :
		"it looks like a wrong baud rate or a bad wire";
	if (c->bad_crc != v->start.bad_crc)
		like = "frames come, but none is whole";
	session_end(s, RTB_NOISE, "%llu bytes but no valid frame in %u ms (%llu damaged): %s; they begin \"%s\"",
		    bytes, s->limits.ready_ms, damaged, like, v->sample);
}

static void no_ready(struct rtb_session *s)
{
	const struct session_evidence *v = &s->state->seen;
	if (v->frames)
		session_end(s, RTB_HANG, "%u frames of earlier conversations came within %u ms, but the board "
			    "never said it was ready", v->frames, s->limits.ready_ms);
	else if (v->broken.status != RTB_OK)
		session_end(s, v->broken.status, "%s", v->broken.text);
	else if (s->decoder.counts.bytes != v->start.bytes)
		noise(s);
	else
		session_end(s, RTB_SILENT, "not one byte within %u ms from %s", s->limits.ready_ms,
			    rtb_link_name(s->link));
}

static void no_hello(struct rtb_session *s)
{
	const struct rtb_session_state *x = s->state;
	const struct session_evidence *v = &x->seen;
	const struct rtb_decoder_counts *c = &s->decoder.counts;
	if (v->refused.status != RTB_OK)
		session_end(s, v->refused.status, "%s", v->refused.text);
	else if (v->broken.status != RTB_OK)
		session_end(s, v->broken.status, "%s", v->broken.text);
	else if (v->other_nonce)
		session_end(s, RTB_INCOMPLETE, "the board answered with nonce %08x, ours is %08x: the command "
			    "was damaged, or an earlier one was still on its way", v->other_nonce, x->ask.nonce);
	else if (c->bad_crc != v->start.bad_crc || c->bad_frame != v->start.bad_frame)
		session_end(s, RTB_INCOMPLETE, "the answer to the command was damaged");
	else if (v->ready_after_command)
		session_end(s, RTB_INCOMPLETE, "the board keeps saying ready after %u commands: it does not "
			    "hear us; check the wire from host to board", x->commands);
	else
		session_end(s, RTB_HANG, "the board was ready, took the command for case \"%s\" and said no "
			    "hello within %u ms", x->ask.case_name, s->limits.hello_ms);
}

void session_wait_timeout(struct rtb_session *s)
{
	const struct session_evidence *v = &s->state->seen;
	if (v->protocol.status != RTB_OK)
		session_end(s, RTB_PROTOCOL, "%s", v->protocol.text);
	else if (v->foreign_build[0] && s->state->phase == PHASE_READY)
		session_end(s, RTB_STALE_IMAGE, "the board runs build %s, not %s", v->foreign_build, s->build_id);
	else if (v->fault.status != RTB_OK)
		session_end(s, RTB_FAULT, "%s", v->fault.text);
	else if (s->state->phase == PHASE_READY)
		no_ready(s);
	else
		no_hello(s);
}
