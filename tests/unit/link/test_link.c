/* Links that need no hardware: ptys, files, FIFOs, Unix and TCP sockets, for real. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "link/link.h"

enum { SOON_MS = 20, LONG_MS = 10000 };

static char dir[64];

static int make_dir(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/rtb-link-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	char cmd[128];
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

static const char *in_dir(const char *name)
{
	static char path[4][128];
	static unsigned next;
	char *p = path[next++ % 4];
	snprintf(p, sizeof *path, "%s/%s", dir, name);
	return p;
}

static enum rtb_status try_open(const char *scheme, const char *where, unsigned wait_ms,
				const rtb_flag *cancel, struct rtb_link **l, struct rtb_error *e)
{
	char spec[256];
	snprintf(spec, sizeof spec, "%s%s", scheme, where);
	struct rtb_link_options o = {.spec = spec, .baud = 115200, .dtr = -1, .rts = -1,
				     .open_wait_ms = wait_ms, .cancel = cancel};
	*e = (struct rtb_error){0};
	enum rtb_status s = rtb_link_open(&o, l, e);
	assert_int_equal(s, e->status);
	assert_true((s == RTB_OK) == (*l != NULL));
	return s;
}

static struct rtb_link *open_ok(const char *scheme, const char *where)
{
	struct rtb_link *l;
	struct rtb_error e;
	if (try_open(scheme, where, 0, NULL, &l, &e) != RTB_OK)
		fail_msg("%s%s: %s", scheme, where, e.text);
	return l;
}

static void open_fails(const char *scheme, const char *where, enum rtb_status want, const char *text)
{
	struct rtb_link *l;
	struct rtb_error e;
	enum rtb_status s = try_open(scheme, where, 0, NULL, &l, &e);
	if (s != want || !strstr(e.text, text))
		fail_msg("%s%s gave %s: \"%s\"", scheme, where, rtb_status_word(s), e.text);
}

/* Reads exactly n bytes. */
static void expect_bytes(struct rtb_link *l, const void *want, size_t n)
{
	char have[1024];
	size_t len = 0, got;
	struct rtb_error e = {0};
	while (len < n) {
		assert_int_equal(rtb_link_read(l, have + len, n - len, LONG_MS, &got, &e), RTB_OK);
		assert_true(got > 0);
		len += got;
	}
	assert_memory_equal(have, want, n);
}

static void expect_quiet(struct rtb_link *l)
{
	char c;
	size_t got = 1;
	struct rtb_error e = {0};
	assert_int_equal(rtb_link_read(l, &c, 1, SOON_MS, &got, &e), RTB_OK);
	assert_int_equal(got, 0);
}

/* The other side is gone: said at once, every time, instead of waiting or spinning until the
 * timeout. */
static void expect_lost(struct rtb_link *l, const char *text)
{
	const struct rtb_clock *clock = rtb_clock_system();
	uint64_t begin = rtb_now_ns(clock);
	for (int i = 0; i < 3; i++) {
		char c;
		size_t got = 1;
		struct rtb_error e = {0};
		assert_int_equal(rtb_link_read(l, &c, 1, LONG_MS, &got, &e), RTB_LINK_LOST);
		assert_int_equal(got, 0);
		if (!strstr(e.text, text))
			fail_msg("%s", e.text);
	}
	assert_true(rtb_now_ns(clock) - begin < LONG_MS * UINT64_C(1000000) / 10);
}

static int open_pty(char *name)
{
	int master, slave;
	assert_int_equal(openpty(&master, &slave, name, NULL, NULL), 0);
	close(slave);
	return master;
}

