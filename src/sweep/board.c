#include "sweep/board.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"

#define RUN_DIR "rtbench-run-"
#define LEFT_OVER_S 60 /* younger ones may not be locked yet */
#define DRAIN_QUIET_MS 20
#define DRAIN_LIMIT_MS 1000
#define SERVICE_GRACE_MS 1000
#define REOPEN_MS 20
#define LOG_MAX ((size_t)1 << 20)

/* text with {run_dir}, {serial}, {debug}, {board} replaced. Free it. */
static char *expand(const struct rtb_board *b, const char *text)
{
	const struct { const char *name, *value; } place[] = {
		{"{run_dir}", b->run_dir}, {"{serial}", b->serial}, {"{debug}", b->debug},
		{"{board}", b->target->name}};
	struct rtb_buf out = {0};
	while (*text) {
		size_t i = 0, n = sizeof place / sizeof *place;
		while (i < n && strncmp(text, place[i].name, strlen(place[i].name)) != 0)
			i++;
		rtb_buf_add(&out, i < n ? place[i].value : text, i < n ? strlen(place[i].value) : 1);
		text += i < n ? strlen(place[i].name) : 1;
	}
	return out.data ? out.data : rtb_strdup("");
}

static char **expand_list(const struct rtb_board *b, const struct rtb_list *l)
{
	char **v = rtb_alloc((l->n + 1) * sizeof *v);
	for (size_t i = 0; i < l->n; i++)
		v[i] = expand(b, l->v[i].text);
	return v;
}

/* A configuration file: beside target.toml, beside its base's, or as OpenOCD finds it. */
static char **expand_files(const struct rtb_board *b, const struct rtb_list *l)
{
	char **v = expand_list(b, l);
	for (char **p = v; *p; p++) {
		char *full = rtb_target_file(b->target, *p);
		if (strchr(*p, '/') && access(full, F_OK) != 0) { /* "interface/stlink.cfg" is OpenOCD's own */
			free(full);
			continue;
		}
		free(*p);
		*p = full;
	}
	return v;
}

static void free_list(char **v)
{
	for (char **p = v; p && *p; p++)
		free(*p);
	free(v);
}

/* A program that came with rtbench lies beside it, in PATH or not. */
static char *find_program(const char *name)
{
	char exe[PATH_MAX];
	ssize_t n = strchr(name, '/') ? -1 : readlink("/proc/self/exe", exe, sizeof exe - 1);
	if (n > 0) {
		exe[n] = '\0';
		char *slash = strrchr(exe, '/');
		char *full = rtb_sprintf("%.*s/%s", (int)(slash - exe), exe, name);
		if (access(full, X_OK) == 0)
			return full;
		free(full);
	}
	return rtb_strdup(name);
}

/* What a killed rtbench left: directories of this user that nobody holds. Only what we put there
 * is removed, so one with anything else in it stays. */
