#include "vboard/endpoint.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

enum rtb_status vb_endpoint_parse(const char *text, bool allow_pty, struct vb_endpoint *ep,
				  struct rtb_error *e)
{
	const char *rest = strchr(text, ':');
	size_t kind = rest ? (size_t)(rest - text) : 0;

	*ep = (struct vb_endpoint){ .listen_fd = -1, .fd = -1, .pty_fd = -1 };
	if (rest)
		rest++;
	if (kind == 3 && !strncmp(text, "tcp", 3)) {
		char *end;
		unsigned long port = strtoul(rest, &end, 10);
		if (*rest < '0' || *rest > '9' || *end || port > 65535)
			return rtb_fail(e, RTB_USAGE, "'%s': a TCP port is a number from 0 to 65535", text);
		ep->kind = VB_EP_TCP;
		ep->port = (uint16_t)port;
		return RTB_OK;
	}
	if (kind == 4 && !strncmp(text, "unix", 4))
		ep->kind = VB_EP_UNIX;
	else if (allow_pty && kind == 3 && !strncmp(text, "pty", 3))
		ep->kind = VB_EP_PTY;
	else
		return rtb_fail(e, RTB_USAGE, "'%s': expected unix:PATH, tcp:PORT%s", text,
				allow_pty ? " or pty:PATH" : "");
	if (!*rest || strlen(rest) >= sizeof ep->path)
		return rtb_fail(e, RTB_USAGE, "'%s': the path must have 1 to %zu characters", text,
				sizeof ep->path - 1);
	memcpy(ep->path, rest, strlen(rest) + 1);
	return RTB_OK;
}

static enum rtb_status failed(const struct vb_endpoint *ep, struct rtb_error *e, const char *what)
{
	enum rtb_status s = errno == EADDRINUSE ? RTB_LINK_BUSY : RTB_LINK_DENIED;
	char name[128];

	vb_endpoint_text(ep, name);
	return rtb_fail(e, s, "%s: %s: %s", name, what, strerror(errno));
}

static int new_socket(int domain)
{
	return socket(domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* A socket file whose owner has died refuses connections; only such a one is removed. */
static bool clear_stale(const struct sockaddr_un *a)
{
	struct stat st;

	if (lstat(a->sun_path, &st) != 0)
		return true;
	errno = EADDRINUSE;
	if (!S_ISSOCK(st.st_mode))
		return false;
	int fd = new_socket(AF_UNIX);
	if (fd < 0)
		return false;
	bool dead = connect(fd, (const struct sockaddr *)a, sizeof *a) != 0 && errno == ECONNREFUSED;
	close(fd);
	errno = EADDRINUSE;
	return dead && unlink(a->sun_path) == 0;
}

static enum rtb_status open_unix(struct vb_endpoint *ep, struct rtb_error *e)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	memcpy(a.sun_path, ep->path, sizeof a.sun_path);
	if (!clear_stale(&a))
		return failed(ep, e, "cannot listen");
	int fd = new_socket(AF_UNIX);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 4) != 0) {
		enum rtb_status s = failed(ep, e, "cannot listen");
		if (fd >= 0)
			close(fd);
		return s;
	}
	ep->listen_fd = fd;
	return RTB_OK;
}

static enum rtb_status open_tcp(struct vb_endpoint *ep, struct rtb_error *e)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(ep->port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof a;
	int fd = new_socket(AF_INET), yes = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
	    bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 4) != 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &len) != 0) {
		enum rtb_status s = failed(ep, e, "cannot listen");
		if (fd >= 0)
			close(fd);
		return s;
	}
	ep->port = ntohs(a.sin_port);
	ep->listen_fd = fd;
	return RTB_OK;
}

/* Raw, and closed once: from then on POLLHUP on the master tells that nobody has it open. */
static bool prepare_slave(const char *name)
{
	int fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios t;

	if (fd < 0)
		return false;
	bool ok = tcgetattr(fd, &t) == 0;
	cfmakeraw(&t);
	ok = ok && tcsetattr(fd, TCSANOW, &t) == 0;
	close(fd);
	return ok;
}

static bool link_to(const char *name, const char *path)
{
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && unlink(path) != 0)
		return false;
	return symlink(name, path) == 0;
}

static enum rtb_status open_pty(struct vb_endpoint *ep, struct rtb_error *e)
{
	char name[64];
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 ||
	    ptsname_r(fd, name, sizeof name) != 0 || !prepare_slave(name) ||
	    !link_to(name, ep->path)) {
		enum rtb_status s = failed(ep, e, "cannot make a pty");
		if (fd >= 0)
			close(fd);
		return s;
	}
	ep->pty_fd = fd;
	return RTB_OK;
}

