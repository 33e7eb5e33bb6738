#include "cli/run_show.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/log.h"
#include "report/report.h"

static void print_list(const char *title, const char *const *names, size_t n)
{
	printf("  %-12s ", title);
	for (size_t i = 0; i < n; i++)
		printf("%s%s", i ? ", " : "", names[i]);
	putchar('\n');
}

static void show_axes(const struct rtb_project *p, const struct rtb_plan *plan)
{
	const char *names[512];
	size_t n = 0;
	for (size_t i = 0; i < plan->target_count && n < 512; i++)
		names[n++] = plan->target[i].name;
	print_list("target", names, n);
	n = 0;
	for (size_t i = 0; i < plan->board_count && n < 512; i++)
		names[n++] = plan->board[i].target.name;
	if (plan->board_count > plan->target_count)
		print_list("board", names, n);
	n = 0;
	for (size_t i = 0; i < plan->kernel_count && n < 512; i++)
		names[n++] = plan->kernel[i].name;
	print_list("kernel", names, n);
	n = 0;
	for (size_t i = 0; i < p->opt.n && n < 512; i++)
		names[n++] = p->opt.v[i].text;
	print_list("opt", names, n);
	printf("  %-12s %s\n", "instrumented", p->instrumented);
	print_list("case", plan->cases, plan->case_count);
	printf("  %-12s %u a case%s\n", "samples", plan->samples, plan->raw ? ", the first kept one by one" : "");
}

/* Events are one JSON object a line. */
static void emit(cJSON *o)
{
	char *text = cJSON_PrintUnformatted(o);
	if (text)
		puts(text);
	fflush(stdout);
	cJSON_free(text);
	cJSON_Delete(o);
}

static void add_cell(cJSON *o, const struct rtb_plan *p, const struct rtb_plan_cell *c, unsigned repeat)
{
	cJSON_AddStringToObject(o, "target", p->target[c->target].name);
	cJSON_AddStringToObject(o, "kernel", p->kernel[c->kernel].name);
	cJSON_AddStringToObject(o, "opt", c->opt);
	cJSON_AddBoolToObject(o, "instrumented", c->instrumented);
	cJSON_AddNumberToObject(o, "repeat", repeat);
}

static void json_plan(const struct rtb_plan *plan)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "event", "plan");
	cJSON_AddNumberToObject(o, "runs", (double)plan->step_count);
	cJSON_AddNumberToObject(o, "samples", plan->samples);
	cJSON *cases = cJSON_AddArrayToObject(o, "cases"), *cells = cJSON_AddArrayToObject(o, "cells");
	for (size_t i = 0; i < plan->case_count; i++)
		cJSON_AddItemToArray(cases, cJSON_CreateString(plan->cases[i]));
	for (size_t i = 0; i < plan->cell_count; i++) {
		cJSON *c = cJSON_CreateObject();
		add_cell(c, plan, &plan->cell[i], plan->repeat);
		cJSON_AddItemToArray(cells, c);
	}
	emit(o);
}

void rtb_show_plan(const struct rtb_run_show *s, const struct rtb_project *p, const struct rtb_plan *plan,
		   bool all)
{
	if (s->json) {
		json_plan(plan);
		return;
	}
	if (s->quiet && !all)
		return;
	printf("%zu run%s: %zu cell%s x %u\n", plan->step_count, plan->step_count == 1 ? "" : "s", plan->cell_count,
	       plan->cell_count == 1 ? "" : "s", plan->repeat);
	show_axes(p, plan);
	for (size_t i = 0; all && i < plan->step_count; i++) {
		char *name = rtb_plan_cell_name(plan, &plan->cell[plan->step[i].cell]);
		printf("%4zu  %s, repeat %u\n", i + 1, name, plan->step[i].repeat);
		free(name);
	}
	fflush(stdout);
}

