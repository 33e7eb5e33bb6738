/* The doctor's look at the project: configuration, targets, the target's files and link, the
 * database and the space around it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/process.h"
#include "cli/doctor.h"
#include "config/target.h"
#include "store/store.h"

#define FREE_SPACE_WARN_MB 200 /* builds of a matrix and its logs; a run itself is some 50 kB */

static void bad(struct doctor *d, const char *group, const char *name, const struct rtb_error *e)
{
	doctor_add(d, DOCTOR_BAD, e->status, group, name, rtb_status_advice(e->status), "%s", e->text);
}

static void look_at_openocd_files(struct doctor *d, const struct rtb_target *t)
{
	if (strcmp(t->flash, "openocd") != 0)
		return;
	char *program = rtb_which(t->openocd.program);
	if (!program)
		doctor_add(d, DOCTOR_BAD, RTB_NO_TOOL, "target", "openocd", "apt-get install openocd, or set [openocd] program",
			   "%s: no program %s", t->path, t->openocd.program);
	free(program);
	for (size_t i = 0; i < t->openocd.config.n; i++) {
		char *file = rtb_target_file(t, t->openocd.config.v[i].text);
		bool there = access(file, R_OK) == 0;
		doctor_add(d, there ? DOCTOR_OK : DOCTOR_BAD, RTB_CONFIG, "target", "OpenOCD lines",
			   there ? "" : "correct [openocd] config", "%s%s", file, there ? "" : " cannot be read");
		free(file);
	}
}

static void look_at_link(struct doctor *d, const struct rtb_target *t)
{
	const char *spec = t->link.spec;
	const char *path = strncmp(spec, "serial:", 7) == 0 ? spec + 7 : spec;
	if (strchr(spec, '{')) {
		doctor_add(d, DOCTOR_OK, RTB_OK, "target", "link", "", "%s, made by the target's service", spec);
		return;
	}
	if (path[0] != '/') {
		doctor_add(d, DOCTOR_NOTE, RTB_OK, "target", "link", "", "%s, not tried", spec);
		return;
	}
	if (access(path, F_OK) != 0)
		doctor_add(d, DOCTOR_BAD, RTB_LINK_ABSENT, "target", "link", rtb_status_advice(RTB_LINK_ABSENT),
			   "%s is not there", path);
	else if (access(path, R_OK | W_OK) != 0)
		doctor_add(d, DOCTOR_BAD, RTB_LINK_DENIED, "target", "link", rtb_status_advice(RTB_LINK_DENIED),
			   "%s: this user may not open it", path);
	else
		doctor_add(d, DOCTOR_OK, RTB_OK, "target", "link", "", "%s at %u baud", path, t->link.baud);
	if (strncmp(path, "/dev/ttyUSB", 11) == 0 || strncmp(path, "/dev/ttyACM", 11) == 0)
		doctor_add(d, DOCTOR_WARN, RTB_OK, "target", "link name", "name the port by /dev/serial/by-id/...",
			   "%s may be another device after a replug", path);
}

static void look_at_service(struct doctor *d, const struct rtb_target *t, const char *own_dir)
{
	if (!t->service.command.n)
		return;
	const char *name = t->service.command.v[0].text;
	char *beside = rtb_sprintf("%s/%s", own_dir, name);
	char *found = access(beside, X_OK) == 0 ? rtb_strdup(beside) : rtb_which(name);
	doctor_add(d, found ? DOCTOR_OK : DOCTOR_BAD, RTB_NO_TOOL, "target", "service",
		   found ? "" : "run make, or set [service] command", "%s%s", found ? found : name,
		   found ? "" : ": no such program");
	free(found);
	free(beside);
}

static void look_at_target(struct doctor *d, const struct rtb_project *p, const char *name)
{
	struct rtb_target t = {0};
	struct rtb_error e = {0};
	char self[4096] = "";
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash = n > 0 ? strrchr(self, '/') : NULL;
	if (slash)
		*slash = '\0';
	if (rtb_target_load(p, name, &t, &e) != RTB_OK) {
		bad(d, "target", name, &e);
	} else {
		doctor_add(d, DOCTOR_OK, RTB_OK, "target", name, "", "%s", t.title);
		look_at_openocd_files(d, &t);
		look_at_link(d, &t);
		look_at_service(d, &t, self);
	}
	rtb_target_free(&t);
}

/* The nearest directory above path that exists. Free it. */
static char *existing_dir(const char *path)
{
	char *dir = rtb_strdup(path);
	struct stat st;
	while (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)) {
		char *slash = strrchr(dir, '/');
		if (!slash || slash == dir) {
			strcpy(dir, "/");
			break;
		}
		*slash = '\0';
	}
	return dir;
}

static void look_at_database(struct doctor *d, const char *path)
{
	struct rtb_store *store = NULL;
	struct rtb_error e = {0};
	char *dir = existing_dir(path);
	struct statvfs fs;
	if (access(path, F_OK) == 0 && rtb_store_open(path, STORE_READ, &store, &e) != RTB_OK)
		bad(d, "store", "database", &e);
	else if (access(dir, W_OK) != 0)
		doctor_add(d, DOCTOR_BAD, RTB_STORE_READONLY, "store", "database",
			   rtb_status_advice(RTB_STORE_READONLY), "%s: %s is not writable", path, dir);
	else
		doctor_add(d, DOCTOR_OK, RTB_OK, "store", "database", "", "%s%s", path,
			   access(path, F_OK) == 0 ? "" : " (will be made)");
	rtb_store_close(store);
	if (statvfs(dir, &fs) == 0) {
		unsigned long long mb = (unsigned long long)fs.f_bavail * fs.f_frsize >> 20;
		bool low = mb < FREE_SPACE_WARN_MB;
		doctor_add(d, low ? DOCTOR_WARN : DOCTOR_OK, RTB_OK, "store", "free space",
			   low ? rtb_status_advice(RTB_STORE_FULL) : "", "%llu MB", mb);
	}
	free(dir);
}

void doctor_config(struct doctor *d, const struct rtb_args *a, const char *target)
{
	struct rtb_project p = {0};
	struct rtb_error e = {0};
	char *db = NULL;
	if (rtb_project_load(a->config_path, &p, &e) != RTB_OK) {
		bad(d, "project", "configuration", &e);
		rtb_project_free(&p);
		return;
	}
	doctor_add(d, p.path ? DOCTOR_OK : DOCTOR_NOTE, RTB_OK, "project", "configuration", "", "%s",
		   p.path ? p.path : "no rtbench.toml here or above: defaults, no matrix");
	char *makefile = rtb_sprintf("%s/firmware/Makefile", p.home);
	bool firmware = access(makefile, R_OK) == 0;
	doctor_add(d, firmware ? DOCTOR_OK : DOCTOR_BAD, RTB_CONFIG, "project", "firmware",
		   firmware ? "" : "set RTBENCH_HOME to where firmware/ and targets/ are", "%s%s", makefile,
		   firmware ? "" : " cannot be read");
	free(makefile);
	if (target)
		look_at_target(d, &p, target);
	for (size_t i = 0; !target && i < p.target.n; i++)
		look_at_target(d, &p, p.target.v[i].text);
	if (rtb_project_db(a->config_path, a->db_path, &db, &e) == RTB_OK)
		look_at_database(d, db);
	free(db);
	rtb_project_free(&p);
}
