/* The serial line's far end (sockets, pty), and faults at work on a chip. */
#include "chip_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "vboard/faults.h"
#include "vboard/serial.h"

static char dir[] = "/tmp/vb-serial-XXXXXX";
static char path[128];
static struct vb_serial serial;
static struct vb_faults faults;
static struct vb_dap dap;
static struct vb_lines bb;
static struct rtb_error e;

static void after_reset(void *ctx)
{
	vb_faults_after_reset(ctx, false);
}

static int setup(void **state)
{
	chip_setup(state);
	memset(&faults, 0, sizeof faults);
	e = (struct rtb_error){ 0 };
	vb_dap_init(&dap, &chip->m.bus);
	vb_lines_init(&bb, &dap);
	return 0;
}

static int teardown(void **state)
{
	vb_serial_free(&serial);
	return chip_teardown(state);
}

static void add_fault(const char *text)
{
	assert_int_equal(vb_fault_parse(text, &faults.list[faults.count++], &e), RTB_OK);
}

/* Faults joined, line opened, chip started afresh as boot 1. */
static void begin(const char *where, bool realtime)
{
	struct vb_endpoint ep;

	vb_faults_attach(&faults, chip, &bb);
	chip->on_reset = after_reset;
	chip->reset_ctx = &faults;
	assert_int_equal(vb_endpoint_parse(where, true, &ep, &e), RTB_OK);
	vb_serial_init(&serial, &chip->usart, &faults, &ep, realtime);
	assert_int_equal(vb_endpoint_open(&serial.ep, &e), RTB_OK);
	chip->resets = 0;
	vb_chip_reset(chip, VB_CAUSE_POWER);
}

static void begin_unix(bool realtime)
{
	char where[160];

	snprintf(path, sizeof path, "%s/s", dir);
	snprintf(where, sizeof where, "unix:%s", path);
	begin(where, realtime);
}

static int connect_unix(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	memcpy(a.sun_path, path, strlen(path));
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
	return fd;
}

/* As if the USART had sent it. */
static void send_text(const char *text)
{
	for (; *text; text++)
		chip->usart.sink(chip->usart.sink_ctx, (uint8_t)*text);
}

static void expect(int fd, const char *text)
{
	char got[256];

	vb_serial_service(&serial);
	assert_int_equal(recv(fd, got, sizeof got, MSG_DONTWAIT), strlen(text));
	assert_memory_equal(got, text, strlen(text));
}

static void test_nobody_there_is_lost(void **state)
{
	(void)state;
	begin_unix(false);
	send_text("lost");
	int fd = connect_unix();
	vb_serial_service(&serial);
	send_text("heard");
	expect(fd, "heard");
	assert_int_equal(serial.unheard, 4);
	close(fd);
}

static void test_slow_reader_loses_nothing(void **state)
{
	static char block[1024], got[1 << 16];
	size_t sent = 0, read_back = 0;
	(void)state;
	begin_unix(false);
	int fd = connect_unix();
	vb_serial_service(&serial);
	memset(block, 'x', sizeof block - 1);
	while (!vb_serial_blocked(&serial)) {
		send_text(block);
		sent += sizeof block - 1;
		vb_serial_service(&serial);
		assert_true(sent < 16u << 20); /* it does block */
	}
	for (unsigned rounds = 0; read_back < sent && rounds < 10000; rounds++) {
		ssize_t n = recv(fd, got, sizeof got, MSG_DONTWAIT);
		read_back += n > 0 ? (size_t)n : 0;
		vb_serial_service(&serial);
	}
	assert_int_equal(read_back, sent);
	assert_false(vb_serial_blocked(&serial));
	close(fd);
}

static void test_real_time_drops_and_counts(void **state)
{
	static char block[1024];
	(void)state;
	begin_unix(true);
	int fd = connect_unix();
	vb_serial_service(&serial);
	memset(block, 'x', sizeof block - 1);
	for (unsigned i = 0; i < 16384 && !serial.dropped; i++) {
		send_text(block);
		vb_serial_service(&serial);
		assert_false(vb_serial_blocked(&serial));
	}
	assert_true(serial.dropped > 0);
	close(fd);
}

static void test_bytes_in_reach_the_wire(void **state)
{
	(void)state;
	begin_unix(false);
	int fd = connect_unix();
	assert_int_equal(write(fd, "abc", 3), 3);
	vb_serial_service(&serial);
	assert_int_equal(chip->usart.wire_len, 3);
	close(fd);
}

static void test_one_client_at_a_time_and_its_successor(void **state)
{
	char c;
	(void)state;
	begin_unix(false);
	int first = connect_unix();
	vb_serial_service(&serial);
	int second = connect_unix();
	vb_serial_service(&serial);
	assert_int_equal(recv(second, &c, 1, MSG_DONTWAIT), 0); /* closed */
	assert_int_equal(serial.ep.refused, 1);
	close(second);
	/* one that leaves and one that comes in the same moment: what the first said counts */
	assert_int_equal(write(first, "bye", 3), 3);
	close(first);
	int third = connect_unix();
	for (unsigned i = 0; i < 4; i++)
		vb_serial_service(&serial);
	assert_int_equal(chip->usart.wire_len, 3);
	send_text("hi");
	expect(third, "hi");
	assert_int_equal(serial.ep.refused, 1);
	close(third);
}

