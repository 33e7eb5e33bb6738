#include "sweep/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/sha256.h"

const char *rtb_lock_dir(void)
{
	const char *env = getenv("RTBENCH_LOCK_DIR");
	if (env && *env)
		return env;
	return access("/run/lock", W_OK | X_OK) == 0 ? "/run/lock" : "/tmp";
}

static char *lock_path(const char *dir, const char *key)
{
	struct rtb_sha256 h;
	char hex[RTB_SHA256_HEX];
	rtb_sha256_init(&h);
	rtb_sha256_add(&h, key, strlen(key));
	rtb_sha256_hex(&h, hex);
	return rtb_sprintf("%s/rtbench-%.16s.lock", dir, hex);
}

static enum rtb_status busy(int fd, const char *label, struct rtb_error *e)
{
	char who[256] = "";
	ssize_t n = pread(fd, who, sizeof who - 1, 0);
	who[n > 0 ? n : 0] = '\0';
	who[strcspn(who, "\n")] = '\0';
	return rtb_fail(e, RTB_BOARD_BUSY, "%s is in use by %s", label, *who ? who : "another rtbench");
}

static void sign(int fd, const char *key, const struct rtb_clock *clock)
{
	char since[32];
	rtb_iso8601(clock->wall_ns(clock->ctx), since);
	char *text = rtb_sprintf("pid %d since %s\n%s\n", (int)getpid(), since, key);
	/* For messages only: a lock that cannot be signed is held all the same. */
	if (ftruncate(fd, 0) < 0 || pwrite(fd, text, strlen(text), 0) < 0)
		errno = 0;
	free(text);
}

/* First as it is: in a directory for everybody (/run/lock) the kernel refuses O_CREAT on another
 * user's file (fs.protected_regular). */
static int open_lock(const char *path)
{
	int fd;
	do {
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0 && errno == ENOENT)
			fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	} while (fd < 0 && errno == EEXIST);
	return fd;
}

enum rtb_status rtb_lock_take(const char *dir, const char *key, const char *label,
			      const struct rtb_clock *clock, struct rtb_lock *out, struct rtb_error *e)
{
	out->fd = -1;
	char *path = lock_path(dir, key);
	int fd = open_lock(path);
	enum rtb_status st = RTB_OK;
	if (fd < 0) {
		st = rtb_fail(e, RTB_BOARD_BUSY, "the lock of %s cannot be opened: %s: %s", label, path, strerror(errno));
	} else {
		fchmod(fd, 0666); /* past the umask: the next user must be able to take it */
		if (flock(fd, LOCK_EX | LOCK_NB) < 0)
			st = busy(fd, label, e);
	}
	free(path);
	if (st) {
		if (fd >= 0)
			close(fd);
		return st;
	}
	sign(fd, key, clock);
	out->fd = fd;
	return RTB_OK;
}

void rtb_lock_release(struct rtb_lock *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}
