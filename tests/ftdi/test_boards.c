/* The built program on a bench that umockdev makes: boards with an adapter each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "chip.h"

static UMockdevTestbed *bed;
static char *dir; /* a project */

static void write_file(const char *name, const char *text)
{
	char *path = rtb_sprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

/* Runs rtbench in the project; its exit code. What it printed is in out. */
static int rtbench(const char *args, struct rtb_buf *out)
{
	char buf[4096];
	size_t n;
	char *cmd = rtb_sprintf("cd %s && RTBENCH_HOME=%s RTBENCH_LOCK_DIR=%s %s/rtbench %s 2>&1", dir, getenv("RTB_SRCDIR"),
				dir, getenv("RTB_BUILDDIR"), args);
	FILE *f = popen(cmd, "r");
	assert_non_null(f);
	rtb_buf_clear(out);
	while ((n = fread(buf, 1, sizeof buf, f)) > 0)
		rtb_buf_add(out, buf, n);
	int rc = pclose(f);
	free(cmd);
	return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

static void says(const struct rtb_buf *out, const char *text)
{
	if (!strstr(rtb_buf_cstr(out), text))
		fail_msg("\"%s\" is not in:\n%s", text, rtb_buf_cstr(out));
}

static int set_up(void **state)
{
	(void)state;
	char template[] = "/tmp/rtb-boards-XXXXXX";
	dir = rtb_strdup(mkdtemp(template));
	char *cmd = rtb_sprintf("mkdir -p %s/targets/t", dir);
	int rc = system(cmd);
	free(cmd);
	write_file("targets/t/target.toml",
		   "base = \"gd32f103cbt6\"\nflash = \"null\"\n[link]\nspec = \"unix:nothing\"\nopen_wait_ms = 0\n"
		   "[openocd]\nprobe_usb = \"\"\n[adapter]\nkind = \"ftdi\"\ndevice = \"FT1\"\nmode = \"cbus\"\nreset = \"2\"\npower = \"3\"\n"
		   "reset_ms = 1\npower_ms = 1\nsettle_ms = 0\n");
	write_file("rtbench.toml",
		   "[matrix]\ntarget = [\"t\"]\nkernel = [\"bare\"]\nopt = [\"O1\", \"O2\"]\nsamples = 10\ncase = [\"yield\"]\n"
		   "[retry]\nattempts = 4\nbackoff_ms = 1\n"
		   "[[board]]\nname = \"left\"\ntarget = \"t\"\nlink = \"unix:left\"\n"
		   "[[board]]\nname = \"right\"\ntarget = \"t\"\nlink = \"unix:right\"\nadapter_device = \"FT2\"\n");
	return rc;
}

static int tear_down(void **state)
{
	(void)state;
	char *cmd = rtb_sprintf("rm -rf %s", dir);
	int rc = system(cmd);
	free(cmd);
	free(dir);
	return rc;
}

static const char pulse[] = "SET_BITMODE value 2040", cut[] = "SET_BITMODE value 2080";

static void by_hand_the_board_named_is_reset(void **state)
{
	(void)state;
	struct rtb_buf out = {0};
	struct chip *left = chip_plug(bed, CHIP_FT232R, 5, "FT1"), *right = chip_plug(bed, CHIP_FT232R, 6, "FT2");
	int named = rtbench("board reset --board right", &out);
	bool both = chip_asked(left, "SET_BITMODE");
	bool done = chip_asked(right, pulse);
	chip_forget_requests(right);
	int of_two = rtbench("board reset --target t", &out);
	bool touched = chip_asked(left, "SET_BITMODE") || chip_asked(right, "SET_BITMODE");
	chip_unplug(left, bed);
	chip_unplug(right, bed);
	assert_int_equal(named, 0);
	assert_true(done);
	assert_false(both);
	assert_int_equal(of_two, 2);
	assert_false(touched);
	says(&out, "which board? --board names one of left, right");
	rtb_buf_free(&out);
}

/* Neither board is there: each climbs its ladder by its own chip, and says so with the time. */
static void a_sweep_resets_each_board_by_its_own(void **state)
{
	(void)state;
	struct rtb_buf out = {0};
	struct chip *left = chip_plug(bed, CHIP_FT232R, 5, "FT1"), *right = chip_plug(bed, CHIP_FT232R, 6, "FT2");
	int rc = rtbench("run --matrix", &out);
	bool l = chip_asked(left, pulse) && chip_asked(left, cut), r = chip_asked(right, pulse) && chip_asked(right, cut);
	chip_unplug(left, bed);
	chip_unplug(right, bed);
	assert_int_equal(rc, 7);
	static const char *const steps[] = {"left: recovery: link and probe failed after ", "left: recovery: reset pin, ",
		"left: recovery: power cycle, ", "right: recovery: reset pin, ", "right: recovery: power cycle, "};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		says(&out, steps[i]);
	assert_true(l && r);
	/* the chip of one pulled out: said, and the sweep goes on */
	left = chip_plug(bed, CHIP_FT232R, 5, "FT1");
	rc = rtbench("run --matrix", &out);
	l = chip_asked(left, pulse) && chip_asked(left, cut);
	chip_unplug(left, bed);
	assert_int_equal(rc, 7);
	says(&out, "right: recovery: reset pin failed after ");
	says(&out, "FT2: no such device on the USB");
	assert_true(l);
	rtb_buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(by_hand_the_board_named_is_reset, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_sweep_resets_each_board_by_its_own, set_up, tear_down),
	};
	const char *preload = getenv("LD_PRELOAD");
	if (!preload || !strstr(preload, "umockdev")) {
		fprintf(stderr, "run under umockdev-wrapper\n");
		return 1;
	}
	bed = umockdev_testbed_new();
	int failed = cmocka_run_group_tests_name("boards", tests, NULL, NULL);
	g_object_unref(bed);
	return failed;
}
