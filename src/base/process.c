#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

#define NS_PER_MS 1000000u

/* In the child, between fork and exec: only async-signal-safe calls. */
static void become(const char *const *argv, const char *cwd, const char *const *env_extra,
		   int out_fd, int report_fd, pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127); /* the parent went before the death signal was armed */
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int s = 1; s < 32; s++)
		signal(s, SIG_DFL);
	int null = open("/dev/null", O_RDONLY);
	if (null >= 0)
		dup2(null, 0);
	dup2(out_fd, 1);
	dup2(out_fd, 2);
	bool ok = !cwd || chdir(cwd) == 0;
	for (; ok && env_extra && *env_extra; env_extra++)
		putenv((char *)*env_extra);
	if (ok)
		execvp(argv[0], (char *const *)argv);
	int err = errno;
	if (write(report_fd, &err, sizeof err) < 0)
		_exit(126);
	_exit(127);
}

/* The death signal reaches the child alone, not what it starts (make's compilers). The guard is
 * a member of the child's group, so that the group's number cannot pass to others, and sleeps on
 * a pipe whose other end rtbench holds: however rtbench goes, the pipe ends and the group with
 * it. TERM is for the others; the KILL that ends every group ends the guard too. */
static void stand_guard(pid_t group, int pipe_fd)
{
	char none;
	setpgid(0, group);
	for (int s = 1; s < 32; s++)
		signal(s, SIG_IGN);
	/* Nothing else may stay open here: neither the child's output nor the ends of other pipes. */
	if (dup2(pipe_fd, 0) == 0)
		close_range(1, ~0u, 0);
	while (read(0, &none, 1) < 0 && errno == EINTR)
		;
	kill(0, SIGKILL);
	_exit(0);
}

static void dismiss_guard(struct rtb_guard *g)
{
	if (g->pid > 0) {
		kill(g->pid, SIGKILL);
		while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (g->pid)
		close(g->fd);
	*g = (struct rtb_guard){0};
}

/* Without a guard (no process or descriptor left for it) the death signal has to do. */
static struct rtb_guard post_guard(pid_t group)
{
	int p[2];
	if (pipe2(p, O_CLOEXEC) < 0)
		return (struct rtb_guard){0};
	pid_t pid = fork();
	if (pid == 0)
		stand_guard(group, p[0]);
	close(p[0]);
	if (pid < 0) {
		close(p[1]);
		return (struct rtb_guard){0};
	}
	setpgid(pid, group);
	return (struct rtb_guard){pid, p[1]};
}

/* What exec reported of itself: 0, or its errno. */
static int exec_report(int fd)
{
	int err = 0;
	ssize_t n;
	while ((n = read(fd, &err, sizeof err)) < 0 && errno == EINTR)
		;
	return n == (ssize_t)sizeof err ? err : 0;
}

static void log_command(const char *const *argv, const char *cwd)
{
	struct rtb_buf line = {0};
	for (size_t i = 0; argv[i]; i++)
		rtb_buf_fmt(&line, " %s", argv[i]);
	rtb_log(RTB_LOG_DEBUG, "runs%s%s%s", rtb_buf_cstr(&line), cwd ? " in " : "", cwd ? cwd : "");
	rtb_buf_free(&line);
}

/* Starts argv with its output on out_fd. Returns the pid, or -1 with *exec_errno set. */
static pid_t launch(const char *const *argv, const char *cwd, const char *const *env_extra,
		    int out_fd, struct rtb_guard *guard, int *exec_errno)
{
	int report[2];
	*guard = (struct rtb_guard){0};
	log_command(argv, cwd);
	if (pipe2(report, O_CLOEXEC) < 0) {
		*exec_errno = errno;
		return -1;
	}
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0)
		become(argv, cwd, env_extra, out_fd, report[1], parent);
	*exec_errno = pid < 0 ? errno : 0;
	close(report[1]);
	if (pid > 0) {
		setpgid(pid, pid);
		*guard = post_guard(pid);
		*exec_errno = exec_report(report[0]);
	}
	close(report[0]);
	if (*exec_errno == 0)
		return pid;
	dismiss_guard(guard);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return -1;
}

/* Keeps at most limit bytes: the first half as it came, then a sliding tail. */
static void capture(struct rtb_buf *b, size_t limit, const char *p, size_t n)
{
	static const char gap[] = "\n[... output cut here ...]\n";
	rtb_buf_add(b, p, n);
	if (b->len <= limit)
		return;
	size_t head = limit / 2, excess = b->len - limit;
	bool marked = b->len > head + sizeof gap - 1 && memcmp(b->data + head, gap, sizeof gap - 1) == 0;
	size_t from = head + (marked ? sizeof gap - 1 : 0);
	size_t cut = excess + limit / 8; /* cut in steps, not byte by byte */
	if (cut > b->len - from)
		cut = b->len - from;
	memmove(b->data + from, b->data + from + cut, b->len - from - cut + 1);
	b->len -= cut;
	if (!marked) {
		struct rtb_buf tail = {0};
		rtb_buf_add(&tail, b->data + head, b->len - head);
		b->len = head;
		rtb_buf_str(b, gap);
		rtb_buf_add(b, tail.data, tail.len);
		rtb_buf_free(&tail);
	}
}

struct watch {
	const struct rtb_process_spec *spec;
	const struct rtb_clock *clock;
	struct rtb_process_result *out;
	pid_t pid;
	struct rtb_guard guard;
	int fd;                /* -1 once the child closed its output */
	uint64_t deadline;     /* 0: none */
	uint64_t kill_at;      /* 0: not ending yet */
	bool killed;
};

static void begin_end(struct watch *w, bool *why)
{
	if (w->kill_at)
		return;
	*why = true;
	unsigned grace = w->spec->grace_ms ? w->spec->grace_ms : 2000;
	kill(-w->pid, SIGTERM);
	w->kill_at = rtb_deadline_ms(w->clock, grace);
}

