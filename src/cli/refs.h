/* refs.h - how people name runs and sweeps, and the database they are in. */
#ifndef RTB_CLI_REFS_H
#define RTB_CLI_REFS_H

#include "cli/cmd.h"
#include "store/store.h"

/* The database that the arguments or the configuration name. */
enum rtb_status rtb_cli_open(const struct rtb_args *a, enum rtb_store_mode mode, struct rtb_store **out,
			     struct rtb_error *e);

/* What a reference selects: always a query, ready for rtb_store_runs. Strings in the query
 * belong to the reference. */
struct rtb_ref {
	struct rtb_run_query query;
	char *target, *kernel, *opt, *case_name; /* what the query points to */
	char *text;       /* as typed */
};

/* r12          the run 12
 * s3           the sweep 3
 * latest       the newest sweep; latest~1 the one before
 * KEY=VALUE,.. among target, kernel, opt, instrumented (yes, no), case, and sweep (3, latest~1);
 *              without sweep: of the newest
 * s3,KEY=VALUE,..  both
 * A bare number is a sweep where sweeps_first, else a run. RTB_USAGE, RTB_NOT_FOUND (the id does
 * not exist). Free with rtb_ref_free. */
enum rtb_status rtb_ref_parse(struct rtb_store *s, const char *text, bool sweeps_first,
			      struct rtb_ref *out, struct rtb_error *e);
void rtb_ref_free(struct rtb_ref *r);

#endif
