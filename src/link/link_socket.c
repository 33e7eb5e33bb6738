/* link_socket.c - a board behind a Unix or TCP socket. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "link/link_ops.h"

enum { CONNECT_MS = 5000 };

/* Connects within CONNECT_MS. The descriptor, or -1 with errno. */
static int connected(int domain, const struct sockaddr *addr, socklen_t len)
{
	int fd = socket(domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	int error = connect(fd, addr, len) == 0 ? 0 : errno;
	if (error == EINPROGRESS) {
		socklen_t size = sizeof error;
		if (rtb_link_poll(fd, POLLOUT, CONNECT_MS) == 0)
			error = ETIMEDOUT;
		else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
			error = errno;
	}
	if (error == 0)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

/* write() on a socket whose other side is gone raises SIGPIPE; send() can be told not to. */
static enum rtb_status socket_write(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
				    struct rtb_error *e)
{
	const char *p = buf;
	size_t left = n;
	uint64_t deadline = rtb_deadline_ms(l->clock, (uint64_t)timeout_ms);
	while (left) {
		ssize_t k = send(l->fd, p, left, MSG_NOSIGNAL);
		if (k > 0) {
			p += k;
			left -= (size_t)k;
			continue;
		}
		if (k < 0 && errno != EAGAIN && errno != EINTR)
			return rtb_fail(e, RTB_LINK_LOST, "%s: %s", l->name, strerror(errno));
		int ms = rtb_ms_left(l->clock, deadline);
		if (ms == 0)
			return rtb_fail(e, RTB_LINK_LOST, "%s: took only %zu of %zu bytes in %d ms", l->name,
					n - left, n, timeout_ms);
		rtb_link_poll(l->fd, POLLOUT, ms);
	}
	return RTB_OK;
}

static const struct rtb_link_ops socket_ops = {rtb_link_fd_read, socket_write, rtb_link_fd_close};

static enum rtb_status open_unix(struct rtb_link *l, const struct rtb_link_options *o, const char *where,
				 struct rtb_error *e)
{
	(void)o;
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	if (strlen(where) >= sizeof a.sun_path)
		return rtb_fail(e, RTB_CONFIG, "%s: a socket's path has at most %zu bytes", where,
				sizeof a.sun_path - 1);
	memcpy(a.sun_path, where, strlen(where) + 1);
	int fd = connected(AF_UNIX, (const struct sockaddr *)&a, sizeof a);
	if (fd < 0) /* EAGAIN: its queue of waiting clients is full */
		return rtb_link_open_failed(where, errno, e);
	l->fd = fd;
	l->ops = &socket_ops;
	return RTB_OK;
}

const struct rtb_link_kind rtb_link_unix = {"unix:", open_unix};

/* Splits HOST:PORT or [V6]:PORT at the last colon. */
static bool split_host(const char *where, char *host, size_t cap, const char **port)
{
	const char *colon = strrchr(where, ':');
	if (!colon || colon == where || colon[1] == '\0')
		return false;
	const char *from = where, *to = colon;
	if (*from == '[' && to[-1] == ']') {
		from++;
		to--;
	}
	if (to <= from || (size_t)(to - from) >= cap)
		return false;
	snprintf(host, cap, "%.*s", (int)(to - from), from);
	*port = colon + 1;
	return (*port)[strspn(*port, "0123456789")] == '\0' && strlen(*port) <= 5 && atoi(*port) <= 65535;
}

static enum rtb_status open_tcp(struct rtb_link *l, const struct rtb_link_options *o, const char *where,
				struct rtb_error *e)
{
	(void)o;
	char host[256];
	const char *port;
	if (!split_host(where, host, sizeof host, &port))
		return rtb_fail(e, RTB_CONFIG, "\"tcp://%s\" is not tcp://HOST:PORT", where);
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *list;
	int r = getaddrinfo(host, port, &hints, &list);
	if (r != 0)
		return rtb_fail(e, RTB_LINK_ABSENT, "%s: %s", where, gai_strerror(r));
	int fd = -1;
	for (const struct addrinfo *a = list; a && fd < 0; a = a->ai_next)
		fd = connected(a->ai_family, a->ai_addr, a->ai_addrlen);
	int error = errno;
	freeaddrinfo(list);
	if (fd < 0)
		return rtb_link_open_failed(where, error, e);
	int on = 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	/* A serial server that lost its power sends no FIN: ask from time to time. */
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	l->fd = fd;
	l->ops = &socket_ops;
	return RTB_OK;
}

const struct rtb_link_kind rtb_link_tcp = {"tcp://", open_tcp};
