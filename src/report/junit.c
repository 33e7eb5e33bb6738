#include "report/junit.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

/* XML 1.0 has no way to write most control characters, nor bytes that are no UTF-8. */
static void add_text(struct rtb_buf *out, const char *s)
{
	size_t len;
	for (const char *end = s ? s + strlen(s) : s; s < end; s += len ? len : 1) {
		unsigned char c = (unsigned char)*s;
		len = rtb_utf8_length(s, (size_t)(end - s));
		if (c == '&')
			rtb_buf_str(out, "&amp;");
		else if (c == '<')
			rtb_buf_str(out, "&lt;");
		else if (c == '>')
			rtb_buf_str(out, "&gt;");
		else if (c == '"')
			rtb_buf_str(out, "&quot;");
		else if (c == '\n' || c == '\t')
			rtb_buf_fmt(out, "&#%u;", c);
		else if (len == 0 || c < 0x20 || c == 0x7f)
			rtb_buf_str(out, "?");
		else
			rtb_buf_add(out, s, len);
	}
}

static void add_attribute(struct rtb_buf *out, const char *name, const char *value)
{
	rtb_buf_fmt(out, " %s=\"", name);
	add_text(out, value);
	rtb_buf_str(out, "\"");
}

static bool rejected(const struct rtb_run *r)
{
	return r->status == RTB_OK && r->verdict == VERDICT_REJECTED;
}

static void add_reasons(struct rtb_buf *out, const struct rtb_run *r, enum rtb_verdict least)
{
	for (size_t i = 0; i < r->finding_count; i++) {
		const struct rtb_finding *f = &r->findings[i];
		if (f->severity < least)
			continue;
		add_text(out, rtb_verdict_word(f->severity));
		if (f->case_name) {
			rtb_buf_str(out, ": ");
			add_text(out, f->case_name);
		}
		rtb_buf_str(out, ": ");
		add_text(out, f->reason);
		rtb_buf_str(out, "\n");
	}
}

static void add_bad(struct rtb_buf *out, const char *element, const char *type, const char *message)
{
	rtb_buf_fmt(out, "\t\t\t<%s", element);
	add_attribute(out, "type", type);
	add_attribute(out, "message", message);
}

/* What does not fail a test and should be seen all the same. The attempt is no part of the name,
 * by which CI servers follow a test from one day to the next. */
static void add_remarks(struct rtb_buf *out, const struct rtb_run *r)
{
	bool suspect = r->status == RTB_OK && r->verdict == VERDICT_SUSPECT;
	if (!suspect && r->attempt <= 1)
		return;
	rtb_buf_str(out, "\t\t\t<system-out>");
	if (r->attempt > 1)
		rtb_buf_fmt(out, "attempt %u: rtbench list runs --sweep %lld has those before\n", r->attempt,
			    (long long)r->sweep_id);
	if (suspect)
		add_reasons(out, r, VERDICT_SUSPECT);
	rtb_buf_str(out, "</system-out>\n");
}

static uint64_t took_ms(const struct rtb_run *r)
{
	return r->ended_ns > r->started_ns ? (r->ended_ns - r->started_ns) / 1000000u : 0;
}

static void add_time(struct rtb_buf *out, uint64_t ms)
{
	rtb_buf_fmt(out, " time=\"%llu.%03u\"", (unsigned long long)(ms / 1000), (unsigned)(ms % 1000));
}

static void add_run(struct rtb_buf *out, const struct rtb_run *r)
{
	char *class = rtb_sprintf("%s.%s", r->cell.target, r->cell.kernel);
	char *name = rtb_sprintf("%s%s repeat %u", r->cell.opt, r->cell.instrumented ? " instrumented" : "", r->repeat);
	rtb_buf_str(out, "\t\t<testcase");
	add_attribute(out, "classname", class);
	add_attribute(out, "name", name);
	add_time(out, took_ms(r));
	rtb_buf_str(out, ">\n");
	if (r->status == RTB_NOT_RUN) {
		rtb_buf_str(out, "\t\t\t<skipped");
		add_attribute(out, "message", r->error);
		rtb_buf_str(out, "/>\n");
	} else if (r->status != RTB_OK) {
		add_bad(out, "error", rtb_status_word(r->status), r->error);
		rtb_buf_str(out, ">");
		add_text(out, rtb_status_advice(r->status));
		rtb_buf_str(out, "</error>\n");
	} else if (rejected(r)) {
		add_bad(out, "failure", "rejected", "the figures were rejected");
		rtb_buf_str(out, ">");
		add_reasons(out, r, VERDICT_REJECTED);
		rtb_buf_str(out, "</failure>\n");
	}
	add_remarks(out, r);
	rtb_buf_str(out, "\t\t</testcase>\n");
	free(class);
	free(name);
}

static void add_gate(struct rtb_buf *out, const struct rtb_junit_gate *g)
{
	rtb_buf_str(out, "\t\t<testcase classname=\"baseline\"");
	add_attribute(out, "name", g->name);
	rtb_buf_str(out, ">\n");
	if (g->status) {
		add_bad(out, g->status == RTB_DIFFERENT ? "failure" : "error", rtb_status_word(g->status), g->text);
		rtb_buf_str(out, "/>\n");
	} else {
		rtb_buf_str(out, "\t\t\t<system-out>");
		add_text(out, g->text);
		rtb_buf_str(out, "</system-out>\n");
	}
	rtb_buf_str(out, "\t\t</testcase>\n");
}

void rtb_report_junit(const struct rtb_sweep *sweep, struct rtb_run *const *runs, size_t count,
		      const struct rtb_junit_gate *gate, struct rtb_buf *out)
{
	size_t failures = gate && gate->status == RTB_DIFFERENT, skipped = 0;
	size_t errors = gate && gate->status && gate->status != RTB_DIFFERENT;
	for (size_t i = 0; i < count; i++) {
		skipped += runs[i]->status == RTB_NOT_RUN;
		errors += runs[i]->status != RTB_OK && runs[i]->status != RTB_NOT_RUN;
		failures += rejected(runs[i]);
	}
	rtb_buf_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\t<testsuite");
	char *name = rtb_sprintf("rtbench sweep %lld", (long long)sweep->id);
	add_attribute(out, "name", name);
	free(name);
	if (sweep->host)
		add_attribute(out, "hostname", sweep->host);
	char when[32];
	rtb_iso8601(sweep->started_ns, when);
	when[19] = '\0'; /* seconds, and UTC without saying so: what the readers expect */
	add_attribute(out, "timestamp", when);
	uint64_t ms = 0;
	for (size_t i = 0; i < count; i++)
		ms += took_ms(runs[i]);
	add_time(out, ms);
	rtb_buf_fmt(out, " tests=\"%zu\" errors=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n", count + (gate != NULL), errors, failures,
		    skipped);
	for (size_t i = 0; i < count; i++)
		add_run(out, runs[i]);
	if (gate)
		add_gate(out, gate);
	rtb_buf_str(out, "\t</testsuite>\n</testsuites>\n");
}
