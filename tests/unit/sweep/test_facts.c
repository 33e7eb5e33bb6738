/* From frames to facts: each value with its origin, and figures that only all cases give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "sweep/facts.h"

static struct rtb_target target = {.name = (char *)"t", .time_base = (char *)"real",
				   .mcu = {.family = (char *)"gd32f10x", .hclk_hz = 108000000, .hxtal_hz = 8000000}};

static struct rtb_message *add(struct rtb_message_list *l, enum rtb_frame_type type, uint64_t at_ms)
{
	l->m = rtb_realloc(l->m, (l->count + 1) * sizeof *l->m);
	struct rtb_message *m = &l->m[l->count++];
	*m = (struct rtb_message){.type = type, .at_ns = at_ms * 1000000};
	return m;
}

static void free_list(struct rtb_message_list *l)
{
	free(l->m);
	*l = (struct rtb_message_list){0};
}

static void hello(struct rtb_message_list *l, uint32_t start, uint32_t end)
{
	struct rtb_hello *h = &add(l, RTB_FRAME_HELLO, 0)->u.hello;
	*h = (struct rtb_hello){.build = "ab", .kernel = "mini", .kernel_version = "1.0", .opt = "O2",
				.instrumented = true, .proto = 1, .tick_hz = 1000, .stack_bytes = 1024,
				.selftest_start = start, .selftest_end = end, .read_cost = 1, .dhcsr = 0x01010001,
				.demcr = 2, .dbgmcu_cr = 0x307, .rcc_cr = 1, .rcc_cfgr = 0x0828040a, .samples = 500};
}

#define FACT(run, sym, origin_, text) do { \
	assert_string_equal(rtb_run_get(run, PROV_##sym), text); \
	for (size_t i_ = 0; i_ < (run)->fact_count; i_++) \
		if ((run)->facts[i_].key == PROV_##sym) \
			assert_int_equal((run)->facts[i_].origin, ORIGIN_##origin_); \
} while (0)

static void hello_and_done_become_facts(void **state)
{
	(void)state;
	struct rtb_run run = {0};
	struct rtb_message_list l = {0};
	struct rtb_clock_marks marks = {0};
	hello(&l, 8, 3011);
	struct rtb_message *m = add(&l, RTB_FRAME_DONE, 5);
	m->u.done.systick_ctrl = 7;
	m->u.done.systick_load = 107999;
	rtb_facts_of_case(&run, &target, &l, &marks);
	FACT(&run, KERNEL_VERSION, READ, "1.0");
	FACT(&run, INSTRUMENTED, READ, "yes");
	FACT(&run, BUILD_ID_BOARD, READ, "ab");
	FACT(&run, CLOCK_SET, READ, "108000000");
	FACT(&run, CLOCK_REGS, READ, "0x00000001 0x0828040a");
	FACT(&run, TICK_SET, READ, "1000");
	FACT(&run, DEBUGGER, READ, "yes");
	FACT(&run, DEBUG_REGS, READ, "0x01010001 0x00000002 0x00000307");
	FACT(&run, SELFTEST, READ, "8 3011");
	FACT(&run, SAMPLES, READ, "500");
	free_list(&l);
	rtb_run_free(&run);
}

static void ticks_by_either_clock_source_or_none(void **state)
{
	(void)state;
	static const struct { uint32_t ctrl, load; const char *want; } t[] = {
		{7, 107999, "1000"}, {3, 13499, "1000"}, {7, 1079999, "100"}, {0, 0, "0"}, {4, 107999, "0"}};
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct rtb_run run = {0};
		struct rtb_message_list l = {0};
		struct rtb_clock_marks marks = {0};
		hello(&l, 8, 3011);
		struct rtb_message *m = add(&l, RTB_FRAME_DONE, 5);
		m->u.done.systick_ctrl = t[i].ctrl;
		m->u.done.systick_load = t[i].load;
		rtb_facts_of_case(&run, &target, &l, &marks);
		FACT(&run, TICK_SET, READ, t[i].want);
		free_list(&l);
		rtb_run_free(&run);
	}
}

/* A counter that stood still in any case of a run is what the run reports (B25). */
static void the_worst_self_test_stays(void **state)
{
	(void)state;
	struct rtb_run run = {0};
	struct rtb_clock_marks marks = {0};
	static const uint32_t ends[] = {3011, 8, 3011};
	for (size_t i = 0; i < 3; i++) {
		struct rtb_message_list l = {0};
		hello(&l, 8, ends[i]);
		rtb_facts_of_case(&run, &target, &l, &marks);
		free_list(&l);
	}
	FACT(&run, SELFTEST, READ, "8 8");
	rtb_run_free(&run);
}

