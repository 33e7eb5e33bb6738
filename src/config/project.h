/* project.h - rtbench.toml, and where things are.
 *
 * The project's root is the directory of rtbench.toml, searched from the working directory
 * upwards. The bench itself (firmware/, targets/) is looked for in the root, then in
 * $RTBENCH_HOME, then above the running program.
 */
#ifndef RTB_CONFIG_PROJECT_H
#define RTB_CONFIG_PROJECT_H

#include "config/read.h"

/* Cells that are left out: every coordinate given must match. "" matches all. */
struct rtb_exclude {
	unsigned line;
	char *target, *kernel, *opt, *instrumented; /* instrumented: "", "yes", "no" */
};

/* One of several equal boards. What is "" is as in its target.toml. */
struct rtb_board_conf {
	unsigned line;
	char *name, *target;
	char *link, *usb_serial;
	char *probe_serial, *probe_location, *uid;
	char *adapter_device;
};

struct rtb_project {
	char *root, *home; /* absolute */
	char *path;        /* rtbench.toml as named in messages; NULL when there is none */
	char *text;        /* as read; "" when there is none */
	unsigned matrix_line; /* of [matrix], 0 when there is none */

	struct rtb_list target, kernel, opt, cases;
	char *instrumented; /* "no", "yes", "both" */
	uint32_t samples, raw, repeat, limit;
	struct rtb_exclude *exclude; /* the count must stay next to its pointer */
	size_t exclude_count;
	struct rtb_board_conf *board;
	size_t board_count;
	bool same_board;
	char *db, *work; /* as written; rtb_project_path makes them absolute */
	uint32_t keep_days, jobs, build_timeout_ms;
	uint32_t attempts, backoff_ms, set_aside;
	char *cross;     /* "arm-none-eabi-" */
};

/* Optimisation levels there are, for checks of options: "O0 O1 ...". */
extern const char rtb_opt_levels[];

/* config_path NULL: search. Where there is no rtbench.toml the defaults hold (no axes) and the
 * root is the working directory. A named file that is missing is RTB_CONFIG. */
enum rtb_status rtb_project_load(const char *config_path, struct rtb_project *out, struct rtb_error *e);
void rtb_project_free(struct rtb_project *p);
/* name when absolute, else under the root. Free it. */
char *rtb_project_path(const struct rtb_project *p, const char *name);
/* The database: db_arg (relative to the working directory) when given, else [store] db. Free
 * *out. */
enum rtb_status rtb_project_db(const char *config_path, const char *db_arg, char **out,
			       struct rtb_error *e);
/* The tables, for the documentation. */
const struct rtb_section *rtb_project_sections(size_t *count);

#endif
