/* OpenOCD, one shot: it is started, programs, verifies, lets the board go and ends. Nothing of
 * it is left when the board is measured. */
#include "flash/openocd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define VERSION_MS 10000
#define OUTPUT_LIMIT ((size_t)1 << 20)

/* Words that changed between versions, newest first; `since` as rtb_flash_tool.number. */
static const struct {
	unsigned since;
	const char *gdb, *tcl, *telnet;
} syntax[] = {
	{13, "gdb port disabled", "tcl port disabled", "telnet port disabled"},
	{12, "gdb_port disabled", "tcl_port disabled", "telnet_port disabled"},
};
#define OLDEST (syntax[sizeof syntax / sizeof *syntax - 1].since)

unsigned rtb_openocd_number(const char *text)
{
	static const char name[] = "Open On-Chip Debugger";
	const char *p = strstr(text, name);
	unsigned major, minor;
	if (!p || sscanf(p + sizeof name - 1, " v%u.%u", &major, &minor) == 2)
		return p ? 1000 * major + minor : 0;
	return sscanf(p + sizeof name - 1, " %u.%u", &major, &minor) == 2 ? 1000 * major + minor : 0;
}

static enum rtb_status find(const struct rtb_flash_board *b, const struct rtb_clock *clock,
			    struct rtb_flash_tool *out, struct rtb_error *e)
{
	*out = (struct rtb_flash_tool){.path = rtb_which(b->program)};
	if (!out->path)
		return rtb_fail(e, RTB_NO_TOOL, "%s is not installed", b->program);
	const char *argv[] = {out->path, "--version", NULL};
	struct rtb_process_spec spec = {.argv = argv, .timeout_ms = VERSION_MS};
	struct rtb_process_result r;
	enum rtb_status st = rtb_process_run(&spec, clock, &r, e);
	const char *text = rtb_buf_cstr(&r.output);
	if (st == RTB_OK) {
		out->version = rtb_sprintf("%.*s", (int)strcspn(text, "\r\n"), text);
		out->number = rtb_openocd_number(text);
		if (out->number == 0)
			st = rtb_fail(e, RTB_TOOL_OLD, "%s does not say which OpenOCD it is: \"%s\"", out->path, out->version);
		else if (out->number < OLDEST)
			st = rtb_fail(e, RTB_TOOL_OLD, "%s is \"%s\"; 0.%u or newer is needed", out->path, out->version, OLDEST);
	}
	rtb_buf_free(&r.output);
	return st;
}

struct args {
	const char *v[256];
	size_t n;
	char *own[32]; /* made here, freed with it */
	size_t own_count;
};

static void add(struct args *a, const char *option, const char *value)
{
	if (a->n + 3 > sizeof a->v / sizeof *a->v)
		return; /* the configuration bounds its lists well below this */
	a->v[a->n++] = option;
	a->v[a->n++] = value;
}

static void add_own(struct args *a, char *command)
{
	if (a->own_count == sizeof a->own / sizeof *a->own) {
		free(command);
		return;
	}
	a->own[a->own_count++] = command;
	add(a, "-c", command);
}

static void add_quoted(struct args *a, const char *command, const char *word)
{
	if (!*word)
		return;
	struct rtb_buf b = {0};
	rtb_buf_fmt(&b, "%s ", command);
	rtb_tcl_quote(word, &b);
	add_own(a, b.data);
}

static void build_args(const struct rtb_flash_board *b, const struct rtb_flash_tool *t, bool held,
		       const char *script, struct args *a)
{
	size_t s = 0;
	while (t->number < syntax[s].since && s + 1 < sizeof syntax / sizeof *syntax)
		s++;
	a->v[a->n++] = t->path;
	add(a, "-c", syntax[s].gdb);
	add(a, "-c", syntax[s].tcl);
	add(a, "-c", syntax[s].telnet);
	if (b->cpu_tap_id)
		add_own(a, rtb_sprintf("set CPUTAPID 0x%08x", b->cpu_tap_id));
	/* What the chip says of its own flash is not to be trusted (clones, a bad moment). */
	if (b->flash_bytes)
		add_own(a, rtb_sprintf("set FLASH_SIZE 0x%x", b->flash_bytes));
	for (const char *const *p = b->before; p && *p; p++)
		add(a, "-c", *p);
	for (const char *const *p = b->files; p && *p; p++)
		add(a, "-f", *p);
	add_quoted(a, "adapter serial", b->probe_serial);
	add_quoted(a, "adapter usb location", b->probe_location);
	if (b->reset_wired)
		add(a, "-c", held ? "reset_config srst_only srst_nogate connect_assert_srst"
				  : "reset_config srst_only srst_nogate");
	for (const char *const *p = b->after; p && *p; p++)
		add(a, "-c", *p);
	add(a, "-f", script);
	a->v[a->n] = NULL;
}

static void make_mark(char out[RTB_MARK_LEN])
{
	unsigned char r[12] = {0};
	if (getrandom(r, sizeof r, 0) != (ssize_t)sizeof r)
		memcpy(r, &(uint64_t){rtb_clock_system()->now_ns(NULL)}, sizeof(uint64_t));
	int n = snprintf(out, RTB_MARK_LEN, "RTB-VERIFIED-");
	for (size_t i = 0; i < sizeof r; i++)
		n += snprintf(out + n, RTB_MARK_LEN - (size_t)n, "%02x", r[i]);
}

static enum rtb_status keep(const char *path, const char *text, size_t n, struct rtb_error *e)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(text, 1, n, f) == n;
	if (f && fclose(f) != 0)
		ok = false;
	return ok ? RTB_OK : rtb_fail(e, RTB_INTERNAL, "cannot write %s: %s", path, strerror(errno));
}

static enum rtb_status program(const struct rtb_flash_board *b, const struct rtb_flash_tool *t,
			       const struct rtb_flash_job *job, struct rtb_flash_result *out,
			       struct rtb_error *e)
{
	*out = (struct rtb_flash_result){.log_path = rtb_sprintf("%s/openocd.log", job->dir)};
	enum rtb_status st = rtb_openocd_probe(b, out, e);
	if (st)
		return st;
	char mark[RTB_MARK_LEN];
	make_mark(mark);
	struct rtb_buf script = {0};
	rtb_openocd_script(b, job->loaded ? NULL : job->elf, mark, &script);
	char *path = rtb_sprintf("%s/flash.tcl", job->dir);
	st = keep(path, script.data, script.len, e);
	if (st == RTB_OK) {
		struct args a = {0};
		build_args(b, t, job->held, path, &a);
		struct rtb_process_spec spec = {.argv = a.v, .timeout_ms = b->timeout_ms,
						.output_limit = OUTPUT_LIMIT, .cancel = job->cancel};
		struct rtb_process_result r;
		st = rtb_process_run(&spec, job->clock, &r, e);
		out->ms = r.ms;
		if (st == RTB_OK)
			st = rtb_openocd_judge(&r, b, mark, job->loaded, out, e);
		out->log = rtb_strdup(rtb_buf_cstr(&r.output));
		keep(out->log_path, out->log, strlen(out->log), NULL);
		rtb_buf_free(&r.output);
		for (size_t i = 0; i < a.own_count; i++)
			free(a.own[i]);
	}
	rtb_buf_free(&script);
	free(path);
	return st;
}

const struct rtb_flash_ops rtb_flash_openocd = {"openocd", find, program};
