/* command.h - reads the host's command line. No hardware. */
#ifndef RTB_COMMAND_H
#define RTB_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "rtbench/frame.h"

struct rtb_command {
	char nonce[9];
	char case_name[RTB_CMD_MAX];
	uint32_t samples; /* 1 .. RTB_SAMPLES_MAX */
	uint32_t raw;
};

/* A line as it arrives. Zeroed is empty. */
struct command_line {
	char text[RTB_CMD_MAX + 1];
	uint8_t length;
	bool overlong; /* skipping to the end of a line that does not fit */
};

/* Takes one byte. True: a line is complete, its text (without the line end, terminated) is in
 * line->text until the next call. CR and empty lines are ignored, an overlong line comes out
 * as an empty text: an error like any other. */
bool command_feed(struct command_line *line, char byte);

/* "G<nonce> <case> <samples> <raw>", one space between. False: not a command; *cmd then holds
 * the nonce if at least that was readable, else "00000000". */
bool command_parse(const char *text, struct rtb_command *cmd);

#endif
