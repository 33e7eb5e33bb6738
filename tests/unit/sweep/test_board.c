/* A board while it is used: who holds it, its service program, its places, its link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "sweep/board.h"

static char *scratch;

static int set_up(void **state)
{
	(void)state;
	char template[] = "/tmp/rtb-board-XXXXXX";
	scratch = rtb_strdup(mkdtemp(template));
	setenv("RTBENCH_LOCK_DIR", scratch, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	char *cmd = rtb_sprintf("rm -rf %s", scratch);
	int rc = system(cmd);
	free(cmd);
	free(scratch);
	return rc;
}

static char *put(const char *name, const char *text, mode_t mode)
{
	char *path = rtb_sprintf("%s/%s", scratch, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	chmod(path, mode);
	return path;
}

/* Loads a target made of the committed board with these lines; flash null, so no tool is needed. */
static void load(const char *lines, struct rtb_target *t)
{
	char *cmd = rtb_sprintf("mkdir -p %s/targets/x", scratch);
	assert_int_equal(system(cmd), 0);
	free(cmd);
	static const char head[] =
		"flash = \"null\"\n[mcu]\nname=\"X\"\nhclk_hz=1\n"
		"[[memory]]\nname=\"F\"\nkind=\"flash\"\nbase=0\nsize=1024\n"
		"[[memory]]\nname=\"R\"\nkind=\"ram\"\nbase=0x20000000\nsize=1024\n";
	char *text = rtb_sprintf("%s%s", head, lines);
	free(put("targets/x/target.toml", text, 0644));
	free(text);
	char *toml = put("rtbench.toml", "", 0644);
	struct rtb_project p;
	struct rtb_error e = {0};
	assert_int_equal(rtb_project_load(toml, &p, &e), RTB_OK);
	if (rtb_target_load(&p, "x", t, &e) != RTB_OK)
		fail_msg("%s", e.text);
	rtb_project_free(&p);
	free(toml);
}

static void places_are_filled_in(void **state)
{
	(void)state;
	struct rtb_target t;
	struct rtb_board b;
	struct rtb_error e = {0};
	load("[link]\nspec=\"unix:{serial}\"\n[openocd]\nbefore=[\"set A {debug}\",\"{run_dir}/{x}\"]\n"
	     "[service]\ncommand=[\"prog\",\"a{serial}b\"]\n", &t);
	assert_int_equal(rtb_board_open(&t, rtb_clock_system(), NULL, &b, &e), RTB_OK);
	char *want = rtb_sprintf("unix:%s/serial", b.run_dir);
	assert_string_equal(b.spec, want);
	free(want);
	want = rtb_sprintf("set A %s/debug", b.run_dir);
	assert_string_equal(b.before[0], want);
	free(want);
	want = rtb_sprintf("%s/{x}", b.run_dir);
	assert_string_equal(b.before[1], want);
	free(want);
	assert_non_null(strstr(b.command[1], "/serialb"));
	char *dir = rtb_strdup(b.run_dir);
	rtb_board_close(&b);
	assert_int_not_equal(access(dir, F_OK), 0);
	free(dir);
	rtb_target_free(&t);
}

/* B09: one board reached by two names is one board. */
static void one_board_has_one_user(void **state)
{
	(void)state;
	struct rtb_target one, two;
	struct rtb_board a, b;
	struct rtb_error e = {0};
	free(put("port", "", 0644));
	char *link = rtb_sprintf("%s/by-id", scratch), *port = rtb_sprintf("%s/port", scratch);
	assert_int_equal(symlink(port, link), 0);
	char *first = rtb_sprintf("[link]\nspec=\"serial:%s\"\n", port);
	char *second = rtb_sprintf("[link]\nspec=\"serial:%s\"\n", link);
	load(first, &one);
	load(second, &two);
	assert_int_equal(rtb_board_open(&one, rtb_clock_system(), NULL, &a, &e), RTB_OK);
	assert_int_equal(rtb_board_open(&two, rtb_clock_system(), NULL, &b, &e), RTB_BOARD_BUSY);
	char *want = rtb_sprintf("x is in use by pid %d since 20", (int)getpid());
	assert_non_null(strstr(e.text, want));
	free(want);
	rtb_board_close(&b);
	rtb_board_close(&a);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_board_open(&two, rtb_clock_system(), NULL, &b, &e), RTB_OK);
	rtb_board_close(&b);
	rtb_target_free(&one);
	rtb_target_free(&two);
	free(first);
	free(second);
	free(link);
	free(port);
}

/* Two boards behind one probe cannot be used at once either. */
static void one_probe_has_one_user(void **state)
{
	(void)state;
	struct rtb_target one, two;
	struct rtb_board a, b;
	struct rtb_error e = {0};
	load("[link]\nspec=\"serial:/dev/a\"\n[openocd]\nprobe_serial=\"S1\"\n", &one);
	load("[link]\nspec=\"serial:/dev/b\"\n[openocd]\nprobe_serial=\"S1\"\n", &two);
	assert_int_equal(rtb_board_open(&one, rtb_clock_system(), NULL, &a, &e), RTB_OK);
	assert_int_equal(rtb_board_open(&two, rtb_clock_system(), NULL, &b, &e), RTB_BOARD_BUSY);
	rtb_board_close(&b);
	rtb_board_close(&a);
	rtb_target_free(&one);
	rtb_target_free(&two);
}

