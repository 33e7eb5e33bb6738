/* One case on a board played in memory: the good way, and every way it can go wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "board.h"
#include "rtbench/cases.h"

#define OTHER_BUILD "ffeeddccbbaa99887766554433221100ffeeddcc"

struct outcome {
	enum rtb_status status;
	struct rtb_error e;
	struct rtb_message_list list;
	struct rtb_session s;
	uint64_t took_ms;
};

static void session_open(struct outcome *o, struct board *b)
{
	*o = (struct outcome){.s = {.link = b->link, .clock = &b->clock, .handshake = true,
				    .build_id = TEST_BUILD,
				    .limits = {.ready_ms = 3000, .hello_ms = 2000, .heartbeat_ms = 4000,
					       .case_ms = 20000}}};
	rtb_session_init(&o->s);
}

static void one_case(struct outcome *o, struct board *b, unsigned raw)
{
	uint64_t before = b->now_ns;
	rtb_message_list_free(&o->list);
	o->e = (struct rtb_error){0};
	o->status = rtb_session_case(&o->s, "yield", 10000, raw, &o->list, &o->e);
	o->took_ms = (b->now_ns - before) / 1000000;
	assert_int_equal(o->e.status, o->status);
}

static void outcome_free(struct outcome *o, struct board *b)
{
	rtb_message_list_free(&o->list);
	rtb_session_free(&o->s);
	board_free(b);
}

/* Plays once and compares how it ended; text must appear in the error. */
static void expect(struct board *b, enum rtb_status status, const char *text)
{
	struct outcome o;
	session_open(&o, b);
	one_case(&o, b, 0);
	if (o.status != status || !strstr(o.e.text, text))
		fail_msg("%s: \"%s\"; expected %s: \"%s\"", rtb_status_word(o.status), o.e.text,
			 rtb_status_word(status), text);
	outcome_free(&o, b);
}

static void good(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, board_good_case);
	board_ready(&b, 100, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_string_equal(o.e.text, "");
	assert_int_equal(o.status, RTB_OK);
	assert_int_equal(o.list.count, 6);
	assert_int_equal(o.list.m[0].type, RTB_FRAME_HELLO);
	assert_int_equal(o.list.m[2].u.record.max, 1000);
	assert_int_equal(o.list.m[5].type, RTB_FRAME_DONE);
	assert_int_equal(b.commands, 1);
	assert_int_equal(o.s.counts.leftovers, 0);
	outcome_free(&o, &b);
}

static void several_cases_of_one_boot_chain(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	unsigned nonces[3];
	board_init(&b, board_good_case);
	board_ready(&b, 100, TEST_BUILD);
	session_open(&o, &b);
	for (int i = 0; i < 3; i++) {
		one_case(&o, &b, 0);
		assert_int_equal(o.status, RTB_OK);
		nonces[i] = b.nonce;
	}
	assert_int_equal(b.commands, 3);
	assert_true(nonces[0] != nonces[1] && nonces[1] != nonces[2]);
	assert_int_equal(o.s.counts.leftovers, 0);
	outcome_free(&o, &b);
}

/* done and the next ready in one read: the ready must not be lost with it. */
static void all_in_one_read(struct board *b)
{
	size_t first = b->count;
	board_good_case(b);
	struct rtb_buf all = {0};
	for (size_t i = first; i < b->count; i++) {
		rtb_buf_add(&all, b->ev[i].bytes, b->ev[i].n);
		free(b->ev[i].bytes);
	}
	b->count = first;
	board_bytes(b, 0, all.data, all.len);
	rtb_buf_free(&all);
}

static void ready_in_the_same_read_as_done(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, all_in_one_read);
	board_ready(&b, 100, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_OK);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_OK);
	assert_int_equal(b.commands, 2);
	outcome_free(&o, &b);
}

