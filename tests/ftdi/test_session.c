/* Whole conversations with a board through an emulated chip: the virtual board with a real image stands
 * behind the chip's serial line, and the product's session code, libftdi1 and libusb run in front of it.
 * The records must be those that come through the board's socket directly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/process.h"
#include "build/image.h"
#include "chip.h"
#include "link/session.h"

#define SAMPLES 1000
#define RAW 200 /* of them in raw frames, so that frames are longer than packets */

static UMockdevTestbed *bed;
static char *dir, *serial;
static struct rtb_service board;
static struct rtb_image image;

static int set_up(void **state)
{
	(void)state;
	char template[] = "/tmp/rtb-session-XXXXXX";
	struct rtb_error e = {0};
	dir = rtb_strdup(mkdtemp(template));
	serial = rtb_sprintf("%s/serial", dir);
	char *elf = rtb_sprintf("%s/tests/ftdi/bare/rtbench.elf", getenv("RTB_BUILDDIR"));
	char *vboard = rtb_sprintf("%s/rtbench-vboard", getenv("RTB_BUILDDIR")), *at = rtb_sprintf("unix:%s", serial);
	char *log = rtb_sprintf("%s/log", dir);
	const char *const argv[] = {vboard, "--load", elf, "--serial", at, NULL};
	enum rtb_status s = rtb_image_read(elf, &image, &e);
	if (s == RTB_OK)
		s = rtb_service_start(argv, NULL, log, &board, &e);
	free(elf);
	free(vboard);
	free(at);
	free(log);
	if (s != RTB_OK)
		fprintf(stderr, "%s\n", e.text);
	return s != RTB_OK;
}

static int tear_down(void **state)
{
	(void)state;
	rtb_service_stop(&board, rtb_clock_system(), 1000);
	rtb_image_free(&image);
	char *cmd = rtb_sprintf("rm -rf %s", dir);
	int rc = system(cmd);
	free(cmd);
	free(dir);
	free(serial);
	return rc;
}

static void keep(void *ctx, const void *p, size_t n)
{
	rtb_buf_add(ctx, p, n);
}

/* One conversation of three cases; all bytes that came are in out. */
static void talk(const char *spec, struct rtb_buf *out, struct rtb_session_counts *counts)
{
	static const char *const cases[] = {"calibrate", "yield", "isr_to_task"};
	struct rtb_link *l = NULL;
	struct rtb_error e = {0};
	struct rtb_link_options o = {.spec = spec, .baud = 921600, .dtr = -1, .rts = -1, .open_wait_ms = 20000};
	if (rtb_link_open(&o, &l, &e) != RTB_OK)
		fail_msg("%s: %s", spec, e.text);
	struct rtb_session s = {.link = l, .clock = rtb_clock_system(), .limits = {60000, 60000, 60000, 120000},
				.build_id = image.build_id, .handshake = true, .on_bytes = keep, .ctx = out};
	rtb_session_init(&s);
	enum rtb_status st = RTB_OK;
	for (size_t i = 0; st == RTB_OK && i < sizeof cases / sizeof *cases; i++) {
		struct rtb_message_list list = {0};
		st = rtb_session_case(&s, cases[i], SAMPLES, RAW, &list, &e);
		rtb_message_list_free(&list);
	}
	*counts = s.counts;
	unsigned long long bad = s.decoder.counts.bad_crc + s.decoder.counts.bad_frame;
	rtb_session_free(&s);
	rtb_link_close(l);
	if (st != RTB_OK)
		fail_msg("%s: %s: %s", spec, rtb_status_word(st), e.text);
	assert_int_equal(bad, 0);
}

/* The lines of frames of a type, without the nonce and the checksum over it. */
static char *frames_of(struct rtb_buf *bytes, const char *type, size_t *n)
{
	static const char key[] = "\"nonce\":\"";
	struct rtb_buf out = {0};
	char *want = rtb_sprintf("\"t\":\"%s\"", type);
	*n = 0;
	for (const char *p = rtb_buf_cstr(bytes); (p = strchr(p, 0x1e)); p++) {
		size_t len = strcspn(p, "\n");
		char *line = rtb_sprintf("%.*s", (int)len, p);
		char *nonce = strstr(line, key), *crc = strrchr(line, ' ');
		if (strstr(line, want)) {
			assert_non_null(nonce);
			assert_non_null(crc);
			memset(nonce + sizeof key - 1, 'x', 8);
			*crc = '\0';
			rtb_buf_fmt(&out, "%s\n", line);
			++*n;
		}
		free(line);
	}
	free(want);
	return out.data ? out.data : rtb_strdup("");
}

static int connect_wire(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	snprintf(a.sun_path, sizeof a.sun_path, "%s", serial);
	assert_int_equal(connect(fd, (struct sockaddr *)(void *)&a, sizeof a), 0);
	return fd;
}

static void through(enum chip_kind kind, const char *spec, struct rtb_buf *out)
{
	struct chip *c = chip_plug(bed, kind, 5, "FT1");
	int fd = connect_wire();
	struct rtb_session_counts counts;
	chip_wire(c, fd);
	talk(spec, out, &counts);
	/* all that the host said, in bulk transfers */
	unsigned commands = 0;
	for (const char *p = chip_sent(c); (p = strchr(p, 'G')); p++)
		commands++;
	assert_int_equal(commands, counts.commands);
	assert_true(commands >= 3);
	chip_unplug(c, bed);
	close(fd);
}

static void records_are_those_of_the_socket(void **state)
{
	(void)state;
	static const struct { enum chip_kind kind; const char *spec; } ways[] = {
		{CHIP_FT232R, "ftdi://FT1"}, {CHIP_FT2232H, "ftdi://FT1/B"}};
	static const char *const types[] = {"record", "raw", "stack"};
	struct rtb_buf direct = {0};
	struct rtb_session_counts counts;
	char *spec = rtb_sprintf("unix:%s", serial);
	talk(spec, &direct, &counts);
	free(spec);
	for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
		struct rtb_buf chip = {0};
		through(ways[w].kind, ways[w].spec, &chip);
		for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
			size_t n, m;
			char *want = frames_of(&direct, types[i], &n), *have = frames_of(&chip, types[i], &m);
			assert_true(n >= 3);
			assert_int_equal(m, n);
			assert_string_equal(have, want);
			free(want);
			free(have);
		}
		rtb_buf_free(&chip);
	}
	rtb_buf_free(&direct);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(records_are_those_of_the_socket, set_up, tear_down)};
	const char *preload = getenv("LD_PRELOAD");
	if (!preload || !strstr(preload, "umockdev")) {
		fprintf(stderr, "run under umockdev-wrapper\n");
		return 1;
	}
	bed = umockdev_testbed_new();
	int failed = cmocka_run_group_tests_name("ftdi sessions", tests, NULL, NULL);
	g_object_unref(bed);
	return failed;
}
