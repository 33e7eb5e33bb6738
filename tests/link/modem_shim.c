/* modem_shim.c - a preload for tests on ptys: the modem lines that a pty lacks, and opens that
 * fail for a while. The test reaches the variables through dlsym. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int shim_lines;        /* TIOCM_* bits as the program set them */
int shim_no_lines;     /* non-zero: no modem lines at all, as on the pty itself */
int shim_open_errno;   /* what opening a tty fails with ... */
int shim_open_fails;   /* ... this many times */

int ioctl(int fd, unsigned long request, ...);
int open(const char *path, int flags, ...);
int __open_2(const char *path, int flags);
char *realpath(const char *path, char *out);

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))next("ioctl");
	va_list ap;
	va_start(ap, request);
	int *arg = va_arg(ap, int *);
	va_end(ap);
	if ((request >> 8 & 0xff) != 'T')
		return real(fd, request, arg);
	switch (shim_no_lines ? 0 : request) {
	case TIOCMGET: *arg = shim_lines; return 0;
	case TIOCMSET: shim_lines = *arg; return 0;
	case TIOCMBIS: shim_lines |= *arg; return 0;
	case TIOCMBIC: shim_lines &= ~*arg; return 0;
	/* umockdev knows no terminal's requests and refuses them; the pty behind it does. */
	default: return (int)syscall(SYS_ioctl, fd, request, arg);
	}
}

/* umockdev answers with a path inside its own directory; what a program sees has none such. */
char *realpath(const char *path, char *out)
{
	char *(*real)(const char *, char *) = (char *(*)(const char *, char *))next("realpath");
	char *r = real(path, out);
	const char *bed = getenv("UMOCKDEV_DIR");
	size_t n = bed ? strlen(bed) : 0;
	if (r && n && strncmp(r, bed, n) == 0 && r[n] == '/')
		memmove(r, r + n, strlen(r + n) + 1);
	return r;
}

static bool refuse(const char *path)
{
	if (shim_open_fails <= 0 || strncmp(path, "/dev/tty", 8) != 0)
		return false;
	shim_open_fails--;
	errno = shim_open_errno;
	return true;
}

int open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))next("open");
	va_list ap;
	va_start(ap, flags);
	int mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return refuse(path) ? -1 : real(path, flags, mode);
}

/* What a fortified library calls when it opens without a mode. */
int __open_2(const char *path, int flags)
{
	int (*real)(const char *, int) = (int (*)(const char *, int))next("__open_2");
	return refuse(path) ? -1 : real(path, flags);
}
