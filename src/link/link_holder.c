/* link_holder.c - who has a device open, as far as /proc lets us see. */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "link/link_ops.h"

/* Compared by device or file identity: the holder may know it under another name. */
static bool same_thing(const struct stat *a, const struct stat *b)
{
	if (S_ISCHR(a->st_mode))
		return S_ISCHR(b->st_mode) && a->st_rdev == b->st_rdev;
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool holds(const char *pid, const struct stat *wanted)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "/proc/%s/fd", pid);
	DIR *d = opendir(path);
	bool found = false;
	if (!d)
		return false;
	for (struct dirent *f; !found && (f = readdir(d)) != NULL;) {
		struct stat st;
		found = isdigit((unsigned char)f->d_name[0]) && fstatat(dirfd(d), f->d_name, &st, 0) == 0 &&
			same_thing(wanted, &st);
	}
	closedir(d);
	return found;
}

static char *name_of(const char *pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%.16s/comm", pid);
	struct rtb_buf b = {0};
	char *out;
	if (rtb_buf_read_file(&b, path, 256) == 0 && b.len > 1)
		out = rtb_sprintf("%.*s (pid %s)", (int)strcspn(b.data, "\n"), b.data, pid);
	else
		out = rtb_sprintf("pid %s", pid);
	rtb_buf_free(&b);
	return out;
}

char *rtb_link_holder(const char *path)
{
	struct stat wanted;
	DIR *proc = stat(path, &wanted) == 0 ? opendir("/proc") : NULL;
	char *out = NULL;
	if (!proc)
		return NULL;
	for (struct dirent *p; !out && (p = readdir(proc)) != NULL;)
		if (isdigit((unsigned char)p->d_name[0]) && atoi(p->d_name) != getpid() &&
		    holds(p->d_name, &wanted))
			out = name_of(p->d_name);
	closedir(proc);
	return out;
}
