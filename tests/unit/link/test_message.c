/* Messages: every field of every type missing, doubled and of the wrong type; figures that cannot
 * be; and what must be accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <stdbool.h>

#include "frames.h"
#include "link/message.h"

#define HEAD(type) "{\"t\":\"" type "\",\"seq\":4,\"nonce\":\"00c0ffee\","
#define HELLO HEAD("hello") "\"proto\":1,\"build\":\"" TEST_BUILD "\",\"boot\":3,\"reset\":\"power+pin\"," \
	"\"case\":\"yield\",\"samples\":10000,\"raw\":0,\"target\":\"gd32f103cbt6\",\"kernel\":\"mini\"," \
	"\"kernel_version\":\"1.0.0\",\"port_version\":\"1\",\"opt\":\"O2\",\"instrumented\":true," \
	"\"core\":\"0x412fc231\",\"hclk\":108000000,\"clock_source\":\"irc8m/2*27\",\"tick_hz\":1000," \
	"\"stack_bytes\":1024,\"selftest\":[100,4294967295],\"read_cost\":1,\"dhcsr\":\"0x00000001\"," \
	"\"demcr\":\"0x01000000\",\"dbgmcu_cr\":\"0x00000000\",\"rcc_cr\":\"0x03000083\"," \
	"\"rcc_cfgr\":\"0x0028040a\",\"flash_acr\":\"0x00000030\",\"systick_load\":\"0x00000000\"}"
#define RECORD HEAD("record") "\"case\":\"yield\",\"ver\":1,\"series\":\"\",\"unit\":\"cycles\",\"div\":2," \
	"\"n\":5,\"min\":100,\"max\":1000,\"sum\":\"1602\",\"sumsq\":\"1100804\",\"imax\":4,\"cold\":-180," \
	"\"warmup\":8,\"ticks\":1,\"discarded\":0,\"cycles\":2000,\"timer\":2001,\"check\":\"0x00000005\"," \
	"\"exact\":[100,2,200,1,202,1],\"tail\":[190,1],\"neg\":0,\"over\":0}"

static const char *const whole[] = {
	"{\"t\":\"ready\",\"proto\":1,\"build\":\"" TEST_BUILD "\",\"boot\":3}",
	HELLO,
	HEAD("mark") MARK_BODY "}",
	RECORD,
	HEAD("raw") "\"case\":\"yield\",\"series\":\"\",\"from\":7,\"v\":[1,-2147483648,2147483647]}",
	HEAD("stack") STACK_BODY "}",
	HEAD("done") "\"frames\":5,\"systick_ctrl\":\"0x00000007\",\"systick_load\":\"0x0001a5df\"}",
	"{\"t\":\"error\",\"nonce\":\"00c0ffee\",\"code\":\"case\",\"text\":\"no such case\"}",
	"{\"t\":\"fault\",\"nonce\":\"00c0ffee\"," FAULT_BODY "}",
};

static enum rtb_status parse(const char *json, struct rtb_message *m, struct rtb_error *e)
{
	*e = (struct rtb_error){0};
	/* Not NUL-terminated, so that reading past the end is seen by the sanitizers. */
	size_t n = strlen(json);
	char *exact = malloc(n ? n : 1);
	memcpy(exact, json, n);
	enum rtb_status s = rtb_message_parse(exact, n, m, e);
	free(exact);
	assert_int_equal(s, e->status);
	return s;
}

static void refuses(const char *json, enum rtb_status want, const char *text)
{
	struct rtb_message m;
	struct rtb_error e;
	enum rtb_status s = parse(json, &m, &e);
	if (s != want || !strstr(e.text, text))
		fail_msg("%s\n  gave %s: \"%s\", expected \"%s\"", json, rtb_status_word(s), e.text, text);
}

static void accepts(const char *json, struct rtb_message *m)
{
	struct rtb_error e;
	if (parse(json, m, &e) != RTB_OK)
		fail_msg("%s\n  gave \"%s\"", json, e.text);
}

