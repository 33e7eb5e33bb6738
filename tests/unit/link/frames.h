/* frames.h - frames as a board would send them, for tests and for the benchmark. */
#ifndef TEST_LINK_FRAMES_H
#define TEST_LINK_FRAMES_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"

#define TEST_BUILD "00112233445566778899aabbccddeeff00112233"

static inline void add_frame(struct rtb_buf *b, const char *json)
{
	rtb_buf_fmt(b, "\x1e%s %08lx\n", json, crc32(0, (const Bytef *)json, (uInt)strlen(json)));
}

__attribute__((format(printf, 2, 3)))
static inline void add_framef(struct rtb_buf *b, const char *fmt, ...)
{
	char *json = NULL;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&json, fmt, ap) >= 0)
		add_frame(b, json);
	va_end(ap);
	free(json);
}

/* Whole or without the members that a conversation sets: t, seq, nonce. */
#define READY_FMT "{\"t\":\"ready\",\"proto\":1,\"build\":\"%s\",\"boot\":%u}"
#define HELLO_BODY_FMT "\"proto\":1,\"build\":\"%s\",\"boot\":3,\"reset\":\"software\",\"case\":\"%s\"," \
	"\"samples\":%u,\"raw\":%u,\"target\":\"virtual-gd32f103\",\"kernel\":\"mini\"," \
	"\"kernel_version\":\"1.0.0\",\"port_version\":\"1\",\"opt\":\"O2\",\"instrumented\":false," \
	"\"core\":\"0x412fc231\",\"hclk\":108000000,\"clock_source\":\"irc8m/2*27\",\"tick_hz\":1000," \
	"\"stack_bytes\":1024,\"selftest\":[100,1124],\"read_cost\":1,\"dhcsr\":\"0x00000000\"," \
	"\"demcr\":\"0x01000000\",\"dbgmcu_cr\":\"0x00000000\",\"rcc_cr\":\"0x03000083\"," \
	"\"rcc_cfgr\":\"0x0028040a\",\"flash_acr\":\"0x00000030\",\"systick_load\":\"0x00000000\""
#define MARK_BODY "\"cycles\":4294967295,\"timer\":7,\"ticks\":0"
#define RECORD_BODY_FMT "\"case\":\"%s\",\"ver\":1,\"series\":\"%s\",\"unit\":\"cycles\",\"div\":2,\"n\":\"5\"," \
	"\"min\":\"100\",\"max\":\"1000\",\"sum\":\"1602\",\"sumsq\":\"1100804\",\"imax\":4,\"cold\":\"180\"," \
	"\"warmup\":8,\"ticks\":1,\"discarded\":0,\"cycles\":\"2000\",\"timer\":\"2000\",\"check\":\"0x00000005\"," \
	"\"exact\":[100,2,200,1,202,1],\"tail\":[190,1],\"neg\":0,\"over\":0"
#define DONE_BODY_FMT "\"frames\":%u,\"systick_ctrl\":\"0x00000007\",\"systick_load\":\"0x0001a5df\""
#define STACK_BODY "\"task\":\"low\",\"bytes\":1024,\"used\":200,\"touched\":false"
#define FAULT_BODY "\"kind\":\"hard\",\"pc\":\"0x08000123\",\"lr\":\"0xfffffff9\",\"xpsr\":\"0x61000003\"," \
	"\"cfsr\":\"0x00008200\",\"hfsr\":\"0x40000000\",\"mmfar\":\"0xe000edf8\",\"bfar\":\"0xe000edf8\""

#endif
