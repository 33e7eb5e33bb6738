#include "vboard/faults.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum argument { NONE, COUNT, CYCLE, FLASH, FACTOR, HEX };

static const struct {
	const char *name, *text;
	enum argument arg;
} kinds[VB_FAULT_KINDS] = {
#define X(sym, name, arg, text) { name, text, arg },
#include "vboard/faults.def"
#undef X
};

static const char *const written[] = {
	[NONE] = "", [COUNT] = ":N", [CYCLE] = "@CYCLE", [FLASH] = "@flash:N",
	[FACTOR] = ":X", [HEX] = ":HEX",
};

const char *vb_fault_name(enum vb_fault_kind kind) { return kinds[kind].name; }
const char *vb_fault_text(enum vb_fault_kind kind) { return kinds[kind].text; }
const char *vb_fault_argument(enum vb_fault_kind kind) { return written[kinds[kind].arg]; }

/* ---- reading a specification ---- */

static bool number(const char *s, int base, uint64_t max, uint64_t *out)
{
	char *end;

	if (!((*s >= '0' && *s <= '9') || (base == 16 && strchr("abcdefABCDEF", *s) && *s)))
		return false;
	errno = 0;
	*out = strtoull(s, &end, base);
	return !errno && !*end && *out <= max;
}

static bool argument(struct vb_fault *f, const char *arg)
{
	char *end;

	switch (kinds[f->kind].arg) {
	case NONE:
		return !*arg;
	case COUNT:
		return *arg == ':' && number(arg + 1, 10, UINT32_MAX, &f->number) && f->number;
	case CYCLE:
		return *arg == '@' && number(arg + 1, 10, UINT64_MAX / 2, &f->number);
	case FLASH:
		return !strncmp(arg, "@flash:", 7) && number(arg + 7, 10, UINT32_MAX, &f->number) &&
		       f->number;
	case HEX:
		return *arg == ':' && number(arg + 1, 16, UINT32_MAX, &f->number);
	case FACTOR:
		if (*arg != ':')
			return false;
		f->factor = strtod(arg + 1, &end);
		return end != arg + 1 && !*end && f->factor >= 0.01 && f->factor <= 100;
	}
	return false;
}

static bool condition(struct vb_fault *f, const char *word)
{
	static const char *const key[3] = { "boot=", "session=", "restart=" };
	unsigned *const to[3] = { &f->boot, &f->session, &f->restart };

	if (!strcmp(word, "once")) {
		f->once = true;
		return true;
	}
	for (unsigned i = 0; i < 3; i++) {
		uint64_t n;
		size_t len = strlen(key[i]);
		if (strncmp(word, key[i], len))
			continue;
		if (!number(word + len, 10, UINT32_MAX, &n) || !n)
			return false;
		*to[i] = (unsigned)n;
		return true;
	}
	return false;
}

static bool find_kind(const char *name, enum vb_fault_kind *out)
{
	for (unsigned k = 0; k < VB_FAULT_KINDS; k++) {
		if (!strcmp(kinds[k].name, name)) {
			*out = (enum vb_fault_kind)k;
			return true;
		}
	}
	return false;
}

enum rtb_status vb_fault_parse(const char *text, struct vb_fault *out, struct rtb_error *e)
{
	char copy[128], name[32];
	char *rest = copy;

	*out = (struct vb_fault){ .factor = 1.0 };
	if (strlen(text) >= sizeof copy)
		return rtb_fail(e, RTB_USAGE, "fault '%.40s...': too long", text);
	memcpy(copy, text, strlen(text) + 1);
	char *what = strsep(&rest, ",");
	size_t len = strcspn(what, ":@");
	if (len == 0 || len >= sizeof name)
		return rtb_fail(e, RTB_USAGE, "fault '%s': no name", text);
	memcpy(name, what, len);
	name[len] = '\0';
	if (!find_kind(name, &out->kind))
		return rtb_fail(e, RTB_USAGE, "fault '%s': no fault is called '%s'; --help lists them",
				text, name);
	if (!argument(out, what + len))
		return rtb_fail(e, RTB_USAGE, "fault '%s': is written %s%s", text, name,
				vb_fault_argument(out->kind));
	for (char *word; (word = strsep(&rest, ",")); )
		if (!condition(out, word))
			return rtb_fail(e, RTB_USAGE,
					"fault '%s': '%s' is none of boot=N, session=N, restart=N, once",
					text, word);
	return RTB_OK;
}

/* ---- at work ---- */

static bool applies(const struct vb_fault *f)
{
	const struct vb_faults *o = f->owner;

	return (!f->boot || f->boot == o->chip->resets) && (!f->session || f->session == o->session) &&
	       (!f->restart || f->restart == o->restart) && (!f->once || !f->hits);
}

