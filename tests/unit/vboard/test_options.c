/* The command line and the specifications of faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "vboard/options.h"

static struct vb_options o;
static struct rtb_error e;

/* Parses a line of words. */
static enum rtb_status parse(const char *line)
{
	static char copy[512];
	char *argv[64] = { "rtbench-vboard" }, *save = NULL;
	int argc = 1;

	strncpy(copy, line, sizeof copy - 1);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	e = (struct rtb_error){ 0 };
	return vb_options_parse(argc, argv, &o, &e);
}

static void refused(const char *line, const char *why)
{
	assert_int_equal(parse(line), RTB_USAGE);
	if (!strstr(e.text, why))
		fail_msg("'%s' does not say '%s'", e.text, why);
}

static void test_everything_at_once(void **state)
{
	(void)state;
	assert_int_equal(parse("--mcu gd32f103cb --bitbang unix:/tmp/a --serial pty:/tmp/b --load x.elf "
			       "--cycles 1000 --semihosting --trace t --realtime --baud 115200 "
			       "--hxtal 0 --uid 000102030405060708090a0B --fault hang@5 --fault dwt-stuck"),
			 RTB_OK);
	assert_int_equal(o.debug.kind, VB_EP_UNIX);
	assert_string_equal(o.debug.path, "/tmp/a");
	assert_int_equal(o.serial.kind, VB_EP_PTY);
	assert_string_equal(o.load, "x.elf");
	assert_string_equal(o.trace, "t");
	assert_int_equal(o.cycles, 1000);
	assert_true(o.semihosting && o.realtime);
	assert_int_equal(o.baud, 115200);
	assert_int_equal(o.hxtal_hz, 0);
	assert_int_equal(o.uid[11], 0x0B);
	assert_int_equal(o.faults, 2);
	assert_int_equal(o.fault[0].kind, VB_FAULT_HANG);
	assert_int_equal(o.fault[0].number, 5);
	assert_int_equal(o.fault[1].kind, VB_FAULT_DWT_STUCK);
}

static void test_defaults(void **state)
{
	(void)state;
	assert_int_equal(parse("--bitbang tcp:0"), RTB_OK);
	assert_int_equal(o.hxtal_hz, 8000000);
	assert_int_equal(o.debug.kind, VB_EP_TCP);
	assert_int_equal(o.serial.kind, VB_EP_NONE);
	assert_false(o.realtime || o.has_uid);
	assert_int_equal(parse("--buspirate pty:/tmp/a"), RTB_OK);
	assert_int_equal(o.adapter, VB_ADAPTER_BUSPIRATE);
	assert_int_equal(o.debug.kind, VB_EP_PTY);
}

static void test_bad_words(void **state)
{
	(void)state;
	refused("--frobnicate", "--frobnicate");
	refused("--load", "--load needs a value");
	refused("--bitbang tcp:1 stray", "'stray'");
	refused("--mcu stm32", "gd32f103cb");
	refused("--bitbang pty:/x", "unix:PATH");
	refused("--bitbang tcp:1 --buspirate pty:/x", "one debug port");
	refused("--bitbang unix:", "path");
	refused("--bitbang tcp:65536", "65535");
	refused("--bitbang tcp:-1", "65535");
	refused("--serial tcp:12x", "65535");
	refused("--serial usb:1", "pty:PATH");
	refused("--cycles 0", "--cycles");
	refused("--cycles 1e6", "--cycles");
	refused("--cycles 99999999999999999999", "--cycles");
	refused("--baud 1", "--baud");
	refused("--uid 0011", "--uid");
	refused("--uid 00112233445566778899aabx", "--uid");
	refused("--fault hang", "hang@CYCLE");
}

static void test_long_path(void **state)
{
	char line[256] = "--bitbang unix:/";
	(void)state;
	memset(line + strlen(line), 'a', 120);
	refused(line, "107");
}

