/* The OpenOCD back end against stand-ins that behave as the field has seen OpenOCD behave; each
 * test is one kind of report. The real one is used in tests/e2e. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "flash/openocd.h"

static char *dir;

/* What every stand-in begins with: $mark is what our script wants echoed after the verify. */
static const char prologue[] =
	"#!/bin/sh\n"
	"if [ \"$1\" = --version ]; then echo \"Open On-Chip Debugger ${FAKE_VERSION:-0.12.0}\" >&2; exit 0; fi\n"
	"echo \"$@\" > \"$0.args\"\n"
	"for a; do script=$a; done\n"
	"mark=$(sed -n 's/^echo \"\\(RTB-VERIFIED-[0-9a-f]*\\)\"$/\\1/p' \"$script\")\n"
	"good() { echo \"wrote 4096 bytes from file x.elf in 0.5s (8 KiB/s)\"; echo \"$mark\"; }\n";

static char *write_fake(const char *body)
{
	char *path = rtb_sprintf("%s/openocd", dir);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(prologue, f);
	fputs(body, f);
	fclose(f);
	chmod(path, 0755);
	return path;
}

static struct rtb_flash_board board(const char *program)
{
	static const char *const none[] = {NULL};
	return (struct rtb_flash_board){
		.program = program, .files = none, .before = none, .after = none, .probe_usb = "",
		.probe_serial = "", .probe_location = "", .uid = "", .timeout_ms = 20000, .flash_bytes = 131072,
		.uid_addr = 0x1FFFF7E8, .uid_words = 3, .flash_size_addr = 0x1FFFF7E0, .dbgmcu_cr_addr = 0xE0042004};
}

static bool held; /* as the job says; each test that sets it takes it back */

static enum rtb_status run_on(const struct rtb_flash_board *b, struct rtb_flash_result *r, struct rtb_error *e)
{
	*e = (struct rtb_error){0};
	*r = (struct rtb_flash_result){0};
	struct rtb_flash_tool t;
	enum rtb_status st = rtb_flash_openocd.find(b, rtb_clock_system(), &t, e);
	struct rtb_flash_job job = {.elf = "x.elf", .held = held, .dir = dir, .clock = rtb_clock_system()};
	if (st == RTB_OK)
		st = rtb_flash_openocd.program(b, &t, &job, r, e);
	rtb_flash_tool_free(&t);
	return st;
}

static enum rtb_status run(const char *body, struct rtb_flash_result *r, struct rtb_error *e)
{
	char *path = write_fake(body);
	struct rtb_flash_board b = board(path);
	enum rtb_status st = run_on(&b, r, e);
	free(path);
	return st;
}

static void want(const char *body, enum rtb_status status, const char *text)
{
	struct rtb_flash_result r;
	struct rtb_error e;
	enum rtb_status st = run(body, &r, &e);
	if (st != status || !strstr(e.text, text))
		fail_msg("%s\n  gave %s: %s\n  wanted %s: %s", body, rtb_status_word(st), e.text,
			 rtb_status_word(status), text);
	rtb_flash_result_free(&r);
}

