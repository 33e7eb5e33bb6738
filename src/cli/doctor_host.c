/* The doctor's look at the machine: tools, libraries, USB, serial ports. */
#include <cJSON.h>
#include <ctype.h>
#include <ftdi.h>
#include <libserialport.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "adapter/usb.h"
#include "base/process.h"
#include "cli/doctor.h"

/* What rtbench runs. Versions below min are known not to work (docs/hardware.md). */
static const struct {
	const char *program, *version_arg, *debian;
	unsigned min_major;
	const char *what_for;
} tools[] = {
	{"arm-none-eabi-gcc", "--version", "gcc-arm-none-eabi", 10, "builds the firmware"},
	{"arm-none-eabi-ar", "--version", "binutils-arm-none-eabi", 0, "builds the firmware"},
	{"make", "--version", "make", 4, "builds the firmware"},
	{"openocd", "--version", "openocd", 0, "programs the board"},
};

/* First line of the program's version text; NULL when it cannot be run. Free it. */
static char *version_line(const char *program, const char *arg)
{
	const char *argv[] = {program, arg, NULL};
	struct rtb_process_spec spec = {.argv = argv, .timeout_ms = 10000};
	struct rtb_process_result r;
	struct rtb_error e = {0};
	char *line = NULL;
	if (rtb_process_run(&spec, rtb_clock_system(), &r, &e) == RTB_OK && r.exit_code == 0) {
		const char *text = rtb_buf_cstr(&r.output);
		line = rtb_sprintf("%.*s", (int)strcspn(text, "\r\n"), text);
	}
	rtb_buf_free(&r.output);
	return line;
}

/* The first number that stands before a point and behind white space: "gcc (15:12.2..) 12.2.1". */
static unsigned major_version(const char *line)
{
	for (const char *p = line; *p; p++)
		if (isspace((unsigned char)*p) && isdigit((unsigned char)p[1])) {
			char *end;
			unsigned long v = strtoul(p + 1, &end, 10);
			if (*end == '.')
				return (unsigned)v;
		}
	return 0;
}

void doctor_tools(struct doctor *d)
{
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		char *path = rtb_which(tools[i].program);
		char *line = path ? version_line(path, tools[i].version_arg) : NULL;
		char *advice = rtb_sprintf("apt-get install %s", tools[i].debian);
		if (!path)
			doctor_add(d, DOCTOR_BAD, RTB_NO_TOOL, "tools", tools[i].program, advice,
				   "not found; it %s", tools[i].what_for);
		else if (!line)
			doctor_add(d, DOCTOR_BAD, RTB_NO_TOOL, "tools", tools[i].program, advice,
				   "%s does not answer %s", path, tools[i].version_arg);
		else if (major_version(line) < tools[i].min_major)
			doctor_add(d, DOCTOR_BAD, RTB_TOOL_OLD, "tools", tools[i].program, advice,
				   "%s is older than %u, the oldest known to work", line, tools[i].min_major);
		else
			doctor_add(d, DOCTOR_OK, RTB_OK, "tools", tools[i].program, "", "%s  (%s)", line, path);
		free(advice);
		free(line);
		free(path);
	}
}

void doctor_libraries(struct doctor *d)
{
	struct ftdi_version_info ftdi = ftdi_get_library_version();
	doctor_add(d, DOCTOR_OK, RTB_OK, "libraries", "libserialport", "", "%s", sp_get_package_version_string());
	doctor_add(d, DOCTOR_OK, RTB_OK, "libraries", "libftdi1", "", "%s", ftdi.version_str);
	doctor_add(d, DOCTOR_OK, RTB_OK, "libraries", "cJSON", "", "%s", cJSON_Version());
	doctor_add(d, DOCTOR_OK, RTB_OK, "libraries", "SQLite", "", "%s", sqlite3_libversion());
	doctor_add(d, DOCTOR_OK, RTB_OK, "libraries", "zlib", "", "%s", zlibVersion());
}

void doctor_usb(struct doctor *d)
{
	struct rtb_usb_device *dev;
	size_t n = rtb_usb_list("/sys", &dev), probes = 0;
	for (size_t i = 0; i < n; i++) {
		if (dev[i].role != USB_PROBE)
			continue;
		probes++;
		doctor_add(d, dev[i].writable ? DOCTOR_OK : DOCTOR_WARN, RTB_OK, "probes", dev[i].what,
			   dev[i].writable ? "" : "add the udev rule from docs/hardware.md",
			   "%04x:%04x serial '%s' at %s%s", dev[i].vid, dev[i].pid, dev[i].serial, dev[i].name,
			   dev[i].writable ? "" : ", this user may not open it");
	}
	if (!probes)
		doctor_add(d, DOCTOR_NOTE, RTB_OK, "probes", "none", "", "no debug probe on the USB; the virtual board needs none");
	free(dev);
}

static void add_port(struct doctor *d, struct sp_port *p)
{
	const char *name = sp_get_port_name(p);
	const char *text = sp_get_port_description(p);
	const char *serial = sp_get_port_usb_serial(p);
	bool ok = access(name, R_OK | W_OK) == 0;
	doctor_add(d, ok ? DOCTOR_OK : DOCTOR_WARN, RTB_OK, "ports", name,
		   ok ? "" : "join the group dialout, or add the udev rule from docs/hardware.md",
		   "%s%s%s%s", text ? text : "serial port", serial ? ", serial " : "", serial ? serial : "",
		   ok ? "" : ", this user may not open it");
}

void doctor_ports(struct doctor *d)
{
	struct sp_port **list = NULL;
	size_t n = 0;
	if (sp_list_ports(&list) == SP_OK)
		for (; list[n]; n++)
			add_port(d, list[n]);
	if (!n)
		doctor_add(d, DOCTOR_NOTE, RTB_OK, "ports", "none", "", "no serial port; the virtual board needs none");
	sp_free_port_list(list);
}