static void with_raw(struct board *b)
{
	b->seq = 0;
	board_hello(b);
	board_record(b, "");
	board_counted(b, 5, "raw", "\"case\":\"yield\",\"series\":\"\",\"from\":0,\"v\":[100,-2,3]");
	board_counted(b, 5, "raw", "\"case\":\"yield\",\"series\":\"\",\"from\":%d,\"v\":[4,5]", b->user);
	board_done(b, 0);
}

static void raw_samples(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, with_raw);
	b.user = 3;
	board_ready(&b, 1, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 5);
	assert_int_equal(o.status, RTB_OK);
	assert_int_equal(o.list.m[2].u.raw.v[1], -2);
	assert_int_equal(o.list.m[3].u.raw.count, 2);
	outcome_free(&o, &b);

	board_init(&b, with_raw);
	b.user = 4;
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_INCOMPLETE, "go on at 4 after 3");
}

/* B18: a whole valid conversation of the image before, then ours. */
static void leftovers_are_never_accepted(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, board_good_case);
	b.nonce = 0x11111111;
	strcpy(b.case_name, "yield");
	b.samples = 10000;
	board_good_case(&b);              /* same build, old nonce, with a ready at its end */
	board_ready(&b, 0, OTHER_BUILD);
	board_ready(&b, 1, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_OK);
	assert_int_equal(o.list.count, 6);
	for (size_t i = 0; i < o.list.count; i++)
		assert_int_equal(o.list.m[i].nonce, b.nonce);
	assert_int_equal(o.s.counts.leftovers, 6);
	assert_int_equal(o.s.counts.foreign_builds, 1);
	outcome_free(&o, &b);
}

static void silent(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, NULL);
	expect(&b, RTB_SILENT, "not one byte within 3000 ms from board in memory");
}

static void noise_of_a_wrong_baud_rate(void **state)
{
	(void)state;
	struct board b;
	char garbage[256];
	for (size_t i = 0; i < sizeof garbage; i++)
		garbage[i] = (char)(i * 167 % 251 | 0x80);
	board_init(&b, NULL);
	board_bytes(&b, 10, garbage, sizeof garbage);
	expect(&b, RTB_NOISE, "wrong baud rate");
}

static void text_of_another_program(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, NULL);
	board_bytes(&b, 10, "Hello from the shop's demo\r\n", 28);
	expect(&b, RTB_NOISE, "another program's text; is our image running?; they begin \"Hello from");
}

static void stale_image(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, NULL);
	for (int i = 0; i < 4; i++)
		board_ready(&b, 500, OTHER_BUILD);
	expect(&b, RTB_STALE_IMAGE, "runs build " OTHER_BUILD ", not " TEST_BUILD);
}

static void hello_of_another_build(struct board *b)
{
	board_counted(b, 5, "hello", HELLO_BODY_FMT, OTHER_BUILD, "yield", 10000u, 0u);
}

static void stale_image_behind_a_true_ready(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, hello_of_another_build);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_STALE_IMAGE, "runs build " OTHER_BUILD);
}

static void protocol(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, NULL);
	board_frame(&b, 5, "{\"t\":\"ready\",\"proto\":2,\"build\":\"" TEST_BUILD "\",\"boot\":1}");
	expect(&b, RTB_PROTOCOL, "speaks frame version 2, this program 1");
}

static void unknown_type(struct board *b)
{
	board_hello(b);
	board_counted(b, 5, "trace", "\"x\":1");
	board_done(b, 0);
}

static void unknown_type_in_a_case(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, unknown_type);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_PROTOCOL, "\"trace\" is unknown");
}

static void hello_only(struct board *b)
{
	board_hello(b);
	board_mark(b);
}

static void hang_after_hello(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, hello_only);
	board_ready(&b, 1, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_HANG);
	assert_non_null(strstr(o.e.text, "no frame came for 4000 ms (2 frames before)"));
	assert_in_range(o.took_ms, 4000, 4300);
	outcome_free(&o, &b);
}

static void hang_after_the_command(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, NULL);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_HANG, "said no hello within 2000 ms");
}

