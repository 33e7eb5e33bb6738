/* doctor.h - one list of findings that the doctor's parts add to. For cli/doctor_*.c alone. */
#ifndef RTB_CLI_DOCTOR_H
#define RTB_CLI_DOCTOR_H

#include "base/status.h"
#include "cli/cmd.h"

enum doctor_mark { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_WARN, DOCTOR_BAD };

struct doctor_line {
	const char *group;  /* "tools"; static */
	char *name, *detail, *advice; /* owned; advice "" when there is none */
	enum doctor_mark mark;
};

struct doctor {
	struct doctor_line *line;
	size_t count;
	enum rtb_status worst; /* what the exit code will be */
};

/* st is what a DOCTOR_BAD line makes of the exit code; ignored for other marks. */
void doctor_add(struct doctor *d, enum doctor_mark mark, enum rtb_status st, const char *group,
		const char *name, const char *advice, const char *detail_fmt, ...)
	__attribute__((format(printf, 7, 8)));

void doctor_tools(struct doctor *d);
void doctor_libraries(struct doctor *d);
void doctor_usb(struct doctor *d);
void doctor_ports(struct doctor *d);
/* The configuration, its target (or the one named), and the database. */
void doctor_config(struct doctor *d, const struct rtb_args *a, const char *target);

#endif
