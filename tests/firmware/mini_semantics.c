/* mini's promises, checked from the inside on the virtual board: who runs when, how long a wait
 * lasts, in which order waiters are served, what a mutex lends. Succeeds by saying so (fw.h).
 *
 * A conductor of priority 16 makes players around it; what they do is noted in a log of
 * letters, and the log is what is compared.
 */
#include "fw.h"
#include "mini.h"
#include "mini_debug.h"

#define CONDUCTOR 16
#define STACK_WORDS 128
#define PLAYERS 8
#define SOFT_IRQ 6

static struct mini_task conductor, player[PLAYERS];
static uint32_t conductor_stack[2 * STACK_WORDS] __attribute__((aligned(8)));
static uint32_t player_stack[PLAYERS][STACK_WORDS] __attribute__((aligned(8)));
static unsigned players;
static struct mini_sem never, sem;
static struct mini_queue queue;
static struct mini_mutex outer, inner;

/* Players get to run in the middle of any function. */
static volatile char log_text[64];
static volatile unsigned log_length;

static void note(char c)
{
	log_text[log_length] = c;
	log_text[++log_length] = '\0';
}

static void expect_log(const char *want)
{
	const volatile char *a = log_text;
	const char *b = want;
	while (*a && *a == *b)
		a++, b++;
	if (*a != *b) {
		say("log: ");
		say((const char *)log_text);
		say(" instead of ");
		say(want);
		say("\n");
		leave(1);
	}
	log_length = 0;
	log_text[0] = '\0';
}

#if MINI_DEBUG
void mini_assert_failed(void)
{
	say("an assertion of the kernel failed\n");
	leave(1);
}
#endif

static void rest(void)
{
	mini_sem_take(&never, MINI_FOREVER);
}

static struct mini_task *play(void (*fn)(void *), const char *name, unsigned prio)
{
	struct mini_task *t = &player[players];
	mini_task_create(t, name, fn, (void *)(uintptr_t)name[0], prio, player_stack[players], sizeof(player_stack[0]));
	players++;
	return t;
}

/* Players of the last scene rest for good by now; their places are given away. */
static void scene(void)
{
	players = 0;
	mini_sem_init(&never, 0);
	mini_sem_init(&sem, 0);
	mini_mutex_init(&outer);
	mini_mutex_init(&inner);
}

/* ---- scenes ---- */

static void yields_twice(void *name)
{
	for (int i = 0; i < 2; i++) {
		note((char)(uintptr_t)name);
		mini_yield();
	}
	rest();
}

static void scene_priorities_and_yield(void)
{
	scene();
	play(yields_twice, "a", CONDUCTOR - 1);
	play(yields_twice, "b", CONDUCTOR - 1);
	play(yields_twice, "l", CONDUCTOR - 2);
	play(yields_twice, "h", CONDUCTOR + 1); /* at once, and a yield leaves it alone */
	note('-');
	mini_delay(1); /* the others, to their end */
	expect_log("hh-ababll");
}

static void scene_delays(void)
{
	mini_delay(1); /* to the beginning of a tick */
	for (uint32_t n = 1; n < 5; n++) {
		uint32_t before = mini_ticks();
		mini_delay(n);
		CHECK(mini_ticks() - before == n);
	}
}

static void scene_semaphore_times_out(void)
{
	scene();
	uint32_t before = mini_ticks();
	CHECK(!mini_sem_take(&sem, 0));
	CHECK(mini_ticks() == before);
	CHECK(!mini_sem_take(&sem, 3));
	CHECK(mini_ticks() - before == 3);
	mini_sem_give(&sem);
	mini_sem_give(&sem);
	CHECK(mini_sem_take(&sem, 0) && mini_sem_take(&sem, 5));
	CHECK(mini_ticks() - before == 3);
	CHECK(!mini_sem_take(&sem, 0));
}