static void marks_for_ever(struct board *b)
{
	board_hello(b);
	for (int i = 0; i < 40; i++) {
		b->last_ns += 1000000000;
		board_mark(b);
	}
}

static void case_takes_too_long(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, marks_for_ever);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_HANG, "did not end within 20000 ms");
}

static void ready_in_the_middle(struct board *b)
{
	board_hello(b);
	board_record(b, "");
	board_ready(b, 10, TEST_BUILD);
}

static void unexpected_reset(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, ready_in_the_middle);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_BOARD_RESET, "said ready before done");
}

static void hello_twice(struct board *b)
{
	board_hello(b);
	b->seq = 0;
	board_hello(b);
}

static void second_hello(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, hello_twice);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_BOARD_RESET, "a second hello came before done (boot 3, reset by software)");
}

/* Cuts one byte out of the middle of the newest event. */
static void drop_byte(struct board *b)
{
	struct board_event *e = &b->ev[b->count - 1];
	memmove(e->bytes + e->n / 2, e->bytes + e->n / 2 + 1, e->n - e->n / 2 - 1);
	e->n--;
}

static void damaged(struct board *b)
{
	board_hello(b);
	if (b->user == 0)
		drop_byte(b);
	board_record(b, "");
	if (b->user == 1)
		drop_byte(b);
	board_done(b, 0);
	if (b->user == 2)
		drop_byte(b);
	board_ready(b, 20, TEST_BUILD);
}

static void damaged_frames(void **state)
{
	(void)state;
	static const char *const text[] = {"hello was lost", "has number 2, expected 1: frames were lost",
					   "no valid done: 1 frames failed their CRC"};
	for (int i = 0; i < 3; i++) {
		struct board b;
		board_init(&b, damaged);
		b.user = i;
		board_ready(&b, 1, TEST_BUILD);
		expect(&b, RTB_INCOMPLETE, text[i]);
	}
}

/* B22, B33: sequence numbers and counts. */
static void miscounted(struct board *b)
{
	board_hello(b);
	board_record(b, "");
	switch (b->user) {
	case 0: b->seq = 1; break;
	case 1: b->seq++; break;
	case 2: break;
	case 3: b->nonce++; break;
	}
	board_mark(b);
	board_done(b, b->user == 2);
}

static void sequence_and_count(void **state)
{
	(void)state;
	static const char *const text[] = {"has number 1, expected 2: repeated or out of order",
					   "has number 3, expected 2: frames were lost",
					   "done counts 5 frames, 4 came", "carries nonce"};
	for (int i = 0; i < 4; i++) {
		struct board b;
		board_init(&b, miscounted);
		b.user = i;
		board_ready(&b, 1, TEST_BUILD);
		expect(&b, RTB_INCOMPLETE, text[i]);
	}
}

static void odd_records(struct board *b)
{
	board_hello(b);
	if (b->user == 1) {
		board_record(b, "");
		board_record(b, "");
	} else if (b->user == 2) {
		board_counted(b, 5, "record", RECORD_BODY_FMT, "sem_wake", "");
	} else if (b->user == 3) {
		board_counted(b, 5, "record", "\"case\":\"yield\"");
	}
	board_done(b, 0);
}

static void records_that_do_not_belong(void **state)
{
	(void)state;
	static const char *const text[] = {"done without any record", "two records", "a record of case \"sem_wake\"",
					   "record: field \"series\" is missing"};
	for (int i = 0; i < 4; i++) {
		struct board b;
		board_init(&b, odd_records);
		b.user = i;
		board_ready(&b, 1, TEST_BUILD);
		expect(&b, RTB_INCOMPLETE, text[i]);
	}
}

static void wrong_echo(struct board *b)
{
	if (b->user == 0)
		b->samples = 1000;
	else if (b->user == 1)
		b->raw = 1;
	else if (b->user == 2)
		strcpy(b->case_name, "sem_wake");
	board_good_case(b);
}

