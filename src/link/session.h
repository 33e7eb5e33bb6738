/* session.h - one case on a running board: ready, G, hello ... done, and the ways it can go
 * wrong told apart. Works on a byte source handed in, so tests feed it without a link. */
#ifndef RTB_LINK_SESSION_H
#define RTB_LINK_SESSION_H

#include "base/flag.h"
#include "link/decoder.h"
#include "link/link.h"
#include "link/message.h"

struct rtb_session_limits {
	unsigned ready_ms;     /* reset to first ready (or hello without handshake) */
	unsigned hello_ms;     /* G to hello, resends included */
	unsigned heartbeat_ms; /* longest time without a frame between hello and done */
	unsigned case_ms;      /* hello to done in all; 0: none */
};

/* What was passed over or repeated, since init. None of it spoils a case by itself. */
struct rtb_session_counts {
	unsigned leftovers;      /* frames of an earlier conversation or before our hello */
	unsigned foreign_builds; /* ready or hello frames of another image */
	unsigned commands;       /* G sent, resends included */
};

struct rtb_session {
	struct rtb_link *link;           /* borrowed */
	const struct rtb_clock *clock;
	const rtb_flag *cancel;
	struct rtb_session_limits limits;
	const char *build_id;            /* expected, hex; NULL: accept any (monitor) */
	bool handshake;
	/* Every byte and every frame as it comes, for logs and for monitor; may be NULL. */
	void (*on_bytes)(void *ctx, const void *p, size_t n);
	void (*on_message)(void *ctx, const struct rtb_message *m, uint64_t at_ns);
	void *ctx;
	/* The rest is the session's own; read counts and decoder.counts at will. */
	struct rtb_session_counts counts;
	struct rtb_decoder decoder;
	struct rtb_session_state *state;
};

void rtb_session_init(struct rtb_session *s);
void rtb_session_free(struct rtb_session *s);

/* Runs one case: waits for ready of the expected build, sends G with a fresh nonce, collects
 * messages until a valid done. Every message that could be parsed is handed to on_message in
 * order, leftovers too; the case's own are kept in *out (hello ... done). On failure *out holds
 * those accepted until then, for the log; they are no result.
 *
 * May be called again on the same link: the board resets itself after done, and a ready that
 * has come in the meantime is used. After a failure the next call starts from the next ready.
 *
 *   RTB_SILENT       no byte at all within ready_ms
 *   RTB_NOISE        bytes but no frame; the text says whether it looks like a wrong baud rate
 *                    or like another program's text
 *   RTB_STALE_IMAGE  ready or hello of another build, and none of the expected one
 *   RTB_PROTOCOL     frames of another version, or of a type that does not exist
 *   RTB_HANG         G or hello, then nothing; or case_ms has passed
 *   RTB_BOARD_RESET  a second hello or a ready before done, all frames until then whole
 *   RTB_INCOMPLETE   damaged or lost frames, a wrong count, figures that cannot be, or a
 *                    command that the board did not get right
 *   RTB_FAULT        a fault frame; the text names kind, pc and cfsr
 *   RTB_UNSUPPORTED  the kernel's port, or the image, does not have this case
 *   RTB_LINK_LOST, RTB_INTERRUPTED, RTB_CONFIG (a case name that fits no command)
 */
enum rtb_status rtb_session_case(struct rtb_session *s, const char *case_name, unsigned samples,
				 unsigned raw, struct rtb_message_list *out, struct rtb_error *e);

#endif
