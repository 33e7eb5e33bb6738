/* Which file systems a database is not written to. */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "store/db.h"

#define FUSE_MAGIC 0x65735546

/* Locks and shared memory of these are none that SQLite's log can rely on (statfs(2), magic.h). */
const char *rtb_network_fs(long type)
{
	static const struct { unsigned long magic; const char *name; } known[] = {
		{0x6969, "NFS"}, {0xff534d42, "CIFS"}, {0xfe534d42, "SMB2"}, {0x517b, "SMB"},
		{0x5346414f, "AFS"}, {0x6b414653, "AFS"}, {0x73757245, "Coda"}, {0x564c, "NCP"},
		{0x00c36400, "Ceph"}, {0x01021997, "9P"}, {0x0bd00bd0, "Lustre"}, {0x47504653, "GPFS"},
		{0x19830326, "BeeGFS"}, {0x786f4256, "VirtualBox folder"},
		{RTB_FUSE_NETWORK, "sshfs or another of its kind"},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if ((unsigned long)type == known[i].magic)
			return known[i].name;
	return NULL;
}

/* FUSE has one number for local and remote ones alike; the kind of mount tells. A line of mountinfo:
 * "36 35 98:0 /root /mnt rw,noatime master:1 - fuse.sshfs host:/dir rw" (proc(5)). */
bool rtb_fuse_is_network(FILE *mountinfo, unsigned major, unsigned minor)
{
	static const char *const kinds[] = {"sshfs", "glusterfs", "rclone", "s3fs", "davfs", "curlftpfs", "ceph-fuse",
					    "nfs", "smbnetfs", "juicefs"};
	char line[4096], kind[64];
	unsigned ma, mi;
	while (fgets(line, sizeof line, mountinfo)) {
		const char *dash = strstr(line, " - ");
		if (!dash || sscanf(line, "%*u %*u %u:%u", &ma, &mi) != 2 || ma != major || mi != minor ||
		    sscanf(dash, " - fuse.%63s", kind) != 1)
			continue;
		for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
			if (strcmp(kind, kinds[i]) == 0)
				return true;
	}
	return false;
}

static long type_of(const char *path)
{
	struct statfs fs;
	struct stat sb;
	if (statfs(path, &fs) != 0)
		return 0;
	FILE *f = (long)fs.f_type == FUSE_MAGIC && stat(path, &sb) == 0 ? fopen("/proc/self/mountinfo", "r") : NULL;
	bool network = f && rtb_fuse_is_network(f, major(sb.st_dev), minor(sb.st_dev));
	if (f)
		fclose(f);
	return network ? RTB_FUSE_NETWORK : (long)fs.f_type;
}

long rtb_fs_type(const char *path)
{
	char *copy = rtb_strdup(path);
	long type = type_of(path);
	if (!type)
		type = type_of(dirname(copy));
	free(copy);
	return type;
}
