/* mini_list.h - circular doubly linked lists with a head that is a node. No hardware. */
#ifndef MINI_LIST_H
#define MINI_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* key orders sorted lists: priority in wait lists, wake-up tick in the delay list. */
struct mini_node {
	struct mini_node *next, *prev; /* both NULL: in no list */
	uint32_t key;
};

struct mini_list {
	struct mini_node head;
};

static inline void mini_list_init(struct mini_list *l)
{
	l->head.next = l->head.prev = &l->head;
}

static inline bool mini_list_empty(const struct mini_list *l)
{
	return l->head.next == &l->head;
}

/* Of a list that is not empty. */
static inline struct mini_node *mini_list_first(const struct mini_list *l)
{
	return l->head.next;
}

static inline bool mini_node_listed(const struct mini_node *n)
{
	return n->next != 0;
}

static inline void mini_node_insert_before(struct mini_node *place, struct mini_node *n)
{
	n->next = place;
	n->prev = place->prev;
	place->prev->next = n;
	place->prev = n;
}

static inline void mini_list_append(struct mini_list *l, struct mini_node *n)
{
	mini_node_insert_before(&l->head, n);
}

static inline void mini_node_remove(struct mini_node *n)
{
	n->prev->next = n->next;
	n->next->prev = n->prev;
	n->next = n->prev = 0;
}

/* The first becomes the last. Of a list that is not empty. */
static inline void mini_list_rotate(struct mini_list *l)
{
	struct mini_node *first = l->head.next;
	mini_node_remove(first);
	mini_list_append(l, first);
}

/* Greatest key first; among equals, first come first served. */
static inline void mini_list_insert_descending(struct mini_list *l, struct mini_node *n)
{
	struct mini_node *place = l->head.next;
	while (place != &l->head && place->key >= n->key)
		place = place->next;
	mini_node_insert_before(place, n);
}

/* Keys are moments on a clock that wraps, none further than 2^31 - 1 from `now`: the soonest
 * first; among equals, first come first served. */
static inline void mini_list_insert_by_time(struct mini_list *l, struct mini_node *n, uint32_t now)
{
	struct mini_node *place = l->head.next;
	while (place != &l->head && place->key - now <= n->key - now)
		place = place->next;
	mini_node_insert_before(place, n);
}

#endif
