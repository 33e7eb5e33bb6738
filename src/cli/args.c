#include "cli/args.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/number.h"

const struct rtb_opt rtb_common_opts[] = {
	{"config", 'c', "FILE", "configuration to use (default: rtbench.toml here or above)", false},
	{"db", 0, "FILE", "database (default: [store] db in the configuration)", false},
	{"json", 0, NULL, "write JSON for scripts", false},
	{"color", 0, "WHEN", "always, never or auto (default: auto; NO_COLOR is honoured)", false},
	{"quiet", 'q', NULL, "results and errors only", false},
	{"verbose", 'v', NULL, "say more; twice: and every program that is started", true},
	{"log-format", 0, "FORMAT", "of what goes to standard error: text or json (default: text)", false},
	{"help", 'h', NULL, "this text", false},
	{0},
};

static size_t count_opts(const struct rtb_opt *o)
{
	size_t n = 0;
	while (o && o[n].name)
		n++;
	return n;
}

/* Command options first, then the common ones, in one array; the command's own win a name. */
static struct rtb_opt *all_opts(const struct rtb_cmd *cmd, size_t *total)
{
	size_t own = count_opts(cmd->opts), common = count_opts(rtb_common_opts), n = own;
	struct rtb_opt *all = rtb_alloc((own + common + 1) * sizeof *all);
	for (size_t i = 0; i < own; i++)
		all[i] = cmd->opts[i];
	for (size_t i = 0; i < common; i++) {
		bool taken = false;
		for (size_t k = 0; k < own; k++)
			taken |= strcmp(all[k].name, rtb_common_opts[i].name) == 0;
		if (!taken)
			all[n++] = rtb_common_opts[i];
	}
	*total = n;
	return all;
}

static size_t find(const struct rtb_args *a, const char *name)
{
	for (size_t i = 0; a->opts[i].name; i++)
		if (strcmp(a->opts[i].name, name) == 0)
			return i;
	fprintf(stderr, "rtbench: internal: no option --%s in this command\n", name);
	abort();
}

const char *const *rtb_arg_all(const struct rtb_args *a, const char *name)
{
	return a->values[find(a, name)];
}

bool rtb_arg_flag(const struct rtb_args *a, const char *name)
{
	return a->given[find(a, name)] > 0;
}

const char *rtb_arg(const struct rtb_args *a, const char *name)
{
	size_t i = find(a, name);
	return a->given[i] && a->opts[i].value ? a->values[i][a->given[i] - 1] : NULL;
}

enum rtb_status rtb_arg_uint(const struct rtb_args *a, const char *name, unsigned def, unsigned lo,
			     unsigned hi, unsigned *out, struct rtb_error *e)
{
	const char *s = rtb_arg(a, name);
	*out = def;
	if (!s)
		return RTB_OK;
	char *end;
	unsigned long long v = strtoull(s, &end, 10);
	if (*s < '0' || *s > '9' || *end || v < lo || v > hi)
		return rtb_fail(e, RTB_USAGE, "--%s wants a whole number from %u to %u, not '%s'",
				name, lo, hi, s);
	*out = (unsigned)v;
	return RTB_OK;
}

enum rtb_status rtb_arg_percent(const struct rtb_args *a, const char *name, double *out, struct rtb_error *e)
{
	const char *text = rtb_arg(a, name);
	char copy[32];
	double v;
	if (!text)
		return RTB_OK;
	size_t n = strlen(text);
	if (n && text[n - 1] == '%')
		n--;
	if (n < sizeof copy) {
		memcpy(copy, text, n);
		copy[n] = '\0';
	}
	if (n >= sizeof copy || !rtb_num_parse(copy, &v) || v < 0)
		return rtb_fail(e, RTB_USAGE, "--%s %s: a percentage is wanted, such as 2 or 2%%", name, text);
	*out = v / 100;
	return RTB_OK;
}

static enum rtb_status settle_common(struct rtb_args *a, struct rtb_error *e)
{
	a->config_path = rtb_arg(a, "config");
	a->db_path = rtb_arg(a, "db");
	a->json = rtb_arg_flag(a, "json");
	a->quiet = rtb_arg_flag(a, "quiet");
	a->verbose = (int)a->given[find(a, "verbose")];
	const char *format = rtb_arg(a, "log-format");
	a->log_json = format && strcmp(format, "json") == 0;
	if (format && !a->log_json && strcmp(format, "text") != 0)
		return rtb_fail(e, RTB_USAGE, "--log-format wants text or json, not '%s'", format);
	const char *when = rtb_arg(a, "color");
	const char *no_color = getenv("NO_COLOR");
	a->color = isatty(STDOUT_FILENO) && !(no_color && *no_color);
	if (when && strcmp(when, "always") == 0)
		a->color = true;
	else if (when && strcmp(when, "never") == 0)
		a->color = false;
	else if (when && strcmp(when, "auto") != 0)
		return rtb_fail(e, RTB_USAGE, "--color wants always, never or auto, not '%s'", when);
	return RTB_OK;
}

static void take(struct rtb_args *a, size_t i, const char *value)
{
	unsigned n = a->given[i]++;
	a->values[i] = rtb_realloc(a->values[i], (n + 2) * sizeof *a->values[i]);
	a->values[i][n] = value ? value : "";
	a->values[i][n + 1] = NULL;
}

static bool given_twice(const struct rtb_args *a, struct rtb_error *e)
{
	for (size_t i = 0; a->opts[i].name; i++)
		if (a->given[i] > 1 && !a->opts[i].many) {
			rtb_fail(e, RTB_USAGE, "--%s was given more than once", a->opts[i].name);
			return true;
		}
	return false;
}

