/* link_fd.c - links that are nothing but a descriptor: ptys, files and FIFOs. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "link/link_ops.h"

int rtb_link_poll(int fd, short events, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = events};
	return poll(&p, 1, timeout_ms) > 0 ? p.revents : 0;
}

static enum rtb_status lost(const struct rtb_link *l, const char *how, struct rtb_error *e)
{
	return rtb_fail(e, RTB_LINK_LOST, "%s: %s", l->name, how);
}

enum rtb_status rtb_link_fd_read(struct rtb_link *l, void *buf, size_t cap, int timeout_ms, size_t *got,
				 struct rtb_error *e)
{
	int events = rtb_link_poll(l->fd, POLLIN, timeout_ms);
	if (events == 0)
		return RTB_OK;
	/* Read even on a hang-up: bytes may still lie there, and the errno says more. */
	ssize_t n = read(l->fd, buf, cap);
	if (n > 0) {
		*got = (size_t)n;
		return RTB_OK;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR) && !(events & (POLLHUP | POLLERR | POLLNVAL)))
		return RTB_OK;
	return lost(l, n == 0 ? "the other side has closed it" : strerror(errno), e);
}

enum rtb_status rtb_link_fd_write(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
				  struct rtb_error *e)
{
	const char *p = buf;
	size_t left = n;
	uint64_t deadline = rtb_deadline_ms(l->clock, (uint64_t)timeout_ms);
	while (left) {
		ssize_t k = write(l->fd, p, left);
		if (k > 0) {
			p += k;
			left -= (size_t)k;
			continue;
		}
		if (k < 0 && errno != EAGAIN && errno != EINTR)
			return lost(l, strerror(errno), e);
		int ms = rtb_ms_left(l->clock, deadline);
		if (ms == 0)
			return rtb_fail(e, RTB_LINK_LOST, "%s: took only %zu of %zu bytes in %d ms", l->name,
					n - left, n, timeout_ms);
		if (rtb_link_poll(l->fd, POLLOUT, ms) & (POLLHUP | POLLERR | POLLNVAL))
			return lost(l, "the other side has closed it", e);
	}
	return RTB_OK;
}

void rtb_link_fd_close(struct rtb_link *l)
{
	close(l->fd);
	l->fd = -1;
}

enum rtb_status rtb_link_open_failed(const char *what, int error, struct rtb_error *e)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return rtb_fail(e, RTB_LINK_DENIED, "%s: %s", what, strerror(error));
	case EBUSY: {
		char *holder = rtb_link_holder(what);
		rtb_fail(e, RTB_LINK_BUSY, "%s: held by %s", what, holder ? holder : "a process that cannot be seen");
		free(holder);
		return RTB_LINK_BUSY;
	}
	case ENAMETOOLONG:
		return rtb_fail(e, RTB_CONFIG, "%s: %s", what, strerror(error));
	default:
		return rtb_fail(e, RTB_LINK_ABSENT, "%s: %s", what, strerror(error));
	}
}

enum rtb_status rtb_link_lock(int fd, const char *path, struct rtb_error *e)
{
	if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return rtb_link_open_failed(path, EBUSY, e);
	return RTB_OK;
}

static const struct rtb_link_ops pty_ops = {rtb_link_fd_read, rtb_link_fd_write, rtb_link_fd_close};

static enum rtb_status open_pty(struct rtb_link *l, const struct rtb_link_options *o, const char *where,
				struct rtb_error *e)
{
	(void)o;
	int fd = open(where, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) /* EIO: the master side is not open */
		return rtb_link_open_failed(where, errno, e);
	struct termios t;
	enum rtb_status s = rtb_link_lock(fd, where, e);
	if (s == RTB_OK && tcgetattr(fd, &t) != 0)
		s = rtb_fail(e, RTB_CONFIG, "%s: not a terminal", where);
	if (s == RTB_OK) {
		cfmakeraw(&t);
		t.c_cflag &= ~(tcflag_t)HUPCL;
		if (tcsetattr(fd, TCSANOW, &t) != 0)
			s = rtb_link_open_failed(where, errno, e);
	}
	if (s != RTB_OK) {
		close(fd);
		return s;
	}
	l->fd = fd;
	l->ops = &pty_ops;
	return RTB_OK;
}

const struct rtb_link_kind rtb_link_pty = {"pty:", open_pty};

static enum rtb_status discard(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
			       struct rtb_error *e)
{
	(void)l, (void)buf, (void)n, (void)timeout_ms, (void)e;
	return RTB_OK;
}

static const struct rtb_link_ops file_ops = {rtb_link_fd_read, discard, rtb_link_fd_close};

static enum rtb_status open_file(struct rtb_link *l, const struct rtb_link_options *o, const char *where,
				 struct rtb_error *e)
{
	(void)o;
	int fd = open(where, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return rtb_link_open_failed(where, errno, e);
	l->fd = fd;
	l->ops = &file_ops;
	return RTB_OK;
}

const struct rtb_link_kind rtb_link_file = {"file:", open_file};
