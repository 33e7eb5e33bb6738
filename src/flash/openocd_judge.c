/* What a run of OpenOCD means: its exit, its own words, and ours. */
#include "flash/openocd.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long a message can be the cause: in units of stretch_of. */
enum stretch { OPENING, HALTING, ANY };

static const struct {
	const char *pattern;
	enum stretch until;
	enum rtb_status status;
	const char *text;
} known[] = {
#define X(pattern, until, status, text) {pattern, until, RTB_##status, text},
#include "flash/openocd.def"
#undef X
};

/* Calls fn with each line until it returns true; the last line need not end. */
static bool each_line(const char *text, bool (*fn)(void *ctx, const char *line), void *ctx)
{
	bool stop = false;
	for (const char *p = text; *p && !stop;) {
		size_t n = strcspn(p, "\n"), len = n;
		while (len && (p[len - 1] == '\r' || p[len - 1] == ' '))
			len--;
		char *line = rtb_sprintf("%.*s", (int)len, p);
		stop = fn(ctx, line);
		free(line);
		p += n + (p[n] == '\n');
	}
	return stop;
}

struct seen {
	struct rtb_flash_result *out;
	const char *mark;
	bool marked, wrote;
	char step[32];
	unsigned long id_seen, id_wanted; /* 0: no complaint */
};

static void read_fact(struct seen *s, const char *fact)
{
	const char *eq = strchr(fact, '=');
	if (!eq)
		return;
	size_t n = (size_t)(eq - fact);
	const char *value = eq + 1;
	if (n == 4 && memcmp(fact, "step", 4) == 0) {
		snprintf(s->step, sizeof s->step, "%s", value);
	} else if (n == 5 && memcmp(fact, "dp_id", 5) == 0) {
		snprintf(s->out->dp_id, sizeof s->out->dp_id, "%s", value);
	} else if (n == 3 && memcmp(fact, "uid", 3) == 0) {
		snprintf(s->out->uid, sizeof s->out->uid, "%s", value);
	} else if (n == 9 && memcmp(fact, "flash_kib", 9) == 0) {
		s->out->flash_kib = (unsigned)strtoul(value, NULL, 0);
		s->out->flash_kib_known = true;
	}
}

/* An id that OpenOCD did not expect: "... UNEXPECTED: 0x2ba00477", "... expected 1 of 1:
 * 0x3ba00477". With some transports it goes on all the same; we do not. */
static void read_ids(struct seen *s, const char *line)
{
	const char *hex = strstr(line, "0x");
	if (!hex)
		return;
	if (strstr(line, "UNEXPECTED") && !s->id_seen)
		s->id_seen = strtoul(hex, NULL, 16);
	else if (strstr(line, "expected ") && strstr(line, " of ") && !s->id_wanted)
		s->id_wanted = strtoul(hex, NULL, 16);
	else if (strstr(line, "DPIDR") && !s->out->dp_id[0])
		snprintf(s->out->dp_id, sizeof s->out->dp_id, "0x%08lx", strtoul(hex, NULL, 16));
}

static bool read_line(void *ctx, const char *line)
{
	struct seen *s = ctx;
	unsigned bytes;
	const char *wrote;
	if (strncmp(line, "RTB:", 4) == 0)
		read_fact(s, line + 4);
	else if (strcmp(line, s->mark) == 0)
		s->marked = true;
	else if ((wrote = strstr(line, "wrote ")) && sscanf(wrote, "wrote %u bytes from file", &bytes) == 1) {
		s->out->written = bytes;
		s->wrote = true;
	} else {
		read_ids(s, line);
	}
	return false;
}

struct match {
	const char *pattern;
	char line[256];
};

static bool match_line(void *ctx, const char *line)
{
	struct match *m = ctx;
	if (fnmatch(m->pattern, line, FNM_CASEFOLD) != 0)
		return false;
	snprintf(m->line, sizeof m->line, "%s", line);
	return true;
}

static enum rtb_status port_taken(const char *line, struct rtb_error *e)
{
	const char *p = strstr(line, "port ");
	unsigned port = p ? (unsigned)strtoul(p + 5, NULL, 10) : 0;
	char *owner = rtb_port_owner(port);
	enum rtb_status st = rtb_fail(e, RTB_PROBE_BUSY, "OpenOCD could not open port %u: it is held by %s", port, owner);
	free(owner);
	return st;
}

