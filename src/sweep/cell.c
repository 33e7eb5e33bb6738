#include "sweep/cell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/log.h"
#include "link/session.h"
#include "sweep/facts.h"

#define SERIAL_LOG_MAX ((size_t)4 << 20)

const char *rtb_phase_word(enum rtb_phase p)
{
	static const char *const words[] = {"build", "flash", "boot", "measure", "store"};
	return (unsigned)p < PHASE_COUNT ? words[p] : "unknown";
}

struct measuring {
	const struct rtb_cell_job *job;
	struct rtb_run *run;
	struct rtb_session session;
	struct rtb_buf serial;    /* every byte, up to a limit */
	struct rtb_clock_marks marks;
	uint64_t wait_since;      /* reset or end of the case before: boot time runs */
	uint64_t hello_at;        /* of the case in hand; 0 before */
	uint64_t boot_ns, measure_ns;
};

static void enter(const struct measuring *m, enum rtb_phase phase, const char *case_name)
{
	if (m->job->on_phase)
		m->job->on_phase(m->job->ctx, phase, case_name);
}

static unsigned ms(uint64_t ns)
{
	return (unsigned)((ns + 500000) / 1000000);
}

static void on_bytes(void *ctx, const void *p, size_t n)
{
	struct measuring *m = ctx;
	if (m->serial.len + n <= SERIAL_LOG_MAX)
		rtb_buf_add(&m->serial, p, n);
}

/* Boot ends and measuring begins with our hello; leftovers of other conversations do not have
 * the session's nonce, but only the last hello before the records counts anyway. */
static void on_message(void *ctx, const struct rtb_message *msg, uint64_t at_ns)
{
	struct measuring *m = ctx;
	if (msg->type == RTB_FRAME_HELLO)
		m->hello_at = at_ns;
}

static void start_session(struct measuring *m)
{
	const struct rtb_target *t = m->job->board->target;
	m->session = (struct rtb_session){
		.link = m->job->board->link, .clock = m->job->clock, .cancel = m->job->cancel,
		.limits = {t->limits.ready_ms, t->limits.hello_ms, t->limits.heartbeat_ms, t->limits.case_ms},
		.build_id = m->job->firmware->image.build_id, .handshake = t->link.handshake,
		.on_bytes = on_bytes, .on_message = on_message, .ctx = m};
	rtb_session_init(&m->session);
}

static void count_time(struct measuring *m, uint64_t now)
{
	uint64_t hello = m->hello_at ? m->hello_at : now;
	m->boot_ns += hello - m->wait_since;
	m->measure_ns += now - hello;
	m->wait_since = now;
	m->hello_at = 0;
}

static enum rtb_status run_case(struct measuring *m, const char *name, struct rtb_error *e)
{
	const struct rtb_plan *plan = m->job->plan;
	struct rtb_message_list list = {0};
	struct rtb_error own = {0};
	enter(m, PHASE_MEASURE, name);
	enum rtb_status st = rtb_session_case(&m->session, name, plan->samples, plan->raw, &list, &own);
	count_time(m, rtb_now_ns(m->job->clock));
	if (st == RTB_OK)
		rtb_facts_of_case(m->run, m->job->board->target, &list, &m->marks);
	rtb_message_list_free(&list);
	if (st == RTB_UNSUPPORTED) {
		rtb_facts_unsupported(m->run, name);
		return RTB_OK;
	}
	return st ? rtb_fail(e, st, "%s: %s", name, own.text) : RTB_OK;
}

static enum rtb_status run_cases(struct measuring *m, struct rtb_error *e)
{
	enum rtb_status st = RTB_OK;
	start_session(m);
	for (const char **c = m->job->plan->cases; st == RTB_OK && *c; c++)
		st = run_case(m, *c, e);
	const struct rtb_decoder_counts *n = &m->session.decoder.counts;
	rtb_run_factf(m->run, PROV_LINE_ERRORS, ORIGIN_MEASURED, "%llu",
		      (unsigned long long)(n->bad_crc + n->bad_frame));
	rtb_session_free(&m->session);
	return st;
}

