#include "adapter/adapter.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "adapter/ftdi.h"
#include "base/buf.h"

/* A chip with CBUS pins that can be driven: the FT232R and the FT-X (AN232B-04 and FT-X data
 * sheets); the FT2232 and FT4232 families have none. */
#define CBUS_PINS 4
#define DATA_PINS 8

struct rtb_adapter {
	const struct rtb_adapter_conf *conf;
	const struct rtb_clock *clock;
	struct ftdi_context *f; /* NULL: the null adapter */
	unsigned out, level;    /* pins that are outputs, and their levels */
};

static bool wired(const struct rtb_adapter_conf *c, const struct rtb_adapter_pin *p)
{
	return strcmp(c->kind, "null") != 0 && p->number >= 0;
}

bool rtb_adapter_can_reset(const struct rtb_adapter_conf *c) { return wired(c, &c->reset); }
bool rtb_adapter_can_power(const struct rtb_adapter_conf *c) { return wired(c, &c->power); }

/* Drives the pins as a->out and a->level say. CBUS takes direction and level in one request that
 * does not disturb the UART; bit-bang a request for the direction and a byte for the levels,
 * which goes first, so that no pin is driven at a level nobody asked for. */
static enum rtb_status drive(struct rtb_adapter *a, struct rtb_error *e)
{
	int r;
	if (a->conf->cbus) {
		r = ftdi_set_bitmode(a->f, (unsigned char)(a->out << 4 | (a->level & 0xf)), BITMODE_CBUS);
	} else if (a->out == 0) {
		r = ftdi_set_bitmode(a->f, 0, BITMODE_RESET);
	} else {
		unsigned char level = (unsigned char)a->level;
		r = ftdi_set_bitmode(a->f, 0, BITMODE_BITBANG);
		if (r >= 0)
			r = ftdi_write_data(a->f, &level, 1) == 1 ? 0 : -1;
		if (r >= 0)
			r = ftdi_set_bitmode(a->f, (unsigned char)a->out, BITMODE_BITBANG);
	}
	return r < 0 ? rtb_fail(e, RTB_LINK_LOST, "%s: driving its pins: %s", a->conf->device, ftdi_get_error_string(a->f))
		     : RTB_OK;
}

static enum rtb_status set(struct rtb_adapter *a, const struct rtb_adapter_pin *p, bool active, struct rtb_error *e)
{
	unsigned bit = 1u << p->number;
	a->out = active ? a->out | bit : a->out & ~bit;
	a->level = active && p->active_high ? a->level | bit : a->level & ~bit;
	return drive(a, e);
}

static enum rtb_status no_pin(const struct rtb_adapter *a, const char *what, struct rtb_error *e)
{
	return rtb_fail(e, RTB_CONFIG, strcmp(a->conf->kind, "null") == 0
			? "the target names no adapter that could %s the board ([adapter] in target.toml)"
			: "no pin of the adapter is wired to %s the board ([adapter] in target.toml)", what);
}

static void wait(struct rtb_adapter *a, unsigned ms)
{
	uint64_t until = rtb_deadline_ms(a->clock, ms);
	int left;
	while ((left = rtb_ms_left(a->clock, until)) > 0)
		poll(NULL, 0, left);
}

enum rtb_status rtb_adapter_hold(struct rtb_adapter *a, bool held, struct rtb_error *e)
{
	return rtb_adapter_can_reset(a->conf) ? set(a, &a->conf->reset, held, e) : no_pin(a, "reset", e);
}

enum rtb_status rtb_adapter_reset(struct rtb_adapter *a, struct rtb_error *e)
{
	enum rtb_status s = rtb_adapter_hold(a, true, e);
	if (s != RTB_OK)
		return s;
	wait(a, a->conf->reset_ms);
	return rtb_adapter_hold(a, false, e);
}