static void the_clock_is_measured_over_all_cases(void **state)
{
	(void)state;
	struct rtb_run run = {0};
	struct rtb_clock_marks marks = {0};
	uint32_t cycles = 0xFFFF0000u; /* wraps in the first case */
	for (int k = 0; k < 2; k++) {
		struct rtb_message_list l = {0};
		for (uint64_t ms = 0; ms <= 400; ms += 100) {
			add(&l, RTB_FRAME_MARK, ms)->u.mark.cycles = cycles;
			cycles += 10900000; /* 109 MHz */
		}
		rtb_facts_of_case(&run, &target, &l, &marks);
		free_list(&l);
	}
	rtb_facts_of_clock(&run, &target, &marks);
	FACT(&run, CLOCK_MEASURED, MEASURED, "109000000");
	FACT(&run, CLOCK_DEVIATION, MEASURED, "9259");
	rtb_run_free(&run);
	/* virtual time, or too short a stretch: nothing rather than nonsense */
	struct rtb_target virtual = target;
	virtual.time_base = (char *)"virtual";
	run = (struct rtb_run){0};
	rtb_facts_of_clock(&run, &virtual, &marks);
	rtb_facts_of_clock(&run, &target, &(struct rtb_clock_marks){1000000, 10000000});
	assert_null(rtb_run_get(&run, PROV_CLOCK_MEASURED));
	rtb_run_free(&run);
}

static void add_record(struct rtb_message_list *l, const char *name, const char *series)
{
	struct rtb_record *r = &add(l, RTB_FRAME_RECORD, 1)->u.record;
	r->case_name = rtb_strdup(name);
	r->series = rtb_strdup(series);
	r->unit = rtb_strdup("cycles");
	r->div = 1;
}

static void add_raw(struct rtb_message_list *l, const char *series, unsigned from, int32_t *v, size_t n)
{
	struct rtb_raw_part *p = &add(l, RTB_FRAME_RAW, 1)->u.raw;
	strcpy(p->case_name, "c");
	strcpy(p->series, series);
	p->from = from;
	p->v = v;
	p->count = n;
}

static void records_raw_samples_and_stacks_are_put_together(void **state)
{
	(void)state;
	struct rtb_run run = {0};
	struct rtb_message_list l = {0};
	struct rtb_clock_marks marks = {0};
	int32_t a[] = {1, 2}, b[] = {3}, c[] = {9};
	add_record(&l, "c", "one");
	add_record(&l, "c", "two");
	add_raw(&l, "one", 0, a, 2);
	add_raw(&l, "two", 0, c, 1);
	add_raw(&l, "one", 2, b, 1);
	add(&l, RTB_FRAME_STACK, 1)->u.stack = (struct rtb_stack_mark){(char *)"ping", 1024, 100, false};
	add(&l, RTB_FRAME_STACK, 1)->u.stack = (struct rtb_stack_mark){(char *)"ping", 1024, 140, false};
	add(&l, RTB_FRAME_STACK, 1)->u.stack = (struct rtb_stack_mark){(char *)"ping", 1024, 90, true};
	rtb_facts_of_case(&run, &target, &l, &marks);
	assert_int_equal(run.record_count, 2);
	assert_true(run.records[0].supported);
	assert_int_equal(run.records[0].raw_count, 3);
	assert_int_equal(run.records[0].raw[2], 3);
	assert_int_equal(run.records[1].raw_count, 1);
	assert_int_equal(run.stack_count, 1);
	assert_int_equal(run.stacks[0].used, 140);
	assert_true(run.stacks[0].touched);
	free_list(&l);
	rtb_facts_unsupported(&run, "yield");
	assert_false(run.records[2].supported);
	assert_int_equal(run.records[2].case_version, 1);
	rtb_run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hello_and_done_become_facts),
		cmocka_unit_test(ticks_by_either_clock_source_or_none),
		cmocka_unit_test(the_worst_self_test_stays),
		cmocka_unit_test(the_clock_is_measured_over_all_cases),
		cmocka_unit_test(records_raw_samples_and_stacks_are_put_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
