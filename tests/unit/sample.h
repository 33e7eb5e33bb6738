/* sample.h - a good run, complete in every field, for tests that then spoil one thing. */
#ifndef RTB_TEST_SAMPLE_H
#define RTB_TEST_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "store/model.h"

/* Fills n, min, max, sum, sumsq from the histogram, whose bins must be exact. */
static inline void sample_settle(struct rtb_record *d)
{
	rtb_hist_sort(&d->hist);
	d->n = rtb_hist_total(&d->hist);
	d->min = d->hist.bin[0].lo;
	d->max = d->hist.bin[d->hist.count - 1].hi;
	d->sum = 0;
	unsigned __int128 sumsq = 0;
	for (size_t i = 0; i < d->hist.count; i++) {
		const struct rtb_bin *b = &d->hist.bin[i];
		d->sum += b->lo * (int64_t)b->count;
		sumsq += (unsigned __int128)((__int128)b->lo * b->lo) * b->count;
	}
	d->sumsq = sumsq < UINT64_MAX ? (uint64_t)sumsq : UINT64_MAX;
}

static inline struct rtb_record *sample_record(struct rtb_run *r, const char *name, unsigned div, int64_t base)
{
	struct rtb_record *d = rtb_run_add_record(r);
	d->case_name = rtb_strdup(name);
	d->series = rtb_strdup("");
	d->case_version = 1;
	d->unit = rtb_strdup("cycles");
	d->div = div;
	d->supported = true;
	d->imax = 41;
	d->cold = base + 30;
	d->warmup = 16;
	d->ticks = 30;
	d->check = 0xfeedface12345678u;
	d->cycles = 3240000;
	d->timer = 3240010;
	rtb_hist_add(&d->hist, base, base, 9000);
	rtb_hist_add(&d->hist, base + 2, base + 2, 900);
	rtb_hist_add(&d->hist, base + 40, base + 40, 100);
	sample_settle(d);
	return d;
}

static inline void sample_facts(struct rtb_run *r)
{
	static const struct { enum rtb_prov_key k; enum rtb_origin o; const char *v; } facts[] = {
		{PROV_KERNEL, ORIGIN_READ, "mini"}, {PROV_KERNEL_VERSION, ORIGIN_READ, "1.0"},
		{PROV_PORT_VERSION, ORIGIN_READ, "1"}, {PROV_CLOCK_DECLARED, ORIGIN_READ, "108000000"},
		{PROV_CLOCK_SET, ORIGIN_READ, "108000000"}, {PROV_CLOCK_MEASURED, ORIGIN_MEASURED, "108003240"},
		{PROV_CLOCK_DEVIATION, ORIGIN_MEASURED, "30"}, {PROV_CLOCK_SOURCE, ORIGIN_READ, "irc8m/2 x27"},
		{PROV_CLOCK_REGS, ORIGIN_READ, "0x03005483 0x08280402"}, {PROV_FLASH_ACR, ORIGIN_READ, "0x00000030"},
		{PROV_TIME_BASE, ORIGIN_READ, "real time"}, {PROV_CC_VERSION, ORIGIN_READ, "arm-none-eabi-gcc 12.2.1"},
		{PROV_CC_FLAGS, ORIGIN_READ, "-mcpu=cortex-m3 -mthumb -O2 -Wl,--gc-sections,-Map=x.map"},
		{PROV_CC_ELF_FLAGS, ORIGIN_READ, "-mcpu=cortex-m3 -mthumb -O2"},
		{PROV_BUILD_ID, ORIGIN_READ, "aabbccddeeff00112233445566778899aabbccdd"},
		{PROV_BUILD_ID_BOARD, ORIGIN_READ, "aabbccddeeff00112233445566778899aabbccdd"},
		{PROV_IMAGE_HASH, ORIGIN_READ, "0123456789abcdef"},
		{PROV_SELFTEST, ORIGIN_MEASURED, "1000 1660"}, {PROV_MEASURED_CALLS, ORIGIN_READ, "ok"},
		{PROV_LINE_ERRORS, ORIGIN_MEASURED, "0"}, {PROV_TICKLESS, ORIGIN_READ, "no"},
		{PROV_OPT, ORIGIN_READ, "O2"}, {PROV_INSTRUMENTED, ORIGIN_READ, "no"},
		{PROV_CONFIG_TEXT, ORIGIN_READ, "#define TICK_HZ 1000\n#define NAME \"a, b\"\n"},
		{PROV_TICK_HZ, ORIGIN_READ, "1000"}, {PROV_TICK_SET, ORIGIN_READ, "1000"},
		{PROV_STACK_BYTES, ORIGIN_READ, "1024"}, {PROV_COUNTER, ORIGIN_READ, "DWT CYCCNT"},
		{PROV_READ_COST, ORIGIN_MEASURED, "2"}, {PROV_SAMPLES, ORIGIN_READ, "10000"},
		{PROV_DEBUGGER, ORIGIN_READ, "no"},
		{PROV_DEBUG_REGS, ORIGIN_READ, "0x00030000 0x01000000 0x00000000"},
		{PROV_PROTO, ORIGIN_READ, "1"}, {PROV_TARGET, ORIGIN_READ, "gd32f103cbt6"},
		{PROV_PROBE, ORIGIN_DECLARED, "cmsis-dap"},
	};
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		rtb_run_fact(r, facts[i].k, facts[i].o, facts[i].v);
}

/* The caller frees it with rtb_run_free. */
static inline struct rtb_run sample_run(void)
{
	struct rtb_run r = {.repeat = 1, .attempt = 1, .started_ns = 1700000000000000000u,
			    .ended_ns = 1700000003500000000u, .status = RTB_OK,
			    .phases = {100, 900, 30, 400, 5, 2}};
	r.cell = (struct rtb_cell){rtb_strdup("gd32f103cbt6"), rtb_strdup("mini"), rtb_strdup("O2"), false};
	sample_facts(&r);
	sample_record(&r, "yield", 2, 412);
	sample_record(&r, "sem_wake", 1, 305);
	struct rtb_stack_mark *m = rtb_run_add_stack(&r);
	*m = (struct rtb_stack_mark){rtb_strdup("high"), 1024, 212, false};
	struct rtb_footprint *p = rtb_run_add_footprint(&r);
	*p = (struct rtb_footprint){rtb_strdup("kernel"), 1834, 220};
	r.openocd_log = rtb_strdup("Info : done\n");
	r.serial_log = rtb_alloc(8);
	memcpy(r.serial_log, "\x1e{\0}\xff\n", 6);
	r.serial_log_len = 6;
	return r;
}

#endif
