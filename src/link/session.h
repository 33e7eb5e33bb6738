/* session.h - one case on a running board: ready, G, hello ... done, and the ways it can go
 * wrong told apart. Works on a byte source handed in, so tests feed it without a link. */
#ifndef RTB_LINK_SESSION_H
#define RTB_LINK_SESSION_H

#include <signal.h>

#include "link/decoder.h"
#include "link/link.h"
#include "link/message.h"

struct rtb_session_limits {
	unsigned ready_ms;     /* reset to first ready (or hello without handshake) */
	unsigned hello_ms;     /* G to hello */
	unsigned heartbeat_ms; /* longest silence between hello and done */
	unsigned case_ms;      /* hello to done in all; 0: none */
};

struct rtb_session {
	struct rtb_link *link;           /* borrowed */
	const struct rtb_clock *clock;
	const volatile sig_atomic_t *cancel;
	struct rtb_session_limits limits;
	const char *build_id;            /* expected, hex; NULL: accept any (monitor) */
	bool handshake;
	/* Every byte and every frame as it comes, for logs and for monitor; may be NULL. */
	void (*on_bytes)(void *ctx, const void *p, size_t n);
	void (*on_message)(void *ctx, const struct rtb_message *m, uint64_t at_ns);
	void *ctx;
	struct rtb_decoder decoder;      /* init by rtb_session_init */
	/* the session's own state follows */
	struct rtb_session_state *state;
};

void rtb_session_init(struct rtb_session *s);
void rtb_session_free(struct rtb_session *s);

/* Runs one case: waits for ready of the expected build, sends G with a fresh nonce, collects
 * messages until a valid done. All accepted messages of the case are handed to on_message in
 * order and kept in *out. Statuses: SILENT, NOISE (bytes but no frame; a wrong baud rate looks
 * like this and the text says so), STALE_IMAGE (frames of another build), PROTOCOL, HANG (hello
 * but then silence), BOARD_RESET, INCOMPLETE (CRC error, gap, wrong count, damaged figures),
 * FAULT, UNSUPPORTED, LINK_LOST, INTERRUPTED. */
enum rtb_status rtb_session_case(struct rtb_session *s, const char *case_name, unsigned samples,
				 unsigned raw, struct rtb_message_list *out, struct rtb_error *e);

#endif
