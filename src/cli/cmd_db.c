#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/refs.h"
#include "config/project.h"

/* Writing makes a database; here that would be a misspelt name. */
static enum rtb_status must_exist(const struct rtb_args *a, struct rtb_error *e)
{
	char *path = NULL;
	enum rtb_status st = rtb_project_db(a->config_path, a->db_path, &path, e);
	if (st == RTB_OK && access(path, F_OK) != 0)
		st = rtb_fail(e, RTB_NOT_FOUND, "%s: no such database", path);
	free(path);
	return st;
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	const char *what = a->operand_count ? a->operands[0] : "";
	bool backup = strcmp(what, "backup") == 0, vacuum = strcmp(what, "vacuum") == 0;
	bool upgrade = strcmp(what, "upgrade") == 0, verify = strcmp(what, "verify") == 0 || strcmp(what, "check") == 0;
	struct rtb_store *s = NULL;
	if (a->operand_count != (backup ? 2 : 1) || !(backup || vacuum || upgrade || verify))
		return rtb_fail(e, RTB_USAGE, "db check, db backup FILE, db vacuum, or db upgrade");
	enum rtb_status status = upgrade || vacuum ? must_exist(a, e) : RTB_OK;
	/* opening it to write is what upgrades it */
	if (status == RTB_OK)
		status = rtb_cli_open(a, upgrade || vacuum ? STORE_WRITE : STORE_READ, &s, e);
	if (status == RTB_OK && backup)
		status = rtb_store_backup(s, a->operands[1], e);
	if (status == RTB_OK && vacuum)
		status = rtb_store_vacuum(s, e);
	if (status == RTB_OK && verify)
		status = rtb_store_verify(s, e);
	if (status == RTB_OK && a->json)
		printf("{\"done\": \"%s\"}\n", what);
	else if (status == RTB_OK && !a->quiet)
		printf("%s: ok\n", backup ? a->operands[1] : what);
	rtb_store_close(s);
	return status;
}

static const struct rtb_opt opts[] = {{0}};

const struct rtb_cmd cmd_db = {
	.name = "db",
	.summary = "check, back up, shrink or upgrade the database",
	.operands = "check | backup FILE | vacuum | upgrade",
	.opts = opts,
	.help = "check (or verify) reads every page and every reference, and holds the figures against their\n"
		"histograms. backup copies the whole database, also while a sweep writes to it; FILE\n"
		"appears whole or not at all, in the place of an older copy or of nothing. vacuum rewrites\n"
		"the file without free pages. upgrade brings the file of an older rtbench to this one's\n"
		"schema, after a copy FILE.vN.bak; `rtbench run` does the same.\n\n"
		"Examples:\n  rtbench db check\n  rtbench db backup results-2026-01-31.db\n",
	.run = run,
};
