#include "config/project.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE ((size_t)1 << 20)

const char rtb_opt_levels[] = "O0 O1 O2 O3 Os Og";

#define AT(member) offsetof(struct rtb_project, member)
static const struct rtb_key matrix_keys[] = {
	{"target", KEY_STRINGS, AT(target), 0, 64, NULL, "[]",
	 "Boards: names of directories under `targets/`."},
	{"kernel", KEY_STRINGS, AT(kernel), 0, 64, NULL, "[]", "Kernels: `rtbench list kernels`."},
	{"opt", KEY_STRINGS, AT(opt), 0, 6, rtb_opt_levels, "[]", "Optimisation levels."},
	{"instrumented", KEY_STRING, AT(instrumented), 0, 0, "no yes both", "\"no\"",
	 "Whether the kernels' debugging aids are compiled in; `both` measures each cell twice."},
	{"case", KEY_STRINGS, AT(cases), 0, 64, NULL, "[]",
	 "Cases to measure, in this order; empty: all of them (`rtbench list cases`)."},
	{"samples", KEY_UINT, AT(samples), 1, 10000000, NULL, "10000", "Samples a case."},
	{"raw", KEY_UINT, AT(raw), 0, 4096, NULL, "0",
	 "How many of the first samples of each case are kept one by one."},
	{"repeat", KEY_UINT, AT(repeat), 1, 1000, NULL, "1",
	 "Passes of every cell (flash, boot, measure). They are spread over the sweep."},
	{"limit", KEY_UINT, AT(limit), 1, 1000000, NULL, "2000",
	 "A matrix with more runs than this is an error; `--limit` overrides it."},
	{"same_board", KEY_BOOL, AT(same_board), 0, 0, NULL, "false",
	 "Of several boards of a target only the first is used, so that nothing is measured on different ones."},
};
static const struct rtb_key store_keys[] = {
	{"db", KEY_STRING, AT(db), 1, 4000, NULL, "\"rtbench-out/rtbench.db\"",
	 "The database; relative to this file's directory."},
	{"work", KEY_STRING, AT(work), 1, 4000, NULL, "\"rtbench-out\"",
	 "Directory of built images and kept logs; relative to this file's directory."},
	{"keep_days", KEY_UINT, AT(keep_days), 0, 36500, NULL, "90",
	 "Images that no sweep has asked for in so many days, and logs that old, are removed when a sweep begins; 0: never."},
};
static const struct rtb_key build_keys[] = {
	{"jobs", KEY_UINT, AT(jobs), 0, 256, NULL, "0", "Parallel compilations; 0: one a processor."},
	{"timeout_ms", KEY_UINT, AT(build_timeout_ms), 1000, 86400000, NULL, "600000",
	 "Longest time one cell's build may take."},
	{"cross", KEY_STRING, AT(cross), 1, 4000, NULL, "\"arm-none-eabi-\"",
	 "Prefix of the cross tools, with a path when they are not in PATH."},
};
static const struct rtb_key retry_keys[] = {
	{"attempts", KEY_UINT, AT(attempts), 1, 10, NULL, "1",
	 "How often a run is tried when what went wrong can heal (probe, port, boot). Each attempt is stored."},
	{"backoff_ms", KEY_UINT, AT(backoff_ms), 0, 600000, NULL, "1000",
	 "Pause before the second attempt; doubled before each one after it."},
	{"set_aside", KEY_UINT, AT(set_aside), 0, 1000, NULL, "0",
	 "After so many failed runs in a row a board is left alone for the rest of the sweep; 0: never."},
};
#undef AT
#define AT(member) offsetof(struct rtb_exclude, member)
static const struct rtb_key exclude_keys[] = {
	{"target", KEY_STRING, AT(target), 0, 0, NULL, "\"\"", "Board; empty: every board."},
	{"kernel", KEY_STRING, AT(kernel), 0, 0, NULL, "\"\"", "Kernel; empty: every kernel."},
	{"opt", KEY_STRING, AT(opt), 0, 0, NULL, "\"\"", "Optimisation level; empty: every level."},
	{"instrumented", KEY_STRING, AT(instrumented), 0, 0, NULL, "\"\"", "`yes`, `no`, or empty: both."},
};
#undef AT
#define AT(member) offsetof(struct rtb_board_conf, member)
static const struct rtb_key board_keys[] = {
	{"name", KEY_STRING, AT(name), 1, 40, NULL, NULL, "What it is called in messages and results."},
	{"target", KEY_STRING, AT(target), 1, 0, NULL, NULL, "What kind of board it is: a directory under `targets/`."},
	{"link", KEY_STRING, AT(link), 0, 0, NULL, "\"\"", "Its serial port, as `[link] spec` in target.toml."},
	{"usb_serial", KEY_STRING, AT(usb_serial), 0, 0, NULL, "\"\"", "Serial number that the opened port must have."},
	{"probe_serial", KEY_STRING, AT(probe_serial), 0, 0, NULL, "\"\"", "Serial number of its probe."},
	{"probe_location", KEY_STRING, AT(probe_location), 0, 0, NULL, "\"\"",
	 "USB bus and port path of its probe (`1-4.2`), for probes without a usable serial."},
	{"adapter_device", KEY_STRING, AT(adapter_device), 0, 4000, NULL, "\"\"",
	 "The FTDI chip that resets it and switches its power, as `[adapter] device` in target.toml; what its pins do is there."},
	{"uid", KEY_STRING, AT(uid), 0, 64, NULL, "\"\"", "Unique id of the one chip that may be programmed as this board."},
};
#undef AT
#define COUNT(a) (sizeof(a) / sizeof *(a))
static const struct rtb_section sections[] = {
	{"matrix", false, 0, 0, matrix_keys, COUNT(matrix_keys),
	 "What `rtbench run --matrix` measures: every combination of the axes."},
	{"exclude", true, offsetof(struct rtb_project, exclude), sizeof(struct rtb_exclude), exclude_keys,
	 COUNT(exclude_keys), "Combinations to leave out of the matrix."},
	{"board", true, offsetof(struct rtb_project, board), sizeof(struct rtb_board_conf), board_keys, COUNT(board_keys),
	 "Boards of one target, over which its cells are spread. A target of which none is named here is one board, as its target.toml says. What is left out is as there."},
	{"store", false, 0, 0, store_keys, COUNT(store_keys), "Where results go."},
	{"build", false, 0, 0, build_keys, COUNT(build_keys), "How images are built."},
	{"retry", false, 0, 0, retry_keys, COUNT(retry_keys), "What is done when a run fails."},
};
_Static_assert(offsetof(struct rtb_project, exclude_count) ==
	       offsetof(struct rtb_project, exclude) + sizeof(void *), "count follows its pointer");
