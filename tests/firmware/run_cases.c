/* Every case of every image given, on the virtual board, through the host's own session code:
 *   run_cases RTBENCH-VBOARD SCRATCH-DIR ELF...
 * What must hold whatever the figures are: the frames parse and their sums agree (message.c);
 * both time sources agree; the work's checksum is the same for all kernels and levels; no stack
 * was touched; raw samples are those of the record; a case done twice is the same to the last
 * sample, whenever the host's bytes came. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process.h"
#include "link/session.h"
#include "rtbench/cases.h"

#define SAMPLES 300
#define TICK_SAMPLES 40 /* of cases that wait for a tick each time */
#define RAW 25
#define HCLK_TICK 108000

static const struct {
	const char *name;
	unsigned needs;
} cases[RTB_CASE_COUNT] = {
#define X(name, version, unit, divisor, timing, series, needs, title, span) { #name, needs },
#include "rtbench/cases.def"
#undef X
};

static unsigned failures, records, unsupported;
static const char *image;

__attribute__((format(printf, 2, 3))) static void complain(const char *case_name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	printf("%s: %s: ", image, case_name);
	vprintf(format, args);
	printf("\n");
	va_end(args);
	failures++;
}

/* The first image to bring a series says what its checksum is; the others must agree. */
static void same_check(const struct rtb_record *r)
{
	static struct { char key[64]; uint64_t check; } seen[64];
	char key[64];
	snprintf(key, sizeof key, "%s/%s", r->case_name, r->series);
	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
		if (!seen[i].key[0]) {
			strcpy(seen[i].key, key);
			seen[i].check = r->check;
		}
		if (strcmp(seen[i].key, key) != 0)
			continue;
		if (seen[i].check != r->check)
			complain(key, "check %08llx, elsewhere %08llx", (unsigned long long)r->check,
				 (unsigned long long)seen[i].check);
		return;
	}
	complain(key, "more series than this test knows");
}

static bool signed_case(const char *name)
{
	return strstr(name, "jitter") != NULL;
}

static void look_at_record(const struct rtb_record *r, unsigned samples, bool ticks)
{
	records++;
	same_check(r);
	if (r->n != samples)
		complain(r->case_name, "%llu samples instead of %u", (unsigned long long)r->n, samples);
	if (!signed_case(r->case_name) && r->min <= 0)
		complain(r->case_name, "min %lld", (long long)r->min);
	long long apart = (long long)(r->cycles - r->timer);
	if (apart < -128 || apart > 128)
		complain(r->case_name, "time sources are %lld cycles apart", apart);
	long long missing = (long long)(r->cycles / HCLK_TICK) - (long long)r->ticks;
	if (ticks && (missing < -1 || missing > 1))
		complain(r->case_name, "%llu ticks in %llu cycles", (unsigned long long)r->ticks,
			 (unsigned long long)r->cycles);
}

static void look_at_raw(const struct rtb_message_list *list, size_t at)
{
	const struct rtb_raw_part *raw = &list->m[at].u.raw;
	const struct rtb_record *r = &list->m[at - 1].u.record;
	if (at == 0 || list->m[at - 1].type != RTB_FRAME_RECORD || raw->from != 0 || raw->count != RAW)
		complain(raw->case_name, "raw samples are not as asked for");
	else
		for (size_t i = 0; i < raw->count; i++)
			if (raw->v[i] < r->min || raw->v[i] > r->max)
				complain(raw->case_name, "raw sample %zu is %d", i, (int)raw->v[i]);
}

