/* main.c - finds the subcommand, runs it, prints what went wrong and turns it into an exit code. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/args.h"
#include "cli/log.h"

#define X(name) extern const struct rtb_cmd cmd_##name;
#include "cli/commands.def"
#undef X

const struct rtb_cmd *const rtb_commands[] = {
#define X(name) &cmd_##name,
#include "cli/commands.def"
#undef X
	NULL,
};

rtb_flag rtb_interrupted;

/* The first signal asks to stop after storing; the second one ends the program at once, which
 * is safe because the store is a transaction per run and children die with their parent. */
static void on_signal(int sig)
{
	if (rtb_interrupted++) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

static void catch_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal};
	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static const struct rtb_cmd *find_command(const char *name)
{
	for (const struct rtb_cmd *const *c = rtb_commands; *c; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

static void usage(FILE *to)
{
	fputs("rtbench - benchmark RTOS kernels on real boards, with provenance\n\n"
	      "Usage: rtbench COMMAND [options]\n\nCommands:\n", to);
	for (const struct rtb_cmd *const *c = rtb_commands; *c; c++)
		fprintf(to, "  %-10s %s\n", (*c)->name, (*c)->summary);
	fputs("  help       this text; rtbench help COMMAND explains one\n"
	      "\nBegin with `rtbench doctor`, then `rtbench run --matrix`.\n"
	      "`man ./docs/rtbench.1` has the exit codes and the files.\n", to);
}

static int print_help(const struct rtb_cmd *cmd)
{
	struct rtb_buf text = {0};
	rtb_args_help(cmd, &text);
	fputs(rtb_buf_cstr(&text), stdout);
	rtb_buf_free(&text);
	return 0;
}

static int report(const struct rtb_cmd *cmd, enum rtb_status st, const struct rtb_error *e, bool json)
{
	if (json && e->text[0])
		rtb_log_error(cmd->name, st, e->text);
	if (json)
		return rtb_status_exit(st);
	if (e->text[0])
		fprintf(stderr, "rtbench %s: %s\n", cmd->name, e->text);
	if (st == RTB_USAGE)
		fprintf(stderr, "  try: rtbench %s --help\n", cmd->name);
	else if (e->text[0] && *rtb_status_advice(st))
		fprintf(stderr, "  %s: %s\n", rtb_status_word(st), rtb_status_advice(st));
	return rtb_status_exit(st);
}

/* Output that could not be written is a failure too: a full disk must not look like success. */
static int flush_stdout(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	perror("rtbench: standard output");
	return code ? code : 1;
}

static int run_command(const struct rtb_cmd *cmd, int argc, char **argv)
{
	struct rtb_args args;
	struct rtb_error e = {0};
	bool want_help;
	enum rtb_status st = rtb_args_parse(cmd, argc, argv, 2, &args, &want_help, &e);
	int code;
	if (st == RTB_OK && want_help) {
		code = print_help(cmd);
	} else {
		if (st == RTB_OK) {
			enum rtb_log_level level = args.quiet ? RTB_LOG_ERROR
						 : args.verbose > 1 ? RTB_LOG_DEBUG
						 : args.verbose ? RTB_LOG_INFO : RTB_LOG_WARN;
			rtb_log_to(args.log_json ? rtb_log_as_json : rtb_log_as_text, NULL, level);
			st = cmd->run(&args, &e);
		}
		code = report(cmd, st, &e, args.log_json);
	}
	rtb_args_free(&args);
	return flush_stdout(code);
}

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, ""); /* never LC_NUMERIC: numbers have a point in every locale */
	catch_signals();
	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	const char *word = argv[1];
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		puts("rtbench " RTBENCH_VERSION);
		return flush_stdout(0);
	}
	bool help = strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
	if (help && (argc == 2 || strcmp(argv[2], "help") == 0)) {
		usage(stdout);
		return flush_stdout(0);
	}
	if (help)
		word = argv[2];
	const struct rtb_cmd *cmd = find_command(word);
	if (!cmd) {
		fprintf(stderr, "rtbench: no command '%s'\n  try: rtbench help\n", word);
		return 2;
	}
	return help ? flush_stdout(print_help(cmd)) : run_command(cmd, argc, argv);
}