static void pty_carries_every_byte(void **state)
{
	(void)state;
	char name[64];
	unsigned char all[256], back[256];
	for (int i = 0; i < 256; i++)
		all[i] = (unsigned char)i;
	int master = open_pty(name);
	struct rtb_link *l = open_ok("", name); /* guessed from /dev/pts/ */
	assert_string_equal(rtb_link_name(l), name);
	assert_int_equal(rtb_link_latency_ms(l), -1);
	assert_int_equal(write(master, all, 256), 256);
	expect_bytes(l, all, 256);
	struct rtb_error e = {0};
	assert_int_equal(rtb_link_write(l, all, 256, LONG_MS, &e), RTB_OK);
	for (size_t n = 0; n < 256;) {
		ssize_t k = read(master, back + n, 256 - n);
		assert_true(k > 0);
		n += (size_t)k;
	}
	assert_memory_equal(back, all, 256);
	expect_quiet(l);
	struct termios t;
	assert_int_equal(tcgetattr(master, &t), 0);
	assert_int_equal(t.c_cflag & HUPCL, 0);
	assert_int_equal(t.c_lflag & (ECHO | ICANON | ISIG), 0);
	rtb_link_close(l);
	close(master);
}

/* B15: half a frame, then the master goes. What came before is still delivered. */
static void pty_unplugged_in_a_frame(void **state)
{
	(void)state;
	char name[64];
	int master = open_pty(name);
	struct rtb_link *l = open_ok("pty:", name);
	assert_int_equal(write(master, "\x1e{\"t\":", 6), 6);
	expect_bytes(l, "\x1e{\"t\":", 6);
	close(master);
	expect_lost(l, name);
	struct rtb_error e = {0};
	assert_int_equal(rtb_link_write(l, "x", 1, SOON_MS, &e), RTB_LINK_LOST);
	rtb_link_close(l);
	/* EIO or ENOENT, as the system likes: either is "absent". */
	open_fails("pty:", name, RTB_LINK_ABSENT, name);
}

static void nobody_takes_the_bytes(void **state)
{
	(void)state;
	char name[64], *bulk = rtb_alloc(1 << 20);
	int master = open_pty(name);
	struct rtb_link *l = open_ok("pty:", name);
	struct rtb_error e = {0};
	assert_int_equal(rtb_link_write(l, bulk, 1 << 20, SOON_MS, &e), RTB_LINK_LOST);
	assert_non_null(strstr(e.text, "of 1048576 bytes in 20 ms"));
	free(bulk);
	rtb_link_close(l);
	close(master);
}