static void every_type_whole(void **state)
{
	(void)state;
	assert_int_equal(sizeof whole / sizeof *whole, RTB_FRAME_TYPE_COUNT);
	for (int t = 0; t < RTB_FRAME_TYPE_COUNT; t++) {
		struct rtb_message m;
		accepts(whole[t], &m);
		assert_int_equal(m.type, t);
		assert_int_equal(m.nonce, t == RTB_FRAME_READY ? 0 : 0x00c0ffee);
		assert_int_equal(m.seq, m.has_seq ? 4 : 0);
		rtb_message_free(&m);
	}
}

static void values_arrive(void **state)
{
	(void)state;
	struct rtb_message m;
	accepts(HELLO, &m);
	assert_string_equal(m.u.hello.reset, "power+pin");
	assert_true(m.u.hello.instrumented);
	assert_int_equal(m.u.hello.core, 0x412fc231);
	assert_int_equal(m.u.hello.selftest_end, UINT32_MAX);
	assert_int_equal(m.u.hello.rcc_cfgr, 0x0028040a);
	accepts(RECORD, &m);
	const struct rtb_record *r = &m.u.record;
	assert_true(r->supported);
	assert_int_equal(r->cold, -180);
	assert_int_equal(r->timer, 2001);
	assert_int_equal(r->hist.count, 4);
	assert_int_equal(r->hist.bin[0].count, 2);
	assert_int_equal(r->hist.bin[3].lo, 992); /* bucket 190 is 992..1007, cut at max */
	assert_int_equal(r->hist.bin[3].hi, 1000);
	rtb_message_free(&m);
	accepts(whole[RTB_FRAME_RAW], &m);
	assert_int_equal(m.u.raw.from, 7);
	assert_int_equal(m.u.raw.count, 3);
	assert_int_equal(m.u.raw.v[1], INT32_MIN);
	rtb_message_free(&m);
	accepts(whole[RTB_FRAME_DONE], &m);
	assert_int_equal(m.u.done.systick_load, 0x1a5df);
}

static cJSON *copy_of(int type)
{
	cJSON *o = cJSON_Parse(whole[type]);
	assert_non_null(o);
	return o;
}

static void refuses_object(cJSON *o, const char *text)
{
	char *json = cJSON_PrintUnformatted(o);
	refuses(json, RTB_INCOMPLETE, text);
	cJSON_free(json);
	cJSON_Delete(o);
}

static cJSON *odd_value(int kind)
{
	switch (kind) {
	case 0: return cJSON_CreateNull();
	case 1: return cJSON_CreateObject();
	case 2: return cJSON_CreateNumber(1.5);
	case 3: return cJSON_CreateNumber(-1e300);
	case 4: return cJSON_CreateString("\x7f");
	case 5: return cJSON_CreateString("0x0000000G");
	default: return cJSON_CreateIntArray((const int[]){1, 2, 3}, 3);
	}
}

static void every_field_of_every_type(void **state)
{
	(void)state;
	unsigned fields = 0;
	for (int t = 0; t < RTB_FRAME_TYPE_COUNT; t++) {
		cJSON *names = copy_of(t);
		for (const cJSON *f = names->child; f; f = f->next, fields++) {
			char text[64];
			snprintf(text, sizeof text, "\"%s\"", f->string);
			cJSON *o = copy_of(t);
			cJSON_DeleteItemFromObjectCaseSensitive(o, f->string);
			refuses_object(o, text);
			o = copy_of(t);
			cJSON_AddItemToObject(o, f->string, cJSON_Duplicate(f, true));
			refuses_object(o, text);
			for (int kind = 0; kind < 7; kind++) {
				if (kind == 4 && f->string[0] == 't' && !f->string[1])
					continue; /* a type that does not exist is another error */
				if (kind == 5 && (strcmp(f->string, "text") == 0 || cJSON_IsString(f)))
					continue; /* may be a good name */
				if (kind == 6 && strcmp(f->string, "v") == 0)
					continue; /* good samples */
				o = copy_of(t);
				cJSON_ReplaceItemInObjectCaseSensitive(o, f->string, odd_value(kind));
				refuses_object(o, text);
			}
		}
		cJSON_Delete(names);
	}
	assert_true(fields > 80);
}