static void remove_left_over(const char *tmp)
{
	static const char *const ours[] = {"serial", "debug", "service.log"};
	DIR *d = opendir(tmp);
	for (struct dirent *de; d && (de = readdir(d));) {
		if (strncmp(de->d_name, RUN_DIR, sizeof RUN_DIR - 1) != 0)
			continue;
		struct stat sb;
		int fd = openat(dirfd(d), de->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			continue;
		bool old = fstat(fd, &sb) == 0 && sb.st_uid == getuid() && time(NULL) - sb.st_mtime > LEFT_OVER_S;
		if (old && flock(fd, LOCK_EX | LOCK_NB) == 0) {
			for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
				unlinkat(fd, ours[i], 0);
			unlinkat(dirfd(d), de->d_name, AT_REMOVEDIR);
		}
		close(fd);
	}
	if (d)
		closedir(d);
}

/* Unix socket names are short (108 bytes), so the directory is not below the project. */
static enum rtb_status make_run_dir(struct rtb_board *b, struct rtb_error *e)
{
	const char *tmp = getenv("XDG_RUNTIME_DIR");
	if (!tmp || !*tmp || strlen(tmp) > 60 || access(tmp, W_OK) != 0)
		tmp = "/tmp";
	remove_left_over(tmp);
	char *template = rtb_sprintf("%s/" RUN_DIR "XXXXXX", tmp);
	if (!mkdtemp(template)) {
		enum rtb_status st = rtb_fail(e, RTB_INTERNAL, "cannot make a directory in %s: %s", tmp, strerror(errno));
		free(template);
		return st;
	}
	b->run_dir = template;
	b->run_dir_fd = open(template, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b->run_dir_fd >= 0)
		flock(b->run_dir_fd, LOCK_SH | LOCK_NB);
	b->serial = rtb_sprintf("%s/serial", template);
	b->debug = rtb_sprintf("%s/debug", template);
	b->service_log = rtb_sprintf("%s/service.log", template);
	return RTB_OK;
}

static void fill_flash(struct rtb_board *b)
{
	const struct rtb_openocd_conf *o = &b->target->openocd;
	const struct rtb_mcu *m = &b->target->mcu;
	b->flash = (struct rtb_flash_board){
		.program = o->program, .files = (const char *const *)b->files,
		.before = (const char *const *)b->before, .after = (const char *const *)b->after,
		.probe_usb = o->probe_usb, .probe_serial = o->probe_serial, .probe_location = o->probe_location,
		.uid = o->uid, .cpu_tap_id = o->cpu_tap_id, .reset_wired = o->reset_wired,
		.timeout_ms = o->flash_timeout_ms, .uid_addr = m->uid_addr, .uid_words = m->uid_words,
		.flash_size_addr = m->flash_size_addr, .dbgmcu_cr_addr = m->dbgmcu_cr_addr};
	for (size_t i = 0; i < b->memories; i++)
		if (b->memory[i].flash && !b->flash.flash_bytes)
			b->flash.flash_bytes = b->memory[i].size;
}

static void fill_memory(struct rtb_board *b)
{
	const struct rtb_target *t = b->target;
	b->memory = rtb_alloc(t->memory_count * sizeof *b->memory);
	for (size_t i = 0; i < t->memory_count; i++)
		b->memory[b->memories++] = (struct rtb_memory){
			t->memory[i].name, strcmp(t->memory[i].kind, "flash") == 0, t->memory[i].base, t->memory[i].size};
}

/* The board by what it hangs on: its port, whatever name it was given, and its probe. A board
 * that comes with a service of its own is nobody else's. */
static enum rtb_status take_locks(struct rtb_board *b, struct rtb_error *e)
{
	if (b->command[0])
		return RTB_OK;
	const char *path = strchr(b->spec, ':') && b->spec[0] != '/' ? strchr(b->spec, ':') + 1 : b->spec;
	char *real = realpath(path, NULL);
	char *link = rtb_sprintf("link:%s", real ? real : path);
	const struct rtb_openocd_conf *o = &b->target->openocd;
	bool probe = *o->probe_usb || *o->probe_serial || *o->probe_location;
	char *key = rtb_sprintf("probe:%s:%s", o->probe_serial, o->probe_location);
	enum rtb_status st = rtb_lock_take(rtb_lock_dir(), link, b->target->name, b->clock, &b->lock[0], e);
	if (st == RTB_OK && probe)
		st = rtb_lock_take(rtb_lock_dir(), key, b->target->name, b->clock, &b->lock[1], e);
	free(real);
	free(link);
	free(key);
	return st;
}

enum rtb_status rtb_board_open(const struct rtb_target *t, const struct rtb_clock *clock,
			       const rtb_flag *cancel, struct rtb_board *out,
			       struct rtb_error *e)
{
	*out = (struct rtb_board){.target = t, .clock = clock, .cancel = cancel, .run_dir_fd = -1,
				  .lock = {{-1}, {-1}}};
	enum rtb_status st = make_run_dir(out, e);
	if (st)
		return st;
	out->spec = expand(out, t->link.spec);
	out->command = expand_list(out, &t->service.command);
	out->files = expand_files(out, &t->openocd.config);
	out->before = expand_list(out, &t->openocd.before);
	out->after = expand_list(out, &t->openocd.after);
	if (out->command[0]) {
		char *program = find_program(out->command[0]);
		free(out->command[0]);
		out->command[0] = program;
	}
	fill_memory(out);
	fill_flash(out);
	out->ops = rtb_flash_find(t->flash);
	if (!out->ops)
		return rtb_fail(e, RTB_CONFIG, "%s: no way to flash called \"%s\"", t->path, t->flash);
	st = take_locks(out, e);
	return st ? st : out->ops->find(&out->flash, clock, &out->tool, e);
}

static void remove_dir(const char *dir)
{
	DIR *d = dir ? opendir(dir) : NULL;
	for (struct dirent *de; d && (de = readdir(d));) {
		char *path = rtb_sprintf("%s/%s", dir, de->d_name);
		unlink(path);
		free(path);
	}
	if (d)
		closedir(d);
	if (dir)
		rmdir(dir);
}

void rtb_board_close(struct rtb_board *b)
{
	if (!b->target) /* never opened */
		return;
	rtb_board_unlink(b);
	rtb_board_stop(b);
	rtb_lock_release(&b->lock[0]);
	rtb_lock_release(&b->lock[1]);
	rtb_flash_tool_free(&b->tool);
	remove_dir(b->run_dir);
	if (b->run_dir_fd >= 0)
		close(b->run_dir_fd);
	free_list(b->command);
	free_list(b->files);
	free_list(b->before);
	free_list(b->after);
	free(b->memory);
	free(b->run_dir);
	free(b->serial);
	free(b->debug);
	free(b->service_log);
	free(b->spec);
	*b = (struct rtb_board){.run_dir_fd = -1, .lock = {{-1}, {-1}}};
}

/* Whether some line of the log begins so; *last is the last line that is not empty. */
static bool said_ready(const char *log, const char *ready, char **last)
{
	size_t n = strlen(ready);
	bool found = false;
	for (const char *p = log; *p && !found;) {
		size_t len = strcspn(p, "\n");
		found = p[len] == '\n' && strncmp(p, ready, n) == 0;
		if (len) {
			free(*last);
			*last = rtb_sprintf("%.*s", (int)len, p);
		}
		p += len + (p[len] == '\n');
	}
	return found;
}

static enum rtb_status not_ready(const struct rtb_board *b, bool ended, int wait_status, const char *last,
				 struct rtb_error *e)
{
	const char *name = b->command[0];
	last = last ? last : "nothing";
	if (ended && WIFSIGNALED(wait_status))
		return rtb_fail(e, RTB_LINK_ABSENT, "%s was ended by signal %d before it was ready; it said: %s", name,
				WTERMSIG(wait_status), last);
	if (ended)
		return rtb_fail(e, RTB_LINK_ABSENT, "%s ended with %d before it was ready; it said: %s", name,
				WEXITSTATUS(wait_status), last);
	return rtb_fail(e, RTB_LINK_ABSENT, "%s did not say \"%s\" within %u ms; it said: %s", name,
			b->target->service.ready, b->target->service.start_timeout_ms, last);
}

enum rtb_status rtb_board_start(struct rtb_board *b, struct rtb_error *e)
{
	int wait_status = 0;
	if (!b->command[0] || rtb_service_alive(&b->service, &wait_status))
		return RTB_OK;
	unlink(b->service_log);
	enum rtb_status st = rtb_service_start((const char *const *)b->command, NULL, b->service_log, &b->service, e);
	uint64_t deadline = rtb_deadline_ms(b->clock, b->target->service.start_timeout_ms);
	char *last = NULL;
	for (bool ready = false; st == RTB_OK && !ready;) {
		bool ended = !rtb_service_alive(&b->service, &wait_status); /* before the log is read */
		struct rtb_buf log = {0};
		rtb_buf_read_file(&log, b->service_log, LOG_MAX);
		ready = said_ready(rtb_buf_cstr(&log), b->target->service.ready, &last);
		rtb_buf_free(&log);
		if (b->cancel && *b->cancel)
			st = rtb_fail(e, RTB_INTERRUPTED, "interrupted while the board's service started");
		else if (!ready && (ended || rtb_ms_left(b->clock, deadline) == 0))
			st = not_ready(b, ended, wait_status, last, e);
		else if (!ready)
			poll(NULL, 0, 2);
	}
	free(last);
	if (st)
		rtb_board_stop(b);
	return st;
}

void rtb_board_holds(struct rtb_board *b, const char *build_id)
{
	char *id = build_id ? rtb_strdup(build_id) : NULL;
	free(b->loaded);
	b->loaded = id;
}

void rtb_board_stop(struct rtb_board *b)
{
	rtb_board_holds(b, NULL);
	rtb_service_stop(&b->service, b->clock, SERVICE_GRACE_MS);
}

static int level(const char *word)
{
	return strcmp(word, "on") == 0 ? 1 : strcmp(word, "off") == 0 ? 0 : -1;
}

/* Opens and drains once. */
static enum rtb_status try_link(struct rtb_board *b, const struct rtb_link_options *o, size_t *dropped,
				struct rtb_error *e)
{
	*dropped = 0;
	enum rtb_status st = rtb_link_open(o, &b->link, e);
	return st ? st : rtb_link_drain(b->link, DRAIN_QUIET_MS, DRAIN_LIMIT_MS, dropped, e);
}

enum rtb_status rtb_board_link(struct rtb_board *b, size_t *dropped, struct rtb_error *e)
{
	const struct rtb_link_conf *l = &b->target->link;
	struct rtb_link_options o = {
		.spec = b->spec, .baud = l->baud, .dtr = level(l->dtr), .rts = level(l->rts),
		.open_wait_ms = l->open_wait_ms, .usb_vid_pid = *l->usb ? l->usb : NULL,
		.usb_serial = *l->usb_serial ? l->usb_serial : NULL, .clock = b->clock, .cancel = b->cancel};
	uint64_t deadline = rtb_deadline_ms(b->clock, l->open_wait_ms);
	struct rtb_error last = {0};
	enum rtb_status st = try_link(b, &o, dropped, &last);
	/* A serial server may hang up on a new client while it still holds the last one. */
	while (st == RTB_LINK_LOST && rtb_ms_left(b->clock, deadline) > 0 && !(b->cancel && *b->cancel)) {
		rtb_board_unlink(b);
		poll(NULL, 0, REOPEN_MS);
		last = (struct rtb_error){0};
		st = try_link(b, &o, dropped, &last);
	}
	if (st)
		return rtb_fail(e, st, "%s", last.text);
	if (*dropped)
		rtb_log(RTB_LOG_INFO, "%s: %zu bytes of an earlier conversation thrown away", b->target->name, *dropped);
	return RTB_OK;
}

void rtb_board_unlink(struct rtb_board *b)
{
	rtb_link_close(b->link);
	b->link = NULL;
}
