/* Links usb:SERIAL[:IF] and usb:VID:PID on a bench of umockdev's: which port is taken, what is said when
 * several fit, and that a port is found again under another name. Runs under both preloads (link.mk). */
#include "bed.h"

static int set_up(void **state)
{
	(void)state;
	bed = umockdev_testbed_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	g_object_unref(bed);
	return 0;
}

/* A device at bus position 1-<n>; without a serial number when that is "". */
static void device(int n, const char *vid, const char *pid, const char *serial)
{
	char text[512], line[128] = "";
	if (*serial)
		snprintf(line, sizeof line, "A: serial=%s\\n\n", serial);
	snprintf(text, sizeof text, "P: /devices/usb1/1-%d\nE: SUBSYSTEM=usb\nA: idVendor=%s\\n\nA: idProduct=%s\\n\n"
		 "%sA: busnum=1\\n\nA: devnum=%d\\n\n\n", n, vid, pid, line, n);
	add(text);
}

/* The port of one of its interfaces: behind a serial driver, as an FTDI's, or CDC ACM. */
static void port(int n, int interface, const char *name)
{
	char text[512];
	snprintf(text, sizeof text, "P: /devices/usb1/1-%d/1-%d:1.%d\nE: SUBSYSTEM=usb\nA: bInterfaceNumber=%02x\\n\n\n", n, n,
		 interface, (unsigned)interface);
	add(text);
	bool acm = strncmp(name, "ttyACM", 6) == 0;
	char below[32] = "", up[64] = "../..";
	if (!acm) {
		snprintf(text, sizeof text, "P: /devices/usb1/1-%d/1-%d:1.%d/%s\nE: SUBSYSTEM=usb-serial\n\n", n, n, interface, name);
		add(text);
		snprintf(below, sizeof below, "/%s", name);
		snprintf(up, sizeof up, "../../../%s", name);
	}
	snprintf(text, sizeof text, "P: /devices/usb1/1-%d/1-%d:1.%d%s/tty/%s\nN: %s\nE: DEVNAME=/dev/%s\nE: SUBSYSTEM=tty\n"
		 "A: dev=188:%d\nL: device=%s\n\n", n, n, interface, below, name, name, name, 10 * n + interface, up);
	add(text);
}

/* The link opens that port and no other: what is written comes out of its wire. */
static void takes(const char *spec, const char *name)
{
	struct rtb_link_options o = options(spec);
	struct rtb_link *l = open_ok(&o);
	char *want = g_strdup_printf("/dev/%s via %s", name, spec);
	assert_string_equal(rtb_link_name(l), want);
	g_free(want);
	hears(l, wire(name), name, strlen(name));
	rtb_link_close(l);
}

static void refuses(const char *spec, enum rtb_status status, const char *text)
{
	struct rtb_link_options o = options(spec);
	open_fails_with(&o, status, text);
}

static void a_port_of_a_two_port_device(void **state)
{
	(void)state;
	device(1, "0403", "6010", "FT1");
	port(1, 0, "ttyUSB0");
	port(1, 1, "ttyUSB1");
	takes("usb:FT1:0", "ttyUSB0");
	takes("usb:FT1:1", "ttyUSB1");
	refuses("usb:FT1:2", RTB_LINK_ABSENT, "usb:FT1:2: no serial port of this kind is plugged in");
	static const char both[] = "2 ports answer to this: ";
	static const char *const each[] = {"/dev/ttyUSB0 (0403:6010, serial \"FT1\", interface 0)",
		"/dev/ttyUSB1 (0403:6010, serial \"FT1\", interface 1)", "; write usb:SERIAL:IF"};
	refuses("usb:FT1", RTB_CONFIG, both);
	refuses("usb:0403:6010", RTB_CONFIG, both);
	for (size_t i = 0; i < 3; i++)
		refuses("usb:FT1", RTB_CONFIG, each[i]);
}

