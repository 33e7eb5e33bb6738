/* Link and adapter on emulated chips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <libusb.h>

#include "adapter/adapter.h"
#include "adapter/ftdi.h"
#include "chip.h"
#include "link/link.h"

static UMockdevTestbed *bed;

/* Chips of the test that is running; they go with it, however it ends. */
static struct chip *plugged[4];
static size_t plugged_count;

static struct chip *plug(enum chip_kind kind, int number, const char *serial)
{
	return plugged[plugged_count++] = chip_plug(bed, kind, number, serial);
}

static int unplug_all(void **state)
{
	(void)state;
	while (plugged_count)
		chip_unplug(plugged[--plugged_count], bed);
	return 0;
}

static struct rtb_link *open_link(const char *spec, unsigned baud)
{
	struct rtb_link *l;
	struct rtb_error e = {0};
	struct rtb_link_options o = {.spec = spec, .baud = baud, .dtr = 1, .rts = 0};
	if (rtb_link_open(&o, &l, &e) != RTB_OK)
		fail_msg("%s: %s", spec, e.text);
	return l;
}

static void a_link_sets_the_chip_up(void **state)
{
	(void)state;
	struct chip *c = plug(CHIP_FT232R, 5, "A50285BI");
	struct rtb_link *l = open_link("ftdi://A50285BI", 115200);
	/* AN232B-05: 3 MHz / 115200 = 26.04, so divisor 26 = 0x1a */
	static const char *const wanted[] = {"RESET value 0000", "SET_BAUDRATE value 001a index 0000",
		"SET_DATA value 0008 index 0001", "SET_FLOW_CTRL value 0000", "SET_LATENCY_TIMER value 0001",
		"SET_MODEM_CTRL value 0101", "SET_MODEM_CTRL value 0200"};
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
		if (!chip_asked(c, wanted[i]))
			fail_msg("\"%s\" was not asked:\n%s", wanted[i], chip_requests(c));
	assert_int_equal(rtb_link_latency_ms(l), 1);
	assert_string_equal(rtb_link_name(l), "ftdi://A50285BI (FT232R serial, USB 1-5)");
	rtb_link_close(l);
}

/* More than one packet: status bytes in the midst of the data must not come through. */
static void bytes_come_and_go(struct chip *c, const char *spec)
{
	char want[3000], have[sizeof want];
	struct rtb_error e = {0};
	size_t got = 0, n;
	struct rtb_link *l = open_link(spec, 115200);
	for (size_t i = 0; i < sizeof want; i++)
		want[i] = (char)(i * 7 + i / 256);
	chip_receive(c, want, sizeof want);
	while (got < sizeof want) {
		assert_int_equal(rtb_link_read(l, have + got, sizeof have - got, 1000, &n, &e), RTB_OK);
		assert_true(n > 0);
		got += n;
	}
	assert_memory_equal(want, have, sizeof want);
	/* nothing there: quiet, in time, and not lost */
	assert_int_equal(rtb_link_read(l, have, sizeof have, 3, &n, &e), RTB_OK);
	assert_int_equal(n, 0);
	assert_int_equal(rtb_link_write(l, "G01affb4e yield\n", 16, 1000, &e), RTB_OK);
	assert_string_equal(chip_sent(c), "G01affb4e yield\n");
	rtb_link_close(l);
}

static void packets_of_64_lose_their_status(void **state)
{
	(void)state;
	struct chip *c = plug(CHIP_FT232R, 5, "A50285BI");
	bytes_come_and_go(c, "ftdi://0403:6001");
	assert_true(chip_asked(c, "bulk out 02: 47 30"));
}

static void packets_of_512_on_the_second_channel(void **state)
{
	(void)state;
	struct chip *c = plug(CHIP_FT2232H, 6, "FT1ABC");
	bytes_come_and_go(c, "ftdi://FT1ABC/B");
	assert_true(chip_asked(c, "bulk out 04: 47 30"));
	/* index 2 names channel B in every request of the set-up (AN_108: 1 is A) */
	assert_true(chip_asked(c, "SET_LATENCY_TIMER value 0001 index 0002"));
	assert_true(chip_asked(c, "SET_DATA value 0008 index 0002"));
	assert_false(chip_asked(c, "index 0001"));
}

