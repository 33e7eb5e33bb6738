/* run_resume.h - a sweep that was cut short, and the command that had begun it. */
#ifndef RTB_CLI_RUN_RESUME_H
#define RTB_CLI_RUN_RESUME_H

#include "cli/args.h"
#include "store/model.h"

struct rtb_resume {
	struct rtb_sweep sweep;
	struct rtb_args args; /* of the command that began it: they make the plan */
	char **argv;
	int argc;
};

/* The sweep that --resume of a names, in the database of a. RTB_NOT_FOUND, RTB_STORE*, RTB_USAGE.
 * rtb_resume_free in either case. */
enum rtb_status rtb_resume_find(const struct rtb_cmd *cmd, const struct rtb_args *a, struct rtb_resume *out,
				struct rtb_error *e);
void rtb_resume_free(struct rtb_resume *r);

/* Words of a command line: apart at spaces, '...' taken as they are. Ends with NULL; free each
 * and the list. */
char **rtb_split_command(const char *text, int *count);

#endif
