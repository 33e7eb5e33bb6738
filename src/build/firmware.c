#include "build/firmware.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "kernel/tree.h"

#define MAP_MAX ((size_t)64 << 20)
#define LOG_MAX ((size_t)4 << 20)
#define IMAGE_MAX ((size_t)256 << 20)

/* Where firmware/Makefile puts objects, below the cell's directory. */
static const struct rtb_part_rule rules[] = {
	{".bss.rtb_objects", "kernel"}, /* what an application has of the kernel's: footprint.c */
	{"/kernel.a(", "kernel"}, {"/obj/ports/", "port"}, {"/obj/core/", "bench"}, {"/obj/cases/", "bench"},
	{"/obj/up/targets/", "board"}, {"/libgcc.a", "libc"}, {"/libc", "libc"}, {"/libm", "libc"},
	{"/libnosys", "libc"},
};

enum rtb_status rtb_firmware_inputs(const char *home, const char *target_dir, char out[RTB_SHA256_HEX],
				    struct rtb_error *e)
{
	struct rtb_sha256 h;
	rtb_sha256_init(&h);
	char *firmware = rtb_sprintf("%s/firmware", home), *include = rtb_sprintf("%s/include/rtbench", home);
	int rc = rtb_tree_add(&h, home, firmware);
	if (rc == 0)
		rc = rtb_tree_add(&h, home, include);
	if (rc == 0)
		rc = rtb_tree_add(&h, target_dir, target_dir);
	int err = errno;
	free(firmware);
	free(include);
	rtb_sha256_hex(&h, out);
	return rc == 0 ? RTB_OK : rtb_fail(e, RTB_BUILD, "the firmware's sources in %s cannot be read: %s", home,
					   strerror(err));
}

static int make_dirs(const char *path)
{
	char *p = rtb_strdup(path);
	int rc = 0;
	for (char *s = p + 1; rc == 0; s++) {
		if (*s != '/' && *s != '\0')
			continue;
		char keep = *s;
		*s = '\0';
		if (mkdir(p, 0777) < 0 && errno != EEXIST)
			rc = -1;
		*s = keep;
		if (!keep)
			break;
	}
	free(p);
	return rc;
}

static void name_paths(const struct rtb_firmware_spec *s, struct rtb_firmware *out)
{
	struct rtb_sha256 h;
	char key[RTB_SHA256_HEX];
	rtb_sha256_init(&h);
	rtb_sha256_str(&h, s->inputs);
	rtb_sha256_str(&h, s->tools->hash);
	rtb_sha256_str(&h, s->tools->path);
	char *rest = rtb_sprintf("%d %u %u", s->handshake, s->baud, s->handshake ? 0 : s->samples);
	rtb_sha256_str(&h, rest);
	free(rest);
	rtb_sha256_str(&h, s->kernel_hash ? s->kernel_hash : "");
	rtb_sha256_hex(&h, key);
	out->dir = rtb_sprintf("%s/%s-%s-%s-%s-%.12s", s->cells_dir, s->target, s->kernel, s->opt,
			       s->instrumented ? "instr" : "plain", key);
	out->elf = rtb_sprintf("%s/rtbench.elf", out->dir);
	out->map = rtb_sprintf("%s/rtbench.map", out->dir);
	out->log_path = rtb_sprintf("%s/build.log", out->dir);
}

/* An error is `file:line:col: error: ...`, `ld: ... undefined reference ...`, or make's own. */
static bool is_error_line(const char *line, size_t n)
{
	static const char *const marks[] = {
		": error: ", ": fatal error: ", "undefined reference to", "multiple definition of",
		"overflowed by", "will not fit in region", "cannot find -l", "No rule to make target",
		"rtbench: ", ": Error: ",
	};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (memmem(line, n, marks[i], strlen(marks[i])))
			return true;
	return n > 9 && (memcmp(line, "make: *** ", 9) == 0);
}

char *rtb_firmware_first_error(const char *log)
{
	for (const char *p = log; p && *p;) {
		size_t n = strcspn(p, "\n");
		if (is_error_line(p, n))
			return rtb_sprintf("%.*s", (int)n, p);
		p += n + (p[n] == '\n');
	}
	return NULL;
}

