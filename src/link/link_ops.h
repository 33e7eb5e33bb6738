/* link_ops.h - what a kind of link does; inside src/link/ and for tests that play the board. */
#ifndef RTB_LINK_LINK_OPS_H
#define RTB_LINK_LINK_OPS_H

#include "link/link.h"

/* The contracts are those of rtb_link_read, rtb_link_write and rtb_link_close. */
struct rtb_link_ops {
	enum rtb_status (*read)(struct rtb_link *l, void *buf, size_t cap, int timeout_ms, size_t *got,
				struct rtb_error *e);
	enum rtb_status (*write)(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
				 struct rtb_error *e);
	void (*close)(struct rtb_link *l); /* frees what the kind holds, not l itself */
};

struct rtb_link {
	const struct rtb_link_ops *ops;
	const struct rtb_clock *clock;
	char *name;      /* owned */
	int fd;          /* -1: none */
	int latency_ms;  /* -1: none */
	void *ctx;       /* the kind's own */
};

/* A kind that can be opened by name. open fills in ops, fd, ctx and, when the name is more than
 * the spec, name; where is the spec after its scheme. One try: waiting and trying again is the
 * caller's. RTB_LINK_ABSENT, _BUSY, _DENIED, RTB_CONFIG; nothing stays open on failure. */
struct rtb_link_kind {
	const char *scheme; /* "unix:" */
	enum rtb_status (*open)(struct rtb_link *l, const struct rtb_link_options *o, const char *where,
				struct rtb_error *e);
};
extern const struct rtb_link_kind rtb_link_serial, rtb_link_pty, rtb_link_file, rtb_link_unix, rtb_link_tcp,
	rtb_link_ftdi, rtb_link_usb;

/* A link made of the given operations, for a board that is played in memory. name is copied. */
struct rtb_link *rtb_link_from_ops(const struct rtb_link_ops *ops, void *ctx, const struct rtb_clock *clock,
				   const char *name);

/* link_fd.c: reading and writing any descriptor that poll() understands. */
enum rtb_status rtb_link_fd_read(struct rtb_link *l, void *buf, size_t cap, int timeout_ms, size_t *got,
				 struct rtb_error *e);
enum rtb_status rtb_link_fd_write(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
				  struct rtb_error *e);
void rtb_link_fd_close(struct rtb_link *l);
/* Waits for events on fd: revents, 0 when nothing came in time or a signal was caught. */
int rtb_link_poll(int fd, short events, int timeout_ms);
/* The status and text of an errno that open() or connect() gave for a device or socket. */
enum rtb_status rtb_link_open_failed(const char *what, int error, struct rtb_error *e);
/* Takes the port for this process alone (flock); RTB_LINK_BUSY names the holder. */
enum rtb_status rtb_link_lock(int fd, const char *path, struct rtb_error *e);

/* link_holder.c: "minicom (pid 123)" of a process other than this one that has path open; NULL
 * when none can be seen. Free it. */
char *rtb_link_holder(const char *path);

#endif