static void look_at(const struct rtb_message_list *list, const char *name, unsigned samples)
{
	const struct rtb_hello *hello = &list->m[0].u.hello;
	if (hello->selftest_end - hello->selftest_start < 2000 || hello->read_cost == 0)
		complain(name, "the counter's self-test");
	for (size_t i = 0; i < list->count; i++) {
		const struct rtb_message *m = &list->m[i];
		if (m->type == RTB_FRAME_RECORD)
			look_at_record(&m->u.record, samples, hello->tick_hz != 0 && strcmp(name, "calibrate") != 0);
		if (m->type == RTB_FRAME_RAW)
			look_at_raw(list, i);
		if (m->type == RTB_FRAME_STACK && (m->u.stack.touched || m->u.stack.used > m->u.stack.bytes))
			complain(name, "stack of %s: %u of %u bytes", m->u.stack.task, m->u.stack.used,
				 m->u.stack.bytes);
	}
}

/* Figures alone: times of arrival and boot counts may differ. */
static bool same_records(const struct rtb_message_list *a, const struct rtb_message_list *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct rtb_record *l = &a->m[i].u.record, *r = &b->m[i].u.record;
		if (a->m[i].type != b->m[i].type)
			return false;
		if (a->m[i].type == RTB_FRAME_RECORD &&
		    (l->sum != r->sum || l->sumsq != r->sumsq || l->imax != r->imax || l->cycles != r->cycles ||
		     l->timer != r->timer || l->ticks != r->ticks || l->cold != r->cold))
			return false;
	}
	return true;
}

static void run_case(struct rtb_session *s, unsigned which)
{
	const char *name = cases[which].name;
	bool by_tick = signed_case(name) || strcmp(name, "activation_20") == 0;
	unsigned samples = by_tick ? TICK_SAMPLES : SAMPLES;
	struct rtb_message_list list[2] = { 0 };
	struct rtb_error e = { 0 };
	for (unsigned turn = 0; turn < 2; turn++) {
		enum rtb_status st = rtb_session_case(s, name, samples, RAW, &list[turn], &e);
		if (st == RTB_UNSUPPORTED && strstr(image, "bare") &&
		    cases[which].needs & (RTB_NEED_MANY | RTB_NEED_MUTEX | RTB_NEED_TICK)) {
			unsupported++;
			goto out;
		}
		if (st != RTB_OK) {
			complain(name, "%s", e.text);
			goto out;
		}
		look_at(&list[turn], name, samples);
	}
	if (!same_records(&list[0], &list[1]))
		complain(name, "twice the same case, not twice the same figures");
out:
	rtb_message_list_free(&list[0]);
	rtb_message_list_free(&list[1]);
}

static void run_image(const char *vboard, const char *dir)
{
	char socket_path[256], spec[270], log_path[256];
	snprintf(socket_path, sizeof socket_path, "%s/serial", dir);
	snprintf(spec, sizeof spec, "unix:%s", socket_path);
	snprintf(log_path, sizeof log_path, "%s/vboard.log", dir);
	unlink(socket_path);
	const char *const argv[] = { vboard, "--load", image, "--serial", spec, NULL };
	struct rtb_service board;
	struct rtb_error e = { 0 };
	const struct rtb_clock *clock = rtb_clock_system();
	if (rtb_service_start(argv, NULL, log_path, &board, &e) != RTB_OK) {
		complain("start", "%s", e.text);
		return;
	}
	struct rtb_link *link;
	struct rtb_link_options o = { .spec = spec, .dtr = -1, .rts = -1, .open_wait_ms = 10000, .clock = clock };
	if (rtb_link_open(&o, &link, &e) == RTB_OK) {
		struct rtb_session s = { .link = link, .clock = clock, .handshake = true,
			.limits = { 30000, 10000, 60000, 120000 } };
		rtb_session_init(&s);
		for (unsigned i = 0; i < RTB_CASE_COUNT; i++)
			run_case(&s, i);
		rtb_session_free(&s);
		rtb_link_close(link);
	} else {
		complain("link", "%s", e.text);
	}
	rtb_service_stop(&board, clock, 2000);
}

int main(int argc, char **argv)
{
	for (int i = 3; i < argc; i++) {
		image = argv[i];
		run_image(argv[1], argv[2]);
	}
	printf("cases: %d images, %u records, %u times not supported, %u failures\n", argc - 3, records,
	       unsupported, failures);
	return failures || records == 0;
}