static void test_combinations_that_make_no_sense(void **state)
{
	(void)state;
	refused("", "the flash is empty");
	refused("--serial tcp:0", "the flash is empty");
	refused("--load x.elf", "nothing could come out");
	refused("--bitbang unix:/tmp/a --serial unix:/tmp/a", "same path");
	refused("--buspirate pty:/tmp/a --serial pty:/tmp/a", "same path");
	assert_int_equal(parse("--help"), RTB_OK);
	assert_true(o.help);
	assert_int_equal(parse("--load x --cycles 5"), RTB_OK);
}

static void test_too_many_faults(void **state)
{
	char line[512] = "--bitbang tcp:0";
	(void)state;
	for (int i = 0; i < VB_MAX_FAULTS; i++)
		strcat(line, " --fault hang@1");
	assert_int_equal(parse(line), RTB_OK);
	strcat(line, " --fault hang@1");
	refused(line, "at most");
}

static void fault_ok(const char *text, struct vb_fault *f)
{
	e = (struct rtb_error){ 0 };
	if (vb_fault_parse(text, f, &e) != RTB_OK)
		fail_msg("%s", e.text);
}

static void test_faults_as_written(void **state)
{
	struct vb_fault f;
	(void)state;
	fault_ok("serial-drop:100,session=2,restart=3,once", &f);
	assert_int_equal(f.kind, VB_FAULT_SERIAL_DROP);
	assert_int_equal(f.number, 100);
	assert_int_equal(f.session, 2);
	assert_int_equal(f.restart, 3);
	assert_int_equal(f.boot, 0);
	assert_true(f.once);
	fault_ok("brownout@flash:500", &f);
	assert_int_equal(f.number, 500);
	fault_ok("clock:0.5", &f);
	assert_true(f.factor == 0.5);
	fault_ok("idcode:2ba01477", &f);
	assert_int_equal(f.number, 0x2BA01477);
	fault_ok("idcode:0x2BA01477", &f);
	assert_int_equal(f.number, 0x2BA01477);
	fault_ok("reset@123456789012,boot=4", &f);
	assert_int_equal(f.number, 123456789012);
	assert_int_equal(f.boot, 4);
	fault_ok("flash-protected", &f);
}

static void test_faults_miswritten(void **state)
{
	static const char *const bad[] = {
		"", ":", "nonsense", "hang", "hang:5", "hang@", "hang@x", "hang@-1", "hang@5x",
		"serial-drop", "serial-drop:0", "serial-drop@5", "brownout@5", "brownout@flash:",
		"brownout@flash:0", "clock", "clock:", "clock:x", "clock:0", "clock:-1", "clock:nan",
		"clock:1e9", "idcode:", "idcode:xyz", "idcode:123456789", "dwt-stuck:1", "hang@5,",
		"hang@5,boot", "hang@5,boot=", "hang@5,boot=0", "hang@5,boot=x", "hang@5,twice",
	};
	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct vb_fault f;
		e = (struct rtb_error){ 0 };
		if (vb_fault_parse(bad[i], &f, &e) != RTB_USAGE)
			fail_msg("'%s' was accepted", bad[i]);
		assert_non_null(strstr(e.text, bad[i]));
	}
}

static void test_help_names_everything(void **state)
{
	struct rtb_buf b = { 0 };
	(void)state;
	vb_options_help(&b);
#define X(sym, name, arg, help) assert_non_null(strstr(b.data, "--" name));
#include "vboard/options.def"
#undef X
#define X(sym, name, arg, text) assert_non_null(strstr(b.data, name));
#include "vboard/faults.def"
#undef X
	rtb_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything_at_once), cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_bad_words), cmocka_unit_test(test_long_path),
		cmocka_unit_test(test_combinations_that_make_no_sense),
		cmocka_unit_test(test_too_many_faults), cmocka_unit_test(test_faults_as_written),
		cmocka_unit_test(test_faults_miswritten), cmocka_unit_test(test_help_names_everything),
	};
	return cmocka_run_group_tests_name("vboard options", tests, NULL, NULL);
}
