/* mini_sched.c - tasks, the ready lists, time. */
#include "mini_internal.h"

struct mini_kernel mini;

/* What a task that idles needs: an exception frame, its callee-saved registers, a call. */
#define IDLE_STACK_WORDS 48
static uint32_t idle_stack[IDLE_STACK_WORDS] __attribute__((aligned(8)));
static struct mini_task idle_task;

#define EXCEPTION_FRAME_WORDS 8
#define SAVED_REGISTERS       8
#define XPSR_THUMB            0x01000000u

/* ---- ready lists ---- */

static uint32_t ready_bit(unsigned prio)
{
	return 0x80000000u >> (31 - prio);
}

void mini_make_ready(struct mini_task *t)
{
	mini_list_append(&mini.ready[t->prio], &t->ready);
	mini.ready_bits |= ready_bit(t->prio);
	mini_trace(MINI_EV_READY, t);
}

void mini_make_unready(struct mini_task *t)
{
	mini_node_remove(&t->ready);
	if (mini_list_empty(&mini.ready[t->prio]))
		mini.ready_bits &= ~ready_bit(t->prio);
}

void mini_schedule(void)
{
	/* The idle task is always ready, so there is a bit. */
	unsigned prio = 31u - (unsigned)__builtin_clz(mini.ready_bits);
	struct mini_task *t = mini_task_of(mini_list_first(&mini.ready[prio]), ready);
	mini.next = t;
	if (t != mini.current && mini.running) {
		MINI_ICSR = MINI_PENDSVSET;
		__asm volatile("dsb" : : : "memory");
	}
}

void mini_set_priority(struct mini_task *t, unsigned prio)
{
	if (mini_node_listed(&t->ready)) {
		mini_make_unready(t);
		t->prio = (uint8_t)prio;
		mini_make_ready(t);
		return;
	}
	t->prio = (uint8_t)prio;
	if (mini_node_listed(&t->wait)) {
		mini_node_remove(&t->wait);
		t->wait.key = prio;
		mini_list_insert_descending(t->waiting_in, &t->wait);
	}
}

/* ---- waiting ---- */

void mini_block(struct mini_list *list, uint32_t ticks)
{
	struct mini_task *t = mini.current;
	mini_make_unready(t);
	t->granted = false;
	if (list) {
		t->waiting_in = list;
		t->wait.key = t->prio;
		mini_list_insert_descending(list, &t->wait);
	}
	if (ticks != MINI_FOREVER) {
		t->delay.key = mini.ticks + ticks;
		mini_list_insert_by_time(&mini.delayed, &t->delay, mini.ticks);
	}
	mini_trace(MINI_EV_BLOCK, list);
	mini_schedule();
}

struct mini_task *mini_wake_first(struct mini_list *list)
{
	struct mini_task *t = mini_task_of(mini_list_first(list), wait);
	mini_node_remove(&t->wait);
	if (mini_node_listed(&t->delay))
		mini_node_remove(&t->delay);
	t->granted = true;
	mini_make_ready(t);
	return t;
}

void mini_yield(void)
{
	uint32_t saved = mini_lock();
	mini_trace(MINI_EV_YIELD, mini.current);
	mini_list_rotate(&mini.ready[mini.current->prio]);
	mini_schedule();
	mini_unlock(saved);
}

void mini_delay(uint32_t ticks)
{
	MINI_ASSERT(ticks > 0 && ticks <= MINI_MAX_TICKS);
	uint32_t saved = mini_lock();
	mini_trace(MINI_EV_DELAY, mini.current);
	mini_block(NULL, ticks);
	mini_unlock(saved);
}

uint32_t mini_ticks(void)
{
	return *(volatile uint32_t *)&mini.ticks;
}

static void time_is_up(struct mini_task *t)
{
	mini_node_remove(&t->delay);
	if (mini_node_listed(&t->wait)) {
		mini_node_remove(&t->wait);
		if (t->blocked_on)
			mini_mutex_abandoned(t);
		mini_trace(MINI_EV_TIMEOUT, t);
	}
	mini_make_ready(t);
}

void mini_systick_handler(void)
{
	uint32_t saved = mini_lock();
	mini.ticks++;
	mini_trace(MINI_EV_TICK, NULL);
	while (!mini_list_empty(&mini.delayed) &&
	       mini_list_first(&mini.delayed)->key == mini.ticks)
		time_is_up(mini_task_of(mini_list_first(&mini.delayed), delay));
	mini_schedule();
	mini_unlock(saved);
}

/* ---- tasks ---- */

static void returned(void)
{
	MINI_ASSERT(false); /* a task's function must not return */
	for (;;)
		;
}

void mini_task_create(struct mini_task *t, const char *name, void (*fn)(void *), void *arg,
		      unsigned prio, uint32_t *stack, size_t bytes)
{
	MINI_ASSERT(t && fn && stack && prio < MINI_PRIORITIES);
	MINI_ASSERT((uintptr_t)stack % 8 == 0 && bytes % 8 == 0);
	uint32_t *frame = stack + bytes / 4 - EXCEPTION_FRAME_WORDS;
	frame[0] = (uint32_t)arg;                       /* r0 */
	frame[1] = frame[2] = frame[3] = frame[4] = 0;  /* r1 r2 r3 r12 */
	frame[5] = (uint32_t)returned;                  /* lr */
	frame[6] = (uint32_t)fn & ~1u;                  /* pc */
	frame[7] = XPSR_THUMB;
	for (unsigned i = 1; i <= SAVED_REGISTERS; i++)
		frame[-(int)i] = 0;
	*t = (struct mini_task){ .sp = frame - SAVED_REGISTERS };
	t->prio = t->base = (uint8_t)prio;
	mini_debug_created(t, name, stack);

	uint32_t saved = mini_lock();
	mini_make_ready(t);
	if (mini.running)
		mini_schedule();
	mini_unlock(saved);
}

/* Does not sleep: the cycle counter of many chips stands still in WFI. */
static void idle(void *arg)
{
	(void)arg;
	for (;;)
		__asm volatile("nop");
}

void mini_init(void)
{
	mini.current = mini.next = NULL;
	mini.ready_bits = mini.ticks = 0;
	mini.running = false;
	for (unsigned i = 0; i < MINI_PRIORITIES; i++)
		mini_list_init(&mini.ready[i]);
	mini_list_init(&mini.delayed);
	mini_task_create(&idle_task, "idle", idle, NULL, 0, idle_stack, sizeof(idle_stack));
}

/* From the SVC handler, which nothing preempts that may call the kernel. A handler that came
 * before it could make a task ready but not ask for a switch, for there was nothing to switch
 * from; what it made ready is in next. */
uint32_t *mini_first_task(void)
{
	mini.current = mini.next;
	mini.running = true;
	return mini.current->sp;
}

#define SYST_CSR (*(volatile uint32_t *)0xE000E010)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018)
#define SCB_SHPR3 (*(volatile uint32_t *)0xE000ED20)
#define LOWEST 0xF0u

void mini_start(uint32_t core_hz, uint32_t tick_hz)
{
	SCB_SHPR3 = (SCB_SHPR3 & 0x0000ffff) | LOWEST << 24 | LOWEST << 16; /* SysTick, PendSV */
	mini_schedule();
	SYST_RVR = core_hz / tick_hz - 1;
	SYST_CVR = 0;
	SYST_CSR = 7; /* core clock, interrupt, on */
	__asm volatile("cpsie i\n\tsvc 0");
	__builtin_unreachable();
}
