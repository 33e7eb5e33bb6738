/* cmd_monitor.c - shows what a board says, frame by frame, and can start a case by hand. */
#include <cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/cmd.h"
#include "config/target.h"
#include "link/escape.h"
#include "link/session.h"

enum { READ_MS = 200, LINE_BYTES = 72 };

/* Everything is shown from a decoder of our own that is fed with every byte; a session, where
 * there is one, only leads the conversation. */
struct view {
	struct rtb_decoder decoder;
	const struct rtb_clock *clock;
	uint64_t begin_ns;
	bool json;
	uint64_t of_type[RTB_FRAME_TYPE_COUNT], invalid;
	struct rtb_buf noise; /* bytes outside frames, not shown yet */
};

static double seconds(const struct view *v)
{
	return (double)(rtb_now_ns(v->clock) - v->begin_ns) / 1e9;
}

static char *escaped(const void *p, size_t n)
{
	char *s = rtb_alloc(n * 4 + 1);
	rtb_escape(s, n * 4 + 1, p, n);
	return s;
}

/* {"s":1.234,"<word>":"<text>"} or a line for people. */
static void show_bytes(const struct view *v, const char *word, const void *p, size_t n)
{
	char *text = escaped(p, n);
	if (v->json) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddNumberToObject(o, "s", seconds(v));
		cJSON_AddStringToObject(o, word, text);
		char *line = cJSON_PrintUnformatted(o);
		puts(line);
		cJSON_free(line);
		cJSON_Delete(o);
	} else {
		printf("%10.3f  %-8s\"%s\"\n", seconds(v), word, text);
	}
	free(text);
}

static void flush_noise(struct view *v)
{
	if (v->noise.len)
		show_bytes(v, "noise", v->noise.data, v->noise.len);
	rtb_buf_clear(&v->noise);
}

static void on_waste(void *ctx, bool damaged, const void *bytes, size_t n)
{
	struct view *v = ctx;
	if (damaged) {
		flush_noise(v);
		show_bytes(v, "damaged", bytes, n);
		return;
	}
	for (const char *p = bytes, *end = p + n; p < end; p++) {
		rtb_buf_add(&v->noise, p, 1);
		if (*p == '\n' || v->noise.len == LINE_BYTES)
			flush_noise(v);
	}
}

static void add_record(struct rtb_buf *b, const struct rtb_record *r)
{
	rtb_buf_fmt(b, "%s%s%s: n %" PRIu64 ", min %" PRId64 ", avg %.2f, max %" PRId64 " (sample %" PRIu64 ") %s",
		    r->case_name, *r->series ? " " : "", r->series, r->n, r->min, (double)r->sum / (double)r->n,
		    r->max, r->imax, r->unit);
	if (r->div > 1)
		rtb_buf_fmt(b, ", to be divided by %u", r->div);
}

static void add_hello(struct rtb_buf *b, const struct rtb_hello *h)
{
	rtb_buf_fmt(b, "%s on %s: %s %s, %s%s, case %s, %u samples, %u Hz (%s), build %.12s, boot %u after %s",
		    h->kernel, h->target, h->kernel, h->kernel_version, h->opt,
		    h->instrumented ? " instrumented" : "", h->case_name, h->samples, h->hclk, h->clock_source,
		    h->build, h->boot, h->reset);
	if (h->dhcsr & 1)
		rtb_buf_str(b, ", DEBUGGER ATTACHED");
}

static void add_body(struct rtb_buf *b, const struct rtb_message *m)
{
	switch (m->type) {
	case RTB_FRAME_READY:
		rtb_buf_fmt(b, "build %.12s, boot %u", m->u.ready.build, m->u.ready.boot);
		break;
	case RTB_FRAME_HELLO:
		add_hello(b, &m->u.hello);
		break;
	case RTB_FRAME_MARK:
		rtb_buf_fmt(b, "cycles %u, timer %u, ticks %u", m->u.mark.cycles, m->u.mark.timer, m->u.mark.ticks);
		break;
	case RTB_FRAME_RECORD:
		add_record(b, &m->u.record);
		break;
	case RTB_FRAME_RAW:
		rtb_buf_fmt(b, "%s %s: samples %u to %zu", m->u.raw.case_name, m->u.raw.series, m->u.raw.from,
			    m->u.raw.from + m->u.raw.count - 1);
		break;
	case RTB_FRAME_STACK:
		rtb_buf_fmt(b, "%s: %u of %u bytes used%s", m->u.stack.task, m->u.stack.used, m->u.stack.bytes,
			    m->u.stack.touched ? ", LAST WORD OVERWRITTEN" : "");
		break;
	case RTB_FRAME_DONE:
		rtb_buf_fmt(b, "%u frames", m->u.done.frames);
		break;
	case RTB_FRAME_ERROR:
		rtb_buf_fmt(b, "%s: %s", m->u.error.code, m->u.error.text);
		break;
	case RTB_FRAME_FAULT:
		rtb_buf_fmt(b, "%s, pc 0x%08x, lr 0x%08x, cfsr 0x%08x, hfsr 0x%08x", m->u.fault.kind, m->u.fault.pc,
			    m->u.fault.lr, m->u.fault.cfsr, m->u.fault.hfsr);
		break;
	case RTB_FRAME_TYPE_COUNT:
		break;
	}
}