static void strike(struct vb_fault *f)
{
	f->hits++;
	rtb_log(RTB_LOG_INFO, "fault %s strikes: cycle %llu of boot %u, session %u",
		vb_fault_name(f->kind),
		(unsigned long long)(f->owner->chip->m.cpu.cycles - f->owner->chip->reset_cycle),
		f->owner->chip->resets, f->owner->session);
}

static void due_fire(void *ctx, uint64_t at)
{
	struct vb_fault *f = ctx;

	(void)at;
	strike(f);
	if (f->kind == VB_FAULT_HANG)
		f->owner->hung = true;
	else
		f->owner->reset_due = true;
	vb_cpu_stop(&f->owner->chip->m.cpu);
}

static void on_program(void *ctx, uint64_t count)
{
	struct vb_faults *o = ctx;

	for (unsigned i = 0; i < o->count; i++) {
		struct vb_fault *f = &o->list[i];
		if (f->kind != VB_FAULT_BROWNOUT || count != f->number || !applies(f))
			continue;
		strike(f);
		o->brownout_due = true;
		vb_cpu_stop(&o->chip->m.cpu);
	}
}

/* Halting debug as a debugger leaves it that does not clean up. */
static void enable_debug(struct vb_chip *c)
{
	vb_bus_write(&c->m.bus, 0xE000EDF0, 4, 0xA05F0001); /* DHCSR: key, C_DEBUGEN */
}

/* Faults that are a state: on while their conditions hold, looked at when those may change. */
static void settle(struct vb_faults *o)
{
	struct vb_chip *c = o->chip;

	for (unsigned i = 0; i < o->count; i++) {
		struct vb_fault *f = &o->list[i];
		bool on = applies(f);
		switch (f->kind) {
		case VB_FAULT_DWT_STUCK:
			c->m.cpu.dwt.stuck = on;
			break;
		case VB_FAULT_CLOCK:
			vb_rcc_set_factor(&c->rcc, on ? f->factor : 1.0);
			break;
		case VB_FAULT_FLASH_PROTECTED:
			vb_fmc_options(&c->fmc, on);
			break;
		case VB_FAULT_FLASH_IGNORED:
			c->fmc.ignore = on;
			break;
		case VB_FAULT_FLASH_WORN:
			c->fmc.worn = on;
			c->fmc.worn_addr = (uint32_t)f->number;
			break;
		case VB_FAULT_IDCODE:
			o->debug->jtag.dp_idcode = on ? (uint32_t)f->number : VB_DP_IDCODE;
			break;
		case VB_FAULT_DEBUGGER:
			if (on && !o->connected)
				enable_debug(c);
			break;
		default:
			break;
		}
	}
}

void vb_faults_attach(struct vb_faults *f, struct vb_chip *chip, struct vb_lines *debug)
{
	f->chip = chip;
	f->debug = debug;
	for (unsigned i = 0; i < f->count; i++) {
		f->list[i].owner = f;
		f->list[i].due = (struct vb_event){ .fire = due_fire, .ctx = &f->list[i] };
	}
	chip->fmc.on_program = on_program;
	chip->fmc.program_ctx = f;
}

void vb_faults_after_reset(struct vb_faults *f, bool held)
{
	f->chars = 0;
	f->hung = false;
	for (unsigned i = 0; i < f->count; i++)
		vb_sched_cancel(&f->chip->m.sched, &f->list[i].due);
	if (held)
		return;
	f->restart++;
	for (unsigned i = 0; i < f->count; i++) {
		struct vb_fault *x = &f->list[i];
		if (x->kind != VB_FAULT_HANG && x->kind != VB_FAULT_RESET)
			continue;
		if (applies(x))
			vb_sched_at(&f->chip->m.sched, &x->due, f->chip->reset_cycle + x->number);
	}
	settle(f);
}

void vb_faults_debugger(struct vb_faults *f, bool connected)
{
	f->connected = connected;
	if (connected)
		f->session++;
	f->restart = 0;
	settle(f);
}

bool vb_faults_character(struct vb_faults *f, uint8_t *byte)
{
	bool arrives = true;

	f->chars++;
	for (unsigned i = 0; i < f->count; i++) {
		struct vb_fault *x = &f->list[i];
		if (!applies(x))
			continue;
		if (x->kind == VB_FAULT_SERIAL_SILENT) {
			x->hits++;
			arrives = false;
		} else if (x->kind == VB_FAULT_SERIAL_DROP && f->chars % x->number == 0) {
			strike(x);
			arrives = false;
		} else if (x->kind == VB_FAULT_SERIAL_FLIP && f->chars % x->number == 0) {
			strike(x);
			*byte ^= (uint8_t)(1u << (f->chars / x->number % 7)); /* bit 7 would be too easy */
		}
	}
	return arrives;
}
