/* What the host knows about probes and ports, apart from OpenOCD. */
#include "flash/openocd.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter/usb.h"

static bool is_wanted(const struct rtb_usb_device *d, const struct rtb_flash_board *b)
{
	unsigned vid, pid;
	if (strcmp(b->probe_usb, "any") == 0 ? d->role != USB_PROBE
	    : sscanf(b->probe_usb, "%x:%x", &vid, &pid) != 2 || d->vid != vid || d->pid != pid)
		return false;
	if (*b->probe_location && strcmp(b->probe_location, d->name) != 0)
		return false;
	return !*b->probe_serial || strcmp(b->probe_serial, d->serial) == 0;
}

static void describe(const struct rtb_usb_device *d, char *out, size_t cap)
{
	snprintf(out, cap, "%s %04x:%04x at %s serial %s", d->product[0] ? d->product : "probe", d->vid, d->pid,
		 d->name, d->serial[0] ? d->serial : "(none)");
}

static enum rtb_status none(const struct rtb_flash_board *b, struct rtb_error *e)
{
	return rtb_fail(e, RTB_PROBE_ABSENT, "no probe %s%s%s%s%s on the USB", b->probe_usb,
			*b->probe_serial ? " with serial " : "", b->probe_serial, *b->probe_location ? " at " : "",
			b->probe_location);
}

/* Which of them, when a serial number can tell, or else the place. */
static enum rtb_status several(const struct rtb_usb_device *const *hit, size_t n, const char *names, struct rtb_error *e)
{
	bool told = true;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			told &= strcmp(hit[i]->serial, hit[k]->serial) != 0;
	return rtb_fail(e, RTB_PROBE_MANY, "%zu probes match: %s; choose one by %s", n, names,
			told ? "probe_serial" : "probe_location, for their serial numbers do not tell them apart");
}

static enum rtb_status usable(const struct rtb_usb_device *d, const char *name, struct rtb_error *e)
{
	if (!*d->node || access(d->node, F_OK) != 0)
		return rtb_fail(e, RTB_PROBE_ABSENT, "%s: its device node %s is not there", name, d->node);
	return d->writable ? RTB_OK : rtb_fail(e, RTB_PROBE_DENIED, "%s: no permission for %s", name, d->node);
}

enum rtb_status rtb_openocd_probe(const struct rtb_flash_board *b, struct rtb_flash_result *out,
				  struct rtb_error *e)
{
	if (!*b->probe_usb)
		return RTB_OK;
	struct rtb_usb_device *list = NULL;
	size_t n = rtb_usb_list(b->sysfs ? b->sysfs : "/sys", &list), hits = 0;
	const struct rtb_usb_device **hit = rtb_alloc((n + 1) * sizeof *hit);
	struct rtb_buf names = {0};
	char text[sizeof out->probe];
	for (size_t i = 0; i < n; i++) {
		if (!is_wanted(&list[i], b))
			continue;
		describe(&list[i], text, sizeof text);
		rtb_buf_fmt(&names, "%s%s", hits ? "; " : "", text);
		hit[hits++] = &list[i];
	}
	enum rtb_status st = hits == 0 ? none(b, e) : hits > 1 ? several(hit, hits, names.data, e) : usable(hit[0], names.data, e);
	if (st == RTB_OK)
		describe(hit[0], out->probe, sizeof out->probe);
	rtb_buf_free(&names);
	free(hit);
	free(list);
	return st;
}

/* Socket inode of a listener on the port, from /proc/net/tcp and tcp6; 0: none. */
static unsigned long listener_inode(unsigned port)
{
	static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6"};
	for (size_t i = 0; i < 2; i++) {
		FILE *f = fopen(tables[i], "r");
		char line[512];
		while (f && fgets(line, sizeof line, f)) {
			unsigned local, state;
			unsigned long inode;
			if (sscanf(line, " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*u %lu",
				   &local, &state, &inode) == 3 && local == port && state == 0x0A) {
				fclose(f);
				return inode;
			}
		}
		if (f)
			fclose(f);
	}
	return 0;
}

static bool holds(const char *pid, const char *socket)
{
	char *dir = rtb_sprintf("/proc/%s/fd", pid);
	DIR *d = opendir(dir);
	bool found = false;
	for (struct dirent *de; d && !found && (de = readdir(d));) {
		char *path = rtb_sprintf("%s/%s", dir, de->d_name);
		char target[64];
		ssize_t n = readlink(path, target, sizeof target - 1);
		free(path);
		if (n > 0) {
			target[n] = '\0';
			found = strcmp(target, socket) == 0;
		}
	}
	if (d)
		closedir(d);
	free(dir);
	return found;
}

char *rtb_port_owner(unsigned port)
{
	unsigned long inode = listener_inode(port);
	char *socket = rtb_sprintf("socket:[%lu]", inode), *owner = NULL;
	DIR *d = inode ? opendir("/proc") : NULL;
	for (struct dirent *de; d && !owner && (de = readdir(d));) {
		if (de->d_name[0] < '1' || de->d_name[0] > '9' || !holds(de->d_name, socket))
			continue;
		struct rtb_buf comm = {0};
		char *path = rtb_sprintf("/proc/%s/comm", de->d_name);
		rtb_buf_read_file(&comm, path, 256);
		owner = rtb_sprintf("pid %s (%.*s)", de->d_name, (int)strcspn(rtb_buf_cstr(&comm), "\n"),
				    rtb_buf_cstr(&comm));
		free(path);
		rtb_buf_free(&comm);
	}
	if (d)
		closedir(d);
	free(socket);
	return owner ? owner : rtb_strdup("a process that cannot be seen from here");
}