/* A holder that is killed leaves no lock behind. */
static void a_dead_holder_holds_nothing(void **state)
{
	(void)state;
	struct rtb_lock l;
	struct rtb_error e = {0};
	int ready[2];
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (rtb_lock_take(scratch, "key", "board", rtb_clock_system(), &l, NULL) != RTB_OK)
			_exit(1);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	char c;
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(rtb_lock_take(scratch, "key", "board", rtb_clock_system(), &l, &e), RTB_BOARD_BUSY);
	char *want = rtb_sprintf("board is in use by pid %d since ", (int)pid);
	assert_non_null(strstr(e.text, want));
	free(want);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(rtb_lock_take(scratch, "key", "board", rtb_clock_system(), &l, NULL), RTB_OK);
	rtb_lock_release(&l);
	close(ready[0]);
	close(ready[1]);
}

static enum rtb_status start(const char *script, unsigned timeout_ms, struct rtb_error *e)
{
	char *path = put("service", script, 0755);
	char *lines = rtb_sprintf("[link]\nspec=\"unix:{serial}\"\n[service]\ncommand=[\"%s\"]\nstart_timeout_ms=%u\n",
				  path, timeout_ms);
	struct rtb_target t;
	struct rtb_board b;
	*e = (struct rtb_error){0};
	load(lines, &t);
	assert_int_equal(rtb_board_open(&t, rtb_clock_system(), NULL, &b, e), RTB_OK);
	enum rtb_status st = rtb_board_start(&b, e);
	assert_int_equal(b.service.pid != 0, st == RTB_OK);
	rtb_board_close(&b);
	rtb_target_free(&t);
	free(lines);
	free(path);
	return st;
}

static void a_service_must_say_that_it_is_ready(void **state)
{
	(void)state;
	struct rtb_error e;
	assert_int_equal(start("#!/bin/sh\necho getting up\necho ready at last\nexec sleep 600\n", 20000, &e), RTB_OK);
	assert_int_equal(start("#!/bin/sh\necho no such chip >&2\nexit 3\n", 20000, &e), RTB_LINK_ABSENT);
	assert_non_null(strstr(e.text, "ended with 3 before it was ready; it said: no such chip"));
	assert_int_equal(start("#!/bin/sh\nkill -SEGV $$\n", 20000, &e), RTB_LINK_ABSENT);
	assert_non_null(strstr(e.text, "was ended by signal 11 before it was ready; it said: nothing"));
	assert_int_equal(start("#!/bin/sh\necho not yet\nexec sleep 600\n", 100, &e), RTB_LINK_ABSENT);
	assert_non_null(strstr(e.text, "did not say \"ready\" within 100 ms; it said: not yet"));
	assert_int_equal(start("#!/no/such/interpreter\n", 100, &e), RTB_NO_TOOL);
}

/* A server that first refuses, as one does that still holds its last client. */
static void a_link_that_hangs_up_is_tried_again(void **state)
{
	(void)state;
	struct rtb_target t;
	struct rtb_board b;
	struct rtb_error e = {0};
	size_t dropped;
	load("[link]\nspec=\"unix:{serial}\"\nopen_wait_ms=20000\n[service]\ncommand=[\"none\"]\n", &t);
	assert_int_equal(rtb_board_open(&t, rtb_clock_system(), NULL, &b, &e), RTB_OK);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	snprintf(a.sun_path, sizeof a.sun_path, "%s", b.serial);
	assert_int_equal(bind(fd, (struct sockaddr *)(void *)&a, sizeof a), 0);
	assert_int_equal(listen(fd, 4), 0);
	pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 3; i++)
			close(accept(fd, NULL, NULL));
		int client = accept(fd, NULL, NULL);
		if (client < 0 || write(client, "old bytes", 9) != 9)
			_exit(1);
		char c;
		_exit(read(client, &c, 1) == 0 ? 0 : 1);
	}
	assert_int_equal(rtb_board_link(&b, &dropped, &e), RTB_OK);
	assert_int_equal(dropped, 9);
	rtb_board_unlink(&b);
	int st;
	waitpid(pid, &st, 0);
	assert_int_equal(st, 0);
	close(fd);
	rtb_board_close(&b);
	rtb_target_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_filled_in),
		cmocka_unit_test(one_board_has_one_user),
		cmocka_unit_test(one_probe_has_one_user),
		cmocka_unit_test(a_dead_holder_holds_nothing),
		cmocka_unit_test(a_service_must_say_that_it_is_ready),
		cmocka_unit_test(a_link_that_hangs_up_is_tried_again),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
