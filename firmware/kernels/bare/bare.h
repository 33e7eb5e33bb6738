/* bare.h - no kernel: what the hardware alone costs.
 *
 * Two contexts at most, each with its stack, and one way to go to the other: pend PendSV, whose
 * handler exchanges registers and stack pointers. There is no ready list, no priority, no tick;
 * whoever waits has the other run. Figures measured on it are a floor that a kernel can come
 * near to and cannot be below without doing less.
 */
#ifndef BARE_H
#define BARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BARE_VERSION "1.0.0"

struct bare_context {
	uint32_t *sp; /* first member: PendSV relies on it */
	unsigned order;
};

/* A counter that one context may wait for. */
struct bare_sem {
	volatile uint32_t count;
	volatile bool waiting;
};

#define BARE_BOX 4 /* a power of two */

/* Words on their way from one context to the other. */
struct bare_box {
	uint32_t word[BARE_BOX];
	volatile uint32_t put, got;
	volatile bool waiting;
};

/* At most two; the one of greater order runs first. stack 8-byte aligned, bytes a multiple
 * of 8. */
void bare_create(struct bare_context *c, void (*fn)(void *), void *arg, unsigned order,
		 uint32_t *stack, size_t bytes);
void bare_start(void) __attribute__((noreturn));

/* The other context runs, once no handler does. Alone: nothing happens. */
void bare_swap(void);

/* give wakes whoever waits by swapping to it, from a context or from a handler. */
void bare_sem_give(struct bare_sem *s);
void bare_sem_take(struct bare_sem *s);
void bare_box_put(struct bare_box *b, uint32_t word);
uint32_t bare_box_get(struct bare_box *b);

void bare_svc_handler(void);
void bare_pendsv_handler(void);

#endif