static enum rtb_status refused(const char *spec, unsigned baud, const char *text)
{
	struct rtb_link *l = NULL;
	struct rtb_error e = {0};
	struct rtb_link_options o = {.spec = spec, .baud = baud, .dtr = -1, .rts = -1};
	enum rtb_status s = rtb_link_open(&o, &l, &e);
	assert_int_not_equal(s, RTB_OK);
	assert_null(l);
	if (!strstr(e.text, text))
		fail_msg("\"%s\" does not say \"%s\"", e.text, text);
	return s;
}

static void what_cannot_be_opened_says_why(void **state)
{
	(void)state;
	assert_int_equal(refused("ftdi://A50285BI", 115200, "no such device on the USB"), RTB_LINK_ABSENT);
	plug(CHIP_FT232R, 5, "A50285BI");
	plug(CHIP_FT232R, 7, "A50285BJ");
	assert_int_equal(refused("ftdi://0403:6001", 115200, "2 devices answer to this: "), RTB_CONFIG);
	assert_int_equal(refused("ftdi://0403:6001", 115200, "FT232R serial (serial \"A50285BI\", at 1-5)"), RTB_CONFIG);
	assert_int_equal(refused("ftdi://0403:6001", 115200, "FT232R serial (serial \"A50285BJ\", at 1-7)"), RTB_CONFIG);
	assert_int_equal(refused("ftdi://A50285BK", 115200, "no such device on the USB"), RTB_LINK_ABSENT);
	assert_int_equal(refused("ftdi://A50285BI", 11000000, "baud rate 11000000 is not possible"), RTB_CONFIG);
	assert_int_equal(refused("ftdi://a/b/c", 115200, "is not ftdi://SERIAL[/A..D]"), RTB_CONFIG);
	assert_int_equal(refused("ftdi://A50285BI/E", 115200, "is not ftdi://SERIAL[/A..D]"), RTB_CONFIG);
}

/* libftdi1 calls this one in the place of libusb's: umockdev itself grants every claim. */
static int refuse_claim;
int libusb_claim_interface(libusb_device_handle *dev, int number)
{
	int (*real)(libusb_device_handle *, int) = (int (*)(libusb_device_handle *, int))dlsym(RTLD_NEXT, "libusb_claim_interface");
	return refuse_claim ? refuse_claim : real(dev, number);
}

static void a_channel_that_another_program_has_is_busy(void **state)
{
	(void)state;
	plug(CHIP_FT2232H, 6, "FT1ABC");
	struct rtb_adapter_conf conf = {.kind = "ftdi", .device = "FT1ABC/B", .reset = {3, false}, .power = {-1, false},
					.boot = {-1, false}, .reset_ms = 1};
	struct rtb_adapter *a;
	struct rtb_error e = {0};
	refuse_claim = LIBUSB_ERROR_BUSY;
	enum rtb_status link = refused("ftdi://FT1ABC/A", 115200, "another program or driver has it");
	enum rtb_status adapter = rtb_adapter_open(&conf, rtb_clock_system(), &a, &e);
	refuse_claim = 0;
	assert_int_equal(link, RTB_LINK_BUSY);
	assert_int_equal(adapter, RTB_LINK_BUSY);
	rtb_link_close(open_link("ftdi://FT1ABC/A", 115200)); /* and free again */
}

static struct rtb_link_options asking(const char *spec, const char *vid_pid, const char *serial)
{
	return (struct rtb_link_options){.spec = spec, .baud = 115200, .dtr = -1, .rts = -1, .usb_vid_pid = vid_pid,
					 .usb_serial = serial};
}

