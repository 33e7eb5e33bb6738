/* What OpenOCD's messages mean: the words of 0.12.0 and 0.12.0+dev, each in the step of our script in which
 * it says them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "flash/openocd.h"

struct said {
	const char *step, *text; /* step "": our script has not begun */
	enum rtb_status status;
	const char *meaning;     /* part of the error's text */
};

/* As after a run that ended with 1. */
static void judged(const struct said *m)
{
	static const struct rtb_flash_board board = {.uid = "", .timeout_ms = 1000};
	struct rtb_process_result r = {.exit_code = 1};
	struct rtb_flash_result out = {0};
	struct rtb_error e = {0};
	if (*m->step)
		rtb_buf_fmt(&r.output, "RTB:step=%s\n", m->step);
	rtb_buf_fmt(&r.output, "Info : clock speed 1000 kHz\n%s\n\n", m->text);
	enum rtb_status st = rtb_openocd_judge(&r, &board, "RTB-VERIFIED-1", false, &out, &e);
	if (st != m->status || !strstr(e.text, m->meaning))
		fail_msg("%s: %s\n  gave %s: %s\n  wanted %s: %s", m->step, m->text, rtb_status_word(st), e.text,
			 rtb_status_word(m->status), m->meaning);
	rtb_buf_free(&r.output);
	rtb_flash_result_free(&out);
}

#define ALL(list) for (size_t i = 0; i < sizeof list / sizeof *list; i++) judged(&list[i])

static void no_probe(void **state)
{
	(void)state;
	static const struct said m[] = {
		{"connect", "Error: open failed", RTB_PROBE_ABSENT, "no probe could be opened"},
		{"connect", "Error: unable to find a matching CMSIS-DAP device", RTB_PROBE_ABSENT, "or none that this user may open"},
		{"connect", "Error: unable to open CMSIS-DAP device 0xc251:0xf001", RTB_PROBE_ABSENT, "cannot be opened"},
		{"connect", "Error: No J-Link device found", RTB_PROBE_ABSENT, "no J-Link"},
		{"connect", "Error: Failed to open device: Input/output error", RTB_PROBE_ABSENT, "J-Link cannot be opened"},
		{"connect", "Info : No device matches the serial string\nError: open failed", RTB_PROBE_ABSENT, "with this serial"},
		{"connect", "Error: ST-LINK open failed (serial mismatch)", RTB_PROBE_ABSENT, "no such ST-Link"},
		{"connect", "Error: no device found\nError: unable to open ftdi device with vid 0403, pid 6014, description '*', "
			    "serial '*' at bus location '*'", RTB_PROBE_ABSENT, "no such FTDI probe"},
		{"connect", "Error: Error on socket 'connect': errno==2, message: No such file or directory.", RTB_PROBE_ABSENT,
		 "nothing listens"},
		{"connect", "Error: Error on socket 'Failed to connect': errno==9, message: Bad file descriptor.", RTB_PROBE_ABSENT,
		 "nothing listens"},
		{"write", "Error: Error on socket 'remote_bitbang_putc': errno==32, message: Broken pipe.", RTB_PROBE_ABSENT,
		 "went away"},
		{"write", "Error: libusb_bulk_write error: LIBUSB_ERROR_NO_DEVICE\nError: error writing to flash at address 0x08000000",
		 RTB_PROBE_ABSENT, "went away"},
		{"write", "Error: error writing data: No such device (it may have been disconnected)", RTB_PROBE_ABSENT, "went away"},
		{"connect", "Error: Could not open serial port", RTB_PROBE_ABSENT, "nothing is where"},
		{"connect", "Error: Buspirate did not answer correctly! Do you have correct firmware?", RTB_PROBE_ABSENT, "replug"},
		{"connect", "Error: read version failed", RTB_PROBE_ABSENT, "replug"},
		{"connect", "Error: CMSIS-DAP command CMD_INFO failed.", RTB_PROBE_ABSENT, "replug"},
		{"write", "Error: CMSIS-DAP command mismatch. Expected 0x5 received 0x0", RTB_PROBE_ABSENT, "out of step"},
		{"connect", "Error: libusb_bulk_read error: LIBUSB_ERROR_TIMEOUT", RTB_PROBE_ABSENT, "does not answer"},
	};
	ALL(m);
}