static void read_output(struct watch *w)
{
	char chunk[16384];
	ssize_t n = read(w->fd, chunk, sizeof chunk);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close(w->fd);
		w->fd = -1;
		return;
	}
	size_t limit = w->spec->output_limit ? w->spec->output_limit : (size_t)4 << 20;
	capture(&w->out->output, limit, chunk, (size_t)n);
	if (w->spec->on_output && w->spec->on_output(w->spec->ctx, chunk, (size_t)n))
		begin_end(w, &w->out->stopped);
}

/* One turn: look at the limits, then wait for output or a little time. */
static void turn(struct watch *w)
{
	uint64_t now = rtb_now_ns(w->clock);
	if (w->spec->cancel && *w->spec->cancel)
		begin_end(w, &w->out->cancelled);
	if (w->deadline && now >= w->deadline)
		begin_end(w, &w->out->timed_out);
	if (w->kill_at && now >= w->kill_at && !w->killed) {
		kill(-w->pid, SIGKILL);
		w->killed = true;
	}
	struct pollfd p = {w->fd, POLLIN, 0};
	if (poll(&p, w->fd >= 0 ? 1 : 0, w->fd >= 0 ? 20 : 2) > 0)
		read_output(w);
}

static void watch_to_end(struct watch *w)
{
	int st;
	for (;;) {
		turn(w);
		pid_t r = waitpid(w->pid, &st, WNOHANG);
		if (r == w->pid || (r < 0 && errno == ECHILD))
			break;
	}
	for (int i = 0; w->fd >= 0 && i < 64; i++) { /* what is still in the pipe */
		struct pollfd p = {w->fd, POLLIN, 0};
		if (poll(&p, 1, 0) <= 0)
			break;
		read_output(w);
	}
	kill(-w->pid, SIGKILL); /* whatever it left behind in its group */
	dismiss_guard(&w->guard);
	if (w->fd >= 0)
		close(w->fd);
	w->out->exit_code = WIFEXITED(st) ? WEXITSTATUS(st) : -1;
	w->out->signal = WIFSIGNALED(st) ? WTERMSIG(st) : 0;
}

enum rtb_status rtb_process_run(const struct rtb_process_spec *spec, const struct rtb_clock *clock,
				struct rtb_process_result *out, struct rtb_error *e)
{
	*out = (struct rtb_process_result){.exit_code = -1};
	int pipefd[2];
	if (pipe2(pipefd, O_CLOEXEC) < 0)
		return rtb_fail(e, RTB_INTERNAL, "pipe: %s", strerror(errno));
	uint64_t began = rtb_now_ns(clock);
	struct watch w = {.spec = spec, .clock = clock, .out = out, .fd = pipefd[0]};
	w.pid = launch(spec->argv, spec->cwd, spec->env_extra, pipefd[1], &w.guard,
		       &out->exec_errno);
	close(pipefd[1]);
	if (w.pid < 0) {
		close(pipefd[0]);
		return rtb_fail(e, RTB_NO_TOOL, "cannot run %s: %s", spec->argv[0],
				strerror(out->exec_errno));
	}
	out->started = true;
	fcntl(w.fd, F_SETFL, O_NONBLOCK);
	w.deadline = spec->timeout_ms ? rtb_deadline_ms(clock, spec->timeout_ms) : 0;
	watch_to_end(&w);
	out->ms = (unsigned)((rtb_now_ns(clock) - began) / NS_PER_MS);
	return RTB_OK;
}

enum rtb_status rtb_service_start(const char *const *argv, const char *const *env_extra,
				  const char *log_path, struct rtb_service *out, struct rtb_error *e)
{
	*out = (struct rtb_service){0};
	int log = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (log < 0)
		return rtb_fail(e, RTB_INTERNAL, "cannot write %s: %s", log_path, strerror(errno));
	int err = 0;
	pid_t pid = launch(argv, NULL, env_extra, log, &out->guard, &err);
	close(log);
	if (pid < 0)
		return rtb_fail(e, RTB_NO_TOOL, "cannot run %s: %s", argv[0], strerror(err));
	out->pid = pid;
	return RTB_OK;
}

/* The service has ended and been waited for; what it had started goes too. While the guard is not
 * waited for the group's number is nobody else's. */
static void clear_up(struct rtb_service *s)
{
	kill(-s->pid, SIGKILL);
	s->pid = 0;
	dismiss_guard(&s->guard);
}

bool rtb_service_alive(struct rtb_service *s, int *wait_status)
{
	if (!s->pid)
		return false;
	pid_t r = waitpid(s->pid, wait_status, WNOHANG);
	if (r == 0)
		return true;
	clear_up(s);
	return false;
}

void rtb_service_stop(struct rtb_service *s, const struct rtb_clock *clock, unsigned grace_ms)
{
	int st;
	if (!s->pid)
		return;
	kill(-s->pid, SIGTERM);
	uint64_t until = rtb_deadline_ms(clock, grace_ms);
	while (rtb_service_alive(s, &st) && rtb_ms_left(clock, until) > 0)
		poll(NULL, 0, 2);
	if (!s->pid)
		return;
	kill(-s->pid, SIGKILL);
	waitpid(s->pid, &st, 0);
	clear_up(s);
}

char *rtb_which(const char *name)
{
	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? rtb_strdup(name) : NULL;
	const char *path = getenv("PATH");
	for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
		size_t n = strcspn(p, ":");
		char *full = rtb_sprintf("%.*s/%s", (int)n, p, name);
		if (n && access(full, X_OK) == 0)
			return full;
		free(full);
		p += n + (p[n] == ':');
	}
	return NULL;
}