enum rtb_status vb_endpoint_open(struct vb_endpoint *ep, struct rtb_error *e)
{
	switch (ep->kind) {
	case VB_EP_UNIX: return open_unix(ep, e);
	case VB_EP_TCP:  return open_tcp(ep, e);
	case VB_EP_PTY:  return open_pty(ep, e);
	default:         return RTB_OK;
	}
}

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void vb_endpoint_close(struct vb_endpoint *ep)
{
	bool open = ep->listen_fd >= 0 || ep->pty_fd >= 0;

	if (ep->kind == VB_EP_PTY)
		ep->fd = -1;
	drop(&ep->fd);
	drop(&ep->listen_fd);
	drop(&ep->pty_fd);
	if (open && ep->kind != VB_EP_TCP)
		unlink(ep->path);
}

void vb_endpoint_text(const struct vb_endpoint *ep, char out[128])
{
	switch (ep->kind) {
	case VB_EP_UNIX: snprintf(out, 128, "unix:%s", ep->path); break;
	case VB_EP_TCP:  snprintf(out, 128, "tcp:%u", ep->port); break;
	case VB_EP_PTY:  snprintf(out, 128, "pty:%s", ep->path); break;
	default:         snprintf(out, 128, "none"); break;
	}
}

unsigned vb_endpoint_poll(const struct vb_endpoint *ep, bool want_read, bool want_write,
			  struct pollfd *p)
{
	unsigned n = 0;
	short events = (short)((want_read ? POLLIN : 0) | (want_write ? POLLOUT : 0));

	if (ep->listen_fd >= 0)
		p[n++] = (struct pollfd){ .fd = ep->listen_fd, .events = POLLIN };
	/* A client that nothing is wanted of is left out: its hang-up would end every wait. */
	if (ep->fd >= 0 && events)
		p[n++] = (struct pollfd){ .fd = ep->fd, .events = events };
	return n;
}

bool vb_endpoint_needs_look(const struct vb_endpoint *ep)
{
	return ep->kind == VB_EP_PTY && ep->fd < 0;
}

static bool pty_hung_up(const struct vb_endpoint *ep)
{
	struct pollfd p = { .fd = ep->pty_fd, .events = POLLIN };

	return poll(&p, 1, 0) < 0 || (p.revents & POLLHUP);
}

static bool pty_look(struct vb_endpoint *ep)
{
	if (ep->fd >= 0 || ep->pty_fd < 0 || pty_hung_up(ep))
		return false;
	ep->fd = ep->pty_fd;
	ep->connections++;
	return true;
}

/* The client has closed its end, though what it sent before may still have to be read. */
static bool leaving(const struct vb_endpoint *ep)
{
	struct pollfd p = { .fd = ep->fd, .events = POLLRDHUP };

	return ep->fd >= 0 && poll(&p, 1, 0) > 0;
}

bool vb_endpoint_accept(struct vb_endpoint *ep)
{
	bool came = false;

	if (ep->kind == VB_EP_PTY)
		return pty_look(ep);
	/* The successor of one that leaves waits until the rest has been read. */
	while (ep->listen_fd >= 0 && !leaving(ep)) {
		int fd = accept4(ep->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			break;
		if (ep->fd >= 0) {
			close(fd);
			ep->refused++;
			continue;
		}
		if (ep->kind == VB_EP_TCP) {
			int yes = 1;
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
		}
		ep->fd = fd;
		ep->connections++;
		came = true;
	}
	return came;
}

static long client_gone(struct vb_endpoint *ep)
{
	if (ep->kind != VB_EP_PTY)
		close(ep->fd);
	ep->fd = -1;
	return -1;
}

long vb_endpoint_read(struct vb_endpoint *ep, void *p, size_t n)
{
	if (ep->fd < 0)
		return 0;
	ssize_t got = read(ep->fd, p, n);
	if (got > 0)
		return got;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return client_gone(ep);
}

long vb_endpoint_write(struct vb_endpoint *ep, const void *p, size_t n)
{
	if (ep->fd < 0)
		return -1;
	if (ep->kind == VB_EP_PTY && pty_hung_up(ep)) /* writing to it would not tell */
		return client_gone(ep);
	ssize_t put = ep->kind == VB_EP_PTY ? write(ep->fd, p, n) : send(ep->fd, p, n, MSG_NOSIGNAL);
	if (put >= 0)
		return put;
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	return client_gone(ep);
}