static void echo(void **state)
{
	(void)state;
	static const char *const text[] = {"the board understood 1000 and 0", "understood 10000 and 1",
					   "the board runs \"sem_wake\""};
	for (int i = 0; i < 3; i++) {
		struct board b;
		board_init(&b, wrong_echo);
		b.user = i;
		board_ready(&b, 1, TEST_BUILD);
		expect(&b, RTB_INCOMPLETE, text[i]);
	}
}

static void wrong_nonce(struct board *b)
{
	b->nonce ^= 0x10;
	board_good_case(b);
	b->last_ns += UINT64_C(60000000000);
}

static void answer_with_another_nonce(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, wrong_nonce);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_INCOMPLETE, "the command was damaged, or an earlier one");
}

/* B33: every figure there, then a fault and no done. */
static void numbers_then_fault(struct board *b)
{
	board_hello(b);
	board_record(b, "");
	board_frame(b, 5, "{\"t\":\"fault\",\"nonce\":\"%08x\"," FAULT_BODY "}", b->nonce);
	board_ready(b, 20, TEST_BUILD);
}

static void fault(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, numbers_then_fault);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_FAULT, "faulted in case \"yield\": hard, pc 0x08000123, lr 0xfffffff9, cfsr 0x00008200");
}

static void fault_before_ready(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, NULL);
	for (int i = 0; i < 3; i++)
		board_frame(&b, 300, "{\"t\":\"fault\",\"nonce\":\"00000000\"," FAULT_BODY "}");
	expect(&b, RTB_FAULT, "before it said hello");
}

static void say_error(struct board *b)
{
	static const char *const code[] = {"unsupported", "case", "command"};
	board_frame(b, 5, "{\"t\":\"error\",\"nonce\":\"%08x\",\"code\":\"%s\",\"text\":\"no\"}", b->nonce,
		    code[b->user]);
}

static void refusals(void **state)
{
	(void)state;
	static const struct { enum rtb_status status; const char *text; unsigned commands; } want[] = {
		{RTB_UNSUPPORTED, "case \"yield\": no", 1},
		{RTB_UNSUPPORTED, "the image has no case \"yield\": no", 2},
		{RTB_INCOMPLETE, "did not understand the command", 6},
	};
	for (int i = 0; i < 3; i++) {
		struct board b;
		board_init(&b, say_error);
		b.user = i;
		board_ready(&b, 1, TEST_BUILD);
		struct outcome o;
		session_open(&o, &b);
		one_case(&o, &b, 0);
		assert_int_equal(o.status, want[i].status);
		assert_non_null(strstr(o.e.text, want[i].text));
		/* An answer is taken at once, a misunderstanding is tried again to a bound. */
		assert_int_equal(b.commands, want[i].commands);
		assert_true(i == 2 || o.took_ms < 1000);
		outcome_free(&o, &b);
	}
}

static void misunderstood_once(struct board *b)
{
	b->user = 2;
	if (b->commands == 1)
		say_error(b);
	else
		board_good_case(b);
}

static void deaf_at_first(struct board *b)
{
	if (b->commands < 3)
		board_ready(b, 500, TEST_BUILD);
	else
		board_good_case(b);
}

/* A lost command byte: the board goes on saying ready, so G is sent again with the same nonce. */
static void command_is_sent_again(void **state)
{
	(void)state;
	void (*const boards[])(struct board *) = {misunderstood_once, deaf_at_first};
	for (unsigned i = 0; i < 2; i++) {
		struct board b;
		struct outcome o;
		board_init(&b, boards[i]);
		board_ready(&b, 1, TEST_BUILD);
		session_open(&o, &b);
		one_case(&o, &b, 0);
		assert_int_equal(o.status, RTB_OK);
		assert_int_equal(o.s.counts.commands, 2 + i);
		assert_memory_equal(b.heard.data, b.heard.data + b.heard.len / (2 + i), b.heard.len / (2 + i));
		outcome_free(&o, &b);
	}
}