/* Members that we do not read may still hold bytes that are no UTF-8. */
static bool plain(const char *s)
{
	while (*s >= ' ' && *s <= '~')
		s++;
	return *s == '\0';
}

static void on_frame(void *ctx, const char *json, size_t length)
{
	struct view *v = ctx;
	struct rtb_message m;
	struct rtb_error e = {0};
	flush_noise(v);
	bool valid = rtb_message_parse(json, length, &m, &e) == RTB_OK;
	if (valid)
		v->of_type[m.type]++;
	else
		v->invalid++;
	if (!valid) {
		if (!v->json)
			printf("%10.3f  %-8s%s\n", seconds(v), "invalid", e.text);
		show_bytes(v, "invalid", json, length);
	} else if (v->json && plain(json)) { /* just parsed, so it can stand in a line of its own */
		printf("{\"s\":%.6f,\"frame\":%s}\n", seconds(v), json);
	} else if (v->json) {
		show_bytes(v, "frame_bytes", json, length);
	} else {
		struct rtb_buf b = {0};
		add_body(&b, &m);
		char number[12] = "";
		if (m.has_seq)
			snprintf(number, sizeof number, "%u", m.seq);
		printf("%10.3f  %-8s%3s  %s\n", seconds(v), rtb_message_word(m.type), number, rtb_buf_cstr(&b));
		rtb_buf_free(&b);
	}
	rtb_message_free(&m);
}

static void on_bytes(void *ctx, const void *p, size_t n)
{
	struct view *v = ctx;
	rtb_decoder_feed(&v->decoder, p, n);
	fflush(stdout);
}

static void summary(struct view *v)
{
	rtb_decoder_reset(&v->decoder);
	flush_noise(v);
	const struct rtb_decoder_counts *c = &v->decoder.counts;
	if (v->json) {
		printf("{\"s\":%.6f,\"summary\":{\"bytes\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"invalid\":%" PRIu64
		       ",\"bad_crc\":%" PRIu64 ",\"bad_frame\":%" PRIu64 ",\"noise_bytes\":%" PRIu64 ",\"cr_only\":%"
		       PRIu64 "}}\n", seconds(v), c->bytes, c->frames, v->invalid, c->bad_crc, c->bad_frame,
		       c->noise_bytes, c->cr_only);
		return;
	}
	printf("-- %.1f s, %" PRIu64 " bytes, %" PRIu64 " frames", seconds(v), c->bytes, c->frames);
	const char *sep = " (";
	for (int t = 0; t < RTB_FRAME_TYPE_COUNT; t++)
		if (v->of_type[t]) {
			printf("%s%" PRIu64 " %s", sep, v->of_type[t], rtb_message_word((enum rtb_frame_type)t));
			sep = ", ";
		}
	printf("%s, %" PRIu64 " invalid, %" PRIu64 " failed their CRC, %" PRIu64 " cut or misshapen, %" PRIu64
	       " bytes outside frames\n", *sep == ',' ? ")" : "", v->invalid, c->bad_crc, c->bad_frame, c->noise_bytes);
	if (c->bytes && !c->frames)
		printf("-- bytes but no frame: check the baud rate, the wiring and the image\n");
}

/* The board says nothing but ready until it is asked, so this only looks. */
static enum rtb_status watch(struct rtb_link *link, struct view *v, struct rtb_error *e)
{
	char chunk[4096];
	while (!rtb_interrupted) {
		size_t got;
		enum rtb_status st = rtb_link_read(link, chunk, sizeof chunk, READ_MS, &got, e);
		if (st != RTB_OK)
			return st;
		on_bytes(v, chunk, got);
	}
	return RTB_OK;
}

struct plan {
	struct rtb_link_options link;
	struct rtb_session_limits limits;
	bool handshake;
	const char *case_name;
	unsigned samples, raw;
};

static enum rtb_status converse(struct rtb_link *link, const struct plan *p, struct view *v, struct rtb_error *e)
{
	struct rtb_session s = {.link = link, .clock = v->clock, .cancel = &rtb_interrupted, .limits = p->limits,
				.handshake = p->handshake, .on_bytes = on_bytes, .ctx = v};
	struct rtb_message_list list = {0};
	rtb_session_init(&s);
	enum rtb_status st = rtb_session_case(&s, p->case_name, p->samples, p->raw, &list, e);
	rtb_message_list_free(&list);
	rtb_session_free(&s);
	return st;
}

static int level(const char *word)
{
	return strcmp(word, "on") == 0 ? 1 : strcmp(word, "off") == 0 ? 0 : -1;
}

static const char *or_null(const char *s)
{
	return s && *s ? s : NULL;
}

