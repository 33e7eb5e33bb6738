/* bench.h - what a case is written with.
 *
 * A case is firmware/cases/<name>.c, opened by a comment that fixes its start and end points.
 * It has one state object, one setup function and its tasks:
 *
 *	struct state { rtb_sem wake; RTB_TASK(low); RTB_TASK(high); };
 *	RTB_CASE(sem_wake, struct state, setup);        // `s` is the state from here on
 *
 * setup() runs where the kernel lets tasks be created. It starts tasks with rtb_spawn(); a
 * case without a kernel measures right there. Samples go to rtb_sample() until it says that
 * it has enough; rtb_series_end() closes one series and goes on, rtb_case_end() closes the
 * case and never returns.
 */
#ifndef RTB_BENCH_H
#define RTB_BENCH_H

#include "core/board.h"
#include "core/cycles.h"
#include "rtbench/cases.h"
#include "rtbench/port.h"

/* One case runs per boot, so the states of all cases share one piece of RAM (the arena), at
 * least this large; a port that sets PORT_STACK_SMALL says how large instead (PORT_ARENA). */
#ifndef RTB_ARENA_MIN
#define RTB_ARENA_MIN 10240
#endif

/* Samples thrown away before the first that counts; the very first of them is kept as `cold`. */
#define RTB_WARMUP 16

/* Stacks: one size for every task of every kernel, and a small one for the case with twenty,
 * which a port may enlarge where the kernel's calls do not fit (PORT_STACK_SMALL in port.mk). */
#define RTB_STACK_BYTES 1024
#ifndef RTB_STACK_SMALL
#define RTB_STACK_SMALL 256
#endif

/* Bytes to set aside for a stack of `bytes`: what the port keeps in there comes on top. */
#define RTB_STACK_SPACE(bytes) ((bytes) + RTB_STACK_OVERHEAD)
#define RTB_STACK(name, bytes) \
	uint32_t name[RTB_STACK_SPACE(bytes) / 4] __attribute__((aligned(RTB_STACK_ALIGN)))
_Static_assert(RTB_STACK_ALIGN == 8 || RTB_STACK_ALIGN == 16 || RTB_STACK_ALIGN == 32,
	       "memory.ld aligns the arena to 32");
/* A task and its stack, members of a state. */
#define RTB_TASK(name) rtb_task name; RTB_STACK(name##_stack, RTB_STACK_BYTES)

struct rtb_case_impl {
	void (*setup)(void);
	uint16_t state_bytes;
	const rtb_vector *vectors; /* NULL: the default table */
};

/* The state lies at the start of the arena and is zero when setup() is called. Naming the
 * arena's symbol gives the case an object of its own type at an address the linker knows, as
 * a static object would have. */
#define RTB_CASE_VECTORS(case_name, state_type, setup_fn, vector_table) \
	extern state_type s __asm__("rtb_arena_start"); \
	_Static_assert(sizeof(state_type) <= RTB_ARENA_MIN, "state of case " #case_name); \
	static void setup_fn(void); \
	const struct rtb_case_impl rtb_case_##case_name = { \
		.setup = setup_fn, .state_bytes = sizeof(state_type), .vectors = vector_table, \
	}
#define RTB_CASE(case_name, state_type, setup_fn) \
	RTB_CASE_VECTORS(case_name, state_type, setup_fn, (const rtb_vector *)0)

/* A function with counter reads and the measured call: kept whole and findable in the
 * disassembly at every level. Named rtb_measured_<case>[_<series>] where it holds the start,
 * with _end where the end point is in another function. */
#define RTB_MEASURED __attribute__((noipa, noinline, used))

/* Priorities of the usual cast. */
#define RTB_PRIO_LOW  5
#define RTB_PRIO_MID  10
#define RTB_PRIO_HIGH 15

/* Creates task `name` of state s, with a full stack. */
#define RTB_SPAWN(name, fn, prio) \
	rtb_spawn(&s.name, #name, fn, 0, prio, s.name##_stack, sizeof(s.name##_stack))
void rtb_spawn(rtb_task *task, const char *name, void (*fn)(void *), void *arg, unsigned prio,
	       uint32_t *stack, size_t bytes);

/* Adds one sample of the running series. False: the series has all it wants, the sample
 * included. Call it outside the measured section, from one context at a time. */
bool rtb_sample(int32_t value);
/* False once rtb_sample() has said so. */
bool rtb_sampling(void);
/* Folds `value` into the series' checksum of the work done. */
void rtb_check(uint32_t value);
/* Sends the record of the running series and begins the next. Interrupts are off meanwhile,
 * for as long as the line needs; nothing of the kernel runs. */
void rtb_series_end(void);
/* The same, then stacks, done and a reset. */
void rtb_case_end(void) __attribute__((noreturn));

#endif