static void interfaces_of_an_acm_device(void **state)
{
	(void)state;
	device(3, "1d50", "6018", "BMP"); /* a probe's two ports, each with a data interface behind it */
	port(3, 0, "ttyACM0");
	port(3, 2, "ttyACM1");
	takes("usb:BMP:2", "ttyACM1");
	takes("usb:BMP:0", "ttyACM0");
}

static void two_equal_devices(void **state)
{
	(void)state;
	device(1, "0403", "6001", "A1");
	port(1, 0, "ttyUSB0");
	device(2, "0403", "6001", "B2");
	port(2, 0, "ttyUSB1");
	takes("usb:A1", "ttyUSB0");
	takes("usb:B2", "ttyUSB1");
	takes("usb:B2:0", "ttyUSB1");
	refuses("usb:0403:6001", RTB_CONFIG, "/dev/ttyUSB0 (0403:6001, serial \"A1\", interface 0)");
	refuses("usb:0403:6001", RTB_CONFIG, "/dev/ttyUSB1 (0403:6001, serial \"B2\", interface 0)");
	refuses("usb:a1", RTB_LINK_ABSENT, "no serial port of this kind");
}

/* Cheap cables have no serial number, or all the same one: only the place tells them apart. */
static void twins_are_told_by_their_place(void **state)
{
	(void)state;
	device(1, "1a86", "7523", "");
	port(1, 0, "ttyUSB0");
	takes("usb:1a86:7523", "ttyUSB0");
	device(2, "1a86", "7523", "");
	port(2, 0, "ttyUSB1");
	refuses("usb:1a86:7523", RTB_CONFIG, "serial:/dev/serial/by-path/");
	device(4, "0403", "6001", "0001");
	port(4, 0, "ttyUSB4");
	device(5, "0403", "6001", "0001");
	port(5, 0, "ttyUSB5");
	refuses("usb:0001:0", RTB_CONFIG, "2 ports answer to this: ");
}

static void found_again_under_another_name(void **state)
{
	(void)state;
	device(1, "0403", "6001", "A1");
	port(1, 0, "ttyUSB0");
	struct rtb_link_options o = options("usb:A1");
	struct rtb_link *l = open_ok(&o);
	close(wire("ttyUSB0"));
	char c;
	size_t got;
	struct rtb_error e = {0};
	assert_int_equal(rtb_link_read(l, &c, 1, LONG_MS, &got, &e), RTB_LINK_LOST);
	rtb_link_close(l);
	g_object_unref(bed);
	bed = umockdev_testbed_new();
	/* another cable has taken the number meanwhile */
	device(2, "0403", "6001", "B2");
	port(2, 0, "ttyUSB0");
	refuses("usb:A1", RTB_LINK_ABSENT, "no serial port of this kind");
	device(3, "0403", "6001", "A1");
	port(3, 0, "ttyUSB1");
	takes("usb:A1", "ttyUSB1");
}

struct late {
	struct rtb_clock clock;
	unsigned looks;
};

/* The cable comes back while the link is waiting for it: with the third look at the clock. */
static uint64_t plug_at_third_look(void *ctx)
{
	struct late *late = ctx;
	if (++late->looks == 3) {
		device(1, "0403", "6001", "A1");
		port(1, 0, "ttyUSB7");
	}
	return rtb_now_ns(rtb_clock_system());
}

static void waited_for(void **state)
{
	(void)state;
	struct late late = {.clock = {.now_ns = plug_at_third_look, .ctx = &late}};
	struct rtb_link_options o = options("usb:A1");
	o.open_wait_ms = LONG_MS;
	o.clock = &late.clock;
	struct rtb_link *l = open_ok(&o);
	assert_string_equal(rtb_link_name(l), "/dev/ttyUSB7 via usb:A1");
	assert_true(late.looks >= 3);
	rtb_link_close(l);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(a_port_of_a_two_port_device), T(interfaces_of_an_acm_device), T(two_equal_devices),
		T(twins_are_told_by_their_place), T(found_again_under_another_name), T(waited_for),
	};
	return cmocka_run_group_tests_name("usb port", tests, NULL, NULL);
}