static void a_probe_that_is_not_to_be_had(void **state)
{
	(void)state;
	static const struct said m[] = {
		{"connect", "Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\nError: open failed", RTB_PROBE_DENIED, "this user"},
		{"connect", "Error: could not open device 0xc251:0xf001: Access denied (insufficient permissions)\n"
			    "Error: unable to find a matching CMSIS-DAP device", RTB_PROBE_DENIED, "this user"},
		{"connect", "Error: libusb_claim_interface() failed with LIBUSB_ERROR_BUSY", RTB_PROBE_BUSY, "holds the probe"},
		{"connect", "Warn : could not claim interface: Resource busy\nError: unable to find a matching CMSIS-DAP device",
		 RTB_PROBE_BUSY, "holds the probe"},
		{"connect", "Error: the selected device is already used", RTB_PROBE_BUSY, "holds the probe"},
		{"connect", "Error: Registration failed: maximum number of connections on the device reached", RTB_PROBE_BUSY,
		 "hold the probe"},
		{"connect", "Error: couldn't bind tcl to socket on port 6666: Address already in use", RTB_PROBE_BUSY, "port 6666"},
		{"connect", "Error: Multiple devices found, specify the desired device", RTB_PROBE_MANY, "several"},
	};
	ALL(m);
}

/* OpenOCD tries every device of the kind; what it says of those that are not ours explains nothing. */
static void what_is_said_of_other_probes_is_no_cause(void **state)
{
	(void)state;
	static const struct said m[] = {
		{"connect", "Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\n"
			    "Error: init mode failed (unable to connect to the target)", RTB_NO_ATTACH, "debug port"},
		{"connect", "Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\nError: Error connecting DP: cannot read IDR",
		 RTB_NO_ATTACH, "debug port"},
		{"halt", "Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\nError: timed out while waiting for target halted",
		 RTB_NO_ATTACH, "asleep"},
		{"write", "Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\nError: stm32x device protected", RTB_PROTECTED, ""},
		{"verify", "Error: libusb_open() failed with LIBUSB_ERROR_BUSY\nError: checksum mismatch", RTB_VERIFY, "read back"},
	};
	ALL(m);
}

static void what_a_second_try_does_not_mend(void **state)
{
	(void)state;
	static const struct said m[] = {
		{"connect", "Error: Invalid serial number: 12x", RTB_CONFIG, "serial number"},
		{"", "Error: Debug adapter doesn't support 'dapdirect_swd' transport", RTB_CONFIG, "that transport"},
		{"connect", "Error: CMSIS-DAP: SWD not supported", RTB_CONFIG, "that transport"},
		{"connect", "Error: CMSIS-DAP failed to connect in mode (1)", RTB_CONFIG, "that transport"},
		{"", "embedded:startup.tcl:28: Error: Can't find interface/nosuch.cfg", RTB_CONFIG, "configuration file"},
		{"connect", "Error: Debug Adapter has to be specified, see \"adapter driver\" command", RTB_CONFIG, "no configuration"},
		{"", "Error: The specified debug interface was not found (nosuch)", RTB_TOOL_OLD, "adapter driver"},
		{"", "Error: The specified adapter driver was not found (nosuch)", RTB_TOOL_OLD, "adapter driver"},
		{"", "invalid command name \"adapter\"", RTB_TOOL_OLD, "does not know"},
		{"connect", "Error: ST-Link version does not support DAP direct transport", RTB_TOOL_OLD, "firmware"},
		{"write", "Error: Cannot identify target as a stm32x\nError: auto_probe failed", RTB_TARGET_ID, "family"},
		{"connect", "Error: [stm32f1x.cpu] Cortex-M PARTNO 0x0 is unrecognized", RTB_TARGET_ID, "core"},
		{"write", "Error: stm32x device protected\nError: failed erasing sectors 0 to 12", RTB_PROTECTED, "protected"},
		{"write", "Error: flash memory write protected\nError: error writing to flash at address 0x08000000", RTB_PROTECTED,
		 "protected"},
	};
	for (size_t i = 0; i < sizeof m / sizeof *m; i++)
		assert_false(rtb_status_retry(m[i].status));
	ALL(m);
}