static enum rtb_status from_target(const struct rtb_target *t, struct plan *p, struct rtb_error *e)
{
	const struct rtb_link_conf *l = &t->link;
	if (!p->link.spec && strchr(l->spec, '{'))
		return rtb_fail(e, RTB_CONFIG, "%s: its link is made by its service during a run; start the service "
				"by hand and name the link instead (rtbench monitor unix:PATH)", t->path);
	if (!p->link.spec)
		p->link.spec = l->spec;
	p->link.baud = l->baud;
	p->link.dtr = level(l->dtr);
	p->link.rts = level(l->rts);
	p->link.usb_vid_pid = or_null(l->usb);
	p->link.usb_serial = or_null(l->usb_serial);
	p->link.open_wait_ms = l->open_wait_ms;
	p->handshake = l->handshake;
	p->limits = (struct rtb_session_limits){t->limits.ready_ms, t->limits.hello_ms, t->limits.heartbeat_ms,
						t->limits.case_ms};
	return RTB_OK;
}

static enum rtb_status options(const struct rtb_args *a, struct plan *p, struct rtb_error *e)
{
	p->case_name = rtb_arg(a, "case");
	enum rtb_status st = rtb_arg_uint(a, "baud", p->link.baud, 1, 100000000, &p->link.baud, e);
	if (st == RTB_OK)
		st = rtb_arg_uint(a, "samples", 10000, 1, 10000000, &p->samples, e);
	if (st == RTB_OK)
		st = rtb_arg_uint(a, "raw", 0, 0, 1000000, &p->raw, e);
	if (st == RTB_OK && !p->link.spec)
		st = rtb_fail(e, RTB_USAGE, "name a link or a target");
	return st;
}

static bool is_file(const struct plan *p)
{
	return strncmp(p->link.spec, "file:", 5) == 0;
}

static enum rtb_status monitor(const struct plan *p, bool json, struct rtb_error *e)
{
	struct rtb_link *link;
	enum rtb_status st = rtb_link_open(&p->link, &link, e);
	if (st != RTB_OK)
		return st;
	struct view v = {.clock = rtb_clock_system(), .json = json};
	v.begin_ns = rtb_now_ns(v.clock);
	rtb_decoder_init(&v.decoder, on_frame, &v);
	v.decoder.on_waste = on_waste;
	if (!json)
		printf("-- %s%s\n", rtb_link_name(link), p->case_name || is_file(p) ? "" : ", Ctrl-C ends");
	st = p->case_name ? converse(link, p, &v, e) : watch(link, &v, e);
	if (st == RTB_LINK_LOST && is_file(p)) {
		*e = (struct rtb_error){0}; /* a recording has an end */
		st = RTB_OK;
	}
	summary(&v);
	rtb_decoder_free(&v.decoder);
	rtb_buf_free(&v.noise);
	rtb_link_close(link);
	return st;
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	struct plan p = {.link = {.spec = a->operands[0], .baud = 115200, .dtr = -1, .rts = -1,
				  .cancel = &rtb_interrupted},
			 .limits = {5000, 2000, 5000, 0}, .handshake = true};
	const char *name = rtb_arg(a, "target");
	struct rtb_project project = {0};
	struct rtb_target target = {0};
	enum rtb_status st = RTB_OK;
	if (a->operand_count > 1)
		return rtb_fail(e, RTB_USAGE, "one link at a time");
	if (name) {
		st = rtb_project_load(a->config_path, &project, e);
		if (st == RTB_OK)
			st = rtb_target_load(&project, name, &target, e);
		if (st == RTB_OK)
			st = from_target(&target, &p, e);
	}
	if (st == RTB_OK)
		st = options(a, &p, e);
	if (st == RTB_OK)
		st = monitor(&p, a->json, e);
	rtb_target_free(&target);
	rtb_project_free(&project);
	return st;
}

static const struct rtb_opt opts[] = {
	{"target", 't', "T", "link, baud rate and limits of this target", false},
	{"baud", 'b', "N", "baud rate of a serial port (default: 115200, or the target's)", false},
	{"case", 0, "C", "start this case and end when it is done", false},
	{"samples", 0, "N", "with --case: samples (default 10000)", false},
	{"raw", 0, "N", "with --case: bring the first N samples too (default 0)", false},
	{0},
};

const struct rtb_cmd cmd_monitor = {
	.name = "monitor",
	.summary = "decoded frames of a board as they come",
	.operands = "[LINK]",
	.opts = opts,
	.help = "LINK is serial:/dev/..., pty:PATH, unix:PATH, tcp://HOST:PORT, file:PATH, or a path of one\n"
		"of these kinds. Each frame is one line, with the seconds since the start; what is no frame\n"
		"is shown with its unprintable bytes escaped. Ctrl-C ends with a summary.\n\n"
		"Examples:\n  rtbench monitor --target gd32f103cbt6\n"
		"  rtbench monitor /dev/ttyUSB0 --baud 921600 --case yield --samples 1000\n"
		"  rtbench monitor file:serial.log --json\n",
	.run = run,
};