static void json_event(const struct rtb_event *ev)
{
	static const char *const words[] = {"begin", "run", "phase", "done", "kept", "end"};
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "event", words[ev->kind]);
	cJSON_AddNumberToObject(o, "sweep", (double)ev->sweep_id);
	cJSON_AddNumberToObject(o, "elapsed_ms", ev->elapsed_ms);
	if (ev->cell) {
		cJSON_AddNumberToObject(o, "index", (double)ev->index + 1);
		add_cell(o, ev->plan, ev->cell, ev->repeat);
		cJSON_AddStringToObject(o, "board", ev->board);
	}
	cJSON_AddNumberToObject(o, "runs", (double)ev->total);
	if (ev->kind == EVENT_PHASE)
		cJSON_AddStringToObject(o, "phase", rtb_phase_word(ev->phase));
	if (ev->case_name)
		cJSON_AddStringToObject(o, "case", ev->case_name);
	if (ev->run) {
		cJSON_AddNumberToObject(o, "run", (double)ev->run->id);
		cJSON_AddStringToObject(o, "status", rtb_status_word(ev->run->status));
		cJSON_AddStringToObject(o, "verdict", rtb_verdict_word(ev->run->verdict));
		if (ev->run->error)
			cJSON_AddStringToObject(o, "error", ev->run->error);
		if (ev->log_dir)
			cJSON_AddStringToObject(o, "logs", ev->log_dir);
		cJSON_AddNumberToObject(o, "left_ms", ev->left_ms);
	}
	emit(o);
}

static void duration(unsigned ms, char out[32])
{
	unsigned s = (ms + 500) / 1000;
	if (s < 60)
		snprintf(out, 32, "%u s", s);
	else if (s < 3600)
		snprintf(out, 32, "%u:%02u min", s / 60, s % 60);
	else
		snprintf(out, 32, "%u:%02u h", s / 3600, s / 60 % 60);
}

/* The cell, and on which board where there is a choice. Free it. */
static char *where(const struct rtb_event *ev)
{
	char *cell = rtb_plan_cell_name(ev->plan, ev->cell);
	if (ev->plan->board_count == ev->plan->target_count)
		return cell;
	char *both = rtb_sprintf("%s on %s", cell, ev->board);
	free(cell);
	return both;
}

static void clear_line(struct rtb_run_show *s)
{
	if (s->line_is_open)
		fputs("\r\033[K", stderr);
	s->line_is_open = false;
}

static void live_line(struct rtb_run_show *s, const struct rtb_event *ev)
{
	char *name = where(ev), left[32] = "";
	clear_line(s);
	if (ev->left_ms)
		duration(ev->left_ms, left);
	fprintf(stderr, "[%zu/%zu] %s: %s%s%s%s%s", ev->index + 1, ev->total, name, rtb_phase_word(ev->phase),
		ev->case_name ? " " : "", ev->case_name ? ev->case_name : "", *left ? ", left: " : "", left);
	fflush(stderr);
	s->line_is_open = true;
	free(name);
}

/* The same for programs. */
static void done_object(const struct rtb_event *ev)
{
	const struct rtb_run *r = ev->run;
	char *cell = rtb_plan_cell_name(ev->plan, ev->cell), *message;
	cJSON *o = cJSON_CreateObject();
	message = r->status ? rtb_sprintf("%s: %s", rtb_status_word(r->status), r->error ? r->error : "")
			    : rtb_strdup(rtb_verdict_word(r->verdict));
	cJSON_AddStringToObject(o, "cell", cell);
	cJSON_AddNumberToObject(o, "repeat", ev->repeat);
	cJSON_AddStringToObject(o, "board", ev->board);
	cJSON_AddNumberToObject(o, "run", (double)r->id);
	cJSON_AddStringToObject(o, "status", rtb_status_word(r->status));
	cJSON_AddNumberToObject(o, "index", (double)ev->index + 1);
	cJSON_AddNumberToObject(o, "runs", (double)ev->total);
	cJSON_AddNumberToObject(o, "left_ms", ev->left_ms);
	rtb_log_object(r->status ? RTB_LOG_WARN : RTB_LOG_INFO, "sweep", message, o);
	free(message);
	free(cell);
}

static void done_line(struct rtb_run_show *s, const struct rtb_event *ev)
{
	char *name = where(ev), took[32], left[32];
	const struct rtb_run *r = ev->run;
	const struct rtb_phases *p = &r->phases;
	duration(ev->left_ms, left);
	duration(ev->elapsed_ms, took);
	clear_line(s);
	fprintf(stderr, "[%zu/%zu] %s: ", ev->index + 1, ev->total, name);
	if (r->status)
		fprintf(stderr, "%s: %s", rtb_status_word(r->status), r->error ? r->error : "");
	else
		fprintf(stderr, "%s; flash %u ms, boot %u ms, measured %u ms", rtb_verdict_word(r->verdict), p->flash_ms,
			p->boot_ms, p->measure_ms);
	if (ev->left_ms)
		fprintf(stderr, " (%s so far, about %s left)", took, left);
	fputc('\n', stderr);
	free(name);
}

