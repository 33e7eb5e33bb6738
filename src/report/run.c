/* Everything known of one run, for people. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "check/check.h"
#include "report/number.h"
#include "report/report.h"

static void heading(struct rtb_buf *out, bool color, const char *text)
{
	rtb_buf_fmt(out, "\n%s%s%s\n", color ? "\x1b[1m" : "", text, color ? "\x1b[0m" : "");
}

static void identity(const struct rtb_run *r, struct rtb_buf *out)
{
	char when[32];
	rtb_iso8601(r->started_ns, when);
	rtb_buf_fmt(out, "run r%lld of sweep s%lld: %s %s %s%s, repeat %u", (long long)r->id, (long long)r->sweep_id,
		    r->cell.target, r->cell.kernel, r->cell.opt, r->cell.instrumented ? " instrumented" : "", r->repeat);
	if (r->attempt > 1)
		rtb_buf_fmt(out, ", attempt %u", r->attempt);
	rtb_buf_fmt(out, "\nstarted %s, took ", when);
	rtb_num_fixed(out, (double)(r->ended_ns - r->started_ns) / 1e9, 1);
	rtb_buf_fmt(out, " s (ms: build %u, flash %u, boot %u, measure %u, wait %u)\n", r->phases.build_ms,
		    r->phases.flash_ms, r->phases.boot_ms, r->phases.measure_ms, r->phases.wait_ms);
	rtb_buf_fmt(out, "status: %s%s%s\n", rtb_status_word(r->status), r->error ? ": " : "", r->error ? r->error : "");
}

static void verdict(const struct rtb_run *r, bool color, struct rtb_buf *out)
{
	static const char *const paint[] = {"\x1b[32m", "\x1b[33m", "\x1b[31m"};
	rtb_buf_fmt(out, "verdict: %s%s%s\n", color ? paint[r->verdict] : "", rtb_verdict_word(r->verdict),
		    color ? "\x1b[0m" : "");
	for (size_t i = 0; i < r->finding_count; i++) {
		const struct rtb_finding *f = &r->findings[i];
		const struct rtb_check_info *info = rtb_check_info(f->check);
		rtb_buf_fmt(out, "  %s: %s", rtb_verdict_word(f->severity), f->check);
		if (f->case_name)
			rtb_buf_fmt(out, " (%s%s%s)", f->case_name, f->series && *f->series ? "." : "",
				    f->series ? f->series : "");
		rtb_buf_fmt(out, ": %s\n", f->reason);
		if (info)
			rtb_buf_fmt(out, "    asked: %s\n", info->question);
	}
}

static void factors(const struct rtb_run *r, bool color, struct rtb_buf *out)
{
	for (int f = 0; f < FACTOR_COUNT; f++) {
		bool any = false;
		for (int k = 0; k < PROV_COUNT; k++) {
			const struct rtb_prov_info *p = rtb_prov_info((enum rtb_prov_key)k);
			const char *value = rtb_run_get(r, (enum rtb_prov_key)k);
			if ((int)p->factor != f || !value)
				continue;
			if (!any)
				heading(out, color, rtb_factor_word((enum rtb_factor)f));
			any = true;
			enum rtb_origin o = ORIGIN_READ;
			for (size_t i = 0; i < r->fact_count; i++)
				if (r->facts[i].key == k)
					o = r->facts[i].origin;
			if (strcmp(p->unit, "text") == 0)
				rtb_buf_fmt(out, "  %-18s %zu bytes (rtbench compare --config shows it)\n", p->name, strlen(value));
			else
				rtb_buf_fmt(out, "  %-18s %s%s%s%s\n", p->name, value, *p->unit ? " " : "", p->unit,
					    o == ORIGIN_READ ? "" : o == ORIGIN_MEASURED ? "  (measured)" : "  (DECLARED)");
		}
	}
}

static void records(const struct rtb_run *r, bool as_measured, bool color, struct rtb_buf *out)
{
	static const enum rtb_stat shown[] = {STAT_MIN, STAT_P50, STAT_P90, STAT_P99, STAT_P999, STAT_MAX,
					      STAT_MEAN, STAT_STDDEV, STAT_MAD, STAT_TRIMMED};
	static const struct rtb_column columns[] = {
		{"case", "", false}, {"ver", "", true}, {"n", "", true}, {"unit", "", false}, {"min", "", true},
		{"p50", "", true}, {"p90", "", true}, {"p99", "", true}, {"p99.9", "", true}, {"max", "", true},
		{"avg", "", true}, {"stddev", "", true}, {"mad", "", true}, {"tmean5", "", true}, {"cold", "", true},
		{"less", "", true}, {"max at", "", true}, {"ticks", "", true}, {"out", "", true},
	};
	struct rtb_table t;
	struct rtb_buf text = {0};
	rtb_table_init(&t, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		struct rtb_summary s;
		double less = as_measured ? 0 : rtb_record_overhead(r, d), cold = (double)d->cold / d->div - less;
		rtb_record_summary(d, &s);
		rtb_summary_shift(&s, -less);
		rtb_table_row(&t, TONE_PLAIN);
		rtb_table_addf(&t, "%s%s%s", d->case_name, *d->series ? "." : "", d->series);
		rtb_table_addf(&t, "%u", d->case_version);
		if (!d->supported) {
			rtb_table_add(&t, "not supported");
			continue;
		}
		rtb_table_addf(&t, "%llu", (unsigned long long)d->n);
		rtb_table_add(&t, d->unit);
		for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
			struct rtb_figure *f = &s.f[shown[k]];
			rtb_num_figure(&text, f);
			rtb_table_take(&t, &text);
		}
		rtb_num_fixed(&text, cold, cold != floor(cold));
		rtb_table_take(&t, &text);
		rtb_num_fixed(&text, less, less != floor(less));
		rtb_table_take(&t, &text);
		rtb_table_addf(&t, "%llu", (unsigned long long)d->imax);
		rtb_table_addf(&t, "%llu", (unsigned long long)d->ticks);
		rtb_table_addf(&t, "%llu", (unsigned long long)d->discarded);
	}
	if (r->record_count)
		heading(out, color, "figures");
	if (r->record_count)
		rtb_table_write(&t, TABLE_TEXT, color, out);
	if (r->record_count)
		rtb_buf_str(out, as_measured ? "as measured: the counter's read cost is in these figures\n"
			    : "less: cycles of the counter's reading that were in each sample and are taken off here\n");
	rtb_buf_free(&text);
	rtb_table_free(&t);
}

static void memory(const struct rtb_run *r, bool color, struct rtb_buf *out)
{
	if (r->footprint_count)
		heading(out, color, "memory");
	for (size_t i = 0; i < r->footprint_count; i++)
		rtb_buf_fmt(out, "  %-18s %6u B flash  %6u B RAM\n", r->footprint[i].part, r->footprint[i].flash,
			    r->footprint[i].ram);
	if (r->stack_count)
		heading(out, color, "stacks");
	for (size_t i = 0; i < r->stack_count; i++)
		rtb_buf_fmt(out, "  %-18s %6u of %u B used%s\n", r->stacks[i].task, r->stacks[i].used, r->stacks[i].bytes,
			    r->stacks[i].touched ? "  OVERFLOWN" : "");
}

/* A log's bytes made harmless for a terminal: what is neither text nor newline shows as \xNN. */
static void log_text(struct rtb_buf *out, bool color, const char *title, const char *text, size_t n)
{
	if (!text)
		return;
	heading(out, color, title);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7f))
			rtb_buf_add(out, &text[i], 1);
		else
			rtb_buf_fmt(out, "\\x%02x", c);
	}
	if (n && text[n - 1] != '\n')
		rtb_buf_str(out, "\n");
}

void rtb_report_run(const struct rtb_run *r, bool as_measured, bool color, struct rtb_buf *out)
{
	identity(r, out);
	verdict(r, color, out);
	factors(r, color, out);
	records(r, as_measured, color, out);
	memory(r, color, out);
	log_text(out, color, "build log", r->build_log, r->build_log ? strlen(r->build_log) : 0);
	log_text(out, color, "openocd log", r->openocd_log, r->openocd_log ? strlen(r->openocd_log) : 0);
	log_text(out, color, "serial log", r->serial_log, r->serial_log_len);
}
