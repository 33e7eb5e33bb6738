/* names.c - open addressing, FNV-1a. */
#include "kernel/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct rtb_namemap_slot {
	char *name; /* NULL: free */
	uint32_t hash, count;
	uint32_t *values;
};

static uint32_t hash_of(const char *name, size_t n)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	return h;
}

static struct rtb_namemap_slot *find(const struct rtb_namemap *m, const char *name, size_t n, uint32_t hash)
{
	size_t mask = m->slot_count - 1;
	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct rtb_namemap_slot *s = &m->slots[i];
		if (!s->name || (s->hash == hash && strncmp(s->name, name, n) == 0 && !s->name[n]))
			return s;
	}
}

static void grow(struct rtb_namemap *m)
{
	struct rtb_namemap bigger = {.slot_count = m->slot_count ? 2 * m->slot_count : 256, .used = m->used};
	bigger.slots = rtb_alloc(bigger.slot_count * sizeof *bigger.slots);
	for (size_t i = 0; i < m->slot_count; i++)
		if (m->slots[i].name)
			*find(&bigger, m->slots[i].name, strlen(m->slots[i].name), m->slots[i].hash) = m->slots[i];
	free(m->slots);
	*m = bigger;
}

void rtb_namemap_add(struct rtb_namemap *m, const char *name, size_t n, uint32_t value)
{
	if (m->slot_count == 0 || m->used > m->slot_count / 2)
		grow(m);
	uint32_t hash = hash_of(name, n);
	struct rtb_namemap_slot *s = find(m, name, n, hash);
	if (!s->name) {
		s->name = rtb_alloc(n + 1);
		memcpy(s->name, name, n);
		s->hash = hash;
		m->used++;
	}
	if (s->count && s->values[s->count - 1] == value)
		return;
	if ((s->count & (s->count - 1)) == 0)
		s->values = rtb_realloc(s->values, (s->count ? 2 * s->count : 1) * sizeof *s->values);
	s->values[s->count++] = value;
}

size_t rtb_namemap_get(const struct rtb_namemap *m, const char *name, const uint32_t **values)
{
	*values = NULL;
	if (!m->slot_count)
		return 0;
	size_t n = strlen(name);
	const struct rtb_namemap_slot *s = find(m, name, n, hash_of(name, n));
	*values = s->values;
	return s->count;
}

void rtb_namemap_free(struct rtb_namemap *m)
{
	for (size_t i = 0; i < m->slot_count; i++) {
		free(m->slots[i].name);
		free(m->slots[i].values);
	}
	free(m->slots);
	*m = (struct rtb_namemap){0};
}