void rtb_show_event(void *ctx, const struct rtb_event *ev)
{
	struct rtb_run_show *s = ctx;
	if (s->json) {
		json_event(ev);
		return;
	}
	if (s->quiet)
		return;
	if (s->log_json && ev->kind == EVENT_DONE)
		done_object(ev);
	else if (s->log_json)
		return;
	else if (ev->kind == EVENT_PHASE && s->live)
		live_line(s, ev);
	else if (ev->kind == EVENT_DONE)
		done_line(s, ev);
	else if (ev->kind == EVENT_END)
		clear_line(s);
}

static void show_times(const struct rtb_sweep_result *r)
{
	const struct rtb_phases *p = &r->phases;
	unsigned boards = (unsigned)r->boards, known = p->wait_ms + p->flash_ms + p->boot_ms + p->measure_ms + p->store_ms;
	unsigned long long all = (unsigned long long)r->total_ms * boards;
	printf("%u.%03u s", r->total_ms / 1000, r->total_ms % 1000);
	if (boards > 1)
		printf(" x %u boards", boards);
	printf(": %u ms waiting for builds (%u ms of make, most of it beside measuring), %u ms flash, "
	       "%u ms boot, %u ms measuring (%u %%), %u ms store, %llu ms else\n",
	       p->wait_ms, r->build_total_ms, p->flash_ms, p->boot_ms,
	       p->measure_ms, all ? (unsigned)(100ull * p->measure_ms / all) : 0, p->store_ms, all > known ? all - known : 0);
}

/* The options without which a command would look into another database. */
static void print_where(const struct rtb_run_show *s)
{
	if (s->config)
		printf(" --config %s", s->config);
	if (s->db)
		printf(" --db %s", s->db);
	putchar('\n');
}

static void show_failures(const struct rtb_run_show *s, const struct rtb_sweep_result *r)
{
	for (size_t i = 0; i < r->run_count; i++) {
		const struct rtb_run *run = r->run[i];
		if (run->status == RTB_OK)
			continue;
		printf("\n%s %s %s%s, repeat %u: %s\n  %s\n", run->cell.target, run->cell.kernel, run->cell.opt,
		       run->cell.instrumented ? " instrumented" : "", run->repeat, rtb_status_word(run->status),
		       run->error ? run->error : "");
		if (*rtb_status_advice(run->status))
			printf("  what to do: %s\n", rtb_status_advice(run->status));
		if (r->log_dir[i]) {
			printf("  logs: %s; rtbench show %lld", r->log_dir[i], (long long)run->id);
			print_where(s);
		}
	}
}

void rtb_show_result(struct rtb_run_show *s, const struct rtb_sweep_result *r, size_t planned,
		     const char *db_path)
{
	if (s->json)
		return;
	struct rtb_buf table = {0};
	if (r->run_count)
		rtb_report_runs(r->run, r->run_count, s->color, &table);
	printf("%s%s", s->quiet ? "" : "\n", rtb_buf_cstr(&table));
	rtb_buf_free(&table);
	size_t failed = 0, rejected = 0;
	for (size_t i = 0; i < r->run_count; i++) {
		failed += r->run[i]->status != RTB_OK;
		rejected += r->run[i]->status == RTB_OK && r->run[i]->verdict == VERDICT_REJECTED;
	}
	printf("\nsweep %lld in %s: %zu of %zu runs, %zu good, %zu failed", (long long)r->sweep.id, db_path, r->run_count,
	       planned, r->run_count - failed - rejected, failed);
	if (rejected)
		printf(", %zu rejected", rejected);
	if (r->kept)
		printf(", %zu kept", r->kept);
	printf("%s\n", r->run_count < planned ? r->sweep.status == RTB_INTERRUPTED ? "; interrupted" : "; stopped early" : "");
	if (r->run_count < planned || failed) {
		printf("go on with: rtbench run --resume=%lld", (long long)r->sweep.id);
		print_where(s);
	}
	if (!s->quiet)
		show_times(r);
	show_failures(s, r);
	fflush(stdout);
}

void rtb_show_baseline(const struct rtb_run_show *s, const struct rtb_junit_gate *gate)
{
	if (!s->json) {
		if (gate->status == RTB_OK)
			printf("%sagainst %s: %s\n", s->quiet ? "" : "\n", gate->name, gate->text);
		return;
	}
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "event", "baseline");
	cJSON_AddStringToObject(o, "baseline", gate->name);
	cJSON_AddStringToObject(o, "status", rtb_status_word(gate->status));
	cJSON_AddStringToObject(o, "message", gate->text);
	emit(o);
}
