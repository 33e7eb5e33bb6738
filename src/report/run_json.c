/* Everything known of one run as one JSON document (schemas/run.schema.json). */
#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "check/check.h"
#include "report/json.h"
#include "report/report.h"

/* Text that may hold any bytes, by way of the escaper that replaces what is not UTF-8. */
static void add_text(cJSON *o, const char *name, const char *text, size_t n)
{
	struct rtb_buf quoted = {0};
	rtb_json_string_n(&quoted, text, n);
	cJSON_AddRawToObject(o, name, quoted.data);
	rtb_buf_free(&quoted);
}

static void add_string(cJSON *o, const char *name, const char *text)
{
	if (text)
		add_text(o, name, text, strlen(text));
	else
		cJSON_AddNullToObject(o, name);
}

/* Integers beyond 2^53 would lose digits as JSON numbers: decimal strings, as on the wire. */
static void add_big(cJSON *o, const char *name, uint64_t v, bool negative)
{
	char text[32];
	snprintf(text, sizeof text, "%s%llu", negative ? "-" : "", (unsigned long long)v);
	cJSON_AddStringToObject(o, name, text);
}

static void add_signed(cJSON *o, const char *name, int64_t v)
{
	add_big(o, name, v < 0 ? -(uint64_t)v : (uint64_t)v, v < 0);
}

static void add_figure(cJSON *o, const char *name, const struct rtb_figure *f)
{
	static const char *const words[] = {[EXACT] = "exact", [BUCKET] = "bucket", [BEYOND] = "beyond"};
	if (f->exactness == UNKNOWN) {
		cJSON_AddNullToObject(o, name);
		return;
	}
	cJSON *v = cJSON_AddObjectToObject(o, name);
	cJSON_AddNumberToObject(v, "value", f->value);
	cJSON_AddStringToObject(v, "known", words[f->exactness]);
	if (f->exactness != EXACT) {
		cJSON_AddNumberToObject(v, "lo", f->lo);
		cJSON_AddNumberToObject(v, "hi", f->hi);
	}
}

static void add_record(cJSON *list, const struct rtb_run *r, const struct rtb_record *d)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddItemToArray(list, o);
	add_string(o, "case", d->case_name);
	add_string(o, "series", d->series);
	cJSON_AddNumberToObject(o, "case_version", d->case_version);
	add_string(o, "unit", d->unit);
	cJSON_AddNumberToObject(o, "div", d->div);
	cJSON_AddBoolToObject(o, "supported", d->supported);
	if (!d->supported)
		return;
	struct rtb_summary s;
	rtb_record_summary(d, &s);
	cJSON *figures = cJSON_AddObjectToObject(o, "figures");
	for (int k = 0; k < STAT_COUNT; k++)
		add_figure(figures, rtb_stat_word((enum rtb_stat)k), &s.f[k]);
	/* the same less the reading of the counter */
	cJSON_AddNumberToObject(o, "overhead", rtb_record_overhead(r, d));
	rtb_record_net(r, d, &s);
	cJSON *net = cJSON_AddObjectToObject(o, "net");
	for (int k = 0; k < STAT_COUNT; k++)
		add_figure(net, rtb_stat_word((enum rtb_stat)k), &s.f[k]);
	cJSON *raw = cJSON_AddObjectToObject(o, "samples");
	add_big(raw, "n", d->n, false);
	add_signed(raw, "min", d->min);
	add_signed(raw, "max", d->max);
	add_signed(raw, "sum", d->sum);
	if (d->sumsq == UINT64_MAX)
		cJSON_AddNullToObject(raw, "sumsq");
	else
		add_big(raw, "sumsq", d->sumsq, false);
	add_big(raw, "imax", d->imax, false);
	add_signed(raw, "cold", d->cold);
	add_big(raw, "warmup", d->warmup, false);
	add_big(raw, "ticks", d->ticks, false);
	add_big(raw, "discarded", d->discarded, false);
	add_big(raw, "check", d->check, false);
	add_big(raw, "cycles", d->cycles, false);
	add_big(raw, "timer", d->timer, false);
	cJSON *hist = cJSON_AddArrayToObject(raw, "histogram");
	for (size_t i = 0; i < d->hist.count; i++) {
		double bin[3] = {(double)d->hist.bin[i].lo, (double)d->hist.bin[i].hi, (double)d->hist.bin[i].count};
		cJSON_AddItemToArray(hist, cJSON_CreateDoubleArray(bin, 3));
	}
	if (d->raw)
		cJSON_AddItemToObject(raw, "first", cJSON_CreateIntArray(d->raw, (int)d->raw_count));
}

