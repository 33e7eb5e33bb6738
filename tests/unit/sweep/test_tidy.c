/* What is old goes, what is in use or not ours stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "sweep/tidy.h"

#define DAY 86400
#define NOW 1800000000

static char work[] = "/tmp/rtb-tidy-XXXXXX";

static void put(const char *name, time_t when)
{
	char *path = rtb_sprintf("%s/%s", work, name), *cmd = rtb_sprintf("mkdir -p $(dirname %s) && touch %s", path, path);
	assert_int_equal(system(cmd), 0);
	struct timespec t[2] = {{.tv_sec = when}, {.tv_sec = when}};
	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
	free(cmd);
	free(path);
}

static bool there(const char *name)
{
	char *path = rtb_sprintf("%s/%s", work, name);
	bool yes = access(path, F_OK) == 0;
	free(path);
	return yes;
}

static void age(const char *dir, time_t when)
{
	char *path = rtb_sprintf("%s/%s", work, dir);
	struct timespec t[2] = {{.tv_sec = when}, {.tv_sec = when}};
	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
	free(path);
}

static void old_images_and_logs_go(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(work));
	put("cells/old/.lock", NOW - 40 * DAY);
	put("cells/old/obj/deep/x.o", NOW - 40 * DAY);
	put("cells/old/build.log", NOW - 31 * DAY);
	put("cells/new/.lock", NOW - 40 * DAY);
	put("cells/new/build.log", NOW - 29 * DAY); /* asked for since */
	put("cells/held/.lock", NOW - 40 * DAY);
	put("cells/held/build.log", NOW - 31 * DAY);
	put("cells/thesis/build.log", NOW - 99 * DAY); /* no lock: not made by a build of ours */
	put("logs/sweep-1/a/openocd.log", NOW - 31 * DAY);
	age("logs/sweep-1", NOW - 31 * DAY);
	put("logs/sweep-2/a/openocd.log", NOW - 31 * DAY);
	age("logs/sweep-2", NOW - 3 * DAY);
	put("logs/mine/x", NOW - 31 * DAY);
	age("logs/mine", NOW - 31 * DAY);
	char *path = rtb_sprintf("%s/cells/held/.lock", work);
	int lock = open(path, O_RDWR);
	assert_int_equal(flock(lock, LOCK_EX), 0);

	assert_int_equal(rtb_tidy(work, 0, (uint64_t)NOW * 1000000000u), 0);
	assert_true(there("cells/old"));
	assert_int_equal(rtb_tidy(work, 30, (uint64_t)NOW * 1000000000u), 2);
	assert_false(there("cells/old"));
	assert_false(there("logs/sweep-1"));
	assert_true(there("cells/new/build.log") && there("cells/held/build.log") && there("cells/thesis/build.log"));
	assert_true(there("logs/sweep-2/a/openocd.log") && there("logs/mine/x"));
	close(lock);
	free(path);
	assert_int_equal(rtb_tidy("/nowhere", 30, (uint64_t)NOW * 1000000000u), 0);
	char *cmd = rtb_sprintf("rm -r %s", work);
	assert_int_equal(system(cmd), 0);
	free(cmd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(old_images_and_logs_go)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
