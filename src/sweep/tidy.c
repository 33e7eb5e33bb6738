#include "sweep/tidy.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

#define OPEN_DIRS 16

static int remove_one(const char *path, const struct stat *sb, int type, struct FTW *ftw)
{
	(void)sb, (void)type, (void)ftw;
	return remove(path);
}

/* Whether the file was last written before; one that is not there was not. */
static bool older(const char *dir, const char *name, time_t limit)
{
	struct stat sb;
	char *path = rtb_sprintf("%s/%s", dir, name);
	bool old = stat(path, &sb) == 0 && sb.st_mtime < limit;
	free(path);
	return old;
}

/* A build writes build.log anew each time it is asked for, and holds .lock meanwhile. */
static bool remove_cell(const char *dir, time_t limit)
{
	char *path = rtb_sprintf("%s/.lock", dir);
	int lock = older(dir, "build.log", limit) ? open(path, O_RDWR | O_CLOEXEC) : -1;
	bool gone = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && nftw(dir, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS) == 0;
	if (lock >= 0)
		close(lock);
	free(path);
	return gone;
}

static bool remove_logs(const char *dir, time_t limit)
{
	return strncmp(strrchr(dir, '/') + 1, "sweep-", 6) == 0 && older(dir, ".", limit) &&
	       nftw(dir, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS) == 0;
}

static size_t each(const char *work, const char *below, time_t limit, bool (*remove_it)(const char *dir, time_t limit))
{
	char *place = rtb_sprintf("%s/%s", work, below);
	DIR *d = opendir(place);
	size_t n = 0;
	for (struct dirent *de; d && (de = readdir(d));) {
		char *dir = rtb_sprintf("%s/%s", place, de->d_name);
		if (de->d_name[0] != '.')
			n += remove_it(dir, limit);
		free(dir);
	}
	if (d)
		closedir(d);
	free(place);
	return n;
}

size_t rtb_tidy(const char *work, unsigned days, uint64_t wall_ns)
{
	time_t limit = (time_t)(wall_ns / 1000000000u) - (time_t)days * 86400;
	return days ? each(work, "cells", limit, remove_cell) + each(work, "logs", limit, remove_logs) : 0;
}