static void test_pty(void **state)
{
	char where[160], link[128], got[8];
	struct stat st;
	(void)state;
	snprintf(link, sizeof link, "%s/tty", dir);
	snprintf(where, sizeof where, "pty:%s", link);
	begin(where, false);
	assert_true(vb_endpoint_needs_look(&serial.ep));
	send_text("lost");
	int fd = open(link, O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(fd >= 0);
	vb_serial_service(&serial);
	assert_false(vb_endpoint_needs_look(&serial.ep));
	send_text("\r\n\x03"); /* nothing of it is changed or acted upon */
	vb_serial_service(&serial);
	assert_int_equal(read(fd, got, sizeof got), 3);
	assert_memory_equal(got, "\r\n\x03", 3);
	assert_int_equal(write(fd, "\r\x03", 2), 2);
	vb_serial_service(&serial);
	assert_int_equal(chip->usart.wire_len, 2);
	close(fd);
	send_text("x");
	vb_serial_service(&serial);
	assert_true(vb_endpoint_needs_look(&serial.ep));
	vb_serial_free(&serial);
	assert_int_not_equal(lstat(link, &st), 0);
}

static void test_faults_on_characters(void **state)
{
	(void)state;
	add_fault("serial-drop:3,boot=1");
	add_fault("serial-flip:4,boot=2,once");
	begin_unix(false);
	int fd = connect_unix();
	vb_serial_service(&serial);
	send_text("abcdefgh");
	expect(fd, "abdegh");
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	send_text("abcdefgh"); /* the fourth: bit 1 of 'd' */
	expect(fd, "abcfefgh");
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	send_text("abcd");
	expect(fd, "abcd");
	close(fd);
}

static void test_hang_and_reset_at_their_cycle(void **state)
{
	(void)state;
	add_fault("hang@1000,boot=1");
	add_fault("reset@500,boot=2");
	begin_unix(false);
	uint64_t start = chip->reset_cycle;
	pass_until(start + 999);
	assert_false(faults.hung);
	pass_until(start + 1000);
	assert_true(faults.hung);
	vb_chip_reset(chip, VB_CAUSE_PIN);
	assert_false(faults.hung);
	pass(500);
	assert_true(faults.reset_due);
	pass(1000);
	assert_false(faults.hung);
}

static void test_reset_disarms_what_was_armed(void **state)
{
	(void)state;
	add_fault("hang@1000,boot=1");
	begin_unix(false);
	pass(500);
	vb_chip_reset(chip, VB_CAUSE_PIN);
	pass(5000);
	assert_false(faults.hung);
}

static void test_sessions_and_restarts(void **state)
{
	(void)state;
	add_fault("flash-ignored,session=2,restart=1");
	begin_unix(false);
	vb_faults_debugger(&faults, true);
	vb_faults_debugger(&faults, false);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_false(chip->fmc.ignore);
	vb_faults_debugger(&faults, true);
	vb_faults_debugger(&faults, false);
	assert_false(chip->fmc.ignore);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_true(chip->fmc.ignore);
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_false(chip->fmc.ignore);
}

static void test_states(void **state)
{
	(void)state;
	add_fault("idcode:12345678");
	add_fault("clock:0.5,boot=1");
	add_fault("debugger-attached");
	add_fault("flash-protected,boot=2");
	begin_unix(false);
	assert_int_equal(bb.jtag.dp_idcode, 0x12345678);
	assert_true(vb_rcc_real_hz(&chip->rcc) == 4e6);
	assert_int_equal(rd(0xE000EDF0) & 1, 1);
	assert_false(vb_fmc_read_protected(&chip->fmc));
	vb_chip_reset(chip, VB_CAUSE_SOFTWARE);
	assert_true(vb_rcc_real_hz(&chip->rcc) == 8e6);
	assert_true(vb_fmc_read_protected(&chip->fmc));
	wr(0xE000EDF0, 0xA05F0000); /* the debugger cleans up, and leaves */
	assert_int_equal(rd(0xE000EDF0) & 1, 0);
	vb_faults_debugger(&faults, false);
	assert_int_equal(rd(0xE000EDF0) & 1, 1);
}

static void test_brownout_counts_half_words(void **state)
{
	(void)state;
	add_fault("brownout@flash:3,once");
	begin_unix(false);
	wr(0x40022004, 0x45670123);
	wr(0x40022004, 0xCDEF89AB);
	wr(0x40022010, 1);
	for (unsigned i = 0; i < 3; i++) {
		assert_false(faults.brownout_due);
		wr16(0x08000000 + 2 * i, 0);
		pass(1000);
	}
	assert_true(faults.brownout_due);
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir); /* fails when a socket or link was left behind */
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_nobody_there_is_lost), T(test_slow_reader_loses_nothing),
		T(test_real_time_drops_and_counts), T(test_bytes_in_reach_the_wire),
		T(test_one_client_at_a_time_and_its_successor), T(test_pty), T(test_faults_on_characters),
		T(test_hang_and_reset_at_their_cycle), T(test_reset_disarms_what_was_armed),
		T(test_sessions_and_restarts), T(test_states), T(test_brownout_counts_half_words),
	};
	return cmocka_run_group_tests_name("vboard serial and faults", tests, make_dir, remove_dir);
}
