/* [adapter] of a target.toml as the adapter room takes it. */
#include <stdlib.h>
#include <string.h>

#include "adapter/ftdi.h"
#include "config/target.h"

static enum rtb_status pin(const struct rtb_target *t, const char *key, const char *text, struct rtb_adapter_pin *out,
			   struct rtb_error *e)
{
	*out = (struct rtb_adapter_pin){.number = -1, .active_high = *text == '+'};
	const char *digits = text + (*text == '+');
	if (!*text)
		return RTB_OK;
	if (digits[0] < '0' || digits[0] > '7' || digits[1])
		return rtb_fail(e, RTB_CONFIG, "%s: [adapter] %s = \"%s\": a pin is a number from 0 to 7, or + and one", t->path,
				key, text);
	out->number = digits[0] - '0';
	return RTB_OK;
}

/* Bit-bang takes the channel's pins away from its UART. */
static enum rtb_status apart_from_link(const struct rtb_target *t, struct rtb_error *e)
{
	static const char scheme[] = "ftdi://";
	struct rtb_ftdi_spec mine, link;
	if (!rtb_ftdi_parse(t->adapter.device, &mine))
		return rtb_fail(e, RTB_CONFIG, "%s: [adapter] device = \"%s\" is not SERIAL[/A..D] or VID:PID[/A..D]", t->path,
				t->adapter.device);
	if (strcmp(t->adapter.mode, "cbus") == 0 || strncmp(t->link.spec, scheme, strlen(scheme)) != 0 ||
	    !rtb_ftdi_parse(t->link.spec + strlen(scheme), &link))
		return RTB_OK;
	enum rtb_status s = RTB_OK;
	if (rtb_ftdi_same(&mine, &link))
		s = rtb_fail(e, RTB_CONFIG, "%s: [adapter] device and [link] spec are one channel, and bit-bang stops its UART: "
			     "take another channel, or mode = \"cbus\" on an FT232R", t->path);
	return s;
}

enum rtb_status rtb_target_adapter(const struct rtb_target *t, struct rtb_adapter_conf *out, struct rtb_error *e)
{
	const struct rtb_adapter_section *a = &t->adapter;
	*out = (struct rtb_adapter_conf){.kind = a->kind, .device = a->device, .cbus = strcmp(a->mode, "cbus") == 0,
		.reset_ms = a->reset_ms, .power_ms = a->power_ms, .settle_ms = a->settle_ms};
	enum rtb_status s = pin(t, "reset", a->reset, &out->reset, e);
	if (s == RTB_OK)
		s = pin(t, "power", a->power, &out->power, e);
	if (s == RTB_OK)
		s = pin(t, "boot", a->boot, &out->boot, e);
	return s == RTB_OK && strcmp(a->kind, "ftdi") == 0 ? apart_from_link(t, e) : s;
}