static void deaf(struct board *b)
{
	(void)b;
}

/* Readies queued up before G went out are no reason to repeat it, those after it are, to a bound. */
static void a_deaf_board(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, deaf);
	for (int i = 0; i < 50; i++)
		board_ready(&b, i < 20 ? 0 : 350, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_INCOMPLETE);
	assert_non_null(strstr(o.e.text, "it does not hear us"));
	assert_in_range(b.commands, 2, 6);
	outcome_free(&o, &b);
}

static void lost_in_a_frame(struct board *b)
{
	board_hello(b);
	board_bytes(b, 5, "\x1e{\"t\":\"rec", 10);
	board_lost(b, 5);
}

static void link_lost(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, lost_in_a_frame);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_LINK_LOST, "the board was unplugged");
	board_init(&b, NULL);
	board_lost(&b, 1);
	expect(&b, RTB_LINK_LOST, "the board was unplugged");
}

static rtb_flag cancel;

static void cancel_in_case(struct board *b)
{
	board_hello(b);
	cancel = 1;
}

static void interrupted(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, cancel_in_case);
	board_ready(&b, 1, TEST_BUILD);
	session_open(&o, &b);
	o.s.cancel = &cancel;
	one_case(&o, &b, 0);
	cancel = 0;
	assert_int_equal(o.status, RTB_INTERRUPTED);
	assert_true(o.took_ms < 500);
	outcome_free(&o, &b);
}

/* B16: a service types into the line; counted, not fatal. */
static void with_foreign_lines(struct board *b)
{
	b->seq = 0;
	board_hello(b);
	board_bytes(b, 1, "AT+GCAP\r\nAT\r\n", 13);
	board_record(b, "");
	board_bytes(b, 1, "\x94\xff\x00", 3);
	board_done(b, 0);
}

static void foreign_lines_are_counted(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, with_foreign_lines);
	board_ready(&b, 1, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_OK);
	assert_int_equal(o.s.decoder.counts.noise_bytes, 16);
	outcome_free(&o, &b);
}

/* What began like a frame and was none spoils the case, though the numbers have no gap. */
static void with_half_a_frame(struct board *b)
{
	b->seq = 0;
	board_hello(b);
	board_bytes(b, 1, "\x1e{\"t\":\"mark\"\n", 13);
	board_record(b, "");
	board_done(b, 0);
}

static void a_damaged_frame_without_a_gap(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, with_half_a_frame);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_INCOMPLETE, "0 frames failed their CRC, 1 were cut or misshapen");
}

/* Many readies that were on their way before G are no sign of a board that did not hear it. */
static void readies_on_their_way(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, board_good_case);
	for (int i = 0; i < 20; i++)
		board_ready(&b, 0, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_OK);
	assert_int_equal(b.commands, 1);
	outcome_free(&o, &b);
}

static void gap_then_unplugged(struct board *b)
{
	board_hello(b);
	b->seq++;
	board_mark(b);
	board_lost(b, 5);
}

/* How it ended decides, and the text belongs to it. */
static void lost_after_a_gap(void **state)
{
	(void)state;
	struct board b;
	board_init(&b, gap_then_unplugged);
	board_ready(&b, 1, TEST_BUILD);
	expect(&b, RTB_LINK_LOST, "the board was unplugged");
}

/* The ready that ended a case begins the next one. */
static void resets_then_works(struct board *b)
{
	b->seq = 0;
	if (b->commands == 1)
		ready_in_the_middle(b);
	else
		board_good_case(b);
}

static void next_case_after_a_reset(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, resets_then_works);
	board_ready(&b, 1, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_BOARD_RESET);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_OK);
	outcome_free(&o, &b);
}

/* A failed case leaves the link where the next one can begin. */
static void fails_then_works(struct board *b)
{
	b->user = b->commands == 1 ? 1 : 99;
	b->seq = 0;
	damaged(b);
}