static void add_facts(cJSON *root, const struct rtb_run *r)
{
	cJSON *all = cJSON_AddObjectToObject(root, "factors");
	for (int f = 0; f < FACTOR_COUNT; f++)
		cJSON_AddItemToObject(all, rtb_factor_word((enum rtb_factor)f), cJSON_CreateObject());
	for (size_t i = 0; i < r->fact_count; i++) {
		const struct rtb_prov_info *p = rtb_prov_info((enum rtb_prov_key)r->facts[i].key);
		cJSON *o = cJSON_AddObjectToObject(cJSON_GetObjectItem(all, rtb_factor_word(p->factor)), p->name);
		add_string(o, "value", r->facts[i].value);
		add_string(o, "origin", rtb_origin_word(r->facts[i].origin));
		if (*p->unit && strcmp(p->unit, "text") != 0)
			add_string(o, "unit", p->unit);
	}
}

static void add_findings(cJSON *root, const struct rtb_run *r)
{
	cJSON *list = cJSON_AddArrayToObject(root, "findings");
	for (size_t i = 0; i < r->finding_count; i++) {
		const struct rtb_finding *f = &r->findings[i];
		const struct rtb_check_info *info = rtb_check_info(f->check);
		cJSON *o = cJSON_CreateObject();
		cJSON_AddItemToArray(list, o);
		add_string(o, "check", f->check);
		add_string(o, "severity", rtb_verdict_word(f->severity));
		add_string(o, "case", f->case_name);
		add_string(o, "series", f->series);
		add_string(o, "reason", f->reason);
		add_string(o, "question", info ? info->question : NULL);
	}
}

static void add_cell(cJSON *root, const struct rtb_run *r)
{
	char when[32];
	cJSON_AddNumberToObject(root, "run", (double)r->id);
	cJSON_AddNumberToObject(root, "sweep", (double)r->sweep_id);
	add_string(root, "target", r->cell.target);
	add_string(root, "kernel", r->cell.kernel);
	add_string(root, "opt", r->cell.opt);
	cJSON_AddBoolToObject(root, "instrumented", r->cell.instrumented);
	cJSON_AddNumberToObject(root, "repeat", r->repeat);
	cJSON_AddNumberToObject(root, "attempt", r->attempt);
	rtb_iso8601(r->started_ns, when);
	add_string(root, "started", when);
	rtb_iso8601(r->ended_ns, when);
	add_string(root, "ended", when);
	add_string(root, "status", rtb_status_word(r->status));
	add_string(root, "error", r->error);
	add_string(root, "verdict", rtb_verdict_word(r->verdict));
	cJSON *ms = cJSON_AddObjectToObject(root, "phases_ms");
	cJSON_AddNumberToObject(ms, "build", r->phases.build_ms);
	cJSON_AddNumberToObject(ms, "flash", r->phases.flash_ms);
	cJSON_AddNumberToObject(ms, "boot", r->phases.boot_ms);
	cJSON_AddNumberToObject(ms, "measure", r->phases.measure_ms);
	cJSON_AddNumberToObject(ms, "store", r->phases.store_ms);
	cJSON_AddNumberToObject(ms, "wait", r->phases.wait_ms);
}

void rtb_report_run_json(const struct rtb_run *r, struct rtb_buf *out)
{
	cJSON *root = cJSON_CreateObject();
	cJSON_AddStringToObject(root, "schema", "rtbench-run-1");
	add_cell(root, r);
	add_findings(root, r);
	add_facts(root, r);
	cJSON *list = cJSON_AddArrayToObject(root, "records");
	for (size_t i = 0; i < r->record_count; i++)
		add_record(list, r, &r->records[i]);
	list = cJSON_AddArrayToObject(root, "stacks");
	for (size_t i = 0; i < r->stack_count; i++) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddItemToArray(list, o);
		add_string(o, "task", r->stacks[i].task);
		cJSON_AddNumberToObject(o, "bytes", r->stacks[i].bytes);
		cJSON_AddNumberToObject(o, "used", r->stacks[i].used);
		cJSON_AddBoolToObject(o, "touched", r->stacks[i].touched);
	}
	list = cJSON_AddArrayToObject(root, "footprint");
	for (size_t i = 0; i < r->footprint_count; i++) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddItemToArray(list, o);
		add_string(o, "part", r->footprint[i].part);
		cJSON_AddNumberToObject(o, "flash", r->footprint[i].flash);
		cJSON_AddNumberToObject(o, "ram", r->footprint[i].ram);
	}
	cJSON *logs = cJSON_AddObjectToObject(root, "logs");
	if (r->build_log)
		add_string(logs, "build", r->build_log);
	if (r->openocd_log)
		add_string(logs, "openocd", r->openocd_log);
	if (r->serial_log)
		add_text(logs, "serial", r->serial_log, r->serial_log_len);
	char *text = cJSON_Print(root);
	rtb_buf_str(out, text);
	rtb_buf_str(out, "\n");
	cJSON_free(text);
	cJSON_Delete(root);
}
