/* Any JSON or none: a message that is accepted keeps what message.h promises, one that is not
 * says why in one line and owns nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(x) do { if (!(x)) { fprintf(stderr, "%d: %s\n", __LINE__, #x); abort(); } } while (0)

static void check_record(const struct rtb_record *r)
{
	REQUIRE(r->n > 0 && r->div > 0 && r->imax < r->n && r->min <= r->max);
	REQUIRE(rtb_hist_total(&r->hist) == r->n);
	REQUIRE(r->hist.bin[0].lo == r->min);
	int64_t below = r->min - 1;
	for (size_t i = 0; i < r->hist.count; i++) {
		REQUIRE(r->hist.bin[i].lo > below && r->hist.bin[i].lo <= r->hist.bin[i].hi);
		below = r->hist.bin[i].hi;
	}
	REQUIRE(below >= r->max);
	long double average = (long double)r->sum / (long double)r->n;
	REQUIRE(average >= (long double)r->min && average <= (long double)r->max);
	REQUIRE(*r->case_name && *r->unit && r->series);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rtb_message m;
	struct rtb_error e = {0};
	enum rtb_status s = rtb_message_parse((const char *)data, size, &m, &e);
	if (s != RTB_OK) {
		REQUIRE(s == e.status && (s == RTB_INCOMPLETE || s == RTB_PROTOCOL));
		REQUIRE(*e.text && !strchr(e.text, '\n'));
		return 0;
	}
	REQUIRE((unsigned)m.type < RTB_FRAME_TYPE_COUNT && e.text[0] == '\0');
	if (m.type == RTB_FRAME_RECORD)
		check_record(&m.u.record);
	if (m.type == RTB_FRAME_HELLO)
		REQUIRE(m.u.hello.proto == RTB_PROTO_VERSION && m.u.hello.hclk > 0);
	if (m.type == RTB_FRAME_RAW)
		REQUIRE(m.u.raw.count > 0);
	rtb_message_free(&m);
	return 0;
}