static void replaced(int type, const char *field, const char *value, enum rtb_status want, const char *text)
{
	cJSON *o = copy_of(type), *v = cJSON_Parse(value);
	assert_non_null(v);
	assert_true(cJSON_ReplaceItemInObjectCaseSensitive(o, field, v));
	char *json = cJSON_PrintUnformatted(o);
	struct rtb_message m;
	if (want == RTB_OK)
		accepts(json, &m), rtb_message_free(&m);
	else
		refuses(json, want, text);
	cJSON_free(json);
	cJSON_Delete(o);
}

static void bad(int type, const char *field, const char *value, const char *text)
{
	replaced(type, field, value, RTB_INCOMPLETE, text);
}

static void ok(int type, const char *field, const char *value)
{
	replaced(type, field, value, RTB_OK, "");
}

static void forms_of_numbers(void **state)
{
	(void)state;
	ok(RTB_FRAME_RECORD, "sumsq", "\"18446744073709551615\"");
	bad(RTB_FRAME_RECORD, "sumsq", "\"18446744073709551616\"", "\"sumsq\" is not a whole number");
	bad(RTB_FRAME_RECORD, "sumsq", "\"-1\"", "\"sumsq\"");
	bad(RTB_FRAME_RECORD, "sumsq", "\"01\"", "\"sumsq\"");
	bad(RTB_FRAME_RECORD, "sumsq", "\"1 \"", "\"sumsq\"");
	bad(RTB_FRAME_RECORD, "sumsq", "\"\"", "\"sumsq\"");
	bad(RTB_FRAME_RECORD, "sumsq", "9007199254740994", "\"sumsq\"");
	bad(RTB_FRAME_RECORD, "cold", "\"-0\"", "\"cold\"");
	ok(RTB_FRAME_RECORD, "cold", "\"-7\"");
	bad(RTB_FRAME_RECORD, "sum", "\"-9223372036854775809\"", "\"sum\" is not a whole number");
	bad(RTB_FRAME_RECORD, "sum", "\"-9223372036854775808\"", "sum -9223372036854775808");
	bad(RTB_FRAME_MARK, "cycles", "4294967296", "\"cycles\" is 4294967296, outside 0..4294967295");
	bad(RTB_FRAME_HELLO, "hclk", "0", "\"hclk\"");
	bad(RTB_FRAME_HELLO, "core", "\"0x412FC231\"", "register value");
	bad(RTB_FRAME_HELLO, "core", "\"0x412fc23\"", "register value");
	bad(RTB_FRAME_HELLO, "nonce", "\"0x00000000\"", "eight hex digits");
	bad(RTB_FRAME_HELLO, "build", "\"ABCD\"", "lower-case hex");
	bad(RTB_FRAME_HELLO, "selftest", "[1]", "\"selftest\"");
	bad(RTB_FRAME_HELLO, "selftest", "[1,4294967296]", "\"selftest\"");
	bad(RTB_FRAME_HELLO, "kernel", "\"0123456789012345678901234567890123\"", "longer than 31 characters");
	bad(RTB_FRAME_HELLO, "kernel", "\"tab\\there\"", "printable ASCII");
	bad(RTB_FRAME_HELLO, "kernel", "\"\\u00e9\"", "printable ASCII");
	bad(RTB_FRAME_RAW, "v", "[1,2147483648]", "32-bit sample");
	bad(RTB_FRAME_RAW, "v", "[]", "not a list of samples");
	bad(RTB_FRAME_STACK, "used", "1025", "outside 0..1024");
	bad(RTB_FRAME_DONE, "frames", "0", "\"frames\"");
}

