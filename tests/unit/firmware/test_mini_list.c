/* mini's lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "mini_list.h"

#define N 64
static struct mini_list list;
static struct mini_node node[N];

static int setup(void **state)
{
	(void)state;
	mini_list_init(&list);
	for (unsigned i = 0; i < N; i++)
		node[i] = (struct mini_node){ 0 };
	return 0;
}

/* Walks both ways; returns the number of nodes. */
static unsigned walk(void)
{
	unsigned n = 0;
	for (const struct mini_node *p = list.head.next; p != &list.head; p = p->next, n++) {
		assert_ptr_equal(p->next->prev, p);
		assert_ptr_equal(p->prev->next, p);
		assert_true(n < N);
	}
	return n;
}

static void test_append_remove_rotate(void **state)
{
	(void)state;
	assert_true(mini_list_empty(&list));
	for (unsigned i = 0; i < 3; i++) {
		assert_false(mini_node_listed(&node[i]));
		mini_list_append(&list, &node[i]);
		assert_true(mini_node_listed(&node[i]));
	}
	mini_list_rotate(&list);
	assert_ptr_equal(mini_list_first(&list), &node[1]);
	assert_ptr_equal(list.head.prev, &node[0]);
	mini_node_remove(&node[2]);
	assert_false(mini_node_listed(&node[2]));
	assert_int_equal(walk(), 2);
	mini_node_remove(&node[1]);
	mini_list_rotate(&list); /* of one */
	assert_ptr_equal(mini_list_first(&list), &node[0]);
	mini_node_remove(&node[0]);
	assert_true(mini_list_empty(&list));
}

static void test_descending_and_fair(void **state)
{
	(void)state;
	uint32_t x = 7;
	for (unsigned i = 0; i < N; i++) {
		x = x * 1664525 + 1013904223;
		node[i].key = x >> 29;
		mini_list_insert_descending(&list, &node[i]);
	}
	assert_int_equal(walk(), N);
	for (const struct mini_node *p = list.head.next; p->next != &list.head; p = p->next) {
		assert_true(p->key >= p->next->key);
		if (p->key == p->next->key)
			assert_true(p < p->next); /* inserted earlier */
	}
}

/* The clock wraps between the earliest and the latest moment. */
static void test_by_time_over_the_wrap(void **state)
{
	(void)state;
	const uint32_t now = 0xfffffff0u;
	uint32_t x = 3;
	for (unsigned i = 0; i < N; i++) {
		x = x * 1664525 + 1013904223;
		node[i].key = now + (x >> 27);
		mini_list_insert_by_time(&list, &node[i], now);
	}
	assert_int_equal(walk(), N);
	for (const struct mini_node *p = list.head.next; p->next != &list.head; p = p->next) {
		assert_true(p->key - now <= p->next->key - now);
		if (p->key == p->next->key)
			assert_true(p < p->next);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_append_remove_rotate, setup),
		cmocka_unit_test_setup(test_descending_and_fair, setup),
		cmocka_unit_test_setup(test_by_time_over_the_wrap, setup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