_Static_assert(offsetof(struct rtb_project, board_count) == offsetof(struct rtb_project, board) + sizeof(void *),
	       "count follows its pointer");

const struct rtb_section *rtb_project_sections(size_t *count)
{
	*count = COUNT(sections);
	return sections;
}

static char *absolute(const char *path)
{
	if (path[0] == '/')
		return rtb_strdup(path);
	char *cwd = getcwd(NULL, 0);
	char *full = rtb_sprintf("%s/%s", cwd ? cwd : ".", path);
	free(cwd);
	return full;
}

static char *parent(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash || slash == path)
		return rtb_strdup("/");
	return rtb_sprintf("%.*s", (int)(slash - path), path);
}

/* rtbench.toml here or above; NULL when there is none. */
static char *search(void)
{
	char *dir = getcwd(NULL, 0);
	while (dir) {
		char *try = rtb_sprintf("%s/rtbench.toml", strcmp(dir, "/") == 0 ? "" : dir);
		char *up = strcmp(dir, "/") == 0 ? NULL : parent(dir);
		free(dir);
		if (access(try, F_OK) == 0) {
			free(up);
			return try;
		}
		free(try);
		dir = up;
	}
	return NULL;
}

static bool is_home(const char *dir)
{
	char *mk = rtb_sprintf("%s/firmware/Makefile", dir);
	bool yes = access(mk, R_OK) == 0;
	free(mk);
	return yes;
}

/* Where firmware/ and targets/ are. Never NULL: with nothing found it is the root, and the
 * errors then name the paths that are missing. */
