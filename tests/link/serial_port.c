/* The libserialport link for real: /sys and /dev are umockdev's, a port is a pty of its making,
 * and modem_shim.so adds the modem lines. Runs only under both preloads (link.mk). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <umockdev.h>
#include <unistd.h>

#include "base/log.h"
#include "bed.h"


static int *lines, *no_lines, *open_errno, *open_fails;
static char log_text[1024];

static void keep_log(void *ctx, enum rtb_log_level level, const char *line)
{
	(void)ctx, (void)level;
	snprintf(log_text + strlen(log_text), sizeof log_text - strlen(log_text), "%s\n", line);
}

static int set_up(void **state)
{
	(void)state;
	lines = dlsym(RTLD_DEFAULT, "shim_lines");
	no_lines = dlsym(RTLD_DEFAULT, "shim_no_lines");
	open_errno = dlsym(RTLD_DEFAULT, "shim_open_errno");
	open_fails = dlsym(RTLD_DEFAULT, "shim_open_fails");
	if (!lines || !no_lines || !open_errno || !open_fails)
		return -1;
	*lines = *no_lines = *open_fails = 0;
	log_text[0] = '\0';
	rtb_log_to(keep_log, NULL, RTB_LOG_INFO);
	bed = umockdev_testbed_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	rtb_log_to(NULL, NULL, RTB_LOG_WARN);
	g_object_unref(bed);
	return 0;
}

/* An adapter at bus position 1-<n> whose tty is called name, with a by-id link when stable. */
static void plug(int n, const char *name, const char *vid, const char *pid, const char *serial, bool by_id)
{
	char text[1024], link[128] = "";
	bool ftdi = strncmp(name, "ttyUSB", 6) == 0;
	snprintf(text, sizeof text, "P: /devices/usb1/1-%d\nE: SUBSYSTEM=usb\nA: idVendor=%s\\n\nA: idProduct=%s\\n\n"
		 "A: serial=%s\\n\nA: busnum=1\\n\nA: devnum=%d\\n\n\n", n, vid, pid, serial, n);
	add(text);
	snprintf(text, sizeof text, "P: /devices/usb1/1-%d/1-%d:1.0/%s\nE: SUBSYSTEM=usb-serial\n%s\n", n, n, name,
		 ftdi ? "A: latency_timer=16\\n\n" : "");
	add(text);
	if (by_id)
		snprintf(link, sizeof link, "S: serial/by-id/usb-%s_%s-if00\n", vid, serial);
	snprintf(text, sizeof text, "P: /devices/usb1/1-%d/1-%d:1.0/%s/tty/%s\nN: %s\n%sE: DEVNAME=/dev/%s\n"
		 "E: SUBSYSTEM=tty\nA: dev=188:%d\nL: device=../../../%s\n\n", n, n, name, name, name, link, name, n,
		 name);
	add(text);
}

/* In baud; the kernel's own request, for libc's knows the standard rates alone. */
struct termios2 {
	tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
	cc_t c_line, c_cc[19];
	speed_t c_ispeed, c_ospeed;
};
static unsigned speed(int fd)
{
	struct termios2 t;
	assert_int_equal(ioctl(fd, TCGETS2, &t), 0);
	return t.c_ospeed;
}

static void says(struct rtb_link *l, int fd, const void *bytes, size_t n)
{
	unsigned char buf[256];
	struct rtb_error e = {0};
	assert_int_equal(rtb_link_write(l, bytes, n, LONG_MS, &e), RTB_OK);
	for (size_t len = 0; len < n;) {
		ssize_t k = read(fd, buf, n - len);
		assert_true(k > 0);
		assert_memory_equal(buf, (const char *)bytes + len, k);
		len += (size_t)k;
	}
}

#define BY_ID "/dev/serial/by-id/usb-0403_A1-if00"

