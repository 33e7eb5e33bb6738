#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *or_die(void *p)
{
	if (!p) {
		fputs("rtbench: out of memory\n", stderr);
		abort();
	}
	return p;
}

void *rtb_alloc(size_t n)
{
	return or_die(calloc(1, n ? n : 1));
}

void *rtb_realloc(void *p, size_t n)
{
	return or_die(realloc(p, n ? n : 1));
}

char *rtb_strdup(const char *s)
{
	return s ? or_die(strdup(s)) : NULL;
}

char *rtb_sprintf(const char *fmt, ...)
{
	char *out = NULL;
	va_list ap;
	va_start(ap, fmt);
	int n = vasprintf(&out, fmt, ap);
	va_end(ap);
	return or_die(n < 0 ? NULL : out);
}

void rtb_buf_free(struct rtb_buf *b)
{
	free(b->data);
	*b = (struct rtb_buf){0};
}

void rtb_buf_clear(struct rtb_buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

static void reserve(struct rtb_buf *b, size_t more)
{
	size_t need = b->len + more + 1;
	if (need <= b->cap)
		return;
	size_t cap = b->cap ? b->cap : 64;
	while (cap < need)
		cap *= 2;
	b->data = rtb_realloc(b->data, cap);
	b->cap = cap;
}

void rtb_buf_add(struct rtb_buf *b, const void *p, size_t n)
{
	reserve(b, n);
	if (n)
		memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void rtb_buf_str(struct rtb_buf *b, const char *s)
{
	rtb_buf_add(b, s, strlen(s));
}

void rtb_buf_fmt(struct rtb_buf *b, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n >= 0) {
		reserve(b, (size_t)n);
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void rtb_buf_drop(struct rtb_buf *b, size_t n)
{
	if (n >= b->len) {
		rtb_buf_clear(b);
		return;
	}
	memmove(b->data, b->data + n, b->len - n + 1);
	b->len -= n;
}

const char *rtb_buf_cstr(const struct rtb_buf *b)
{
	return b->data ? b->data : "";
}

int rtb_buf_read_file(struct rtb_buf *b, const char *path, size_t max)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	char chunk[16384];
	size_t total = 0;
	ssize_t n;
	while ((n = read(fd, chunk, sizeof chunk)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		total += n > 0 ? (size_t)n : 0;
		if (n < 0 || total > max) {
			int err = n < 0 ? errno : EFBIG;
			close(fd);
			errno = err;
			return -1;
		}
		rtb_buf_add(b, chunk, (size_t)n);
	}
	close(fd);
	return 0;
}
