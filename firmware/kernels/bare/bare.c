/* bare.c - no kernel: two contexts and PendSV. See bare.h. */
#include "bare.h"

#define ICSR      (*(volatile uint32_t *)0xE000ED04)
#define PENDSVSET (1u << 28)
#define SHPR3     (*(volatile uint32_t *)0xE000ED20)
#define LOWEST    0xF0u

/* PendSV relies on the order of the two. */
struct {
	struct bare_context *current, *other;
} bare;

void bare_create(struct bare_context *c, void (*fn)(void *), void *arg, unsigned order,
		 uint32_t *stack, size_t bytes)
{
	uint32_t *frame = stack + bytes / 4 - 8;
	frame[0] = (uint32_t)arg;
	for (unsigned i = 1; i < 6; i++)
		frame[i] = 0;
	frame[6] = (uint32_t)fn & ~1u;
	frame[7] = 0x01000000; /* xPSR: Thumb */
	for (unsigned i = 1; i <= 8; i++)
		frame[-(int)i] = 0;
	c->sp = frame - 8;
	c->order = order;
	if (!bare.current || order > bare.current->order) {
		bare.other = bare.current;
		bare.current = c;
	} else {
		bare.other = c;
	}
}

void bare_start(void)
{
	SHPR3 = (SHPR3 & 0x0000ffff) | LOWEST << 24 | LOWEST << 16;
	__asm volatile("cpsie i\n\tsvc 0");
	__builtin_unreachable();
}

void bare_swap(void)
{
	if (!bare.other)
		return;
	ICSR = PENDSVSET;
	__asm volatile("dsb\n\tisb" : : : "memory");
}

/* A handler may come between a test and what hangs on it. */
static inline void mask(void)
{
	__asm volatile("cpsid i" : : : "memory");
}

static inline void unmask(void)
{
	__asm volatile("cpsie i\n\tisb" : : : "memory");
}

void bare_sem_give(struct bare_sem *s)
{
	mask();
	s->count++;
	bool swap = s->waiting;
	s->waiting = false;
	if (swap)
		bare_swap();
	unmask();
}

void bare_sem_take(struct bare_sem *s)
{
	mask();
	while (s->count == 0) {
		s->waiting = true;
		bare_swap();
		unmask(); /* the other runs here */
		mask();
	}
	s->count--;
	unmask();
}

void bare_box_put(struct bare_box *b, uint32_t word)
{
	while (b->put - b->got == BARE_BOX)
		bare_swap();
	mask();
	b->word[b->put % BARE_BOX] = word;
	b->put++;
	bool swap = b->waiting;
	b->waiting = false;
	if (swap)
		bare_swap();
	unmask();
}

uint32_t bare_box_get(struct bare_box *b)
{
	mask();
	while (b->put == b->got) {
		b->waiting = true;
		bare_swap();
		unmask();
		mask();
	}
	uint32_t word = b->word[b->got % BARE_BOX];
	b->got++;
	unmask();
	return word;
}

_Static_assert(offsetof(struct bare_context, sp) == 0, "used by the handlers below");

__attribute__((naked)) void bare_svc_handler(void)
{
	__asm volatile(
		"ldr   r1, =0xE000ED08\n\t" /* VTOR: the main stack begins anew */
		"ldr   r1, [r1]\n\t"
		"ldr   r1, [r1]\n\t"
		"msr   msp, r1\n\t"
		"ldr   r3, =bare\n\t"
		"ldr   r1, [r3]\n\t"
		"ldr   r0, [r1]\n\t"
		"ldmia r0!, {r4-r11}\n\t"
		"msr   psp, r0\n\t"
		"mvn   lr, #2\n\t"
		"bx    lr\n\t"
		".ltorg");
}

__attribute__((naked)) void bare_pendsv_handler(void)
{
	__asm volatile(
		"mrs   r0, psp\n\t"
		"stmdb r0!, {r4-r11}\n\t"
		"ldr   r3, =bare\n\t"
		"ldrd  r1, r2, [r3]\n\t"
		"strd  r2, r1, [r3]\n\t"
		"str   r0, [r1]\n\t"
		"ldr   r0, [r2]\n\t"
		"ldmia r0!, {r4-r11}\n\t"
		"msr   psp, r0\n\t"
		"bx    lr\n\t"
		".ltorg");
}