static int set_up(void **state)
{
	(void)state;
	char template[] = "/tmp/rtb-flash-XXXXXX";
	dir = rtb_strdup(mkdtemp(template));
	return 0;
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

static void good_needs_exit_mark_and_bytes(void **state)
{
	(void)state;
	struct rtb_flash_result r;
	struct rtb_error e;
	if (run("echo RTB:dp_id=0x3ba00477; echo RTB:uid=0011223344556677; echo RTB:flash_kib=128; good\n", &r, &e) != RTB_OK)
		fail_msg("%s", e.text);
	assert_string_equal(r.dp_id, "0x3ba00477");
	assert_string_equal(r.uid, "0011223344556677");
	assert_true(r.flash_kib_known);
	assert_int_equal(r.flash_kib, 128);
	assert_int_equal(r.written, 4096);
	assert_non_null(strstr(r.log, "wrote 4096"));
	assert_int_equal(access(r.log_path, R_OK), 0);
	rtb_flash_result_free(&r);
}

/* B01 */
static void another_debug_port_id_names_both(void **state)
{
	(void)state;
	want("echo 'Warn : UNEXPECTED idcode: 0x2ba01477'; echo 'Error: expected 1 of 1: 0x1ba01477'; exit 1\n",
	     RTB_TARGET_ID, "says 0x2ba01477, but 0x1ba01477 was expected");
	/* JTAG only warns and goes on: still not the board that was asked for */
	want("echo 'Warn : JTAG tap: x.cpu       UNEXPECTED: 0x2ba00477 (mfg: 0x23b)'\n"
	     "echo 'Error: JTAG tap: x.cpu  expected 1 of 1: 0x3ba00477 (mfg: 0x23b)'; good\n",
	     RTB_TARGET_ID, "says 0x2ba00477, but 0x3ba00477 was expected");
	assert_false(rtb_status_retry(RTB_TARGET_ID));
}

/* B02 */
static void protection_and_odd_sizes(void **state)
{
	(void)state;
	want("echo 'Error: stm32x device protected'; echo 'Error: failed erasing sectors 0 to 3'; exit 1\n",
	     RTB_PROTECTED, "device protected");
	want("echo 'Error: flash memory write protected'; exit 1\n", RTB_PROTECTED, "write protected");
	static const unsigned sizes[] = {0, 1040, 25616};
	for (size_t i = 0; i < 3; i++) {
		struct rtb_flash_result r;
		struct rtb_error e;
		char *body = rtb_sprintf("echo RTB:flash_kib=%u; good\n", sizes[i]);
		assert_int_equal(run(body, &r, &e), RTB_OK);
		assert_true(r.flash_kib_known);
		assert_int_equal(r.flash_kib, sizes[i]);
		rtb_flash_result_free(&r);
		free(body);
	}
}

/* B03, B06 */
static void exit_codes_alone_prove_nothing(void **state)
{
	(void)state;
	want("exit 0\n", RTB_FLASH, "never confirmed the verify");
	want("echo '** Programming Finished **'; exit 0\n", RTB_FLASH, "never confirmed the verify");
	want("echo 'Error: error writing to flash at address 0x08000000'; exit 0\n", RTB_FLASH, "never confirmed");
	want("echo \"$mark\"; exit 0\n", RTB_FLASH, "wrote 0 bytes");
	want("echo 'wrote 0 bytes from file x.elf in 0.0s (0 KiB/s)'; echo \"$mark\"\n", RTB_FLASH, "wrote 0 bytes");
	want("good; exit 1\n", RTB_FLASH, "ended with 1");
	want("echo RTB:step=release; good; exit 1\n", RTB_FLASH, "while letting the board go");
	want("echo RTB-VERIFIED-000000000000000000000000; echo 'wrote 9 bytes from file x'; exit 0\n", RTB_FLASH,
	     "never confirmed the verify");
	want("kill -ABRT $$\n", RTB_FLASH, "ended by signal 6");
	want("good; kill -SEGV $$\n", RTB_FLASH, "ended by signal 11");
	want("echo 'Error: checksum mismatch - attempting binary compare'; exit 1\n", RTB_VERIFY, "checksum mismatch");
	want("echo RTB:step=verify; exit 1\n", RTB_VERIFY, "while reading back");
	want("echo RTB:step=write; exit 1\n", RTB_FLASH, "while erasing and writing");
	want("echo RTB:step=connect; exit 1\n", RTB_NO_ATTACH, "while connecting");
	want("exit 3\n", RTB_FLASH, "ended with 3 before it came to programming");
}

/* B04 */
static void a_sleeping_core_needs_the_reset_line(void **state)
{
	(void)state;
	static const char body[] =
		"case \"$*\" in *connect_assert_srst*) good;; *)\n"
		"echo 'Error: timed out while waiting for target halted'; exit 1;; esac\n";
	want(body, RTB_NO_ATTACH, "may be asleep");
	assert_non_null(strstr(rtb_status_advice(RTB_NO_ATTACH), "reset_wired"));
	char *path = write_fake(body);
	struct rtb_flash_board b = board(path);
	struct rtb_flash_result r;
	struct rtb_error e;
	held = true;
	assert_int_equal(run_on(&b, &r, &e), RTB_NO_ATTACH); /* not wired: nothing to hold it by */
	rtb_flash_result_free(&r);
	b.reset_wired = true;
	assert_int_equal(run_on(&b, &r, &e), RTB_OK);
	rtb_flash_result_free(&r);
	held = false;
	assert_int_equal(run_on(&b, &r, &e), RTB_NO_ATTACH);
	rtb_flash_result_free(&r);
	free(path);
}

/* B05 */
static void debug_bits_are_taken_back_last(void **state)
{
	(void)state;
	struct rtb_flash_board b = board("openocd");
	struct rtb_buf s = {0};
	rtb_openocd_script(&b, "/a b/$x[y].elf", "RTB-VERIFIED-1", &s);
	const char *write = strstr(s.data, "flash write_image"), *verify = strstr(s.data, "verify_image");
	const char *mark = strstr(s.data, "echo \"RTB-VERIFIED-1\""), *halt = strstr(mark, "reset halt");
	const char *dbgmcu = strstr(s.data, "mww 0xe0042004 0"), *demcr = strstr(s.data, "mww 0xe000edfc 0");
	const char *dhcsr = strstr(s.data, "mww 0xe000edf0 0xa05f0000"), *shut = strstr(s.data, "shutdown\n");
	assert_true(write && verify && mark && halt && dbgmcu && demcr && dhcsr && shut);
	assert_true(write < verify && verify < mark && mark < halt && halt < dbgmcu && dbgmcu < demcr &&
		    demcr < dhcsr && dhcsr < shut);
	assert_non_null(strstr(s.data, "set image \"/a b/\\$x\\[y\\].elf\""));
	rtb_buf_free(&s);
}

static void a_loaded_image_is_not_written_again(void **state)
{
	(void)state;
	struct rtb_flash_board b = board("openocd");
	struct rtb_buf s = {0};
	rtb_openocd_script(&b, NULL, "RTB-VERIFIED-1", &s);
	assert_null(strstr(s.data, "write_image"));
	assert_null(strstr(s.data, "verify_image"));
	const char *halt = strstr(s.data, "rtb step release\nreset halt");
	assert_non_null(halt);
	assert_non_null(strstr(halt, "mww 0xe000edf0 0xa05f0000"));
	rtb_buf_free(&s);
	struct rtb_process_result r = {0};
	struct rtb_flash_result out = {0};
	struct rtb_error e = {0};
	rtb_buf_str(&r.output, "RTB-VERIFIED-1\nRTB:step=done\n");
	assert_int_equal(rtb_openocd_judge(&r, &b, "RTB-VERIFIED-1", true, &out, &e), RTB_OK);
	assert_int_equal(rtb_openocd_judge(&r, &b, "RTB-VERIFIED-1", false, &out, &e), RTB_FLASH);
	rtb_buf_free(&r.output);
}

/* B07 */
static void one_that_never_ends_is_ended(void **state)
{
	(void)state;
	static const char *const bodies[] = {
		"echo RTB:step=write; while :; do echo still here; sleep 0.01; done\n",
		"trap '' TERM; echo RTB:step=write; while :; do sleep 0.01; done\n",
		"echo RTB:step=write; read line; sleep 600\n",
		"sleep 600 & echo RTB:step=write; wait\n",
	};
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		char *path = write_fake(bodies[i]);
		struct rtb_flash_board b = board(path);
		b.timeout_ms = 500;
		struct rtb_flash_result r;
		struct rtb_error e;
		assert_int_equal(run_on(&b, &r, &e), RTB_FLASH_TIMEOUT);
		assert_non_null(strstr(e.text, "did not end within 500 ms (last step: write)"));
		assert_true(r.ms < 10000);
		rtb_flash_result_free(&r);
		free(path);
	}
	/* stdin is empty, so one that asks a question gets no answer and goes on */
	want("read line || echo 'Error: no answer'; exit 1\n", RTB_FLASH, "ended with 1");
}