/* What the linker says of memories that are too small. */
struct overflow {
	struct rtb_buf text; /* "1234 bytes too large for SRAM, ..."; empty: nothing overflowed */
	bool flash, ram;
};

static void find_overflow(const struct rtb_firmware_spec *s, const char *log, struct overflow *o)
{
	for (const char *p = log; (p = strstr(p, "region `"));) {
		p += strlen("region `");
		size_t n = strcspn(p, "'\n");
		unsigned bytes;
		if (p[n] != '\'' || sscanf(p + n, "' overflowed by %u byte", &bytes) != 1)
			continue;
		rtb_buf_fmt(&o->text, "%s%u bytes too large for %.*s", o->text.len ? ", " : "", bytes, (int)n, p);
		for (size_t i = 0; i < s->memories; i++)
			if (strlen(s->memory[i].name) == n && memcmp(s->memory[i].name, p, n) == 0)
				*(s->memory[i].flash ? &o->flash : &o->ram) = true;
	}
	if (!o->flash && !o->ram)
		o->flash = o->ram = true;
}

static enum rtb_status explain(const struct rtb_firmware_spec *s, const struct rtb_firmware *f,
			       int exit_code, struct rtb_error *e)
{
	struct overflow over = {0};
	find_overflow(s, f->log, &over);
	char *line = over.text.len ? NULL : rtb_firmware_first_error(f->log);
	enum rtb_status st;
	if (over.text.len) {
		struct rtb_buf map = {0};
		rtb_buf_read_file(&map, f->map, MAP_MAX);
		char *largest = rtb_map_largest(rtb_buf_cstr(&map), map.len, over.flash, over.ram, 5);
		st = rtb_fail(e, RTB_NO_FIT, "%s %s %s on %s: %s; largest: %s", s->kernel, s->opt,
			      s->instrumented ? "instrumented" : "plain", s->target, over.text.data, largest);
		free(largest);
		rtb_buf_free(&map);
	} else {
		st = rtb_fail(e, RTB_BUILD, "%s (make ended with %d; log: %s)", line ? line : "no error line in the log",
			      exit_code, f->log_path);
	}
	rtb_buf_free(&over.text);
	free(line);
	return st;
}

static int remove_entry(const char *path, const struct stat *sb, int type, struct FTW *at)
{
	(void)sb;
	(void)type;
	bool ours = at->level == 0 || (at->level == 1 && strcmp(path + at->base, ".lock") == 0);
	return ours ? 0 : remove(path);
}

/* A compiler that was killed leaves half an object, which make takes for a whole one by its time: an
 * empty one even links. So a mark lies in the cell's directory while make is at work, and where one
 * lies already everything is made anew. *mark is the caller's. */
