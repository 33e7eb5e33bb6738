/* cmd.h - the table of subcommands. Each lives in cmd_<name>.c and describes its options once;
 * parsing, --help and the man page's synopsis come from that description. */
#ifndef RTB_CLI_CMD_H
#define RTB_CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/flag.h"
#include "base/status.h"

/* One option. Long names only, with an optional short letter. */
struct rtb_opt {
	const char *name;   /* "matrix" */
	char letter;        /* 'o' or 0 */
	const char *value;  /* "FILE": takes a value; NULL: a flag */
	const char *help;   /* one line */
	bool many;          /* may be given several times */
};

struct rtb_args {
	const struct rtb_opt *opts;     /* as in the command */
	const char ***values;           /* values[i]: NULL-terminated list for opts[i] */
	unsigned *given;                /* how often opts[i] was given */
	const char *const *operands;    /* NULL-terminated */
	size_t operand_count;
	bool json, quiet;
	bool log_json;                  /* --log-format json: see cli/log.h */
	int verbose;
	bool color;                     /* stdout is a terminal and NO_COLOR is not set */
	const char *config_path, *db_path; /* --config, --db; NULL: default */
	int argc;
	char **argv;                    /* whole command line, for the sweep's record */
};

struct rtb_cmd {
	const char *name;
	const char *summary;            /* one line for `rtbench help` */
	const char *operands;           /* "A B", "" */
	const char *help;               /* paragraphs and examples after the options */
	const struct rtb_opt *opts;     /* ends with name == NULL */
	/* Returns the status that decides the exit code; an error text, if any, is in e and is
	 * printed by main together with its advice. */
	enum rtb_status (*run)(const struct rtb_args *a, struct rtb_error *e);
};

/* In help order; ends with NULL. */
extern const struct rtb_cmd *const rtb_commands[];

/* Value of an option by name: last given, or NULL. A name that the command does not have is a
 * programming error and aborts. */
const char *rtb_arg(const struct rtb_args *a, const char *name);
bool rtb_arg_flag(const struct rtb_args *a, const char *name);
/* All values given, NULL-terminated, never NULL itself. */
const char *const *rtb_arg_all(const struct rtb_args *a, const char *name);
/* Decimal in lo..hi, or def when not given; anything else is RTB_USAGE. */
enum rtb_status rtb_arg_uint(const struct rtb_args *a, const char *name, unsigned def, unsigned lo,
			     unsigned hi, unsigned *out, struct rtb_error *e);
/* "2%" or "2": a percentage, 0 or more, as a fraction; *out is left alone when it was not given.
 * RTB_USAGE. */
enum rtb_status rtb_arg_percent(const struct rtb_args *a, const char *name, double *out, struct rtb_error *e);

/* Set by SIGINT, SIGTERM, SIGHUP; the number of signals so far. */
extern rtb_flag rtb_interrupted;

#endif