static void next_case_after_a_failure(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, fails_then_works);
	board_ready(&b, 1, TEST_BUILD);
	session_open(&o, &b);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_INCOMPLETE);
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_OK);
	assert_int_equal(o.list.count, 3);
	outcome_free(&o, &b);
}

static void walk(struct board *b, const char *case_name)
{
	b->nonce = 0;
	b->samples = 10000;
	snprintf(b->case_name, sizeof b->case_name, "%s", case_name);
	b->seq = 0;
	board_hello(b);
	board_record(b, "");
	board_done(b, 0);
}

static void board_without_receive_line(void **state)
{
	(void)state;
	struct board b;
	struct outcome o;
	board_init(&b, NULL);
	walk(&b, "sem_wake");
	walk(&b, "yield");
	session_open(&o, &b);
	o.s.handshake = false;
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_OK);
	assert_int_equal(b.commands, 0);
	assert_int_equal(o.list.count, 3);
	assert_string_equal(o.list.m[0].u.hello.case_name, "yield");
	outcome_free(&o, &b);

	board_init(&b, NULL);
	for (int i = 0; i < RTB_CASE_COUNT + 3; i++)
		walk(&b, "sem_wake");
	session_open(&o, &b);
	o.s.handshake = false;
	one_case(&o, &b, 0);
	assert_int_equal(o.status, RTB_UNSUPPORTED);
	outcome_free(&o, &b);
}

static void names_that_fit_no_command(void **state)
{
	(void)state;
	static const char *const name[] = {"", "two words", "line\nG00000000 yield 1 0",
					   "a_name_that_is_far_too_long_for_the_board_s_command_buffer"};
	for (unsigned i = 0; i < 4; i++) {
		struct board b;
		struct outcome o;
		board_init(&b, NULL);
		session_open(&o, &b);
		assert_int_equal(rtb_session_case(&o.s, name[i], 1, 0, &o.list, &o.e), RTB_CONFIG);
		assert_int_equal(b.commands, 0);
		outcome_free(&o, &b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good),
		cmocka_unit_test(several_cases_of_one_boot_chain),
		cmocka_unit_test(ready_in_the_same_read_as_done),
		cmocka_unit_test(raw_samples),
		cmocka_unit_test(leftovers_are_never_accepted),
		cmocka_unit_test(silent),
		cmocka_unit_test(noise_of_a_wrong_baud_rate),
		cmocka_unit_test(text_of_another_program),
		cmocka_unit_test(stale_image),
		cmocka_unit_test(stale_image_behind_a_true_ready),
		cmocka_unit_test(protocol),
		cmocka_unit_test(unknown_type_in_a_case),
		cmocka_unit_test(hang_after_hello),
		cmocka_unit_test(hang_after_the_command),
		cmocka_unit_test(case_takes_too_long),
		cmocka_unit_test(unexpected_reset),
		cmocka_unit_test(second_hello),
		cmocka_unit_test(damaged_frames),
		cmocka_unit_test(sequence_and_count),
		cmocka_unit_test(records_that_do_not_belong),
		cmocka_unit_test(echo),
		cmocka_unit_test(answer_with_another_nonce),
		cmocka_unit_test(fault),
		cmocka_unit_test(fault_before_ready),
		cmocka_unit_test(refusals),
		cmocka_unit_test(command_is_sent_again),
		cmocka_unit_test(a_deaf_board),
		cmocka_unit_test(link_lost),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(foreign_lines_are_counted),
		cmocka_unit_test(a_damaged_frame_without_a_gap),
		cmocka_unit_test(readies_on_their_way),
		cmocka_unit_test(lost_after_a_gap),
		cmocka_unit_test(next_case_after_a_reset),
		cmocka_unit_test(next_case_after_a_failure),
		cmocka_unit_test(board_without_receive_line),
		cmocka_unit_test(names_that_fit_no_command),
	};
	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