static void takes(void *name)
{
	mini_sem_take(&sem, MINI_FOREVER);
	note((char)(uintptr_t)name);
	rest();
}

static void takes_in_time(void *name)
{
	bool got = mini_sem_take(&sem, 2);
	note(got ? (char)(uintptr_t)name : '!');
	rest();
}

static void scene_waiters_by_priority_then_turn(void)
{
	scene();
	play(takes, "c", CONDUCTOR + 1);
	play(takes, "a", CONDUCTOR + 2);
	play(takes_in_time, "x", CONDUCTOR + 4); /* gives up: takes nothing from the others */
	play(takes, "d", CONDUCTOR + 1);
	play(takes, "b", CONDUCTOR + 2);
	mini_delay(3);
	expect_log("!");
	for (int i = 0; i < 4; i++) {
		mini_sem_give(&sem);
		note('.');
	}
	expect_log("a.b.c.d.");
	mini_sem_give(&sem);
	CHECK(mini_sem_take(&sem, 0)); /* nobody was left */
}

static void sends_three(void *name)
{
	for (uint32_t i = 1; i <= 3; i++) {
		const uint32_t message[2] = { i, (uint32_t)(uintptr_t)name * i };
		mini_queue_send(&queue, message, MINI_FOREVER);
		note((char)('0' + i));
	}
	rest();
}

static void scene_queue(void)
{
	static uint32_t storage[2 * 2];
	uint32_t message[2] = { 9, 9 };
	scene();
	mini_queue_init(&queue, storage, 2, 2);
	uint32_t before = mini_ticks();
	CHECK(!mini_queue_recv(&queue, message, 2) && mini_ticks() - before == 2);
	play(sends_three, "s", CONDUCTOR + 1); /* two fit, the third waits */
	expect_log("12");
	CHECK(!mini_queue_send(&queue, message, 0));
	for (uint32_t i = 1; i <= 3; i++) {
		CHECK(mini_queue_recv(&queue, message, MINI_FOREVER));
		CHECK(message[0] == i && message[1] == 's' * i);
	}
	expect_log("3");
	CHECK(!mini_queue_recv(&queue, message, 0));

	play(sends_three, "t", CONDUCTOR - 1); /* the receiver waits, thrice */
	for (uint32_t i = 1; i <= 3; i++) {
		CHECK(mini_queue_recv(&queue, message, MINI_FOREVER));
		CHECK(message[0] == i && message[1] == 't' * i);
	}
	mini_delay(1); /* the sender, to its end */
	expect_log("123");
}

static void holds_outer(void *name)
{
	mini_mutex_lock(&outer, MINI_FOREVER);
	note((char)(uintptr_t)name);
	mini_sem_take(&sem, MINI_FOREVER);
	mini_mutex_unlock(&outer);
	note((char)((uintptr_t)name - 'a' + 'A'));
	rest();
}

static void holds_inner_wants_outer(void *name)
{
	mini_mutex_lock(&inner, MINI_FOREVER);
	note((char)(uintptr_t)name);
	mini_mutex_lock(&outer, MINI_FOREVER);
	mini_mutex_unlock(&outer);
	mini_mutex_unlock(&inner);
	note((char)((uintptr_t)name - 'a' + 'A'));
	rest();
}

static void wants_inner(void *name)
{
	mini_mutex_lock(&inner, MINI_FOREVER);
	mini_mutex_unlock(&inner);
	note((char)((uintptr_t)name - 'a' + 'A'));
	rest();
}

static void wants_outer_in_time(void *name)
{
	bool got = mini_mutex_lock(&outer, 2);
	note(got ? (char)(uintptr_t)name : '!');
	rest();
}