enum rtb_status rtb_adapter_power_cycle(struct rtb_adapter *a, struct rtb_error *e)
{
	if (!rtb_adapter_can_power(a->conf))
		return no_pin(a, "switch the power of", e);
	enum rtb_status s = set(a, &a->conf->power, true, e);
	if (s != RTB_OK)
		return s;
	wait(a, a->conf->power_ms);
	s = set(a, &a->conf->power, false, e);
	wait(a, a->conf->settle_ms);
	return s;
}

enum rtb_status rtb_adapter_boot_loader(struct rtb_adapter *a, struct rtb_error *e)
{
	if (!wired(a->conf, &a->conf->boot))
		return no_pin(a, "start the boot loader of", e);
	enum rtb_status s = set(a, &a->conf->boot, true, e);
	if (s == RTB_OK)
		s = rtb_adapter_reset(a, e);
	wait(a, a->conf->settle_ms);
	enum rtb_status released = set(a, &a->conf->boot, false, e);
	return s == RTB_OK ? released : s;
}

static enum rtb_status check_pins(const struct rtb_adapter_conf *c, struct rtb_error *e)
{
	const struct { const char *name; const struct rtb_adapter_pin *p; } pin[] = {
		{"reset", &c->reset}, {"power", &c->power}, {"boot", &c->boot},
	};
	int count = c->cbus ? CBUS_PINS : DATA_PINS;
	for (size_t i = 0; i < 3; i++) {
		if (pin[i].p->number >= count)
			return rtb_fail(e, RTB_CONFIG, "adapter: %s cannot be pin %d: there are %s0 to %s%d", pin[i].name,
					pin[i].p->number, c->cbus ? "CBUS" : "D", c->cbus ? "CBUS" : "D", count - 1);
		for (size_t k = 0; k < i; k++)
			if (pin[i].p->number >= 0 && pin[i].p->number == pin[k].p->number)
				return rtb_fail(e, RTB_CONFIG, "adapter: %s and %s are the same pin %d", pin[k].name, pin[i].name,
						pin[i].p->number);
	}
	return RTB_OK;
}

static enum rtb_status open_ftdi(struct rtb_adapter *a, struct rtb_error *e)
{
	struct rtb_ftdi_spec spec;
	struct rtb_usb_device device;
	enum rtb_status s = check_pins(a->conf, e);
	if (s == RTB_OK && !rtb_ftdi_parse(a->conf->device, &spec))
		s = rtb_fail(e, RTB_CONFIG, "adapter: \"%s\" is not SERIAL[/A..D] or VID:PID[/A..D]", a->conf->device);
	if (s == RTB_OK)
		s = rtb_ftdi_open(&spec, a->conf->device, &a->f, &device, e);
	if (s == RTB_OK && a->conf->cbus && a->f->type != TYPE_R && a->f->type != TYPE_230X)
		s = rtb_fail(e, RTB_CONFIG, "%s: this chip has no CBUS pins that can be driven; the FT232R and FT-X have", a->conf->device);
	return s;
}

enum rtb_status rtb_adapter_open(const struct rtb_adapter_conf *conf, const struct rtb_clock *clock,
				 struct rtb_adapter **out, struct rtb_error *e)
{
	struct rtb_adapter *a = rtb_alloc(sizeof *a);
	*a = (struct rtb_adapter){.conf = conf, .clock = clock};
	*out = NULL;
	enum rtb_status s = RTB_OK;
	if (strcmp(conf->kind, "ftdi") == 0)
		s = open_ftdi(a, e);
	else if (strcmp(conf->kind, "null") != 0)
		s = rtb_fail(e, RTB_CONFIG, "no adapter is of kind \"%s\": there are null and ftdi", conf->kind);
	if (s == RTB_OK)
		*out = a;
	else
		rtb_adapter_close(a);
	return s;
}

void rtb_adapter_close(struct rtb_adapter *a)
{
	struct rtb_error ignored = {0};
	if (a && a->f) {
		a->out = a->level = 0;
		drive(a, &ignored);
		rtb_ftdi_close(a->f);
	}
	free(a);
}