/* Where our script came to. */
static enum stretch stretch_of(const char *step)
{
	return !*step || strcmp(step, "connect") == 0 ? OPENING : strcmp(step, "halt") == 0 ? HALTING : ANY;
}

/* By the table of messages; RTB_OK when none of them is there. */
static enum rtb_status by_message(const char *output, const char *step, struct rtb_error *e)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct match m = {.pattern = known[i].pattern};
		if (known[i].until < stretch_of(step) || !each_line(output, match_line, &m))
			continue;
		if (strstr(m.line, "couldn't bind"))
			return port_taken(m.line, e);
		return rtb_fail(e, known[i].status, "%s: OpenOCD said \"%s\"", known[i].text, m.line);
	}
	return RTB_OK;
}

/* By the step our script was in. */
static enum rtb_status by_step(const struct seen *s, int exit_code, const char *log_path, struct rtb_error *e)
{
	static const struct { const char *step; enum rtb_status status; const char *text; } steps[] = {
		{"connect", RTB_NO_ATTACH, "while connecting to the chip"},
		{"halt", RTB_NO_ATTACH, "while halting the core"},
		{"write", RTB_FLASH, "while erasing and writing"},
		{"verify", RTB_VERIFY, "while reading back"},
		{"release", RTB_FLASH, "while letting the board go, after a good verify"},
		{"done", RTB_FLASH, "after everything was done"},
	};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (strcmp(s->step, steps[i].step) == 0)
			return rtb_fail(e, steps[i].status, "OpenOCD ended with %d %s; log: %s", exit_code, steps[i].text, log_path);
	return rtb_fail(e, RTB_FLASH, "OpenOCD ended with %d before it came to programming; log: %s", exit_code, log_path);
}

static enum rtb_status judge_ids(const struct seen *s, struct rtb_error *e)
{
	if (s->id_wanted)
		return rtb_fail(e, RTB_TARGET_ID, "the chip's debug port says 0x%08lx, but 0x%08lx was expected", s->id_seen,
				s->id_wanted);
	return rtb_fail(e, RTB_TARGET_ID, "the chip's debug port says 0x%08lx, which was not expected", s->id_seen);
}

static enum rtb_status judge_good(const struct seen *s, bool loaded, struct rtb_error *e)
{
	if (!s->marked)
		return rtb_fail(e, RTB_FLASH, "OpenOCD ended with 0 but never confirmed the verify; log: %s", s->out->log_path);
	if (!loaded && (!s->wrote || s->out->written == 0))
		return rtb_fail(e, RTB_FLASH, "OpenOCD wrote 0 bytes; log: %s", s->out->log_path);
	return RTB_OK;
}

enum rtb_status rtb_openocd_judge(const struct rtb_process_result *r, const struct rtb_flash_board *b,
				  const char *mark, bool loaded, struct rtb_flash_result *out, struct rtb_error *e)
{
	const char *output = rtb_buf_cstr(&r->output);
	struct seen s = {.out = out, .mark = mark};
	each_line(output, read_line, &s);
	const char *log = out->log_path ? out->log_path : "";
	if (r->cancelled)
		return rtb_fail(e, RTB_INTERRUPTED, "interrupted while programming");
	if (s.id_seen)
		return judge_ids(&s, e);
	if (strcmp(s.step, "other-chip") == 0)
		return rtb_fail(e, RTB_TARGET_ID, "this is another chip: its unique id is %s, target.toml names %s",
				out->uid[0] ? out->uid : "unreadable", b->uid);
	if (r->timed_out)
		return rtb_fail(e, RTB_FLASH_TIMEOUT, "OpenOCD did not end within %u ms (%s%s); log: %s", b->timeout_ms,
				s.step[0] ? "last step: " : "it said nothing", s.step, log);
	if (r->signal)
		return rtb_fail(e, RTB_FLASH, "OpenOCD was ended by signal %d (%s); log: %s", r->signal,
				strsignal(r->signal), log);
	if (r->exit_code == 0)
		return judge_good(&s, loaded, e);
	enum rtb_status st = by_message(output, s.step, e);
	return st ? st : by_step(&s, r->exit_code, log, e);
}