/* B22: a believable number that does not fit its neighbours. */
static void figures_that_cannot_be(void **state)
{
	(void)state;
	bad(RTB_FRAME_RECORD, "n", "0", "\"n\" is 0");
	bad(RTB_FRAME_RECORD, "div", "0", "\"div\"");
	bad(RTB_FRAME_RECORD, "n", "6", "the histogram counts 5 samples, n is 6");
	bad(RTB_FRAME_RECORD, "max", "100", "average outside min 100 and max 100");
	bad(RTB_FRAME_RECORD, "max", "99", "min 100 is above max 99");
	bad(RTB_FRAME_RECORD, "max", "10000", "max 10000 is not in the histogram's highest bin");
	bad(RTB_FRAME_RECORD, "sum", "\"499\"", "average outside");
	bad(RTB_FRAME_RECORD, "sum", "\"5001\"", "average outside");
	bad(RTB_FRAME_RECORD, "imax", "5", "imax 5 is no index of 5 samples");
	bad(RTB_FRAME_RECORD, "min", "99", "does not begin at min 99");
	bad(RTB_FRAME_RECORD, "min", "101", "\"exact\" holds 100, outside the 256 values from min 101");
	bad(RTB_FRAME_RECORD, "exact", "[100,2,200,1,356,1]", "\"exact\" holds 356");
	bad(RTB_FRAME_RECORD, "exact", "[100,2,200,1,199,1]", "does not ascend at 199");
	bad(RTB_FRAME_RECORD, "exact", "[100,3,100,1]", "does not ascend at 100");
	bad(RTB_FRAME_RECORD, "exact", "[100,2,200,2,202,0]", "no value and count");
	bad(RTB_FRAME_RECORD, "exact", "[100,4,200]", "not a list of pairs");
	bad(RTB_FRAME_RECORD, "exact", "[]", "does not begin at min");
	bad(RTB_FRAME_RECORD, "exact", "[100,\"18446744073709551615\",200,1]", "no value and count");
	bad(RTB_FRAME_RECORD, "tail", "[448,1]", "names bucket 448 of 448");
	bad(RTB_FRAME_RECORD, "tail", "[-1,1]", "names bucket -1");
	bad(RTB_FRAME_RECORD, "tail", "[100,1]", "which min 100 and max 1000 exclude");
	bad(RTB_FRAME_RECORD, "tail", "[300,1]", "which min 100 and max 1000 exclude");
	bad(RTB_FRAME_RECORD, "neg", "1", "\"neg\" counts values that min 100 and max 1000 exclude");
	bad(RTB_FRAME_RECORD, "over", "1", "\"over\" counts values that min 100 and max 1000 exclude");
}

/* A bucket that begins below the window's end holds only what lies above the window. */
static void bucket_astride_the_window(void **state)
{
	(void)state;
	cJSON *o = copy_of(RTB_FRAME_RECORD);
	cJSON_ReplaceItemInObjectCaseSensitive(o, "tail", cJSON_CreateIntArray((const int[]){140, 1}, 2));
	cJSON_ReplaceItemInObjectCaseSensitive(o, "max", cJSON_CreateNumber(358));
	cJSON_ReplaceItemInObjectCaseSensitive(o, "sum", cJSON_CreateString("960"));
	char *json = cJSON_PrintUnformatted(o);
	struct rtb_message m;
	assert_int_equal(rtb_hist_index(358), 140);
	assert_int_equal(rtb_hist_low(140), 352);
	accepts(json, &m);
	const struct rtb_bin *last = &m.u.record.hist.bin[3];
	assert_int_equal(last->lo, 356); /* min 100 + 256 */
	assert_int_equal(last->hi, 358);
	rtb_message_free(&m);
	cJSON_free(json);
	cJSON_Delete(o);
}

