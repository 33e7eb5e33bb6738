/* place.h - a directory for one test, with names for databases in it. */
#ifndef RTB_TEST_PLACE_H
#define RTB_TEST_PLACE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

struct place { char dir[64], db[96], other[96], a[96], b[96], c[96]; };

/* In memory where there is such a place: the syncs of thousands of transactions are not what is tested. */
static int make_place(void **state)
{
	struct place *p = rtb_alloc(sizeof *p);
	strcpy(p->dir, access("/dev/shm", W_OK) == 0 ? "/dev/shm/rtb-store-XXXXXX" : "/tmp/rtb-store-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	const struct { char *path; const char *name; } files[] = {
		{p->db, "r"}, {p->other, "other"}, {p->a, "a"}, {p->b, "b"}, {p->c, "c"},
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		snprintf(files[i].path, sizeof p->db, "%s/%s.db", p->dir, files[i].name);
	*state = p;
	return 0;
}

static int drop_place(void **state)
{
	struct place *p = *state;
	char *cmd = rtb_sprintf("chmod -R u+w %s; rm -rf %s", p->dir, p->dir);
	assert_int_equal(system(cmd), 0);
	free(cmd);
	free(p);
	return 0;
}

#endif
