#include "build/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/process.h"

#define TOOL_MS 20000

/* First line that gcc prints for one option; NULL with e set. */
static char *ask(const char *gcc, const char *option, const struct rtb_clock *clock, struct rtb_error *e)
{
	const char *argv[] = {gcc, option, NULL};
	static const char *const env[] = {"LC_ALL=C", NULL};
	struct rtb_process_spec spec = {.argv = argv, .env_extra = env, .timeout_ms = TOOL_MS};
	struct rtb_process_result r;
	char *line = NULL;
	if (rtb_process_run(&spec, clock, &r, e) == RTB_OK) {
		const char *text = rtb_buf_cstr(&r.output);
		if (r.exit_code == 0 && *text)
			line = rtb_sprintf("%.*s", (int)strcspn(text, "\r\n"), text);
		else
			rtb_fail(e, RTB_TOOL_OLD, "%s %s %s (exit code %d)", gcc, option,
				 r.timed_out ? "did not end" : "said nothing of use", r.exit_code);
	}
	rtb_buf_free(&r.output);
	return line;
}

/* The driver alone would not tell two compilers apart: the work is done by these. */
static enum rtb_status hash_tools(struct rtb_toolchain *t, const struct rtb_clock *clock, struct rtb_error *e)
{
	static const char *const parts[] = {"-print-prog-name=cc1", "-print-prog-name=as", "-print-prog-name=ld"};
	struct rtb_sha256 h;
	rtb_sha256_init(&h);
	if (rtb_sha256_file(&h, t->path) < 0)
		return rtb_fail(e, RTB_NO_TOOL, "%s: %s", t->path, strerror(errno));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char *name = ask(t->path, parts[i], clock, e);
		char *path = name ? rtb_which(name) : NULL;
		int rc = path ? rtb_sha256_file(&h, path) : -1;
		if (rc < 0 && name)
			rtb_fail(e, RTB_NO_TOOL, "%s needs %s, which cannot be read", t->path, name);
		free(name);
		free(path);
		if (rc < 0)
			return e ? e->status : RTB_NO_TOOL;
	}
	rtb_sha256_hex(&h, t->hash);
	return RTB_OK;
}

enum rtb_status rtb_toolchain_find(const char *cross, const struct rtb_clock *clock,
				   struct rtb_toolchain *out, struct rtb_error *e)
{
	struct rtb_error own = {0};
	e = e ? e : &own;
	*out = (struct rtb_toolchain){.cross = rtb_strdup(cross)};
	char *gcc = rtb_sprintf("%sgcc", cross);
	out->path = rtb_which(gcc);
	if (!out->path)
		rtb_fail(e, RTB_NO_TOOL, "the compiler %s is not installed (Debian: gcc-arm-none-eabi)", gcc);
	free(gcc);
	if (out->path)
		out->version = ask(out->path, "--version", clock, e);
	if (out->version)
		out->number = ask(out->path, "-dumpfullversion", clock, e);
	if (!out->number)
		return e->status;
	long major = strtol(out->number, NULL, 10);
	if (major < RTB_GCC_MIN)
		return rtb_fail(e, RTB_TOOL_OLD, "%s is version %s; %d or newer is needed", out->path, out->number,
				RTB_GCC_MIN);
	return hash_tools(out, clock, e);
}

void rtb_toolchain_free(struct rtb_toolchain *t)
{
	free(t->cross);
	free(t->path);
	free(t->version);
	free(t->number);
	*t = (struct rtb_toolchain){0};
}
