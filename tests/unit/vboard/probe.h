/* probe.h - a debug probe for tests: drives the scan chain through the remote_bitbang bytes
 * that OpenOCD would send. Included by the tests of the debug port. */
#ifndef TEST_PROBE_H
#define TEST_PROBE_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "vboard/bitbang.h"

#define IR_ABORT  0x8u
#define IR_DPACC  0xAu
#define IR_APACC  0xBu
#define IR_IDCODE 0xEu
#define IR_BYPASS 0xFu
#define BS_BYPASS 0x1Fu
#define BS_IDCODE 0x01u

static inline void probe_feed(struct vb_lines *b, const char *text)
{
	struct rtb_buf out = { 0 };
	vb_bitbang_feed(b, (const uint8_t *)text, strlen(text), &out);
	rtb_buf_free(&out);
}

/* One clock; returns TDO as it was before the rising edge. */
static inline int probe_clock(struct vb_lines *b, int tms, int tdi)
{
	char text[4] = { (char)('0' + 2 * tms + tdi), 'R', (char)('4' + 2 * tms + tdi), '\0' };
	struct rtb_buf out = { 0 };
	vb_bitbang_feed(b, (const uint8_t *)text, 3, &out);
	assert(out.len == 1);
	int tdo = out.data[0] == '1';
	rtb_buf_free(&out);
	return tdo;
}

/* Test-Logic-Reset, then Run-Test/Idle. */
static inline void probe_tlr(struct vb_lines *b)
{
	for (int i = 0; i < 5; i++)
		probe_clock(b, 1, 0);
	probe_clock(b, 0, 0);
}

/* Shifts n bits, least significant first, from Idle to Idle; in[] and the result hold one bit
 * each. */
static inline void probe_shift(struct vb_lines *b, int ir, unsigned n, const uint8_t *in, uint8_t *out)
{
	probe_clock(b, 1, 0);
	if (ir)
		probe_clock(b, 1, 0);
	probe_clock(b, 0, 0);
	probe_clock(b, 0, 0);
	for (unsigned i = 0; i < n; i++)
		out[i] = (uint8_t)probe_clock(b, i == n - 1, in[i]);
	probe_clock(b, 1, 0);
	probe_clock(b, 0, 0);
}

static inline uint64_t probe_bits(struct vb_lines *b, int ir, unsigned n, uint64_t value)
{
	uint8_t in[64], out[64];
	uint64_t got = 0;

	for (unsigned i = 0; i < n; i++)
		in[i] = value >> i & 1;
	probe_shift(b, ir, n, in, out);
	for (unsigned i = 0; i < n; i++)
		got |= (uint64_t)out[i] << i;
	return got;
}

/* The DP lies next to TDO: its instruction goes first, in the low bits. */
static inline void probe_ir(struct vb_lines *b, unsigned dp, unsigned bs)
{
	probe_bits(b, 1, 9, dp | bs << 4);
}

/* A DPACC or APACC transaction with the other TAP in bypass; returns the ACK and, in *data,
 * the result of the transaction before. */
static inline unsigned probe_acc(struct vb_lines *b, unsigned ir, unsigned addr, int read,
				 uint32_t value, uint32_t *data)
{
	uint64_t dr = (uint64_t)value << 3 | (addr >> 1 & 6) | (uint64_t)(read != 0);

	probe_ir(b, ir, BS_BYPASS);
	/* 36 bits in all: the other TAP's bit lies between TDI and the DP and goes in last. */
	uint64_t got = probe_bits(b, 0, 36, dr);
	if (data)
		*data = (uint32_t)(got >> 3);
	return got & 7;
}

static inline uint32_t probe_dp_read(struct vb_lines *b, unsigned addr)
{
	uint32_t v;
	probe_acc(b, IR_DPACC, addr, 1, 0, NULL);
	probe_acc(b, IR_DPACC, 0xC, 1, 0, &v);
	return v;
}

static inline void probe_dp_write(struct vb_lines *b, unsigned addr, uint32_t value)
{
	probe_acc(b, IR_DPACC, addr, 0, value, NULL);
}

static inline void probe_ap_write(struct vb_lines *b, unsigned reg, uint32_t value)
{
	probe_dp_write(b, 8, reg & 0xF0);
	probe_acc(b, IR_APACC, reg & 0xC, 0, value, NULL);
}

static inline uint32_t probe_ap_read(struct vb_lines *b, unsigned reg)
{
	uint32_t v;
	probe_dp_write(b, 8, reg & 0xF0);
	probe_acc(b, IR_APACC, reg & 0xC, 1, 0, NULL);
	probe_acc(b, IR_DPACC, 0xC, 1, 0, &v);
	return v;
}

static inline void probe_power_up(struct vb_lines *b)
{
	probe_tlr(b);
	probe_dp_write(b, 4, 0x50000000);
}

#endif
