/* Children: their output, their deadline, their whole group. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

static struct rtb_process_result run(const char *sh, unsigned timeout_ms, size_t limit)
{
	const char *argv[] = {"/bin/sh", "-c", sh, NULL};
	struct rtb_process_spec s = {.argv = argv, .timeout_ms = timeout_ms, .grace_ms = 100,
				     .output_limit = limit};
	struct rtb_process_result r;
	struct rtb_error e = {0};
	assert_int_equal(rtb_process_run(&s, rtb_clock_system(), &r, &e), RTB_OK);
	return r;
}

static void exit_code_and_output(void **state)
{
	(void)state;
	struct rtb_process_result r = run("echo out; echo err >&2; exit 7", 0, 0);
	assert_int_equal(r.exit_code, 7);
	assert_int_equal(r.signal, 0);
	assert_string_equal(rtb_buf_cstr(&r.output), "out\nerr\n");
	rtb_buf_free(&r.output);
}

static void death_by_signal_is_no_exit_code(void **state)
{
	(void)state;
	struct rtb_process_result r = run("kill -ABRT $$", 0, 0);
	assert_int_equal(r.exit_code, -1);
	assert_int_equal(r.signal, SIGABRT);
	rtb_buf_free(&r.output);
}

static void stdin_is_empty(void **state)
{
	(void)state;
	struct rtb_process_result r = run("cat; echo end", 0, 0);
	assert_string_equal(rtb_buf_cstr(&r.output), "end\n");
	rtb_buf_free(&r.output);
}

static void output_does_not_extend_the_deadline(void **state)
{
	(void)state;
	struct rtb_process_result r = run("trap '' TERM; while :; do echo x; done", 100, 4096);
	assert_true(r.timed_out);
	assert_int_equal(r.signal, SIGKILL);
	assert_true(r.output.len <= 4096 + 64);
	rtb_buf_free(&r.output);
}

/* Neither gone nor a zombie that waits for init. */
static bool runs(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	struct rtb_buf b = {0};
	bool alive = rtb_buf_read_file(&b, path, 4096) == 0 && !strstr(rtb_buf_cstr(&b), ") Z");
	rtb_buf_free(&b);
	return alive;
}

static void the_whole_group_goes(void **state)
{
	(void)state;
	/* The grandchild would hold the pipe open and outlive its parent. */
	struct rtb_process_result r = run("sleep 1000 & echo $!; exit 0", 5000, 0);
	assert_int_equal(r.exit_code, 0);
	pid_t grandchild = (pid_t)atoi(rtb_buf_cstr(&r.output));
	assert_true(grandchild > 1);
	bool gone = false;
	for (int i = 0; i < 1000000 && !gone; i++)
		gone = !runs(grandchild);
	assert_true(gone);
	rtb_buf_free(&r.output);
}

/* A process of its own runs a child that starts another, and is killed. */
static void killed_itself_it_leaves_no_grandchild(void **state)
{
	(void)state;
	int say[2];
	assert_int_equal(pipe(say), 0);
	pid_t user = fork();
	if (user == 0) {
		dup2(say[1], 9); /* the shell names descriptors of one digit only */
		run("sleep 1000 & echo $! >&9; wait", 0, 0);
		_exit(0);
	}
	char text[16] = "";
	assert_true(read(say[0], text, sizeof text - 1) > 0);
	pid_t grandchild = (pid_t)atoi(text);
	assert_true(grandchild > 1);
	struct pollfd p = {(int)syscall(SYS_pidfd_open, grandchild, 0), POLLIN, 0};
	assert_true(p.fd >= 0);
	assert_int_equal(poll(&p, 1, 0), 0);
	kill(user, SIGKILL);
	waitpid(user, NULL, 0);
	assert_int_equal(poll(&p, 1, 20000), 1);
	close(p.fd);
	close(say[0]);
	close(say[1]);
}

/* Good also when the process has gone and its number is another's. */
static int handle_on(pid_t pid)
{
	int fd = pid > 1 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	assert_true(fd >= 0);
	return fd;
}

static bool ends(int handle, int within_ms)
{
	struct pollfd p = {handle, POLLIN, 0};
	return poll(&p, 1, within_ms) == 1;
}

static void make_pipe(int p[2])
{
	assert_int_equal(pipe2(p, O_CLOEXEC), 0);
	assert_true(p[0] != 9 && p[1] != 9);
}

/* A service that has started something itself, and where it says the other's number. */
static struct rtb_service start_service(const char *script, int say, const char *log)
{
	struct rtb_service s;
	struct rtb_error e = {0};
	assert_true(dup2(say, 9) == 9); /* the shell names descriptors of one digit only */
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	assert_int_equal(rtb_service_start(argv, NULL, log, &s, &e), RTB_OK);
	close(9);
	return s;
}

