/* Preloaded into a program that uses SQLite: once the file $STALL_ARM exists, the $STALL_AT-th write
 * to a write-ahead log does not take place; it is told to the pipe $STALL_FIFO, and the program
 * stands still there, in the midst of a transaction, for whoever wants to kill it. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at);

static int is_log(int fd)
{
	char link[64], path[PATH_MAX];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, path, sizeof path - 1);
	if (len < 4)
		return 0;
	path[len] = '\0';
	return strcmp(path + len - 4, "-wal") == 0;
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
	static ssize_t (*real)(int, const void *, size_t, off64_t);
	static int count;
	const char *arm = getenv("STALL_ARM"), *fifo = getenv("STALL_FIFO"), *when = getenv("STALL_AT");
	if (!real)
		real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
	if (arm && fifo && when && access(arm, F_OK) == 0 && is_log(fd) && ++count == atoi(when)) {
		int to = open(fifo, O_WRONLY | O_CLOEXEC);
		if (write(to, "store\n", 6) == 6)
			for (;;)
				pause();
	}
	return real(fd, data, n, at);
}