static void opens_raw_by_its_stable_name(void **state)
{
	(void)state;
	plug(1, "ttyUSB0", "0403", "6001", "A1", true);
	struct rtb_link_options o = options("serial:" BY_ID);
	o.usb_vid_pid = "0403:6001";
	o.usb_serial = "A1";
	struct rtb_link *l = open_ok(&o);
	assert_string_equal(rtb_link_name(l), "/dev/ttyUSB0 via " BY_ID);
	int fd = wire("ttyUSB0");
	struct termios t;
	assert_int_equal(tcgetattr(fd, &t), 0);
	assert_int_equal(speed(fd), 921600);
	assert_int_equal(t.c_cflag & (CSIZE | PARENB | CSTOPB | CRTSCTS | HUPCL | CLOCAL), CS8 | CLOCAL);
	assert_int_equal(t.c_iflag, IGNBRK | IGNPAR);
	assert_int_equal(t.c_lflag & (ECHO | ICANON | ISIG | IEXTEN), 0);
	assert_int_equal(t.c_oflag & OPOST, 0);

	unsigned char all[256];
	for (int i = 0; i < 256; i++)
		all[i] = (unsigned char)i;
	hears(l, fd, all, 256);
	says(l, fd, all, 256);
	size_t got = 1;
	struct rtb_error e = {0};
	assert_int_equal(rtb_link_read(l, all, 256, SOON_MS, &got, &e), RTB_OK);
	assert_int_equal(got, 0);
	rtb_link_close(l);
}

static void odd_baud_rates(void **state)
{
	(void)state;
	static const unsigned rate[] = {115200, 250000, 12345, 1000000};
	plug(1, "ttyUSB0", "0403", "6001", "A1", false);
	for (int i = 0; i < 4; i++) {
		struct rtb_link_options o = options("/dev/ttyUSB0");
		o.baud = rate[i];
		struct rtb_link *l = open_ok(&o);
		assert_string_equal(rtb_link_name(l), "/dev/ttyUSB0");
		assert_int_equal(speed(wire("ttyUSB0")), rate[i]);
		hears(l, wire("ttyUSB0"), "ready\r\n", 7);
		rtb_link_close(l);
	}
	struct rtb_link_options o = options("serial:/dev/ttyUSB0");
	o.baud = 0;
	open_fails_with(&o, RTB_CONFIG, "needs a baud rate");
}

/* B13: after a replug the numbers have changed places. */
static void numbers_swap(void **state)
{
	(void)state;
	plug(1, "ttyUSB0", "0403", "6001", "A1", true);
	plug(2, "ttyUSB1", "0403", "6001", "B2", true);
	struct rtb_link_options o = options("serial:" BY_ID);
	rtb_link_close(open_ok(&o));
	g_object_unref(bed);
	bed = umockdev_testbed_new();
	plug(1, "ttyUSB0", "0403", "6001", "B2", true);
	plug(2, "ttyUSB1", "0403", "6001", "A1", true);
	struct rtb_link *l = open_ok(&o);
	assert_string_equal(rtb_link_name(l), "/dev/ttyUSB1 via " BY_ID);
	rtb_link_close(l);
	/* By its bare number the wrong one is opened; only the check notices. */
	o = options("serial:/dev/ttyUSB0");
	o.usb_serial = "A1";
	open_fails_with(&o, RTB_LINK_ABSENT, "has serial \"B2\", not \"A1\"");
	o.usb_serial = NULL;
	o.usb_vid_pid = "1a86:7523";
	open_fails_with(&o, RTB_LINK_ABSENT, "is 0403:6001, not 1a86:7523");
	o.usb_vid_pid = "0403:6001";
	rtb_link_close(open_ok(&o));
}

/* B13: two adapters, one by-id name. */
static void twins(void **state)
{
	(void)state;
	plug(1, "ttyUSB0", "0403", "6001", "A1", true);
	plug(2, "ttyUSB1", "0403", "6001", "A1", false);
	struct rtb_link_options o = options("serial:" BY_ID);
	open_fails_with(&o, RTB_CONFIG, "use the one under /dev/serial/by-path");
	o.spec = "serial:/dev/ttyUSB1";
	rtb_link_close(open_ok(&o));
}