static char *find_home(const char *root)
{
	if (is_home(root))
		return rtb_strdup(root);
	const char *env = getenv("RTBENCH_HOME");
	if (env && *env)
		return absolute(env);
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	char *dir = n > 0 ? rtb_sprintf("%.*s", (int)n, exe) : NULL;
	for (int up = 0; dir && up < 3; up++) { /* build/rtbench, bin/rtbench */
		char *next = parent(dir);
		free(dir);
		dir = next;
		if (is_home(dir))
			return dir;
	}
	free(dir);
	return rtb_strdup(root);
}

static enum rtb_status check_boards(const struct rtb_project *p, struct rtb_error *e)
{
	for (size_t i = 0; i < p->board_count; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(p->board[i].name, p->board[k].name) == 0)
				return rtb_fail(e, RTB_CONFIG, "%s:%u:1: there is another [[board]] called \"%s\", in line %u",
						p->path, p->board[i].line, p->board[i].name, p->board[k].line);
	return RTB_OK;
}

static enum rtb_status check_values(const struct rtb_project *p, struct rtb_error *e)
{
	for (size_t i = 0; i < p->exclude_count; i++) {
		const struct rtb_exclude *x = &p->exclude[i];
		if (!*x->target && !*x->kernel && !*x->opt && !*x->instrumented)
			return rtb_fail(e, RTB_CONFIG, "%s:%u:1: this [[exclude]] names nothing and would leave out everything",
					p->path, x->line);
		if (*x->instrumented && strcmp(x->instrumented, "yes") && strcmp(x->instrumented, "no"))
			return rtb_fail(e, RTB_CONFIG, "%s:%u:1: instrumented in [[exclude]] is \"yes\", \"no\" or absent, not \"%s\"",
					p->path, x->line, x->instrumented);
	}
	return check_boards(p, e);
}

static enum rtb_status load_text(struct rtb_project *p, const struct rtb_buf *text, struct rtb_error *e)
{
	struct rtb_toml *root = NULL;
	enum rtb_status st = rtb_toml_parse(rtb_buf_cstr(text), text->len, p->path ? p->path : "rtbench.toml",
					    &root, e);
	if (st)
		return st;
	for (size_t i = 0; i < root->count; i++)
		if (strcmp(root->child[i].key, "matrix") == 0)
			p->matrix_line = root->child[i].line;
	struct rtb_doc doc = {p->path ? p->path : "rtbench.toml", root};
	st = rtb_config_read(sections, COUNT(sections), &doc, 1, p, e);
	rtb_toml_free(root);
	return st ? st : check_values(p, e);
}

enum rtb_status rtb_project_load(const char *config_path, struct rtb_project *out, struct rtb_error *e)
{
	*out = (struct rtb_project){0};
	out->path = config_path ? rtb_strdup(config_path) : search();
	struct rtb_buf text = {0};
	if (out->path && rtb_buf_read_file(&text, out->path, MAX_FILE) < 0) {
		enum rtb_status st = rtb_fail(e, RTB_CONFIG, "%s: %s", out->path, strerror(errno));
		rtb_buf_free(&text);
		return st;
	}
	out->text = rtb_strdup(rtb_buf_cstr(&text));
	if (out->path) {
		char *full = absolute(out->path);
		out->root = parent(full);
		free(full);
	} else {
		out->root = absolute(".");
		out->root[strlen(out->root) - 2] = '\0'; /* without "/." */
	}
	out->home = find_home(out->root);
	enum rtb_status st = load_text(out, &text, e);
	rtb_buf_free(&text);
	return st;
}

void rtb_project_free(struct rtb_project *p)
{
	rtb_config_free(sections, COUNT(sections), p);
	free(p->root);
	free(p->home);
	free(p->path);
	free(p->text);
	*p = (struct rtb_project){0};
}

char *rtb_project_path(const struct rtb_project *p, const char *name)
{
	return name[0] == '/' ? rtb_strdup(name) : rtb_sprintf("%s/%s", p->root, name);
}

enum rtb_status rtb_project_db(const char *config_path, const char *db_arg, char **out,
			       struct rtb_error *e)
{
	*out = NULL;
	if (db_arg) {
		*out = rtb_strdup(db_arg);
		return RTB_OK;
	}
	struct rtb_project p;
	enum rtb_status st = rtb_project_load(config_path, &p, e);
	if (st == RTB_OK)
		*out = rtb_project_path(&p, p.db);
	rtb_project_free(&p);
	return st;
}