static void what_the_target_says_of_the_device_holds(void **state)
{
	(void)state;
	plug(CHIP_FT232R, 5, "A50285BI");
	plug(CHIP_FT232R, 7, "A50285BJ");
	const struct { struct rtb_link_options o; enum rtb_status s; const char *text; } want[] = {
		{asking("ftdi://0403:6001", NULL, "A50285BJ"), RTB_OK, ""}, /* tells the two apart */
		{asking("ftdi://A50285BI", "0403:6001", "A50285BI"), RTB_OK, ""},
		{asking("ftdi://A50285BI", "0403:6010", NULL), RTB_LINK_ABSENT, "(an FTDI chip 0403:6010 with serial A50285BI)"},
		{asking("ftdi://0403:6001", NULL, "other"), RTB_LINK_ABSENT, "(an FTDI chip 0403:6001 with serial other)"},
		{asking("ftdi://0403:6001", "0403:6010", NULL), RTB_CONFIG, "[link] usb = \"0403:6010\" is not what the link itself says"},
		{asking("ftdi://A50285BI", NULL, "A50285BJ"), RTB_CONFIG, "[link] usb_serial = \"A50285BJ\" is not"},
		{asking("ftdi://A50285BI", "ft232", NULL), RTB_CONFIG, "[link] usb = \"ft232\" is not VID:PID"},
	};
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct rtb_link *l = NULL;
		struct rtb_error e = {0};
		enum rtb_status s = rtb_link_open(&want[i].o, &l, &e);
		if (s != want[i].s || !strstr(e.text, want[i].text))
			fail_msg("%zu: %s: \"%s\" does not say \"%s\"", i, rtb_status_word(s), e.text, want[i].text);
		if (i == 0)
			assert_string_equal(rtb_link_name(l), "ftdi://0403:6001 (FT232R serial, USB 1-7)");
		rtb_link_close(l);
	}
}

static void a_chip_pulled_out_is_lost_and_not_quiet(void **state)
{
	(void)state;
	char buf[64];
	size_t n;
	struct rtb_error e = {0};
	struct chip *c = plug(CHIP_FT232R, 5, "A50285BI");
	struct rtb_link *l = open_link("ftdi://A50285BI", 115200);
	assert_int_equal(rtb_link_read(l, buf, sizeof buf, 2, &n, &e), RTB_OK);
	chip_pull(c);
	assert_int_equal(rtb_link_read(l, buf, sizeof buf, 1000, &n, &e), RTB_LINK_LOST);
	assert_int_equal(n, 0);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_link_write(l, "x", 1, 1000, &e), RTB_LINK_LOST);
	rtb_link_close(l);
}

/* ---- adapter ---- */

static const struct rtb_adapter_conf bits = {.kind = "ftdi", .device = "FT1ABC/A", .reset = {3, false}, .power = {4, true},
	.boot = {5, true}, .reset_ms = 1, .power_ms = 1, .settle_ms = 0};

/* The adapter's own requests in their order, each at or behind the one before. */
static void in_order(struct chip *c, const char *const *wanted, size_t n)
{
	const char *at = chip_requests(c);
	for (size_t i = 0; i < n; i++) {
		const char *next = strstr(at, wanted[i]);
		if (!next)
			fail_msg("\"%s\" (%zu) was not asked in its place:\n%s", wanted[i], i, chip_requests(c));
		at = next + strlen(wanted[i]);
	}
}
#define IN_ORDER(c, ...) in_order(c, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void bit_bang_pulls_one_pin_and_lets_go(void **state)
{
	(void)state;
	struct chip *c = plug(CHIP_FT2232H, 6, "FT1ABC");
	struct rtb_adapter *a;
	struct rtb_error e = {0};
	assert_int_equal(rtb_adapter_open(&bits, rtb_clock_system(), &a, &e), RTB_OK);
	chip_forget_requests(c);
	assert_int_equal(rtb_adapter_reset(a, &e), RTB_OK);
	/* all inputs, level low in the latch, then D3 alone an output; then reset mode: all inputs */
	IN_ORDER(c, "SET_BITMODE value 0100 index 0001", "bulk out 02: 00", "SET_BITMODE value 0108 index 0001",
		 "SET_BITMODE value 0000 index 0001");
	chip_forget_requests(c);
	assert_int_equal(rtb_adapter_power_cycle(a, &e), RTB_OK);
	IN_ORDER(c, "bulk out 02: 10", "SET_BITMODE value 0110", "SET_BITMODE value 0000");
	chip_forget_requests(c);
	/* boot high, reset low with boot still high, reset released, boot released */
	assert_int_equal(rtb_adapter_boot_loader(a, &e), RTB_OK);
	IN_ORDER(c, "bulk out 02: 20", "SET_BITMODE value 0120", "bulk out 02: 20", "SET_BITMODE value 0128", "bulk out 02: 20",
		 "SET_BITMODE value 0120", "SET_BITMODE value 0000");
	chip_forget_requests(c);
	assert_int_equal(rtb_adapter_hold(a, true, &e), RTB_OK);
	rtb_adapter_close(a);
	IN_ORDER(c, "SET_BITMODE value 0108", "SET_BITMODE value 0000");
}