/* B15: unplugged in mid-read. */
static void unplug(void **state)
{
	(void)state;
	plug(1, "ttyUSB0", "0403", "6001", "A1", true);
	struct rtb_link_options o = options("serial:" BY_ID);
	struct rtb_link *l = open_ok(&o);
	int fd = wire("ttyUSB0");
	hears(l, fd, "\x1e{\"t\":\"rec", 10);
	close(fd);
	const struct rtb_clock *clock = rtb_clock_system();
	uint64_t begin = rtb_now_ns(clock);
	for (int i = 0; i < 3; i++) {
		char c;
		size_t got = 1;
		struct rtb_error e = {0};
		assert_int_equal(rtb_link_read(l, &c, 1, LONG_MS, &got, &e), RTB_LINK_LOST);
		assert_int_equal(got, 0);
		assert_non_null(strstr(e.text, "/dev/ttyUSB0"));
		e = (struct rtb_error){0};
		assert_int_equal(rtb_link_write(l, "G", 1, SOON_MS, &e), RTB_LINK_LOST);
	}
	assert_true(rtb_now_ns(clock) - begin < UINT64_C(1000000000));
	rtb_link_close(l);
	umockdev_testbed_clear(bed);
	open_fails_with(&o, RTB_LINK_ABSENT, "No such file");
}

/* B16: a service probes the fresh port for a while. */
static void busy_for_a_while(void **state)
{
	(void)state;
	plug(1, "ttyACM0", "0403", "6001", "A1", false);
	struct rtb_link_options o = options("serial:/dev/ttyACM0");
	*open_errno = EBUSY;
	*open_fails = 1;
	open_fails_with(&o, RTB_LINK_BUSY, "/dev/ttyACM0: held by ");
	*open_fails = 3;
	o.open_wait_ms = LONG_MS;
	struct rtb_link *l = open_ok(&o);
	assert_int_equal(*open_fails, 0);
	assert_non_null(strstr(log_text, "held by"));
	rtb_link_close(l);
	/* No permission is not worth waiting for. */
	*open_errno = EACCES;
	*open_fails = 1;
	open_fails_with(&o, RTB_LINK_DENIED, "/dev/ttyACM0: Permission denied");
}

/* Two of us on one port: the second one is told, root or not. */
static void held_by_ourselves(void **state)
{
	(void)state;
	plug(1, "ttyUSB0", "0403", "6001", "A1", false);
	struct rtb_link_options o = options("serial:/dev/ttyUSB0");
	struct rtb_link *l = open_ok(&o);
	open_fails_with(&o, RTB_LINK_BUSY, "/dev/ttyUSB0: held by");
	rtb_link_close(l);
	rtb_link_close(open_ok(&o));
}

/* B19: levels come from the target; without a wish the lines stay as they are. */
static void line_levels(void **state)
{
	(void)state;
	plug(1, "ttyUSB0", "0403", "6001", "A1", false);
	struct rtb_link_options o = options("serial:/dev/ttyUSB0");
	*lines = TIOCM_DTR | TIOCM_RTS;
	rtb_link_close(open_ok(&o));
	assert_int_equal(*lines, TIOCM_DTR | TIOCM_RTS);
	o.rts = 0;
	rtb_link_close(open_ok(&o));
	assert_int_equal(*lines, TIOCM_DTR);
	o.rts = 1;
	o.dtr = 0;
	rtb_link_close(open_ok(&o));
	assert_int_equal(*lines, TIOCM_RTS);
}

/* B14: libserialport opens no port without modem lines; that is at least said plainly. */
static void no_modem_lines(void **state)
{
	(void)state;
	plug(1, "ttyUSB0", "0403", "6001", "A1", false);
	struct rtb_link_options o = options("serial:/dev/ttyUSB0");
	*no_lines = 1;
	open_fails_with(&o, RTB_LINK_ABSENT, "/dev/ttyUSB0: Inappropriate ioctl");
}

/* B23 */
static void latency_timer(void **state)
{
	(void)state;
	plug(1, "ttyUSB0", "0403", "6001", "A1", false);
	plug(2, "ttyACM0", "0403", "6001", "B2", false);
	struct rtb_link_options o = options("serial:/dev/ttyUSB0");
	struct rtb_link *l = open_ok(&o);
	assert_int_equal(rtb_link_latency_ms(l), 1);
	rtb_link_close(l);
	o.spec = "serial:/dev/ttyACM0";
	l = open_ok(&o);
	assert_int_equal(rtb_link_latency_ms(l), -1);
	rtb_link_close(l);
	assert_string_equal(log_text, "");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(opens_raw_by_its_stable_name), T(odd_baud_rates), T(numbers_swap), T(twins), T(unplug),
		T(busy_for_a_while), T(held_by_ourselves), T(line_levels), T(no_modem_lines), T(latency_timer),
	};
	return cmocka_run_group_tests_name("serial port", tests, NULL, NULL);
}
