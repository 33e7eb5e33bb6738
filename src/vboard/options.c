#include "vboard/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum opt {
	OPT_BASE = 256, /* above every character, which getopt_long uses for short options */
#define X(sym, name, arg, help) OPT_##sym,
#include "vboard/options.def"
#undef X
};

static const struct option table[] = {
#define X(sym, name, arg, help) \
	{ name, sizeof arg > 1 ? required_argument : no_argument, NULL, OPT_##sym },
#include "vboard/options.def"
#undef X
	{ NULL, 0, NULL, 0 },
};

static enum rtb_status number(const char *opt, const char *text, uint64_t min, uint64_t max,
			      uint64_t *out, struct rtb_error *e)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || *out < min || *out > max)
		return rtb_fail(e, RTB_USAGE, "--%s '%s': expected a number from %llu to %llu", opt, text,
				(unsigned long long)min, (unsigned long long)max);
	return RTB_OK;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static enum rtb_status parse_uid(const char *text, struct vb_options *o, struct rtb_error *e)
{
	bool good = strlen(text) == 2 * VB_UID_BYTES;

	for (unsigned i = 0; good && i < VB_UID_BYTES; i++) {
		int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
		good = high >= 0 && low >= 0;
		if (good)
			o->uid[i] = (uint8_t)(high << 4 | low);
	}
	o->has_uid = good;
	return good ? RTB_OK : rtb_fail(e, RTB_USAGE, "--uid '%s': expected %u hexadecimal digits", text,
					2 * VB_UID_BYTES);
}

static enum rtb_status parse_fault(const char *text, struct vb_options *o, struct rtb_error *e)
{
	if (o->faults == VB_MAX_FAULTS)
		return rtb_fail(e, RTB_USAGE, "--fault: at most %d", VB_MAX_FAULTS);
	return vb_fault_parse(text, &o->fault[o->faults++], e);
}

const char *vb_adapter_name(enum vb_adapter a)
{
	return a == VB_ADAPTER_BUSPIRATE ? "buspirate" : "bitbang";
}

static enum rtb_status debug_port(struct vb_options *o, enum vb_adapter a, const char *arg, struct rtb_error *e)
{
	if (o->debug.kind != VB_EP_NONE && o->adapter != a)
		return rtb_fail(e, RTB_USAGE, "--bitbang and --buspirate: the chip has one debug port");
	o->adapter = a;
	return vb_endpoint_parse(arg, a == VB_ADAPTER_BUSPIRATE, &o->debug, e);
}

static enum rtb_status take(struct vb_options *o, int opt, const char *arg, struct rtb_error *e)
{
	uint64_t n = 0;
	enum rtb_status s = RTB_OK;

	switch (opt) {
	case OPT_MCU:
		if (strcmp(arg, "gd32f103cb"))
			s = rtb_fail(e, RTB_USAGE, "--mcu '%s': only gd32f103cb is known", arg);
		break;
	case OPT_BITBANG:   s = debug_port(o, VB_ADAPTER_BITBANG, arg, e); break;
	case OPT_BUSPIRATE: s = debug_port(o, VB_ADAPTER_BUSPIRATE, arg, e); break;
	case OPT_SERIAL:  s = vb_endpoint_parse(arg, true, &o->serial, e); break;
	case OPT_LOAD:    o->load = arg; break;
	case OPT_TRACE:   o->trace = arg; break;
	case OPT_CYCLES:  s = number("cycles", arg, 1, UINT64_MAX / 2, &o->cycles, e); break;
	case OPT_BAUD:
		s = number("baud", arg, 50, 20000000, &n, e);
		o->baud = (uint32_t)n;
		break;
	case OPT_HXTAL:
		s = number("hxtal", arg, 0, 50000000, &n, e);
		o->hxtal_hz = (uint32_t)n;
		break;
	case OPT_UID:         s = parse_uid(arg, o, e); break;
	case OPT_FAULT:       s = parse_fault(arg, o, e); break;
	case OPT_SEMIHOSTING: o->semihosting = true; break;
	case OPT_REALTIME:    o->realtime = true; break;
	case OPT_VERBOSE:     o->verbose = true; break;
	case OPT_HELP:        o->help = true; break;
	case OPT_VERSION:     o->version = true; break;
	default: break;
	}
	return s;
}