/* B08 */
static void a_taken_port_names_its_holder(void **state)
{
	(void)state;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof a;
	assert_int_equal(bind(fd, (struct sockaddr *)(void *)&a, sizeof a), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)(void *)&a, &len), 0);
	char *body = rtb_sprintf("echo \"Error: couldn't bind tcl to socket on port %u: Address already in use\"; exit 1\n",
				 ntohs(a.sin_port));
	char *text = rtb_sprintf("port %u: it is held by pid %d (test_openocd", ntohs(a.sin_port), (int)getpid());
	want(body, RTB_PROBE_BUSY, text);
	free(body);
	free(text);
	close(fd);
	/* and none is asked for in the first place */
	want("case \"$*\" in *'gdb_port disabled'*'tcl_port disabled'*'telnet_port disabled'*) exit 7;; esac; exit 8\n",
	     RTB_FLASH, "ended with 7");
}

/* B09 */
static void busy_absent_and_denied_are_three_things(void **state)
{
	(void)state;
	want("echo 'Error: libusb_claim_interface() failed with LIBUSB_ERROR_BUSY'; exit 1\n", RTB_PROBE_BUSY, "holds the probe");
	want("echo 'Error: libusb_open() failed with LIBUSB_ERROR_ACCESS'; echo 'Error: open failed'; exit 1\n",
	     RTB_PROBE_DENIED, "may not be opened by this user");
	want("echo 'Error: unable to find a matching CMSIS-DAP device'; exit 1\n", RTB_PROBE_ABSENT, "no CMSIS-DAP probe");
	want("echo 'Error: open failed'; exit 1\n", RTB_PROBE_ABSENT, "no probe could be opened");
	want("echo \"Error: Error on socket 'connect': errno==2, message: No such file or directory.\"; exit 1\n",
	     RTB_PROBE_ABSENT, "nothing listens");
	want("echo 'Error: init mode failed (unable to connect to the target)'; exit 1\n", RTB_NO_ATTACH, "does not answer");
	want("echo 'Error: JTAG scan chain interrogation failed: all ones'; exit 1\n", RTB_NO_ATTACH, "does not answer");
}

