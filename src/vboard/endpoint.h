/* endpoint.h - where one client meets the board: a listening Unix socket, a TCP port on the
 * loopback interface, or a pty with a stable name. The client may come and go; a second one
 * at the same time is turned away.
 */
#ifndef VB_ENDPOINT_H
#define VB_ENDPOINT_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum vb_endpoint_kind { VB_EP_NONE, VB_EP_UNIX, VB_EP_TCP, VB_EP_PTY };

struct vb_endpoint {
	enum vb_endpoint_kind kind;
	char path[108];  /* unix: the socket; pty: the symbolic link */
	uint16_t port;   /* tcp; 0 asks for a free one, which vb_endpoint_open fills in */
	int listen_fd;   /* -1 when not listening (pty: the master's client is told by POLLHUP) */
	int fd;          /* -1 while nobody is there */
	int pty_fd;      /* the master side */
	uint64_t connections;
	uint64_t refused;
};

/* Reads "unix:PATH", "tcp:PORT" or "pty:PATH" (pty only when allowed). RTB_USAGE else. */
enum rtb_status vb_endpoint_parse(const char *text, bool allow_pty, struct vb_endpoint *ep,
				  struct rtb_error *e);
/* Starts listening. A socket file that nobody answers is replaced; one in use is RTB_LINK_BUSY,
 * everything else RTB_LINK_DENIED. */
enum rtb_status vb_endpoint_open(struct vb_endpoint *ep, struct rtb_error *e);
/* Closes and removes the socket file or link. */
void vb_endpoint_close(struct vb_endpoint *ep);
/* "unix:/tmp/x", "tcp:1234": for the ready line. out has room for 128 bytes. */
void vb_endpoint_text(const struct vb_endpoint *ep, char out[128]);

/* Descriptors to wait for: at most two entries at p; returns how many. */
unsigned vb_endpoint_poll(const struct vb_endpoint *ep, bool want_read, bool want_write,
			  struct pollfd *p);
/* Takes a waiting client, or turns it away. True when a client has come. Call after each poll. */
bool vb_endpoint_accept(struct vb_endpoint *ep);
/* Reads without waiting. >0 bytes; 0 nothing there; -1 the client has gone (fd is -1 now). */
long vb_endpoint_read(struct vb_endpoint *ep, void *p, size_t n);
/* Writes without waiting: bytes taken (0 when the pipe is full), -1 the client has gone. */
long vb_endpoint_write(struct vb_endpoint *ep, const void *p, size_t n);
/* True for a pty: nothing wakes poll when somebody opens it, so it is to be looked at. */
bool vb_endpoint_needs_look(const struct vb_endpoint *ep);

#endif
