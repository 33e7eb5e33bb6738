/* stat.c - statistics of one series. See stat.h. */
#include "core/stat.h"
#include "core/mem.h"

void stat_reset(struct rtb_stat *s)
{
	memset(s, 0, sizeof(*s));
}

static void carry_note(struct rtb_stat *s, unsigned bucket)
{
	/* Each entry stands for 65536 samples, so RTB_SAMPLES_MAX cannot fill the list. */
	if (s->carries < RTB_STAT_CARRIES)
		s->carry[s->carries++] = (uint16_t)bucket;
}

static uint32_t carry_sum(const struct rtb_stat *s, unsigned bucket)
{
	uint32_t sum = 0;
	for (unsigned i = 0; i < s->carries; i++)
		if (s->carry[i] == bucket)
			sum += 65536;
	return sum;
}

static void carry_forget(struct rtb_stat *s, unsigned bucket)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < s->carries; i++)
		if (s->carry[i] != bucket)
			s->carry[kept++] = s->carry[i];
	s->carries = (uint16_t)kept;
}

uint32_t stat_exact(const struct rtb_stat *s, unsigned offset)
{
	return s->exact[offset] + carry_sum(s, offset);
}

uint32_t stat_tail(const struct rtb_stat *s, unsigned index)
{
	return s->tail[index] + carry_sum(s, RTB_HIST_EXACT + index);
}

/* Counts `count` samples of a value that lies above the exact window. */
static void count_beyond(struct rtb_stat *s, int32_t value, uint32_t count)
{
	if (value < 0) {
		s->neg += count;
	} else if (value >= RTB_HIST_OVER) {
		s->over += count;
	} else {
		unsigned index = rtb_hist_index((unsigned)value);
		uint32_t total = s->tail[index] + count;
		for (; total > UINT16_MAX; total -= 65536)
			carry_note(s, RTB_HIST_EXACT + index);
		s->tail[index] = (uint16_t)total;
	}
}

/* A new minimum, `shift` below the old: what the window no longer covers goes beyond it, the
 * rest moves up. The window only ever moves down, so nothing beyond has to come back. */
static void rebase(struct rtb_stat *s, int32_t min, uint32_t shift)
{
	unsigned keep = shift < RTB_HIST_EXACT ? RTB_HIST_EXACT - shift : 0;
	for (unsigned i = keep; i < RTB_HIST_EXACT; i++) {
		uint32_t count = stat_exact(s, i);
		if (count == 0)
			continue;
		carry_forget(s, i);
		count_beyond(s, s->min + (int32_t)i, count);
	}
	memmove(s->exact + RTB_HIST_EXACT - keep, s->exact, keep * sizeof(s->exact[0]));
	memset(s->exact, 0, (RTB_HIST_EXACT - keep) * sizeof(s->exact[0]));
	for (unsigned i = 0; i < s->carries; i++)
		if (s->carry[i] < RTB_HIST_EXACT)
			s->carry[i] = (uint16_t)(s->carry[i] + shift);
	s->min = min;
}

static void add_square(struct rtb_stat *s, int32_t value)
{
	uint32_t magnitude = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
	uint64_t sum = s->sumsq + (uint64_t)magnitude * magnitude;
	s->sumsq = sum < s->sumsq ? UINT64_MAX : sum;
}

void stat_add(struct rtb_stat *s, int32_t value)
{
	if (s->n == 0) {
		s->min = s->max = value;
	} else if (value < s->min) {
		rebase(s, value, (uint32_t)s->min - (uint32_t)value);
	} else if (value > s->max) {
		s->max = value;
		s->imax = s->n;
	}
	uint32_t offset = (uint32_t)value - (uint32_t)s->min;
	if (offset >= RTB_HIST_EXACT)
		count_beyond(s, value, 1);
	else if (++s->exact[offset] == 0)
		carry_note(s, offset);
	s->sum += value;
	add_square(s, value);
	s->n++;
}
