/* message.h - a frame's JSON as a typed message (docs/wire-format.md), checked field by field. */
#ifndef RTB_LINK_MESSAGE_H
#define RTB_LINK_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "rtbench/frame.h"
#include "store/model.h"

struct rtb_hello {
	char build[65], target[32], kernel[32], kernel_version[48], port_version[24], opt[8];
	char case_name[32], reset[48], clock_source[48];
	bool instrumented;
	unsigned proto, boot, samples, raw;
	uint32_t core, hclk, tick_hz, stack_bytes, selftest_start, selftest_end, read_cost;
	uint32_t dhcsr, demcr, dbgmcu_cr, rcc_cr, rcc_cfgr, flash_acr;
	uint32_t systick_load;      /* before the kernel has started its tick; see done */
};

struct rtb_mark { uint32_t cycles, timer, ticks; };
struct rtb_fault { char kind[24]; uint32_t pc, lr, xpsr, cfsr, hfsr, mmfar, bfar; };
struct rtb_raw_part { char case_name[32], series[24]; unsigned from; int32_t *v; size_t count; };

struct rtb_message {
	enum rtb_frame_type type;
	bool has_seq;
	uint32_t seq, nonce;
	uint64_t at_ns;             /* host's monotonic clock when the frame was complete */
	union {
		struct { unsigned proto, boot; char build[65]; } ready;
		struct rtb_hello hello;
		struct rtb_mark mark;
		struct rtb_record record; /* owned */
		struct rtb_raw_part raw;  /* v owned */
		struct rtb_stack_mark stack; /* task owned */
		struct { uint32_t frames, systick_ctrl, systick_load; } done;
		struct { char code[24], text[128]; } error;
		struct rtb_fault fault;
	} u;
};

struct rtb_message_list { struct rtb_message *m; size_t count, cap; };

/* Parses one frame. RTB_INCOMPLETE with the field's name when something is missing, of the
 * wrong type or out of range (min <= avg <= max, n > 0, histogram total == n, ...).
 * RTB_PROTOCOL for an unknown version or type. Members that this program does not know are
 * ignored. On failure *out owns nothing, but its type, nonce, has_seq and seq say as much as
 * could be read (type RTB_FRAME_TYPE_COUNT: nothing), so that a caller can tell whose it was. */
enum rtb_status rtb_message_parse(const char *json, size_t n, struct rtb_message *out, struct rtb_error *e);
/* "hello" */
const char *rtb_message_word(enum rtb_frame_type t);
void rtb_message_free(struct rtb_message *m);
void rtb_message_list_free(struct rtb_message_list *l);

#endif
