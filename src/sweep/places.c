/* Directories of a sweep, and whether there is room in them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sweep/state.h"

#define FREE_MIN ((unsigned long long)8 << 20) /* bytes; a run with its logs needs far less */

static int make_dirs(const char *path)
{
	char *p = rtb_strdup(path);
	int rc = 0;
	for (char *c = p + 1; rc == 0; c++) {
		if (*c != '/' && *c)
			continue;
		char keep = *c;
		*c = '\0';
		rc = mkdir(p, 0777) < 0 && errno != EEXIST ? -1 : 0;
		*c = keep;
		if (!keep)
			break;
	}
	free(p);
	return rc;
}

enum rtb_status rtb_places_dir(const char *path, struct rtb_error *e)
{
	return make_dirs(path) == 0 ? RTB_OK : rtb_fail(e, RTB_STORE, "cannot make %s: %s", path, strerror(errno));
}

enum rtb_status rtb_places_space(const struct sweeping *s, struct rtb_error *e)
{
	const char *const places[] = {s->spec->db_path, s->logs_dir};
	for (size_t i = 0; i < 2; i++) {
		struct statvfs v;
		if (statvfs(places[i], &v) != 0)
			continue;
		unsigned long long left = (unsigned long long)v.f_bavail * v.f_frsize;
		if (left < FREE_MIN)
			return rtb_fail(e, RTB_STORE_FULL, "only %llu KiB are left where %s is; stopping before the next cell",
					left / 1024, places[i]);
	}
	return RTB_OK;
}

char *rtb_places_run(const struct sweeping *s, const struct rtb_plan_cell *c, unsigned repeat, unsigned attempt)
{
	const struct rtb_plan *p = s->spec->plan;
	char again[16] = "";
	if (attempt > 1)
		snprintf(again, sizeof again, "-a%u", attempt);
	return rtb_sprintf("%s/%s-%s-%s-%s-r%u%s", s->logs_dir, p->target[c->target].name, p->kernel[c->kernel].name,
			   c->opt, c->instrumented ? "instr" : "plain", repeat, again);
}

void rtb_places_forget(char *dir)
{
	static const char *const files[] = {"flash.tcl", "openocd.log", "serial.log", "service.log"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char *path = rtb_sprintf("%s/%s", dir, files[i]);
		unlink(path);
		free(path);
	}
	rmdir(dir);
	free(dir);
}