static enum rtb_status check(const struct vb_options *o, struct rtb_error *e)
{
	if (o->help || o->version)
		return RTB_OK;
	if (!o->load && o->debug.kind == VB_EP_NONE)
		return rtb_fail(e, RTB_USAGE, "the flash is empty and nobody can fill it: give --load, --bitbang or --buspirate");
	if (o->debug.kind == VB_EP_NONE && o->serial.kind == VB_EP_NONE && !o->cycles && !o->semihosting)
		return rtb_fail(e, RTB_USAGE,
				"nothing could come out of this: give --serial, --bitbang, --buspirate, --semihosting or --cycles");
	if (*o->debug.path && !strcmp(o->debug.path, o->serial.path))
		return rtb_fail(e, RTB_USAGE, "--%s and --serial name the same path", vb_adapter_name(o->adapter));
	return RTB_OK;
}

enum rtb_status vb_options_parse(int argc, char **argv, struct vb_options *out, struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	int opt;

	*out = (struct vb_options){ .hxtal_hz = 8000000 };
	out->debug = out->serial = (struct vb_endpoint){ .listen_fd = -1, .fd = -1, .pty_fd = -1 };
	optind = 0; /* glibc: start afresh, so that tests can parse more than once */
	opterr = 0;
	while (s == RTB_OK && (opt = getopt_long(argc, argv, ":", table, NULL)) != -1) {
		const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
		if (opt == ':')
			s = rtb_fail(e, RTB_USAGE, "%s needs a value", word);
		else if (opt == '?')
			s = rtb_fail(e, RTB_USAGE, "unknown option %s; --help lists them", word);
		else
			s = take(out, opt, optarg, e);
	}
	if (s == RTB_OK && optind < argc)
		s = rtb_fail(e, RTB_USAGE, "'%s': nothing is expected beside options", argv[optind]);
	return s == RTB_OK ? check(out, e) : s;
}

static void help_faults(struct rtb_buf *out)
{
	rtb_buf_str(out,
		"\nFaults: --fault NAME[,boot=N][,session=N][,restart=N][,once]\n");
	for (unsigned k = 0; k < VB_FAULT_KINDS; k++) {
		char name[48];
		snprintf(name, sizeof name, "%s%s", vb_fault_name(k), vb_fault_argument(k));
		rtb_buf_fmt(out, "  %-22s %s\n", name, vb_fault_text(k));
	}
	rtb_buf_str(out,
		"  boot=N counts resets since the program began, session=N debugger connections,\n"
		"  restart=N resets since the last debugger left; once: strike a single time.\n");
}

void vb_options_help(struct rtb_buf *out)
{
	rtb_buf_str(out,
		"rtbench-vboard: a GD32F103CBT6 and its debug port as one process.\n"
		"\n"
		"Run a program and see what it writes:\n"
		"  rtbench-vboard --load fw.elf --semihosting --cycles 100000000\n"
		"A board to flash with OpenOCD and talk to:\n"
		"  rtbench-vboard --bitbang unix:/tmp/dbg --serial pty:/tmp/tty &\n"
		"  openocd -c 'set RTBENCH_BITBANG /tmp/dbg' -f targets/virtual-gd32f103/openocd.cfg \\\n"
		"          -c 'program fw.elf verify reset exit'\n"
		"\nOptions:\n");
#define X(sym, name, arg, help) \
	rtb_buf_fmt(out, "  --%-20s %s\n", arg[0] ? name " " arg : name, help);
#include "vboard/options.def"
#undef X
	help_faults(out);
	rtb_buf_str(out,
		"\nOnce everything listens, 'ready bitbang=... serial=...' (or buspirate=) is printed. TERM or INT ends.\n"
		"Exit status: 0, the program's own with --semihosting (124 when --cycles ran out before\n"
		"it left), 2 for bad usage, 5 for an unusable ELF file, 7 for an address that is taken.\n");
}
