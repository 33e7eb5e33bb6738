/* measured.h - the functions that hold the counter reads, looked at in the very image that will
 * run: is the call still between the reads, and where does the code lie? */
#ifndef RTB_BUILD_MEASURED_H
#define RTB_BUILD_MEASURED_H

#include "build/image.h"

struct rtb_measured {
	char *name;       /* of the symbol, without "rtb_measured_": "sem_wake_end" */
	uint32_t addr, size;
	unsigned align;   /* largest power of two, up to 16, that divides addr */
	char *calls;      /* what it calls or does between the reads, joined with " "; "" */
	char *fault;      /* why the measured call is not where it should be; NULL: it is */
};

struct rtb_measured_list {
	struct rtb_measured *v;
	size_t n;
};

/* All of them, in the order of their names. data is the file that image was parsed from.
 *
 * A function with two reads of the counter must have work on a way from one to the other; one
 * with a single read and a sibling "<name>_end" after it; "<name>_end" and any other before it.
 * Work is a call or a branch out of the function (but not to the bench's own reporting), SVC, a
 * store into the system control space (which is how a switch is pended), or a change of an
 * interrupt mask (a kernel that was inlined). Functions that cases.def calls EMPTY
 * are not asked. */
void rtb_measured_find(const struct rtb_image *image, const void *data, size_t n,
		       struct rtb_measured_list *out);
void rtb_measured_free(struct rtb_measured_list *l);

#endif