static void cbus_needs_no_bulk_and_no_stopped_uart(void **state)
{
	(void)state;
	struct chip *c = plug(CHIP_FT232R, 5, "A50285BI");
	struct rtb_adapter_conf conf = {.kind = "ftdi", .device = "A50285BI", .cbus = true, .reset = {2, false},
					.power = {3, true}, .boot = {-1, false}, .reset_ms = 1, .power_ms = 1};
	struct rtb_adapter *a;
	struct rtb_error e = {0};
	assert_int_equal(rtb_adapter_open(&conf, rtb_clock_system(), &a, &e), RTB_OK);
	chip_forget_requests(c);
	assert_int_equal(rtb_adapter_reset(a, &e), RTB_OK);
	/* high nibble: directions; low: levels (AN232R-01) */
	IN_ORDER(c, "SET_BITMODE value 2040", "SET_BITMODE value 2000");
	chip_forget_requests(c);
	assert_int_equal(rtb_adapter_power_cycle(a, &e), RTB_OK);
	IN_ORDER(c, "SET_BITMODE value 2088", "SET_BITMODE value 2000");
	assert_false(chip_asked(c, "bulk out"));
	assert_int_equal(rtb_adapter_boot_loader(a, &e), RTB_CONFIG);
	assert_non_null(strstr(e.text, "no pin of the adapter is wired"));
	rtb_adapter_close(a);
}

static void adapter_refuses(const struct rtb_adapter_conf *conf, const char *text)
{
	struct rtb_adapter *a;
	struct rtb_error e = {0};
	assert_int_equal(rtb_adapter_open(conf, rtb_clock_system(), &a, &e), RTB_CONFIG);
	assert_null(a);
	if (!strstr(e.text, text))
		fail_msg("\"%s\" does not say \"%s\"", e.text, text);
}

static void what_the_chip_cannot_do_is_refused(void **state)
{
	(void)state;
	plug(CHIP_FT2232H, 6, "FT1ABC");
	struct rtb_adapter_conf conf = bits;
	conf.cbus = true;
	conf.power.number = conf.boot.number = -1;
	adapter_refuses(&conf, "has no CBUS pins");
	conf.reset.number = 4;
	adapter_refuses(&conf, "there are CBUS0 to CBUS3");
	conf = bits;
	conf.power.number = 3;
	adapter_refuses(&conf, "reset and power are the same pin 3");
	conf.kind = "gpio";
	adapter_refuses(&conf, "no adapter is of kind \"gpio\"");
}

#define TEST(name) cmocka_unit_test_teardown(name, unplug_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_link_sets_the_chip_up), TEST(packets_of_64_lose_their_status),
		TEST(packets_of_512_on_the_second_channel),
		TEST(what_cannot_be_opened_says_why), TEST(a_channel_that_another_program_has_is_busy),
		TEST(what_the_target_says_of_the_device_holds), TEST(a_chip_pulled_out_is_lost_and_not_quiet),
		TEST(bit_bang_pulls_one_pin_and_lets_go), TEST(cbus_needs_no_bulk_and_no_stopped_uart),
		TEST(what_the_chip_cannot_do_is_refused),
	};
	const char *preload = getenv("LD_PRELOAD");
	if (!preload || !strstr(preload, "umockdev")) {
		fprintf(stderr, "run under umockdev-wrapper\n");
		return 1;
	}
	bed = umockdev_testbed_new();
	int failed = cmocka_run_group_tests_name("ftdi", tests, NULL, NULL);
	g_object_unref(bed);
	return failed;
}
