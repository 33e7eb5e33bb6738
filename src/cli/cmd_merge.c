/* rtbench merge: takes over what other databases have. */
#include <stdio.h>

#include "base/buf.h"
#include "cli/refs.h"
#include "report/json.h"

static const struct rtb_opt opts[] = {
	{"into", 0, "FILE", "database that takes them; made when it is not there (default: --db)", false},
	{0},
};

static void say(const struct rtb_args *a, const char *path, const struct rtb_merged *m)
{
	if (a->json) {
		struct rtb_buf line = {0};
		rtb_buf_str(&line, "{\"file\": ");
		rtb_json_string(&line, path);
		printf("%s, \"runs\": %zu, \"sweeps\": %zu, \"runs_there\": %zu, \"judged\": %zu}\n", line.data, m->runs,
		       m->sweeps, m->runs_there, m->judged);
		rtb_buf_free(&line);
		fflush(stdout);
	}
	if (a->json || a->quiet)
		return;
	printf("%s: %zu run%s of %zu sweep%s taken, %zu there already", path, m->runs, m->runs == 1 ? "" : "s", m->sweeps,
	       m->sweeps == 1 ? "" : "s", m->runs_there);
	if (m->judged)
		printf(", %zu of these judged anew", m->judged);
	putchar('\n');
	fflush(stdout);
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	const char *into = rtb_arg(a, "into");
	struct rtb_store *s = NULL;
	if (!a->operand_count)
		return rtb_fail(e, RTB_USAGE, "which databases? rtbench merge DB...");
	enum rtb_status st = into ? rtb_store_open(into, STORE_WRITE, &s, e) : rtb_cli_open(a, STORE_WRITE, &s, e);
	for (size_t i = 0; st == RTB_OK && i < a->operand_count; i++) {
		struct rtb_merged m;
		st = rtb_store_merge(s, a->operands[i], &m, e);
		if (st == RTB_OK)
			say(a, a->operands[i], &m);
	}
	rtb_store_close(s);
	return st;
}

const struct rtb_cmd cmd_merge = {
	.name = "merge",
	.summary = "take over the sweeps and runs of other databases",
	.operands = "DB...",
	.opts = opts,
	.help = "Every run has a name that holds in all databases, so merging the same file again takes\n"
		"nothing twice. Sweeps that were begun with one --sweep-key (`rtbench run --shard I/N`) become\n"
		"one sweep; others stay what they are. All of a file is taken, or, when it fails, nothing.\n"
		"The files are only read; a sweep may still write to one. --json writes one object a file.\n\n"
		"Example:\n  rtbench merge shard-*/rtbench.db --into nightly.db\n",
	.run = run,
};
