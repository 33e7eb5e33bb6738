/* session_state.h - what session.c (the conversation) and session_case.c (hello to done) share. */
#ifndef RTB_LINK_SESSION_STATE_H
#define RTB_LINK_SESSION_STATE_H

#include "link/session.h"

enum session_phase {
	PHASE_IDLE,  /* between cases: only the latest ready is remembered */
	PHASE_READY, /* waiting for the board to offer itself */
	PHASE_HELLO, /* G is out */
	PHASE_CASE,  /* from hello to done */
};

struct session_ask {
	const char *case_name; /* borrowed for the call */
	unsigned samples, raw;
	uint32_t nonce;
	char command[RTB_CMD_MAX + 1];
};

/* What was seen while waiting; decides at the deadline how the waiting went wrong. Errors are
 * those that frames with a right CRC gave, the first of each kind. */
struct session_evidence {
	struct rtb_decoder_counts start; /* decoder counts when the phase began */
	struct rtb_error protocol, broken, fault;
	struct rtb_error refused;        /* the latest of its kind */
	char foreign_build[65];          /* "" while none */
	uint32_t other_nonce;            /* of a hello of our build that is not ours; 0: none */
	unsigned frames;                 /* parsed, whatever they were */
	unsigned ready_after_command;
	unsigned other_cases;            /* hello of other cases, without handshake */
	uint64_t printable;              /* bytes that look like text */
	char sample[96];                 /* the first bytes, escaped */
	size_t sample_len;
};

struct rtb_session_state {
	enum session_phase phase;
	bool ended;                  /* result holds how */
	enum rtb_status result;
	struct rtb_error error;      /* first failure of the case */
	struct session_ask ask;
	struct session_evidence seen;
	bool ready_known;            /* a ready came between cases ... */
	char ready_build[65];        /* ... of this build */
	bool command_due;            /* G is to be sent when the bytes at hand are through */
	uint64_t command_ns;         /* when the last G went out */
	unsigned commands;           /* of this case */
	uint64_t phase_deadline_ns;  /* UINT64_MAX: none */
	uint64_t silence_deadline_ns;/* in PHASE_CASE; moved on by every frame */
	uint32_t next_seq, frames;   /* in PHASE_CASE */
	unsigned records;
	struct rtb_message_list *out;
};

/* Ends the case with this status. Its text is the one given, unless the case had already failed
 * with the same status: the first text then stays. Later calls do nothing. */
void session_end(struct rtb_session *s, enum rtb_status st, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool session_build_ok(const struct rtb_session *s, const char *build);

/* session_case.c. begin takes the first accepted message, whatever its type; all take ownership
 * of what the message holds. */
void session_case_begin(struct rtb_session *s, struct rtb_message *m);
void session_case_message(struct rtb_session *s, struct rtb_message *m);
/* A frame whose CRC is right but whose content is not. */
void session_case_broken(struct rtb_session *s, enum rtb_status st, const struct rtb_error *e);
/* Too long nothing, or too long in all. */
void session_case_timeout(struct rtb_session *s, bool silence);

/* session_verdict.c: why the waiting for ready or hello came to nothing. */
void session_wait_timeout(struct rtb_session *s);
void session_sample(struct session_evidence *seen, const char *p, size_t n);

#endif