static enum rtb_status program(struct measuring *m, struct rtb_error *e)
{
	struct rtb_board *b = m->job->board;
	const char *id = m->job->firmware->image.build_id;
	bool loaded = b->loaded && strcmp(b->loaded, id) == 0 && !m->job->always_flash;
	struct rtb_flash_job job = {.elf = m->job->firmware->elf, .loaded = loaded,
				    .held = rtb_rung_holds(b->target, m->job->rung), .dir = m->job->dir, .clock = m->job->clock,
				    .cancel = m->job->cancel};
	struct rtb_flash_result r = {0};
	enter(m, PHASE_FLASH, NULL);
	if (!loaded)
		rtb_board_holds(b, NULL);
	uint64_t began = rtb_now_ns(m->job->clock);
	enum rtb_status st = b->ops->program(&b->flash, &b->tool, &job, &r, e);
	m->wait_since = rtb_now_ns(m->job->clock);
	m->run->phases.flash_ms = ms(m->wait_since - began);
	if (r.flash_kib_known && r.flash_kib != b->flash.flash_bytes / 1024)
		rtb_log(RTB_LOG_WARN, "%s: the chip says it has %u KiB of flash, target.toml says %u; the latter holds",
			b->target->name, r.flash_kib, b->flash.flash_bytes / 1024);
	rtb_facts_of_board(m->run, b, &r);
	m->run->openocd_log = r.log;
	r.log = NULL;
	rtb_flash_result_free(&r);
	return st;
}

static void keep_serial(struct measuring *m)
{
	char *path = rtb_sprintf("%s/serial.log", m->job->dir);
	FILE *f = fopen(path, "w");
	if (f) {
		fwrite(rtb_buf_cstr(&m->serial), 1, m->serial.len, f);
		fclose(f);
	}
	free(path);
	m->run->serial_log = m->serial.data;
	m->run->serial_log_len = m->serial.len;
	m->serial = (struct rtb_buf){0};
}

/* The service's own words belong to the failure: they are gone with the board's directory. */
static void keep_service_log(const struct measuring *m)
{
	struct rtb_buf b = {0};
	char *path = rtb_sprintf("%s/service.log", m->job->dir);
	if (m->job->board->command[0] && rtb_buf_read_file(&b, m->job->board->service_log, SERIAL_LOG_MAX) == 0) {
		FILE *f = fopen(path, "w");
		if (f) {
			fwrite(rtb_buf_cstr(&b), 1, b.len, f);
			fclose(f);
		}
	}
	free(path);
	rtb_buf_free(&b);
}

/* When a board's service is gone, that is the cause, whatever it looked like from here. */
static void blame_service(const struct measuring *m, enum rtb_status *st, struct rtb_error *e)
{
	struct rtb_board *b = m->job->board;
	int wait_status = 0;
	bool ran = b->service.pid != 0;
	if (!ran || *st == RTB_INTERRUPTED || rtb_service_alive(&b->service, &wait_status))
		return;
	char *seen = rtb_strdup(e->text);
	*e = (struct rtb_error){0};
	*st = rtb_fail(e, RTB_LINK_LOST, "%s, the program behind this board, %s %d while in use (%s)", b->command[0],
		       WIFSIGNALED(wait_status) ? "was ended by signal" : "ended with",
		       WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status), seen);
	free(seen);
}

enum rtb_status rtb_cell_measure(const struct rtb_cell_job *job, struct rtb_run *run)
{
	struct measuring m = {.job = job, .run = run};
	struct rtb_error e = {0};
	size_t dropped = 0;
	uint64_t began = rtb_now_ns(job->clock);
	enum rtb_status st = rtb_board_start(job->board, &e);
	if (st == RTB_OK)
		st = rtb_board_link(job->board, &dropped, &e);
	if (st == RTB_OK)
		st = program(&m, &e);
	rtb_recovered(job->board->target, job->rung, ms(rtb_now_ns(job->clock) - began), st, &e);
	if (st == RTB_OK) { /* a board that was not programmed has nothing to say */
		enter(&m, PHASE_BOOT, NULL);
		st = run_cases(&m, &e);
		rtb_facts_of_clock(run, job->board->target, &m.marks);
		keep_serial(&m);
	}
	run->phases.boot_ms = ms(m.boot_ns);
	run->phases.measure_ms = ms(m.measure_ns);
	if (st) {
		blame_service(&m, &st, &e);
		keep_service_log(&m);
		free(run->error);
		run->error = rtb_strdup(e.text);
	}
	rtb_board_holds(job->board, st ? NULL : job->firmware->image.build_id);
	run->status = st;
	rtb_board_unlink(job->board);
	return st;
}
