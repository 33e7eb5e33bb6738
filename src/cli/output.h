/* output.h - where a command's document goes: standard output, or a file that appears whole or
 * not at all. */
#ifndef RTB_CLI_OUTPUT_H
#define RTB_CLI_OUTPUT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/status.h"

struct rtb_output {
	const char *path; /* as asked for; "standard output" */
	char *temp;       /* the file being written until it is put in place; NULL: none */
	int fd;
};

/* path NULL or "-": standard output. A path that is there and not a regular file (a pipe, a
 * device) is written to as it is. RTB_STORE_READONLY, RTB_NOT_FOUND (no such directory). */
enum rtb_status rtb_output_open(struct rtb_output *o, const char *path, struct rtb_error *e);
/* An rtb_sink. RTB_STORE_FULL and others with the path. */
enum rtb_status rtb_output_write(void *o, struct rtb_buf *b, struct rtb_error *e);
/* keep: puts the file in place (after fsync); otherwise removes what was written. */
enum rtb_status rtb_output_close(struct rtb_output *o, bool keep, struct rtb_error *e);
/* Writes one buffer to standard output. */
enum rtb_status rtb_output_text(struct rtb_buf *b, struct rtb_error *e);

#endif