/* B10: the bus is a directory made here */
static void make_usb(const char *name, const char *vid, const char *pid, const char *product, const char *serial)
{
	static const char *const files[] = {"idVendor", "idProduct", "product", "serial"};
	const char *const values[] = {vid, pid, product, serial};
	char *cmd = rtb_sprintf("mkdir -p %s/sys/bus/usb/devices/%s", dir, name);
	assert_int_equal(system(cmd), 0);
	free(cmd);
	for (size_t i = 0; i < 4; i++) {
		char *path = rtb_sprintf("%s/sys/bus/usb/devices/%s/%s", dir, name, files[i]);
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fprintf(f, "%s\n", values[i]);
		fclose(f);
		free(path);
	}
}

static enum rtb_status probe(const char *usb, const char *serial, const char *location, struct rtb_error *e)
{
	struct rtb_flash_board b = board("openocd");
	char *sys = rtb_sprintf("%s/sys", dir);
	b.sysfs = sys;
	b.probe_usb = usb;
	b.probe_serial = serial;
	b.probe_location = location;
	struct rtb_flash_result r = {0};
	*e = (struct rtb_error){0};
	enum rtb_status st = rtb_openocd_probe(&b, &r, e);
	free(sys);
	return st;
}

static void two_probes_are_not_guessed_between(void **state)
{
	(void)state;
	struct rtb_error e;
	make_usb("1-1", "0483", "3748", "STM32 STLink", "\x87\xff" "AB");
	assert_int_not_equal(probe("any", "", "", &e), RTB_PROBE_MANY);
	make_usb("1-2", "0483", "3748", "STM32 STLink", "\x87\xff" "AB");
	make_usb("1-3", "046d", "c31c", "Keyboard", "");
	assert_int_equal(probe("any", "", "", &e), RTB_PROBE_MANY);
	assert_non_null(strstr(e.text, "2 probes match: "));
	assert_non_null(strstr(e.text, "at 1-1 serial"));
	assert_non_null(strstr(e.text, "at 1-2 serial"));
	assert_non_null(strstr(e.text, "choose one by probe_location, for their serial numbers do not tell them apart"));
	assert_null(strchr(e.text, '\xff')); /* never raw */
	assert_int_equal(probe("0483:3748", "", "", &e), RTB_PROBE_MANY);
	assert_int_not_equal(probe("any", "", "1-2", &e), RTB_PROBE_MANY); /* the place tells them apart */
	assert_int_equal(probe("any", "nosuch", "", &e), RTB_PROBE_ABSENT);
	assert_int_equal(probe("1234:5678", "", "", &e), RTB_PROBE_ABSENT);
	assert_int_equal(probe("", "", "", &e), RTB_OK);
}

