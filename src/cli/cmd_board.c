/* cmd_board.c - what is plugged in, and a board's reset and power by hand. */
#include <cJSON.h>
#include <libserialport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter/usb.h"
#include "base/buf.h"
#include "cli/cmd.h"
#include "config/target.h"
#include "report/table.h"

static void add_row(struct rtb_table *t, const char *what, const char *kind, const char *at, const char *id,
		    const char *serial, const char *note)
{
	const char *const cell[] = {what, kind, at, id, serial, note};
	rtb_table_row(t, *note ? TONE_DOUBT : TONE_PLAIN);
	for (size_t i = 0; i < sizeof cell / sizeof cell[0]; i++)
		rtb_table_add(t, cell[i]);
}

/* Probes and adapters from sysfs: nothing is opened, so nothing is disturbed. */
static void list_usb(struct rtb_table *t)
{
	struct rtb_usb_device *d;
	size_t n = rtb_usb_list("/sys", &d);
	for (size_t i = 0; i < n; i++) {
		if (d[i].role == USB_OTHER)
			continue;
		char id[16];
		snprintf(id, sizeof id, "%04x:%04x", d[i].vid, d[i].pid);
		add_row(t, d[i].role == USB_PROBE ? "probe" : "adapter", d[i].what, d[i].name, id, d[i].serial,
			d[i].writable ? "" : "this user may not open it");
	}
	free(d);
}

static void list_ports(struct rtb_table *t)
{
	struct sp_port **list;
	if (sp_list_ports(&list) != SP_OK)
		return;
	for (size_t i = 0; list[i]; i++) {
		int vid = 0, pid = 0;
		char id[16] = "";
		const char *serial = sp_get_port_usb_serial(list[i]), *text = sp_get_port_description(list[i]);
		if (sp_get_port_usb_vid_pid(list[i], &vid, &pid) == SP_OK)
			snprintf(id, sizeof id, "%04x:%04x", (unsigned)vid & 0xffff, (unsigned)pid & 0xffff);
		add_row(t, "port", text ? text : "", sp_get_port_name(list[i]), id, serial ? serial : "", "");
	}
	sp_free_port_list(list);
}

static enum rtb_status list(const struct rtb_args *a)
{
	static const struct rtb_column columns[] = {
		{"what", "", false}, {"kind", "", false}, {"at", "", false}, {"id", "", false}, {"serial", "", false}, {"note", "", false},
	};
	struct rtb_table t;
	struct rtb_buf out = {0};
	rtb_table_init(&t, columns, sizeof columns / sizeof columns[0]);
	list_ports(&t);
	list_usb(&t);
	if (t.rows == 0 && !a->json)
		rtb_buf_str(&out, "no serial port, no probe and no adapter is connected\n");
	else
		rtb_table_write(&t, a->json ? TABLE_JSON : TABLE_TEXT, a->color, &out);
	fputs(rtb_buf_cstr(&out), stdout);
	rtb_buf_free(&out);
	rtb_table_free(&t);
	return RTB_OK;
}

typedef enum rtb_status action(struct rtb_adapter *a, struct rtb_error *e);

static enum rtb_status act(const struct rtb_args *a, action *what, struct rtb_error *e)
{
	struct rtb_project project = {0};
	struct rtb_target target = {0};
	struct rtb_adapter_conf conf;
	struct rtb_adapter *adapter = NULL;
	const char *name = rtb_arg(a, "target"), *board = rtb_arg(a, "board");
	if (!name == !board)
		return rtb_fail(e, RTB_USAGE, "which board? --target or --board names it");
	enum rtb_status s = rtb_project_load(a->config_path, &project, e);
	if (s == RTB_OK)
		s = rtb_target_choose(&project, name, board, &target, e);
	if (s == RTB_OK)
		s = rtb_target_adapter(&target, &conf, e);
	if (s == RTB_OK)
		s = rtb_adapter_open(&conf, rtb_clock_system(), &adapter, e);
	if (s == RTB_OK)
		s = what(adapter, e);
	rtb_adapter_close(adapter);
	rtb_target_free(&target);
	rtb_project_free(&project);
	return s;
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	static const struct { const char *word; action *what; } actions[] = {
		{"reset", rtb_adapter_reset}, {"power-cycle", rtb_adapter_power_cycle}, {"boot-loader", rtb_adapter_boot_loader},
	};
	const char *word = a->operand_count == 1 ? a->operands[0] : "";
	if (strcmp(word, "list") == 0)
		return list(a);
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		if (strcmp(actions[i].word, word) == 0)
			return act(a, actions[i].what, e);
	return rtb_fail(e, RTB_USAGE, "board list, reset, power-cycle or boot-loader");
}

static const struct rtb_opt opts[] = {
	{"target", 't', "T", "board whose [adapter] acts (a directory under targets/)", false},
	{"board", 0, "B", "the same for one of several equal boards ([[board]] in rtbench.toml)", false},
	{0},
};

const struct rtb_cmd cmd_board = {
	.name = "board",
	.summary = "what is plugged in; reset, power-cycle a board by its adapter",
	.operands = "list | reset | power-cycle | boot-loader",
	.opts = opts,
	.help = "list         serial ports, debug probes and FTDI adapters, with the identities that configuration\n"
		"             files name them by; nothing is opened\n"
		"reset        a pulse on the pin that [adapter] in target.toml wires to the board's reset\n"
		"power-cycle  power off and on\n"
		"boot-loader  a reset with the boot pin at its active level\n\n"
		"In [link] spec a port is usb:SERIAL[:IF], usb:VID:PID or, without a kernel\n"
		"driver, ftdi://SERIAL/CHANNEL; docs/hardware.md has the wiring.\n\n"
		"Examples:\n"
		"  rtbench board list\n"
		"  rtbench board reset --target gd32f103cbt6\n"
		"  rtbench board power-cycle --board left\n",
	.run = run,
};
