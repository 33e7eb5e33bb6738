/* rtbench-vboard: reads its command line, says when it is ready, and cleans up behind itself. */
#include <signal.h>
#include <stdio.h>

#include "base/log.h"
#include "vboard/board.h"
#include "vboard/options.h"

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	stop = sig;
}

static void log_line(void *ctx, enum rtb_log_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "rtbench-vboard: %s\n", line);
}

/* TERM and INT are held back except while waiting; *waiting is the mask to wait with. */
static void catch_signals(sigset_t *waiting)
{
	struct sigaction a = { .sa_handler = on_signal };
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGINT);
	sigprocmask(SIG_BLOCK, &held, waiting);
	sigdelset(waiting, SIGTERM);
	sigdelset(waiting, SIGINT);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGINT, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int fail(const struct rtb_error *e)
{
	fprintf(stderr, "rtbench-vboard: %s\n", e->text);
	return rtb_status_exit(e->status);
}

static void announce(const struct vb_board *b)
{
	char debug[128], serial[128];

	vb_endpoint_text(&b->debug_ep, debug);
	vb_endpoint_text(&b->serial.ep, serial);
	printf("ready %s=%s serial=%s\n", vb_adapter_name(b->options->adapter), debug, serial);
	fflush(stdout);
}

static int run(const struct vb_options *o)
{
	struct rtb_error e = { 0 };
	struct vb_board b;
	sigset_t waiting;

	catch_signals(&waiting);
	if (vb_board_start(&b, o, rtb_clock_system(), &e) != RTB_OK)
		return fail(&e);
	if (o->debug.kind != VB_EP_NONE || o->serial.kind != VB_EP_NONE)
		announce(&b);
	vb_board_run(&b, &stop, &waiting);
	int code = vb_board_exit_code(&b);
	if (vb_board_stop(&b, &e) != RTB_OK)
		return fail(&e);
	return code;
}

int main(int argc, char **argv)
{
	struct rtb_error e = { 0 };
	struct vb_options o;

	rtb_log_to(log_line, NULL, RTB_LOG_WARN);
	if (vb_options_parse(argc, argv, &o, &e) != RTB_OK)
		return fail(&e);
	if (o.help) {
		struct rtb_buf text = { 0 };
		vb_options_help(&text);
		fputs(rtb_buf_cstr(&text), stdout);
		rtb_buf_free(&text);
		return 0;
	}
	if (o.version) {
		puts("rtbench-vboard " RTBENCH_VERSION);
		return 0;
	}
	if (o.verbose)
		rtb_log_to(log_line, NULL, RTB_LOG_DEBUG);
	return run(&o);
}
