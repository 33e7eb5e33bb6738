/* bed.h - ports of umockdev's making and links to them. Included by the tests of this directory. */
#ifndef TEST_LINK_BED_H
#define TEST_LINK_BED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <umockdev.h>
#include <unistd.h>

#include "link/link.h"

enum { SOON_MS = 20, LONG_MS = 10000 };

static UMockdevTestbed *bed;

static inline void add(const char *text)
{
	GError *error = NULL;
	if (!umockdev_testbed_add_from_string(bed, text, &error))
		fail_msg("%s", error->message);
}

/* The wire's other end. */
static inline int wire(const char *name)
{
	char path[64];
	snprintf(path, sizeof path, "/dev/%s", name);
	int fd = umockdev_testbed_get_dev_fd(bed, path);
	assert_true(fd >= 0);
	return fd;
}

static inline struct rtb_link_options options(const char *spec)
{
	return (struct rtb_link_options){.spec = spec, .baud = 921600, .dtr = -1, .rts = -1};
}

static inline struct rtb_link *open_ok(const struct rtb_link_options *o)
{
	struct rtb_link *l;
	struct rtb_error e = {0};
	if (rtb_link_open(o, &l, &e) != RTB_OK)
		fail_msg("%s: %s", rtb_status_word(e.status), e.text);
	return l;
}

static inline void open_fails_with(const struct rtb_link_options *o, enum rtb_status want, const char *text)
{
	struct rtb_link *l;
	struct rtb_error e = {0};
	enum rtb_status s = rtb_link_open(o, &l, &e);
	if (s != want || !strstr(e.text, text) || l)
		fail_msg("%s: \"%s\"", rtb_status_word(s), e.text);
}

static inline void hears(struct rtb_link *l, int fd, const void *bytes, size_t n)
{
	unsigned char buf[256];
	size_t got;
	struct rtb_error e = {0};
	assert_int_equal(write(fd, bytes, n), n);
	for (size_t len = 0; len < n; len += got) {
		assert_int_equal(rtb_link_read(l, buf, n - len, LONG_MS, &got, &e), RTB_OK);
		assert_true(got > 0);
		assert_memory_equal(buf, (const char *)bytes + len, got);
	}
}

#endif