static void another_chip_is_refused_before_writing(void **state)
{
	(void)state;
	char *path = write_fake("echo RTB:uid=aa; echo RTB:step=other-chip; exit 1\n");
	struct rtb_flash_board b = board(path);
	b.uid = "bb";
	struct rtb_flash_result r;
	struct rtb_error e;
	assert_int_equal(run_on(&b, &r, &e), RTB_TARGET_ID);
	assert_non_null(strstr(e.text, "its unique id is aa, target.toml names bb"));
	rtb_flash_result_free(&r);
	free(path);
	struct rtb_buf s = {0};
	rtb_openocd_script(&b, "x", "m", &s);
	assert_true(strstr(s.data, "other-chip") < strstr(s.data, "write_image"));
	rtb_buf_free(&s);
}

/* B11 */
static void versions_are_read_and_words_chosen(void **state)
{
	(void)state;
	assert_int_equal(rtb_openocd_number("Open On-Chip Debugger 0.12.0\nLicensed"), 12);
	assert_int_equal(rtb_openocd_number("xPack Open On-Chip Debugger 0.12.0+dev-01557-gdd1758272"), 12);
	assert_int_equal(rtb_openocd_number("Open On-Chip Debugger v1.0.0-rc2"), 1000);
	assert_int_equal(rtb_openocd_number("something else"), 0);
	setenv("FAKE_VERSION", "0.10.0", 1);
	want("exit 0\n", RTB_TOOL_OLD, "0.10.0\"; 0.12 or newer is needed");
	setenv("FAKE_VERSION", "1.0.0", 1);
	want("case \"$*\" in *gdb_port*) echo 'invalid command name \"gdb_port\"'; exit 1;; *'gdb port disabled'*) exit 7;; esac\n",
	     RTB_FLASH, "ended with 7");
	unsetenv("FAKE_VERSION");
	want("case \"$*\" in *'gdb port'*) echo 'invalid command name \"gdb\"'; exit 1;; *'gdb_port disabled'*) exit 7;; esac\n",
	     RTB_FLASH, "ended with 7");
	want("echo 'DEPRECATED! use something newer'; good\n", RTB_OK, "");
	want("echo 'invalid command name \"adapter\"'; exit 1\n", RTB_TOOL_OLD, "does not know a command");
	struct rtb_flash_board b = board("/nonexistent/openocd");
	struct rtb_flash_result r;
	struct rtb_error e;
	assert_int_equal(run_on(&b, &r, &e), RTB_NO_TOOL);
}

static void an_interrupt_ends_it(void **state)
{
	(void)state;
	char *path = write_fake("echo RTB:step=write; sleep 600\n");
	struct rtb_flash_board b = board(path);
	struct rtb_flash_tool t;
	struct rtb_error e = {0};
	assert_int_equal(rtb_flash_openocd.find(&b, rtb_clock_system(), &t, &e), RTB_OK);
	static rtb_flag cancel = 1;
	struct rtb_flash_job job = {.elf = "x", .dir = dir, .clock = rtb_clock_system(), .cancel = &cancel};
	struct rtb_flash_result r;
	assert_int_equal(rtb_flash_openocd.program(&b, &t, &job, &r, &e), RTB_INTERRUPTED);
	rtb_flash_result_free(&r);
	rtb_flash_tool_free(&t);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_needs_exit_mark_and_bytes),
		cmocka_unit_test(another_debug_port_id_names_both),
		cmocka_unit_test(protection_and_odd_sizes),
		cmocka_unit_test(exit_codes_alone_prove_nothing),
		cmocka_unit_test(a_sleeping_core_needs_the_reset_line),
		cmocka_unit_test(debug_bits_are_taken_back_last),
		cmocka_unit_test(a_loaded_image_is_not_written_again),
		cmocka_unit_test(one_that_never_ends_is_ended),
		cmocka_unit_test(a_taken_port_names_its_holder),
		cmocka_unit_test(busy_absent_and_denied_are_three_things),
		cmocka_unit_test(two_probes_are_not_guessed_between),
		cmocka_unit_test(another_chip_is_refused_before_writing),
		cmocka_unit_test(versions_are_read_and_words_chosen),
		cmocka_unit_test(an_interrupt_ends_it),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
