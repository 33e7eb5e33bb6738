/* structs.c - structures by value, copies of many sizes and alignments, linked lists. */
#include <stdint.h>
#include <string.h>

struct small { uint8_t a; uint16_t b; };
struct __attribute__((packed)) wire { uint8_t tag; uint32_t length; uint16_t sum; uint64_t stamp; };
struct big { int32_t v[12]; struct small s[3]; char name[13]; };
struct node { struct node *next; int32_t value; struct small s; };

static struct node pool[40];
static uint8_t raw[256];

static struct big make(int seed)
{
	struct big b;
	memset(&b, seed, sizeof(b));
	for (int i = 0; i < 12; i++)
		b.v[i] = seed * i - (i << 7);
	for (int i = 0; i < 3; i++)
		b.s[i] = (struct small){ (uint8_t)(seed + i), (uint16_t)(seed * 1000 + i) };
	strcpy(b.name, "structures");
	b.name[seed % 10] = (char)('A' + seed % 26);
	return b;
}

static int32_t weigh(struct big b, struct small s)
{
	int32_t w = s.a * 3 + s.b;
	for (int i = 0; i < 12; i++)
		w = w * 5 + b.v[i];
	return w + b.s[1].b + b.name[2];
}

static struct node *insert(struct node *list, struct node *n)
{
	struct node **p = &list;
	while (*p && (*p)->value < n->value)
		p = &(*p)->next;
	n->next = *p;
	*p = n;
	return list;
}

int main(void)
{
	uint32_t sum = 0;
	struct node *list = 0;
	for (int i = 0; i < 40; i++) {
		struct big b = make(i), copy = b;
		pool[i].s = copy.s[i % 3];
		pool[i].value = weigh(copy, pool[i].s) % 1000;
		list = insert(list, &pool[i]);
		struct wire w = { (uint8_t)i, (uint32_t)pool[i].value, 7, (uint64_t)i << 33 };
		memcpy(raw + 3 * i, &w, sizeof(w));
		w.length += w.stamp ? 1u : 0u;
		memmove(raw + i + 1, raw + i, (size_t)(i * 3));
		sum += w.length ^ raw[i * 2];
	}
	for (struct node *n = list; n; n = n->next)
		sum = sum * 33 + (uint32_t)n->value + n->s.b;
	for (unsigned i = 0; i < sizeof(raw); i++)
		sum = sum * 31 + raw[i];
	return (int)sum;
}