static void busy_names_the_holder(void **state)
{
	(void)state;
	char name[64];
	int master = open_pty(name), ready[2], end[2];
	char c;
	assert_int_equal(pipe(ready) | pipe(end), 0);
	pid_t child = fork();
	if (child == 0) {
		struct rtb_link *held = open_ok("pty:", name);
		close(end[1]);
		_exit(write(ready[1], "r", 1) != 1 || read(end[0], &c, 1) != 0 || !held);
	}
	close(end[0]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	char text[64];
	snprintf(text, sizeof text, "(pid %d)", (int)child);
	open_fails("pty:", name, RTB_LINK_BUSY, text);
	close(end[1]);
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	rtb_link_close(open_ok("pty:", name));
	close(ready[0]);
	close(ready[1]);
	close(master);
}

/* As an ordinary user, for root may open everything. */
static void denied_is_not_absent(void **state)
{
	(void)state;
	char name[64];
	int master = open_pty(name);
	assert_int_equal(chmod(name, 0), 0);
	pid_t child = fork();
	if (child == 0) {
		struct rtb_link *l;
		struct rtb_error e;
		if (getuid() == 0 && setresuid(65534, 65534, 65534) != 0)
			_exit(2);
		_exit(try_open("pty:", name, 0, NULL, &l, &e) != RTB_LINK_DENIED || !strstr(e.text, name));
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(master);
}

static void absent_things(void **state)
{
	(void)state;
	open_fails("pty:", in_dir("none"), RTB_LINK_ABSENT, "No such file");
	open_fails("", in_dir("none"), RTB_LINK_ABSENT, "No such file"); /* guessed: serial */
	open_fails("unix:", in_dir("none"), RTB_LINK_ABSENT, "No such file");
	open_fails("file:", in_dir("none"), RTB_LINK_ABSENT, "No such file");
	open_fails("serial:", "/dev/null", RTB_CONFIG, "no serial port of this system");
	open_fails("pty:", "/dev/null", RTB_CONFIG, "not a terminal");
}

static void specs_that_cannot_be(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "serial:", "tpc://host:1", "tcp://host", "tcp://:1", "tcp://host:",
					  "tcp://host:99999", "tcp://host:1x", "tcp://[]:1", "unix:"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		open_fails("", bad[i], RTB_CONFIG, "");
	char longer[200];
	memset(longer, 'x', sizeof longer);
	longer[199] = '\0';
	open_fails("unix:/", longer, RTB_CONFIG, "a socket's path has at most 107 bytes");
	char name[64];
	int master = open_pty(name);
	open_fails("serial:", name, RTB_CONFIG, "write pty:PATH");
	close(master);
}

/* The log says when the first try has failed; what is missing then comes into being. */
struct helper {
	const char *target, *link;
	struct rtb_link *held;
	rtb_flag cancel;
	int lines;
};

static void on_log(void *ctx, enum rtb_log_level level, const char *line)
{
	struct helper *h = ctx;
	if (level != RTB_LOG_INFO || !strstr(line, "; trying for"))
		return;
	h->lines++;
	if (h->held)
		rtb_link_close(h->held);
	else if (h->target)
		assert_int_equal(symlink(h->target, h->link), 0);
	else
		h->cancel = 1;
	h->held = NULL;
}

static void waits_for_what_is_not_there_yet(void **state)
{
	(void)state;
	char name[64];
	struct rtb_link *l;
	struct rtb_error e;
	int master = open_pty(name);
	struct helper h = {.target = name, .link = in_dir("by-id")};
	rtb_log_to(on_log, &h, RTB_LOG_INFO);
	assert_int_equal(try_open("pty:", h.link, LONG_MS, NULL, &l, &e), RTB_OK);
	assert_int_equal(h.lines, 1);
	/* Busy until the holder closes. */
	struct helper busy = {.held = l};
	rtb_log_to(on_log, &busy, RTB_LOG_INFO);
	assert_int_equal(try_open("pty:", name, LONG_MS, NULL, &l, &e), RTB_OK);
	assert_int_equal(busy.lines, 1);
	rtb_link_close(l);
	/* Nothing comes, but the user has had enough. */
	struct helper quit = {0};
	rtb_log_to(on_log, &quit, RTB_LOG_INFO);
	assert_int_equal(try_open("pty:", in_dir("never"), LONG_MS, &quit.cancel, &l, &e), RTB_INTERRUPTED);
	rtb_log_to(NULL, NULL, RTB_LOG_WARN);
	close(master);
}

static void file_has_an_end(void **state)
{
	(void)state;
	const char *path = in_dir("log");
	FILE *f = fopen(path, "w");
	fputs("abc", f);
	fclose(f);
	struct rtb_link *l = open_ok("file:", path);
	struct rtb_error e = {0};
	assert_int_equal(rtb_link_write(l, "G", 1, SOON_MS, &e), RTB_OK);
	expect_bytes(l, "abc", 3);
	expect_lost(l, "log");
	rtb_link_close(l);
}

static void fifo_without_a_writer_is_quiet(void **state)
{
	(void)state;
	const char *path = in_dir("fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	struct rtb_link *l = open_ok("file:", path);
	expect_quiet(l);
	int w = open(path, O_WRONLY);
	assert_int_equal(write(w, "xyz", 3), 3);
	expect_bytes(l, "xyz", 3);
	close(w);
	expect_lost(l, "closed");
	rtb_link_close(l);
}

static int listen_unix(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	strcpy(a.sun_path, path);
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(s, (struct sockaddr *)&a, sizeof a), 0);
	assert_int_equal(listen(s, 1), 0);
	return s;
}

static void unix_socket(void **state)
{
	(void)state;
	const char *path = in_dir("sock");
	int s = listen_unix(path);
	struct rtb_link *l = open_ok("", path); /* guessed from the file */
	int peer = accept(s, NULL, NULL);
	expect_quiet(l);
	assert_int_equal(write(peer, "ready\n\0\xff", 8), 8);
	expect_bytes(l, "ready\n\0\xff", 8);
	struct rtb_error e = {0};
	char c[2];
	assert_int_equal(rtb_link_write(l, "G1", 2, SOON_MS, &e), RTB_OK);
	assert_int_equal(read(peer, c, 2), 2);
	close(peer);
	expect_lost(l, "closed");
	/* A second write after the reset would raise SIGPIPE, whose default ends the process. */
	for (int i = 0; i < 3; i++)
		assert_int_equal(rtb_link_write(l, "G", 1, SOON_MS, &(struct rtb_error){0}), RTB_LINK_LOST);
	rtb_link_close(l);
	close(s);
	open_fails("unix:", path, RTB_LINK_ABSENT, "refused");
}

static int listen_tcp(char *spec)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t len = sizeof a;
	int s = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(s, (struct sockaddr *)&a, sizeof a), 0);
	assert_int_equal(listen(s, 1), 0);
	assert_int_equal(getsockname(s, (struct sockaddr *)&a, &len), 0);
	sprintf(spec, "tcp://127.0.0.1:%d", ntohs(a.sin_port));
	return s;
}

