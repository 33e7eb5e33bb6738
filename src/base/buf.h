/* buf.h - a growable byte buffer, always NUL-terminated one past its length so that text can
 * be read in place. Memory exhaustion aborts: nothing in rtbench can go on without memory. */
#ifndef RTB_BASE_BUF_H
#define RTB_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct rtb_buf {
	char *data; /* owned; NULL while empty and never grown */
	size_t len; /* bytes, without the NUL */
	size_t cap;
};

void rtb_buf_free(struct rtb_buf *b);                          /* frees and zeroes */
void rtb_buf_clear(struct rtb_buf *b);                         /* length 0, memory kept */
void rtb_buf_add(struct rtb_buf *b, const void *p, size_t n);
void rtb_buf_str(struct rtb_buf *b, const char *s);
void rtb_buf_fmt(struct rtb_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rtb_buf_drop(struct rtb_buf *b, size_t n);                /* removes n bytes at the front */
const char *rtb_buf_cstr(const struct rtb_buf *b);             /* "" while empty; borrowed */
/* Reads a whole file, at most max bytes. 0, or -1 with errno (EFBIG when larger). */
int rtb_buf_read_file(struct rtb_buf *b, const char *path, size_t max);

/* malloc family that aborts instead of returning NULL; free with free(). */
void *rtb_alloc(size_t n);                                     /* zeroed */
void *rtb_realloc(void *p, size_t n);
char *rtb_strdup(const char *s);                               /* NULL in, NULL out */
char *rtb_sprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
