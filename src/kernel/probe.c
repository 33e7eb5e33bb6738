/* probe.c */
#include "kernel/probe.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"

#define IMAGE_MS   300000
#define COMPILE_MS 60000
#define TEXT_MAX   ((size_t)16 << 20)

enum rtb_status rtb_probe_open(struct rtb_probe *p, struct rtb_error *e)
{
	const char *tmp = getenv("TMPDIR");
	p->work = rtb_sprintf("%s/rtbench-kernel-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	if (mkdtemp(p->work))
		return RTB_OK;
	enum rtb_status s = rtb_fail(e, RTB_CONFIG, "%s: %s", p->work, strerror(errno));
	free(p->work);
	p->work = NULL;
	return s;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void rtb_probe_close(struct rtb_probe *p)
{
	if (p->work)
		nftw(p->work, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(p->work);
	p->work = NULL;
}

void rtb_attempt_free(struct rtb_attempt *a)
{
	rtb_diags_free(&a->diags);
	rtb_strings_free(&a->defines);
	*a = (struct rtb_attempt){0};
}

static char *out_dir(const struct rtb_probe *p, struct rtb_level l)
{
	return rtb_sprintf("%s/%s-%d", p->work, l.opt, l.instrumented);
}

static enum rtb_status run(struct rtb_probe *p, const char *const *argv, unsigned ms, struct rtb_buf *text,
			   bool *ok, struct rtb_error *e)
{
	static const char *const env[] = {"LC_ALL=C", "MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=0", "CFLAGS=", NULL};
	struct rtb_process_spec spec = {.argv = argv, .env_extra = env, .timeout_ms = ms,
					.output_limit = TEXT_MAX, .cancel = p->cancel};
	struct rtb_process_result r;
	enum rtb_status s = rtb_process_run(&spec, p->clock, &r, e);
	*ok = s == RTB_OK && r.exit_code == 0;
	if (s == RTB_OK && r.cancelled)
		s = rtb_fail(e, RTB_INTERRUPTED, "interrupted while trying to build the kernel");
	if (s == RTB_OK && r.timed_out)
		s = rtb_fail(e, RTB_BUILD, "%s took longer than %u s", argv[0], ms / 1000);
	rtb_buf_add(text, rtb_buf_cstr(&r.output), r.output.len);
	rtb_buf_free(&r.output);
	return s;
}

enum rtb_status rtb_probe_image(struct rtb_probe *p, const struct rtb_entry *n, struct rtb_level l,
				struct rtb_attempt *out, struct rtb_error *e)
{
	struct rtb_buf text = {0};
	char *dir = out_dir(p, l), *mk_dir = rtb_sprintf("%s/kernel", p->work);
	char *arg[] = {
		rtb_sprintf("%s/firmware", p->home), rtb_sprintf("TARGET=%s", p->target),
		rtb_sprintf("KERNEL=%s", n->name), rtb_sprintf("OPT=%s", l.opt),
		rtb_sprintf("INSTR=%d", l.instrumented), rtb_sprintf("OUT=%s", dir),
		rtb_sprintf("CROSS=%s", p->cross), rtb_sprintf("KERNEL_MK=%s/kernel.mk", mk_dir),
	};
	/* by target: two links side by side would complain in the middle of each other's lines */
	const char *argv[] = {"make", "--no-print-directory", "--output-sync=target", "-k", "-j2", "-C", arg[0], arg[1], arg[2], arg[3],
			      arg[4], arg[5], arg[6], arg[7], NULL};
	*out = (struct rtb_attempt){0};
	enum rtb_status s = rtb_entry_prepare(n, mk_dir, e);
	if (s == RTB_OK)
		s = run(p, argv, IMAGE_MS, &text, &out->ok, e);
	p->images++;
	if (s == RTB_OK && !out->ok) {
		rtb_diag_parse(rtb_buf_cstr(&text), &out->diags);
		if (!out->diags.n)
			s = rtb_fail(e, RTB_BUILD, "make: %.400s", rtb_buf_cstr(&text));
	}
	for (size_t i = 0; i < sizeof arg / sizeof arg[0]; i++)
		free(arg[i]);
	free(dir);
	free(mk_dir);
	rtb_buf_free(&text);
	return s;
}

/* What the Makefile wrote down of the flags it gives the sources of a tree. */
static char *tree_flags(struct rtb_probe *p, struct rtb_level l)
{
	char *dir = out_dir(p, l), *path = rtb_sprintf("%s/tree-flags.txt", dir), *flags = NULL;
	struct rtb_buf text = {0};
	if (rtb_buf_read_file(&text, path, TEXT_MAX) == 0)
		flags = rtb_sprintf("%.*s", (int)strcspn(rtb_buf_cstr(&text), "\n"), rtb_buf_cstr(&text));
	rtb_buf_free(&text);
	free(path);
	free(dir);
	return flags;
}

static void shell_word(struct rtb_buf *b, const char *text)
{
	rtb_buf_str(b, "'");
	for (const char *p = text; *p; p++)
		if (*p == '\'')
			rtb_buf_str(b, "'\\''");
		else
			rtb_buf_add(b, p, 1);
	rtb_buf_str(b, "'");
}

enum rtb_status rtb_probe_compile(struct rtb_probe *p, struct rtb_level l,
				  const struct rtb_strings *include, const char *path,
				  struct rtb_attempt *out, struct rtb_error *e)
{
	*out = (struct rtb_attempt){0};
	char *flags = tree_flags(p, l), *object = rtb_sprintf("%s/try.o", p->work);
	if (!flags) {
		free(object);
		return rtb_fail(e, RTB_BUILD, "firmware/Makefile did not say its flags");
	}
	struct rtb_buf command = {0}, text = {0};
	const char *dot = strrchr(path, '.');
	rtb_buf_str(&command, "cd ");
	shell_word(&command, p->home);
	rtb_buf_fmt(&command, "/firmware && exec %sgcc %s", p->cross, flags);
	for (size_t i = 0; i < include->n; i++) {
		rtb_buf_str(&command, " -I");
		shell_word(&command, include->v[i]);
	}
	rtb_buf_fmt(&command, "%s -c -o %s ", dot && strcmp(dot, ".c") == 0 ? "" : " -x assembler-with-cpp", object);
	shell_word(&command, path);
	const char *argv[] = {"sh", "-c", command.data, NULL};
	enum rtb_status s = run(p, argv, COMPILE_MS, &text, &out->ok, e);
	p->compiles++;
	if (s == RTB_OK && !out->ok)
		rtb_diag_parse(rtb_buf_cstr(&text), &out->diags);
	if (s == RTB_OK && out->ok)
		out->ok = rtb_probe_symbols(p, object, &out->defines);
	rtb_buf_free(&command);
	rtb_buf_free(&text);
	free(flags);
	free(object);
	return s;
}

bool rtb_probe_symbols(struct rtb_probe *p, const char *path, struct rtb_strings *out)
{
	struct rtb_buf text = {0};
	struct rtb_error ignored = {0};
	char *nm = rtb_sprintf("%snm", p->cross);
	const char *argv[] = {nm, "-g", "-P", "--defined-only", path, NULL};
	bool ok = false;
	run(p, argv, COMPILE_MS, &text, &ok, &ignored);
	/* "name T 0 24"; a library's members are announced by a line that ends in a colon */
	for (const char *line = rtb_buf_cstr(&text); ok && *line;) {
		size_t len = strcspn(line, "\n"), word = strcspn(line, " \n");
		if (word < len) {
			char *name = rtb_sprintf("%.*s", (int)word, line);
			rtb_strings_add(out, name);
			free(name);
		}
		line += len + (line[len] == '\n');
	}
	rtb_buf_free(&text);
	free(nm);
	return ok;
}

/* nftw has no argument to hand anything through. */
static __thread struct rtb_entry *used_of;

static bool use_as(struct rtb_entry *n, const char *path)
{
	for (size_t i = 0; i < n->tree_count; i++) {
		size_t len = strlen(n->tree[i].path);
		if (strncmp(path, n->tree[i].path, len) == 0 && path[len] == '/') {
			rtb_strings_add_new(&n->tree[i].used, path + len + 1);
			return true;
		}
	}
	return false;
}

/* By its real path, since the compiler may have come through a link of ours; by the one given
 * when the tree itself links to a file elsewhere. */
static void use(struct rtb_entry *n, const char *path)
{
	char real[PATH_MAX];
	if (realpath(path, real) && !use_as(n, real))
		use_as(n, path);
}

/* The words of a makefile rule as GCC writes it: "\ " is a space, "\<newline>" none, "$$" a
 * dollar; the empty rules of -MP repeat what is known. */
static void read_rule(struct rtb_entry *n, const char *text)
{
	struct rtb_buf word = {0};
	for (const char *p = text;; p++) {
		if (*p == '\\' && (p[1] == ' ' || p[1] == '#' || p[1] == '\\')) {
			rtb_buf_add(&word, ++p, 1);
		} else if (*p == '$' && p[1] == '$') {
			rtb_buf_add(&word, p++, 1);
		} else if (*p && !strchr(" \t\n\r\\", *p)) {
			rtb_buf_add(&word, p, 1);
		} else {
			if (word.len && word.data[word.len - 1] != ':')
				use(n, word.data);
			rtb_buf_clear(&word);
		}
		if (!*p)
			break;
	}
	rtb_buf_free(&word);
}

static int read_deps(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)ftw;
	size_t n = strlen(path);
	struct rtb_buf text = {0};
	if (type == FTW_F && n > 2 && strcmp(path + n - 2, ".d") == 0 && rtb_buf_read_file(&text, path, TEXT_MAX) == 0)
		read_rule(used_of, rtb_buf_cstr(&text));
	rtb_buf_free(&text);
	return 0;
}

void rtb_probe_used(struct rtb_probe *p, struct rtb_entry *n)
{
	used_of = n;
	nftw(p->work, read_deps, 16, FTW_PHYS);
	for (size_t i = 0; i < n->tree_count; i++)
		rtb_strings_sort(&n->tree[i].used);
	used_of = NULL;
}