static void *slow_reader(void *arg)
{
	int peer = *(int *)arg;
	char buf[1000];
	uintptr_t sum = 0;
	ssize_t n;
	while ((n = read(peer, buf, sizeof buf)) > 0)
		for (ssize_t i = 0; i < n; i++)
			sum = sum * 31 + (unsigned char)buf[i];
	return (void *)sum;
}

static void tcp_socket_and_partial_writes(void **state)
{
	(void)state;
	enum { BULK = 4 << 20 };
	char spec[64];
	unsigned char *bulk = rtb_alloc(BULK);
	uintptr_t sum = 0;
	int s = listen_tcp(spec);
	struct rtb_link *l = open_ok("", spec);
	int peer = accept(s, NULL, NULL);
	assert_int_equal(write(peer, "x", 1), 1);
	expect_bytes(l, "x", 1);
	for (int i = 0; i < BULK; i++) {
		bulk[i] = (unsigned char)(i * 7 + i / 1000);
		sum = sum * 31 + bulk[i];
	}
	pthread_t thread;
	void *got;
	struct rtb_error e = {0};
	pthread_create(&thread, NULL, slow_reader, &peer);
	assert_int_equal(rtb_link_write(l, bulk, BULK, LONG_MS, &e), RTB_OK);
	rtb_link_close(l);
	pthread_join(thread, &got);
	assert_true((uintptr_t)got == sum);
	free(bulk);
	close(peer);
	close(s);
	open_fails("", spec, RTB_LINK_ABSENT, "refused");
}

static void drain_until_quiet(void **state)
{
	(void)state;
	char name[64];
	size_t dropped;
	struct rtb_error e = {0};
	int master = open_pty(name);
	struct rtb_link *l = open_ok("pty:", name);
	assert_int_equal(write(master, "old frames", 10), 10);
	assert_int_equal(rtb_link_drain(l, SOON_MS, LONG_MS, &dropped, &e), RTB_OK);
	assert_int_equal(dropped, 10);
	assert_int_equal(write(master, "new", 3), 3);
	expect_bytes(l, "new", 3);
	close(master);
	assert_int_equal(rtb_link_drain(l, SOON_MS, LONG_MS, &dropped, &e), RTB_LINK_LOST);
	rtb_link_close(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pty_carries_every_byte),
		cmocka_unit_test(pty_unplugged_in_a_frame),
		cmocka_unit_test(nobody_takes_the_bytes),
		cmocka_unit_test(busy_names_the_holder),
		cmocka_unit_test(denied_is_not_absent),
		cmocka_unit_test(absent_things),
		cmocka_unit_test(specs_that_cannot_be),
		cmocka_unit_test(waits_for_what_is_not_there_yet),
		cmocka_unit_test(file_has_an_end),
		cmocka_unit_test(fifo_without_a_writer_is_quiet),
		cmocka_unit_test(unix_socket),
		cmocka_unit_test(tcp_socket_and_partial_writes),
		cmocka_unit_test(drain_until_quiet),
	};
	return cmocka_run_group_tests_name("link", tests, make_dir, remove_dir);
}