/* "[=N]": the value may be left out, and is never a word of its own. */
static bool is_optional(const struct rtb_opt *o)
{
	return o->value && o->value[0] == '[';
}

static enum rtb_status no_operand(const struct rtb_args *a, const struct rtb_cmd *cmd, struct rtb_error *e)
{
	for (size_t i = 0; a->opts[i].name; i++)
		if (is_optional(&a->opts[i]) && a->given[i] && !*a->values[i][0])
			return rtb_fail(e, RTB_USAGE, "rtbench %s takes no operand; if '%s' belongs to --%s, write --%s=%s", cmd->name,
					a->operands[0], a->opts[i].name, a->opts[i].name, a->operands[0]);
	return rtb_fail(e, RTB_USAGE, "rtbench %s takes no operand; '%s' is one", cmd->name, a->operands[0]);
}

/* getopt_long's own tables, made from ours. */
struct getopt_tables {
	struct option *longs;
	char shorts[3 * 64 + 3];
};

static struct getopt_tables make_tables(const struct rtb_opt *opts, size_t n)
{
	struct getopt_tables t = {.longs = rtb_alloc((n + 1) * sizeof(struct option))};
	char *s = t.shorts;
	*s++ = ':'; /* report a missing value apart from an unknown option */
	for (size_t i = 0; i < n; i++) {
		t.longs[i] = (struct option){opts[i].name, opts[i].value == NULL ? no_argument : is_optional(&opts[i]) ? optional_argument
					     : required_argument, NULL, 256 + (int)i};
		if (opts[i].letter && s < t.shorts + sizeof t.shorts - 4) {
			*s++ = opts[i].letter;
			if (opts[i].value)
				*s++ = ':';
			if (is_optional(&opts[i]))
				*s++ = ':';
		}
	}
	return t;
}

static enum rtb_status parse_options(struct rtb_args *a, size_t n, int argc, char **argv, bool *want_help,
				     struct rtb_error *e)
{
	struct getopt_tables t = make_tables(a->opts, n);
	enum rtb_status st = RTB_OK;
	int c;
	opterr = 0;
	optind = 0;
	while (st == RTB_OK && (c = getopt_long(argc, argv, t.shorts, t.longs, NULL)) != -1) {
		size_t i = c >= 256 ? (size_t)c - 256 : 0;
		if (c == '?' || c == ':') {
			const char *word = argv[optind - 1];
			st = rtb_fail(e, RTB_USAGE, c == ':' ? "%s needs a value" : "unknown option %s", word);
			break;
		}
		if (c < 256)
			while (a->opts[i].letter != c)
				i++;
		if (strcmp(a->opts[i].name, "help") == 0)
			*want_help = true;
		take(a, i, optarg);
	}
	free(t.longs);
	return st;
}

enum rtb_status rtb_args_parse(const struct rtb_cmd *cmd, int argc, char **argv, int first,
			       struct rtb_args *out, bool *want_help, struct rtb_error *e)
{
	size_t n;
	*out = (struct rtb_args){.argc = argc, .argv = argv};
	*want_help = false;
	struct rtb_opt *opts = all_opts(cmd, &n);
	out->opts = opts;
	out->given = rtb_alloc(n * sizeof *out->given);
	out->values = rtb_alloc(n * sizeof *out->values);
	for (size_t i = 0; i < n; i++)
		out->values[i] = rtb_alloc(sizeof *out->values[i]);
	enum rtb_status st = parse_options(out, n, argc - first + 1, argv + first - 1, want_help, e);
	if (st != RTB_OK || *want_help)
		return st;
	if (given_twice(out, e))
		return RTB_USAGE;
	out->operands = (const char *const *)(argv + first - 1 + optind);
	out->operand_count = (size_t)(argc - first + 1 - optind);
	if (out->operand_count && !*cmd->operands)
		return no_operand(out, cmd, e);
	return settle_common(out, e);
}

void rtb_args_free(struct rtb_args *a)
{
	for (size_t i = 0; a->opts && a->opts[i].name; i++)
		free(a->values[i]);
	free(a->values);
	free(a->given);
	free((void *)a->opts);
}

static void help_opts(const struct rtb_opt *o, const struct rtb_opt *but, struct rtb_buf *out)
{
	for (; o && o->name; o++) {
		bool skip = false;
		for (const struct rtb_opt *b = but; b && b->name; b++)
			skip |= strcmp(b->name, o->name) == 0;
		if (skip)
			continue;
		char left[64], letter[8] = "    ";
		if (o->letter)
			snprintf(letter, sizeof letter, "-%c, ", o->letter);
		snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value && !is_optional(o) ? " " : "",
			 o->value ? o->value : "");
		rtb_buf_fmt(out, "  %-28s %s%s\n", left, o->help, o->many ? " (may be repeated)" : "");
	}
}

void rtb_args_help(const struct rtb_cmd *cmd, struct rtb_buf *out)
{
	rtb_buf_fmt(out, "rtbench %s - %s\n\nUsage: rtbench %s%s%s%s\n", cmd->name, cmd->summary, cmd->name,
		    cmd->opts && cmd->opts->name ? " [options]" : "", *cmd->operands ? " " : "", cmd->operands);
	if (cmd->opts && cmd->opts->name) {
		rtb_buf_str(out, "\nOptions:\n");
		help_opts(cmd->opts, NULL, out);
	}
	rtb_buf_str(out, "\nCommon options:\n");
	help_opts(rtb_common_opts, cmd->opts, out);
	if (cmd->help && *cmd->help)
		rtb_buf_fmt(out, "\n%s", cmd->help);
}