/* Inheritance along a chain of owners, and back when each is done. */
static void scene_mutex_chain(void)
{
	scene();
	struct mini_task *l = play(holds_outer, "l", CONDUCTOR + 1);
	struct mini_task *m = play(holds_inner_wants_outer, "m", CONDUCTOR + 2);
	CHECK(l->prio == CONDUCTOR + 2 && m->prio == CONDUCTOR + 2);
	struct mini_task *h = play(wants_inner, "h", CONDUCTOR + 3);
	CHECK(l->prio == CONDUCTOR + 3 && m->prio == CONDUCTOR + 3 && h->prio == CONDUCTOR + 3);
	expect_log("lm");
	mini_sem_give(&sem);
	expect_log("HML"); /* outer to m, inner to h, each at once; l ends last, at its own priority */
	CHECK(l->prio == l->base && m->prio == m->base && h->prio == h->base);
	CHECK(!outer.owner && !inner.owner && !l->held && !m->held && !h->held);
}

/* What was lent to a waiter's benefit goes back when the waiter gives up. */
static void scene_mutex_times_out(void)
{
	scene();
	struct mini_task *l = play(holds_outer, "l", CONDUCTOR + 1);
	play(holds_inner_wants_outer, "m", CONDUCTOR + 2);
	play(wants_outer_in_time, "x", CONDUCTOR + 5);
	CHECK(l->prio == CONDUCTOR + 5);
	mini_delay(3);
	CHECK(l->prio == CONDUCTOR + 2); /* m still waits */
	expect_log("lm!");
	mini_sem_give(&sem);
	expect_log("ML");
	CHECK(l->prio == l->base);
}

static void scene_give_from_handler(void)
{
	scene();
	play(takes, "h", CONDUCTOR + 1);
	play(takes, "l", CONDUCTOR - 1);
	REG(0xE000EF00) = SOFT_IRQ;
	note('.');
	REG(0xE000EF00) = SOFT_IRQ;
	note('.');
	mini_delay(1);
	expect_log("h..l");
}

static void conduct(void *arg)
{
	(void)arg;
	scene_delays();
	scene_priorities_and_yield();
	scene_semaphore_times_out();
	scene_waiters_by_priority_then_turn();
	scene_queue();
	scene_mutex_chain();
	scene_mutex_times_out();
	scene_give_from_handler();
#if MINI_DEBUG
	CHECK(conductor.switches > 10 && conductor.cycles > 10000);
	CHECK(mini_trace_count > MINI_TRACE);
#endif
	leave(0);
}

/* ---- start ---- */

extern uint32_t stack_top[], data_start[], data_end[], data_load[], bss_start[], bss_end[];
void reset_handler(void);

void reset_handler(void)
{
	for (uint32_t *to = data_start, *from = data_load; to < data_end;)
		*to++ = *from++;
	for (uint32_t *to = bss_start; to < bss_end;)
		*to++ = 0;
	main();
}

int main(void)
{
	clock_108();
	cycle_counter_on();
	REG(0xE000E400 + SOFT_IRQ / 4 * 4) = MINI_IRQ_PRIO << 8 * (SOFT_IRQ % 4);
	NVIC_ISER(SOFT_IRQ) = 1u << SOFT_IRQ;
	mini_init();
	mini_task_create(&conductor, "conductor", conduct, NULL, CONDUCTOR, conductor_stack, sizeof(conductor_stack));
	mini_start(108000000, 1000);
}

static void on_soft_irq(void)
{
	mini_sem_give(&sem);
}

static void unexpected(void)
{
	say("an exception that nobody expects\n");
	leave(1);
}

__attribute__((section(".vectors"), used)) static void (*const vectors[64])(void) = {
	[0] = (void (*)(void))stack_top, [1] = reset_handler, [2 ... 10] = unexpected,
	[11] = mini_svc_handler, [12 ... 13] = unexpected, [14] = mini_pendsv_handler,
	[15] = mini_systick_handler, [16 ... 21] = unexpected, [16 + SOFT_IRQ] = on_soft_irq,
	[17 + SOFT_IRQ ... 63] = unexpected,
};
