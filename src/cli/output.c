#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum rtb_status failed(const struct rtb_output *o, const char *doing, struct rtb_error *e)
{
	int err = errno;
	enum rtb_status s = err == ENOSPC || err == EDQUOT ? RTB_STORE_FULL
			  : err == EACCES || err == EPERM || err == EROFS ? RTB_STORE_READONLY
			  : err == ENOENT || err == ENOTDIR ? RTB_NOT_FOUND : RTB_STORE;
	return rtb_fail(e, s, "%s: %s: %s", o->path, doing, strerror(err));
}

enum rtb_status rtb_output_open(struct rtb_output *o, const char *path, struct rtb_error *e)
{
	struct stat sb;
	*o = (struct rtb_output){.path = path, .fd = STDOUT_FILENO};
	if (!path || strcmp(path, "-") == 0) {
		o->path = "standard output";
		return RTB_OK;
	}
	if (stat(path, &sb) == 0 && !S_ISREG(sb.st_mode)) {
		o->fd = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		o->temp = rtb_sprintf("%s.tmp%ld", path, (long)getpid());
		o->fd = open(o->temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	}
	if (o->fd >= 0)
		return RTB_OK;
	enum rtb_status s = failed(o, "cannot be written", e);
	free(o->temp);
	o->temp = NULL;
	return s;
}

enum rtb_status rtb_output_write(void *ctx, struct rtb_buf *b, struct rtb_error *e)
{
	struct rtb_output *o = ctx;
	for (size_t at = 0; at < b->len;) {
		ssize_t n = write(o->fd, b->data + at, b->len - at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return failed(o, "cannot be written", e);
		at += (size_t)n;
	}
	return RTB_OK;
}

enum rtb_status rtb_output_close(struct rtb_output *o, bool keep, struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	if (o->temp && keep && fsync(o->fd) != 0)
		s = failed(o, "cannot be written", e);
	if (o->fd != STDOUT_FILENO && o->fd >= 0 && close(o->fd) != 0 && s == RTB_OK)
		s = failed(o, "cannot be closed", e);
	if (o->temp && keep && s == RTB_OK && rename(o->temp, o->path) != 0)
		s = failed(o, "cannot be put in place", e);
	if (o->temp && (!keep || s != RTB_OK))
		unlink(o->temp);
	free(o->temp);
	o->temp = NULL;
	return s;
}

enum rtb_status rtb_output_text(struct rtb_buf *b, struct rtb_error *e)
{
	struct rtb_output o;
	fflush(stdout);
	enum rtb_status s = rtb_output_open(&o, NULL, e);
	return s == RTB_OK ? rtb_output_write(&o, b, e) : s;
}
