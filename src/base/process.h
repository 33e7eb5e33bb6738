/* process.h - runs a child in a process group of its own under one monotonic deadline.
 *
 * stdin is /dev/null, stdout and stderr are joined and captured (head and tail are kept when
 * the output is larger than the limit). Output does not extend the deadline. When the
 * deadline passes or *cancel becomes non-zero the whole group gets SIGTERM and, after
 * grace_ms, SIGKILL. Whatever way rtbench itself goes, the child's group goes too: a guard
 * process in it waits for the end of a pipe that only rtbench holds.
 */
#ifndef RTB_BASE_PROCESS_H
#define RTB_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/flag.h"
#include "base/status.h"

struct rtb_process_spec {
	const char *const *argv;      /* NULL-terminated; argv[0] is looked up in PATH */
	const char *cwd;              /* NULL: stay */
	const char *const *env_extra; /* "NAME=value" ..., NULL-terminated, or NULL */
	unsigned timeout_ms;          /* 0: no deadline */
	unsigned grace_ms;            /* between TERM and KILL; 0: 2000 */
	size_t output_limit;          /* bytes kept; 0: 4 MiB */
	const rtb_flag *cancel; /* may be NULL */
	/* Called with each piece of output as it comes; may be NULL. Returning true ends the
	 * child as if cancelled, with result.stopped set. */
	bool (*on_output)(void *ctx, const char *data, size_t n);
	void *ctx;
};

struct rtb_process_result {
	bool started;      /* false: could not be executed; exec_errno says why (ENOENT ...) */
	int exec_errno;
	bool timed_out;
	bool cancelled;
	bool stopped;
	int exit_code;     /* -1 when ended by a signal */
	int signal;        /* 0 when it exited by itself */
	unsigned ms;       /* time taken */
	struct rtb_buf output; /* owned by the caller; free with rtb_buf_free */
};

/* Runs and waits. RTB_OK whenever the child was run to an end, however it ended; RTB_NO_TOOL
 * when it could not be executed; RTB_INTERNAL when fork or pipe failed. */
enum rtb_status rtb_process_run(const struct rtb_process_spec *spec, const struct rtb_clock *clock,
				struct rtb_process_result *out, struct rtb_error *e);

/* Ends a child's group when rtbench is gone. */
struct rtb_guard {
	pid_t pid; /* 0: none */
	int fd;    /* rtbench's end of the pipe */
};

/* A child that stays (a board's service program). Output goes to log_path, appended. */
struct rtb_service {
	pid_t pid; /* 0: not running */
	struct rtb_guard guard;
};
enum rtb_status rtb_service_start(const char *const *argv, const char *const *env_extra,
				  const char *log_path, struct rtb_service *out, struct rtb_error *e);
/* True while it runs; when it has ended *wait_status holds waitpid's status, pid is 0, and what it
 * had started is gone too. */
bool rtb_service_alive(struct rtb_service *s, int *wait_status);
/* TERM, wait grace_ms, KILL, to all of its group; harmless when not running. */
void rtb_service_stop(struct rtb_service *s, const struct rtb_clock *clock, unsigned grace_ms);

/* Full path of a program as execvp would find it; NULL when there is none. Free it. */
char *rtb_which(const char *name);

#endif