/* Early wake-ups: below zero, above the exact window, and far beyond the buckets. */
static void signed_values_and_both_open_ends(void **state)
{
	(void)state;
	struct rtb_message m;
	accepts(HEAD("record") "\"case\":\"task_jitter\",\"ver\":1,\"series\":\"idle\",\"unit\":\"cycles\",\"div\":1,"
		"\"n\":6,\"min\":-1000,\"max\":300000,\"sum\":\"297870\",\"sumsq\":\"90002000000\",\"imax\":5,"
		"\"cold\":0,\"warmup\":8,\"ticks\":1,\"discarded\":0,\"cycles\":2000,\"timer\":2001,"
		"\"check\":\"0x00000005\",\"exact\":[-1000,1,-745,1],\"tail\":[0,1,5,1],\"neg\":1,\"over\":1}", &m);
	const struct rtb_hist *h = &m.u.record.hist;
	const struct rtb_bin want[] = {{-1000, -1000, 1}, {-745, -745, 1}, {-744, -1, 1}, {0, 0, 1},
				       {5, 5, 1}, {RTB_HIST_OVER, 300000, 1}};
	assert_int_equal(h->count, 6);
	assert_memory_equal(h->bin, want, sizeof want);
	rtb_message_free(&m);
}

static void newer_images_may_say_more(void **state)
{
	(void)state;
	struct rtb_message m;
	accepts("{\"new\":[{\"deep\":[1]}],\"t\":\"ready\",\"proto\":1,\"build\":\"00\",\"boot\":0,\"x\":null}", &m);
	refuses("{\"t\":\"ready\",\"proto\":2,\"hello\":1}", RTB_PROTOCOL, "frame version 2, this program 1");
	refuses("{\"t\":\"trace\",\"seq\":1}", RTB_PROTOCOL, "\"trace\" is unknown");
}

static void what_is_no_message(void **state)
{
	(void)state;
	refuses("", RTB_INCOMPLETE, "not JSON");
	refuses("{", RTB_INCOMPLETE, "not JSON");
	refuses("[]", RTB_INCOMPLETE, "not a JSON object");
	refuses("{}", RTB_INCOMPLETE, "field \"t\" is missing");
	refuses("{\"t\":\"ready\"}{}", RTB_INCOMPLETE, "2 bytes after its JSON");
	refuses("{\"t\":[[[[1]]]]}", RTB_INCOMPLETE, "nested too deep");
	refuses("{\"t\":\"ready\\u0000x\"}", RTB_INCOMPLETE, "NUL inside a string");
	/* "\\u0000" is a backslash and five letters. */
	refuses("{\"t\":\"\\\\u0000\"}", RTB_PROTOCOL, "is unknown");
	struct rtb_message m;
	accepts("{\"a[{\":\"[[[[[[{\\\"[\",\"t\":\"ready\",\"proto\":1,\"build\":\"00\",\"boot\":0}", &m);
	size_t n = 1000000;
	char *deep = malloc(n + 1);
	memset(deep, '[', n);
	deep[n] = '\0';
	refuses(deep, RTB_INCOMPLETE, "nested too deep");
	free(deep);
}

/* On failure a caller still learns whose frame it was. */
static void a_broken_message_says_whose_it_is(void **state)
{
	(void)state;
	struct rtb_message m;
	struct rtb_error e;
	assert_int_equal(parse(HEAD("record") "\"case\":\"yield\"}", &m, &e), RTB_INCOMPLETE);
	assert_int_equal(m.type, RTB_FRAME_RECORD);
	assert_int_equal(m.nonce, 0x00c0ffee);
	assert_true(m.has_seq);
	assert_int_equal(m.seq, 4);
	assert_null(m.u.record.case_name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_whole),
		cmocka_unit_test(values_arrive),
		cmocka_unit_test(every_field_of_every_type),
		cmocka_unit_test(forms_of_numbers),
		cmocka_unit_test(figures_that_cannot_be),
		cmocka_unit_test(bucket_astride_the_window),
		cmocka_unit_test(signed_values_and_both_open_ends),
		cmocka_unit_test(newer_images_may_say_more),
		cmocka_unit_test(what_is_no_message),
		cmocka_unit_test(a_broken_message_says_whose_it_is),
	};
	return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