static pid_t hear(int from)
{
	char text[16] = "";
	assert_true(read(from, text, sizeof text - 1) > 0);
	return (pid_t)atoi(text);
}

/* rtbench as a process of its own, with a service, and killed. */
static void killed_itself_it_leaves_no_service(void **state)
{
	(void)state;
	int say[2], tell[2];
	make_pipe(say);
	make_pipe(tell);
	pid_t user = fork();
	if (user == 0) {
		struct rtb_service s = start_service("trap '' TERM; sleep 1000 & echo $! >&9; wait", say[1], "/dev/null");
		pid_t own[2] = {s.pid, s.guard.pid};
		if (write(tell[1], own, sizeof own) == sizeof own)
			for (;;)
				pause();
		_exit(1);
	}
	pid_t own[2];
	assert_int_equal(read(tell[0], own, sizeof own), sizeof own);
	int all[] = {handle_on(own[0]), handle_on(own[1]), handle_on(hear(say[0]))};
	for (size_t i = 0; i < 3; i++)
		assert_false(ends(all[i], 0));
	kill(user, SIGKILL);
	waitpid(user, NULL, 0);
	for (size_t i = 0; i < 3; i++) {
		assert_true(ends(all[i], 20000));
		close(all[i]);
	}
	for (size_t i = 0; i < 2; i++) {
		close(say[i]);
		close(tell[i]);
	}
}

static void a_service_takes_along_what_it_started(void **state)
{
	(void)state;
	static const char *const scripts[] = {
		"sleep 1000 & echo $! >&9; wait",               /* goes with TERM */
		"trap '' TERM; sleep 1000 & echo $! >&9; wait", /* has to be killed */
		"sleep 1000 & echo $! >&9; exit 3",             /* has gone by itself, and was asked whether it had */
	};
	for (size_t i = 0; i < 3; i++) {
		int say[2], st = 0;
		make_pipe(say);
		struct rtb_service s = start_service(scripts[i], say[1], "/dev/null");
		int guard = handle_on(s.guard.pid), other = handle_on(hear(say[0]));
		assert_false(ends(guard, 0));
		if (i == 2) {
			while (rtb_service_alive(&s, &st))
				;
			assert_int_equal(WEXITSTATUS(st), 3);
		}
		rtb_service_stop(&s, rtb_clock_system(), 50);
		assert_int_equal(s.pid, 0);
		assert_int_equal(s.guard.pid, 0);
		assert_true(ends(guard, 0)); /* waited for */
		assert_true(ends(other, 20000));
		close(guard);
		close(other);
		close(say[0]);
		close(say[1]);
	}
}

static void cut_output_keeps_both_ends(void **state)
{
	(void)state;
	struct rtb_process_result r =
		run("echo first; i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; echo last", 0, 2048);
	assert_int_equal(strncmp(r.output.data, "first\n", 6), 0);
	assert_string_equal(r.output.data + r.output.len - 5, "last\n");
	assert_non_null(strstr(r.output.data, "[... output cut here ...]"));
	assert_true(r.output.len <= 2048 + 64);
	rtb_buf_free(&r.output);
}

static void missing_program(void **state)
{
	(void)state;
	const char *argv[] = {"/nonexistent/openocd", NULL};
	struct rtb_process_spec s = {.argv = argv};
	struct rtb_process_result r;
	struct rtb_error e = {0};
	assert_int_equal(rtb_process_run(&s, rtb_clock_system(), &r, &e), RTB_NO_TOOL);
	assert_int_equal(r.exec_errno, ENOENT);
	assert_non_null(strstr(e.text, "/nonexistent/openocd"));
	rtb_buf_free(&r.output);
}

static void first_error_wins(void **state)
{
	(void)state;
	struct rtb_error e = {0};
	rtb_fail(&e, RTB_FLASH, "the cause\nin two lines");
	rtb_fail(&e, RTB_INTERNAL, "the clean-up");
	assert_int_equal(e.status, RTB_FLASH);
	assert_string_equal(e.text, "the cause in two lines");
}

static void words_are_distinct(void **state)
{
	(void)state;
	for (int i = 0; i < RTB_STATUS_COUNT; i++)
		assert_int_equal(rtb_status_from_word(rtb_status_word((enum rtb_status)i)), i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_code_and_output),
		cmocka_unit_test(death_by_signal_is_no_exit_code),
		cmocka_unit_test(stdin_is_empty),
		cmocka_unit_test(output_does_not_extend_the_deadline),
		cmocka_unit_test(the_whole_group_goes),
		cmocka_unit_test(killed_itself_it_leaves_no_grandchild),
		cmocka_unit_test(killed_itself_it_leaves_no_service),
		cmocka_unit_test(a_service_takes_along_what_it_started),
		cmocka_unit_test(cut_output_keeps_both_ends),
		cmocka_unit_test(missing_program),
		cmocka_unit_test(first_error_wins),
		cmocka_unit_test(words_are_distinct),
	};
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