static enum rtb_status mark_building(const struct rtb_firmware *f, char **mark, struct rtb_error *e)
{
	*mark = rtb_sprintf("%s/.building", f->dir);
	if (access(*mark, F_OK) == 0 && nftw(f->dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0)
		return rtb_fail(e, RTB_BUILD, "what a killed build left in %s cannot be removed: %s", f->dir, strerror(errno));
	int fd = open(*mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return rtb_fail(e, RTB_BUILD, "cannot make %s: %s", *mark, strerror(errno));
	close(fd);
	return RTB_OK;
}

static enum rtb_status prepare_kernel(const struct rtb_firmware_spec *s, const struct rtb_firmware *f,
				      struct rtb_error *e)
{
	if (!s->entry)
		return RTB_OK;
	char *dir = rtb_sprintf("%s/kernel", f->dir);
	enum rtb_status st = rtb_entry_prepare(s->entry, dir, e);
	free(dir);
	return st;
}

/* *ended: make came to its own end, whichever. */
static enum rtb_status run_make(const struct rtb_firmware_spec *s, struct rtb_firmware *f, bool *ended,
				struct rtb_error *e)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	char *arg[] = {
		rtb_sprintf("-j%u", s->jobs ? s->jobs : cpus > 0 ? (unsigned)cpus : 1),
		rtb_sprintf("%s/firmware", s->home), rtb_sprintf("TARGET=%s", s->target),
		rtb_sprintf("KERNEL=%s", s->kernel), rtb_sprintf("OPT=%s", s->opt),
		rtb_sprintf("INSTR=%d", s->instrumented), rtb_sprintf("OUT=%s", f->dir),
		rtb_sprintf("CROSS=%s", s->tools->cross), rtb_sprintf("HANDSHAKE=%d", s->handshake),
		rtb_sprintf("BAUD=%u", s->baud),
		/* With a handshake the host says how many: the image must not depend on it. */
		rtb_sprintf("SAMPLES=%u", s->handshake ? 10000 : s->samples),
		rtb_sprintf("KERNEL_MK=%s%s", s->entry ? f->dir : "", s->entry ? "/kernel/kernel.mk" : ""),
	};
	const char *argv[] = {"make", "--no-print-directory", arg[0], "-C", arg[1], arg[2], arg[3], arg[4],
			      arg[5], arg[6], arg[7], arg[8], arg[9], arg[10], arg[11], NULL};
	/* A make above us must not hand its flags down; messages are matched, so in English. */
	static const char *const env[] = {"LC_ALL=C", "MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=0", "CFLAGS=", NULL};
	struct rtb_process_spec spec = {.argv = argv, .env_extra = env, .timeout_ms = s->timeout_ms,
					.output_limit = LOG_MAX, .cancel = s->cancel};
	struct rtb_process_result r;
	enum rtb_status st = rtb_process_run(&spec, s->clock, &r, e);
	for (size_t i = 0; i < sizeof arg / sizeof *arg; i++)
		free(arg[i]);
	f->ms = r.ms;
	f->log = rtb_strdup(rtb_buf_cstr(&r.output));
	rtb_buf_free(&r.output);
	FILE *keep = fopen(f->log_path, "w");
	if (keep) {
		fputs(f->log, keep);
		fclose(keep);
	}
	*ended = st == RTB_OK && !r.cancelled && !r.timed_out && !r.signal;
	if (st)
		return st;
	if (r.cancelled)
		return rtb_fail(e, RTB_INTERRUPTED, "interrupted while building");
	if (r.timed_out)
		return rtb_fail(e, RTB_BUILD, "the build took longer than %u ms and was ended; log: %s", s->timeout_ms,
				f->log_path);
	if (r.signal)
		return rtb_fail(e, RTB_BUILD, "make was ended by signal %d (%s); log: %s", r.signal,
				strsignal(r.signal), f->log_path);
	return r.exit_code == 0 ? RTB_OK : explain(s, f, r.exit_code, e);
}

/* Sizes by part; libraries that a kernel comes as lie outside the cell's directory. */
static enum rtb_status split_map(const struct rtb_firmware_spec *s, const struct rtb_image *image,
				 const struct rtb_buf *map, const char *map_path, struct rtb_parts *out,
				 struct rtb_error *e)
{
	struct rtb_part_rule *all = NULL;
	size_t n = 0;
	for (size_t t = 0; s->entry && t < s->entry->tree_count; t++)
		for (size_t i = 0; i < s->entry->tree[t].archive.n; i++) {
			const char *path = s->entry->tree[t].archive.v[i], *slash = strrchr(path, '/');
			all = rtb_realloc(all, (n + 1) * sizeof *all);
			all[n++] = (struct rtb_part_rule){slash ? slash : path, "kernel"};
		}
	all = rtb_realloc(all, n * sizeof *all + sizeof rules);
	memcpy(all + n, rules, sizeof rules);
	enum rtb_status st = rtb_map_parts(rtb_buf_cstr(map), map->len, map_path, image, s->memory, s->memories,
					   all, n + sizeof rules / sizeof *rules, out, e);
	free(all);
	return st;
}

/* Sizes by part of one image and its map. */
static enum rtb_status read_sizes(const struct rtb_firmware_spec *s, const struct rtb_image *image,
				  const char *map_path, struct rtb_firmware *f, struct rtb_error *e)
{
	struct rtb_buf map = {0};
	enum rtb_status st;
	if (rtb_buf_read_file(&map, map_path, MAP_MAX) < 0)
		st = rtb_fail(e, RTB_BUILD, "%s: %s", map_path, strerror(errno));
	else
		st = split_map(s, image, &map, map_path, &f->parts, e);
	f->flash_bytes = image->flash_bytes;
	f->ram_bytes = image->ram_bytes;
	rtb_buf_free(&map);
	return st;
}

static enum rtb_status read_footprint(const struct rtb_firmware_spec *s, struct rtb_firmware *f, struct rtb_error *e)
{
	char *elf = rtb_sprintf("%s/footprint.elf", f->dir), *map = rtb_sprintf("%s/footprint.map", f->dir);
	enum rtb_status st;
	if (access(elf, F_OK) != 0) {
		st = read_sizes(s, &f->image, f->map, f, e);
	} else {
		struct rtb_image i;
		st = rtb_image_read(elf, &i, e);
		if (st == RTB_OK)
			st = rtb_image_check(&i, elf, s->memory, s->memories, e);
		if (st == RTB_OK)
			st = read_sizes(s, &i, map, f, e);
		rtb_image_free(&i);
	}
	free(elf);
	free(map);
	return st;
}

/* A text file of the cell's directory, without the blank end; NULL when absent. */
static char *read_text(const struct rtb_firmware *f, const char *name)
{
	struct rtb_buf b = {0};
	char *path = rtb_sprintf("%s/%s", f->dir, name), *text = NULL;
	if (rtb_buf_read_file(&b, path, LOG_MAX) == 0) {
		while (b.len && (b.data[b.len - 1] == '\n' || b.data[b.len - 1] == ' '))
			b.data[--b.len] = '\0';
		text = rtb_strdup(rtb_buf_cstr(&b));
	}
	rtb_buf_free(&b);
	free(path);
	return text;
}

/* Where the counter reads are in the image, and what lies between them. */
static enum rtb_status read_measured(struct rtb_firmware *f, struct rtb_error *e)
{
	struct rtb_buf file = {0};
	enum rtb_status st = RTB_OK;
	if (rtb_buf_read_file(&file, f->elf, IMAGE_MAX) < 0)
		st = rtb_fail(e, RTB_IMAGE, "%s: %s", f->elf, strerror(errno));
	else
		rtb_measured_find(&f->image, rtb_buf_cstr(&file), file.len, &f->measured);
	rtb_buf_free(&file);
	return st;
}

static enum rtb_status read_back(const struct rtb_firmware_spec *s, struct rtb_firmware *f, struct rtb_error *e)
{
	f->flags = read_text(f, "flags.txt");
	f->inputs = read_text(f, "inputs.txt");
	enum rtb_status st = rtb_image_read(f->elf, &f->image, e);
	if (st == RTB_OK)
		st = rtb_image_check(&f->image, f->elf, s->memory, s->memories, e);
	if (st == RTB_OK)
		st = read_measured(f, e);
	return st ? st : read_footprint(s, f, e);
}

enum rtb_status rtb_firmware_build(const struct rtb_firmware_spec *s, struct rtb_firmware *out,
				   struct rtb_error *e)
{
	*out = (struct rtb_firmware){0};
	name_paths(s, out);
	if (make_dirs(out->dir) < 0)
		return rtb_fail(e, RTB_BUILD, "cannot make %s: %s", out->dir, strerror(errno));
	/* Two sweeps may want the same image at once. */
	char *lock_path = rtb_sprintf("%s/.lock", out->dir);
	int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	free(lock_path);
	if (lock >= 0)
		while (flock(lock, LOCK_EX) < 0 && errno == EINTR && !(s->cancel && *s->cancel))
			;
	char *mark;
	bool ended = false;
	enum rtb_status st = mark_building(out, &mark, e);
	if (st == RTB_OK)
		st = prepare_kernel(s, out, e);
	if (st == RTB_OK)
		st = run_make(s, out, &ended, e);
	if (ended)
		unlink(mark);
	free(mark);
	if (st == RTB_OK)
		st = read_back(s, out, e);
	if (lock >= 0)
		close(lock);
	return st;
}

void rtb_firmware_free(struct rtb_firmware *f)
{
	free(f->dir);
	free(f->elf);
	free(f->map);
	free(f->log);
	free(f->log_path);
	free(f->flags);
	free(f->inputs);
	rtb_image_free(&f->image);
	rtb_measured_free(&f->measured);
	rtb_parts_free(&f->parts);
	*f = (struct rtb_firmware){0};
}