static void a_chip_that_is_not_reached(void **state)
{
	(void)state;
	static const struct said m[] = {
		{"connect", "Error: init mode failed (unable to connect to the target)", RTB_NO_ATTACH, "debug port"},
		{"connect", "Error: Error connecting DP: cannot read IDR", RTB_NO_ATTACH, "debug port"},
		{"connect", "Error: JTAG scan chain interrogation failed: all ones", RTB_NO_ATTACH, "debug port"},
		{"connect", "Error: JTAG scan chain interrogation failed: all zeroes", RTB_NO_ATTACH, "debug port"},
		{"connect", "Error: Failed to connect multidrop x.dap", RTB_NO_ATTACH, "debug port"},
		{"connect", "Error: [stm32f1x.cpu] Could not find MEM-AP to control the core", RTB_NO_ATTACH, "not its core"},
		{"connect", "Error: target voltage may be too low for reliable debugging", RTB_NO_ATTACH, "no power"},
		{"connect", "Error: Fail reading CTRL/STAT register. Force reconnect", RTB_NO_ATTACH, "debug port"},
		{"halt", "Error: timed out while waiting for target halted", RTB_NO_ATTACH, "asleep"},
		{"halt", "TARGET: stm32f1x.cpu - Not halted", RTB_NO_ATTACH, "asleep"},
		{"halt", "Error: Target not examined yet", RTB_NO_ATTACH, "core does not answer"},
		{"halt", "Error: [stm32f1x.cpu] Debug AP not available, reset NOT asserted!", RTB_NO_ATTACH, "core does not answer"},
		{"halt", "Error: Debug regions are unpowered, an unexpected reset might have happened", RTB_NO_ATTACH, "lost its power"},
		{"write", "Error: Error connecting DP: cannot read IDR\nError: error writing to flash at address 0x08000000 at offset 0x0",
		 RTB_NO_ATTACH, "debug port"},
	};
	ALL(m);
}

static void writing_and_reading_back(void **state)
{
	(void)state;
	static const struct said m[] = {
		{"write", "Error: timed out waiting for flash\nError: failed erasing sectors 0 to 12", RTB_FLASH, "stayed busy"},
		{"write", "Error: failed erasing sectors 0 to 12", RTB_FLASH, "erasing failed"},
		{"write", "Error: flash write algorithm aborted by target\nError: error writing to flash at address 0x08000000",
		 RTB_FLASH, "algorithm in the board's RAM stopped"},
		{"write", "Error: timeout waiting for algorithm, a target reset is recommended", RTB_FLASH, "hangs"},
		/* not a core that sleeps: the chip was halted before */
		{"write", "Error: timed out while waiting for target halted\nError: error writing to flash at address 0x08000000",
		 RTB_FLASH, "algorithm in the board's RAM hangs"},
		{"write", "Error: Failed to execute algorithm at 0x20000000: -302", RTB_FLASH, "algorithm"},
		{"write", "Error: flash memory not erased before writing\nError: error writing to flash at address 0x08000000",
		 RTB_FLASH, "was not empty"},
		{"write", "Error: stm32x device programming failed / flash not erased", RTB_FLASH, "may not have been empty"},
		{"write", "Error: flash write failed at address 0x8000010", RTB_FLASH, "writing failed"},
		{"write", "Error: error writing to flash at address 0x08000000 at offset 0x0", RTB_FLASH, "writing failed"},
		{"write", "Warn : no flash bank found for address 0x20000000", RTB_FLASH, "has no flash"},
		{"write", "Error: No flash at address 0x20000000", RTB_FLASH, "has no flash"},
		{"write", "Error: something new", RTB_FLASH, "while erasing and writing"},
		{"verify", "Error: checksum mismatch - attempting binary compare", RTB_VERIFY, "read back"},
		{"verify", "diff 0 address 0x08000004. Was 0xff instead of 0xb5", RTB_VERIFY, "read back"},
		{"verify", "Error: something new", RTB_VERIFY, "while reading back"},
		{"release", "Error: something new", RTB_FLASH, "after a good verify"},
	};
	ALL(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_probe),
		cmocka_unit_test(a_probe_that_is_not_to_be_had),
		cmocka_unit_test(what_is_said_of_other_probes_is_no_cause),
		cmocka_unit_test(what_a_second_try_does_not_mend),
		cmocka_unit_test(a_chip_that_is_not_reached),
		cmocka_unit_test(writing_and_reading_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
