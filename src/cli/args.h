/* args.h - from argv to struct rtb_args by a command's option table. For main.c alone. */
#ifndef RTB_CLI_ARGS_H
#define RTB_CLI_ARGS_H

#include "base/buf.h"
#include "cli/cmd.h"

/* Options that every command takes; ends with name == NULL. */
extern const struct rtb_opt rtb_common_opts[];

/* Parses argv[first..]. *want_help is set when --help was met (nothing else is then checked).
 * RTB_USAGE with the offending word. args_free also after a failure. */
enum rtb_status rtb_args_parse(const struct rtb_cmd *cmd, int argc, char **argv, int first,
			       struct rtb_args *out, bool *want_help, struct rtb_error *e);
void rtb_args_free(struct rtb_args *a);

/* The text of `rtbench <cmd> --help`. */
void rtb_args_help(const struct rtb_cmd *cmd, struct rtb_buf *out);

#endif
