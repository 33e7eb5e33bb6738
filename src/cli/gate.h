/* gate.h - whether anything became slower: `compare --gate`, `run --baseline`. */
#ifndef RTB_CLI_GATE_H
#define RTB_CLI_GATE_H

#include "cli/cmd.h"
#include "report/compare.h"
#include "report/junit.h"
#include "store/store.h"

/* The runs that text names, with their figures. A filter takes further conditions behind a comma.
 * sweep, unless NULL, is set to the sweep that they are of, 0 when it is not one. The side keeps
 * text; free it with rtb_side_free in any case. */
enum rtb_status rtb_side_load(struct rtb_store *s, const char *text, const char *filter, bool as_measured,
			      struct rtb_side *side, int64_t *sweep, struct rtb_error *e);

/* Whether several factors differ, or one is not known; and that as an error. */
bool rtb_is_confounded(const struct rtb_comparison *c);
enum rtb_status rtb_confounded(const struct rtb_comparison *c, struct rtb_error *e);

/* RTB_OK with a line that says so when no figure of b is more than `allowed` (a fraction) above a's;
 * RTB_DIFFERENT with the worst that the repeats bear out; RTB_CONFOUNDED, RTB_NOT_COMPARABLE. */
enum rtb_status rtb_gate(const struct rtb_comparison *c, double allowed, bool force, struct rtb_buf *line,
			 struct rtb_error *e);

/* What a sweep is to be held against. Zero-initialise; free with rtb_baseline_free. */
struct rtb_baseline {
	const char *ref;             /* as typed; NULL: nothing */
	double allowed;
	int64_t sweep;               /* that the reference named when the command began */
	struct rtb_side side;
};
/* By --baseline and --max-regression; read before the sweep, so that a name that is none costs no
 * night and `latest` is not the sweep itself. */
enum rtb_status rtb_baseline_load(const struct rtb_args *a, const char *db, struct rtb_baseline *out, struct rtb_error *e);
/* How the sweep of that number held up: as rtb_gate, RTB_USAGE when it is the baseline itself. */
enum rtb_status rtb_baseline_judge(const struct rtb_baseline *b, const char *db, int64_t sweep, struct rtb_buf *line,
				   struct rtb_error *e);
void rtb_baseline_free(struct rtb_baseline *b);

#endif
