/* Questions about the board and the image: counter, clock, tick, debugger, identity. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "check/checks.h"

void rtb_check_complete(struct rtb_run *r)
{
	static const enum rtb_prov_key needed[] = {
		PROV_KERNEL_VERSION, PROV_CLOCK_DECLARED, PROV_CLOCK_SET, PROV_CC_VERSION, PROV_CC_FLAGS,
		PROV_CC_ELF_FLAGS, PROV_BUILD_ID, PROV_BUILD_ID_BOARD, PROV_IMAGE_HASH, PROV_MEASURED_CALLS, PROV_TICK_HZ,
		PROV_TICK_SET, PROV_STACK_BYTES, PROV_SELFTEST, PROV_READ_COST, PROV_DEBUG_REGS,
		PROV_TIME_BASE,
	};
	struct rtb_buf missing = {0};
	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (!rtb_run_get(r, needed[i]))
			rtb_buf_fmt(&missing, " %s", rtb_prov_info(needed[i])->name);
	if (!rtb_in_virtual_time(r) && !rtb_run_get(r, PROV_CLOCK_MEASURED))
		rtb_buf_str(&missing, " clock_measured");
	if (missing.len)
		FOUND(r, "complete", VERDICT_SUSPECT, "not known:%s", missing.data);
	rtb_buf_free(&missing);
}

void rtb_check_counter_moves(struct rtb_run *r)
{
	uint32_t start, end;
	if (rtb_fact_register(r, PROV_SELFTEST, 0, &start) && rtb_fact_register(r, PROV_SELFTEST, 1, &end)) {
		if (start == end)
			FOUND(r, "counter_moves", VERDICT_REJECTED,
			      "the counter stood at %u before and after the self-test's loop", start);
	} else {
		FOUND(r, "counter_moves", VERDICT_REJECTED, "the run brought no self-test of the counter");
	}
	for (size_t i = 0; i < r->record_count; i++) {
		const struct rtb_record *d = &r->records[i];
		bool zero = d->n > 1 && d->min == 0 && d->max == 0;
		enum rtb_timing timing;
		bool deviates = rtb_case_timing(d->case_name, &timing) && timing == RTB_TIMING_DEVIATION;
		if (d->supported && zero && strcmp(d->unit, "cycles") == 0 && !deviates)
			FOUND_IN(r, d, "counter_moves", VERDICT_REJECTED, "all %llu samples are 0 cycles",
				 (unsigned long long)d->n);
	}
}

void rtb_check_read_cost(struct rtb_run *r)
{
	double cost;
	if (!rtb_fact_number(r, PROV_READ_COST, &cost))
		return; /* "complete" says so */
	if (cost < 1)
		FOUND(r, "read_cost", VERDICT_REJECTED, "reading the counter cost %.0f cycles", cost);
	else if (cost > 64)
		FOUND(r, "read_cost", VERDICT_SUSPECT, "reading the counter cost %.0f cycles", cost);
}

/* Whether a record came out of the function "<case>[_<series>][_end]". */
static bool is_from(const struct rtb_record *d, const char *function, size_t n)
{
	size_t len = strlen(d->case_name), series = strlen(d->series);
	if (!d->supported || n < len || memcmp(function, d->case_name, len) != 0)
		return false;
	function += len;
	n -= len;
	if (n >= 4 && memcmp(function + n - 4, "_end", 4) == 0)
		n -= 4;
	return n == 0 || (n == series + 1 && function[0] == '_' && memcmp(function + 1, d->series, series) == 0);
}

/* "FUNCTION: WHY; FUNCTION: WHY", of the whole image: what was not run, or is not supported (and
 * calls a stub), is of no concern. */
void rtb_check_calls_present(struct rtb_run *r)
{
	const char *p = rtb_run_get(r, PROV_MEASURED_CALLS);
	while (p && strcmp(p, "ok") != 0 && *p) {
		size_t n = strcspn(p, ";"), name = strcspn(p, ":;");
		for (size_t i = 0; i < r->record_count; i++)
			if (is_from(&r->records[i], p, name))
				FOUND_IN(r, &r->records[i], "calls_present", VERDICT_REJECTED,
					 "the measured call is not between the counter reads: %.*s", (int)n, p);
		p += n;
		p += strspn(p, "; ");
	}
}

void rtb_check_clock_set(struct rtb_run *r)
{
	double declared, set;
	if (!rtb_fact_number(r, PROV_CLOCK_DECLARED, &declared) || !rtb_fact_number(r, PROV_CLOCK_SET, &set))
		return;
	if (declared != set)
		FOUND(r, "clock_set", VERDICT_REJECTED, "declared %.0f Hz, but the registers make %.0f Hz",
		      declared, set);
}

#define CLOCK_DOUBT_PPM  25000 /* what the internal oscillator may be off over temperature */
#define CLOCK_REJECT_PPM 100000

void rtb_check_clock_measured(struct rtb_run *r)
{
	double measured, set;
	if (rtb_in_virtual_time(r) || !rtb_fact_number(r, PROV_CLOCK_MEASURED, &measured))
		return;
	if (!rtb_fact_number(r, PROV_CLOCK_SET, &set) && !rtb_fact_number(r, PROV_CLOCK_DECLARED, &set))
		return;
	double ppm = set > 0 ? (measured - set) / set * 1e6 : INFINITY;
	if (fabs(ppm) <= CLOCK_DOUBT_PPM)
		return;
	FOUND(r, "clock_measured", fabs(ppm) > CLOCK_REJECT_PPM ? VERDICT_REJECTED : VERDICT_SUSPECT,
	      "measured %.0f Hz against %.0f Hz set: %+.1f %%", measured, set, ppm / 1e4);
}

void rtb_check_tick_rate(struct rtb_run *r)
{
	double declared, set;
	if (!rtb_fact_number(r, PROV_TICK_HZ, &declared) || !rtb_fact_number(r, PROV_TICK_SET, &set))
		return;
	if (fabs(declared - set) > declared / 1000)
		FOUND(r, "tick_rate", VERDICT_REJECTED, "declared %g Hz, but SysTick is set to %g Hz", declared, set);
}

#define DHCSR_C_DEBUGEN  (1u << 0)             /* ARMv7-M manual, C1.6.2 */
#define DEMCR_VC_ANY     0x000007f1u           /* VC_HARDERR .. VC_CORERESET, C1.6.5 */
#define DBGMCU_SLEEP_ANY 0x00000007u           /* DBG_SLEEP, DBG_STOP, DBG_STANDBY, RM0008 31.16.3 */

void rtb_check_debugger(struct rtb_run *r)
{
	uint32_t dhcsr;
	if (rtb_fact_register(r, PROV_DEBUG_REGS, 0, &dhcsr) && (dhcsr & DHCSR_C_DEBUGEN))
		FOUND(r, "debugger", VERDICT_SUSPECT, "halting debug is enabled (DHCSR 0x%08x)", dhcsr);
	else if (rtb_fact_is(r, PROV_DEBUGGER, "yes"))
		FOUND(r, "debugger", VERDICT_SUSPECT, "a debugger was attached");
}

void rtb_check_debug_leftovers(struct rtb_run *r)
{
	uint32_t demcr, dbgmcu;
	if (rtb_fact_register(r, PROV_DEBUG_REGS, 1, &demcr) && (demcr & DEMCR_VC_ANY))
		FOUND(r, "debug_leftovers", VERDICT_SUSPECT, "vector catch is on (DEMCR 0x%08x)", demcr);
	if (rtb_fact_register(r, PROV_DEBUG_REGS, 2, &dbgmcu) && (dbgmcu & DBGMCU_SLEEP_ANY))
		FOUND(r, "debug_leftovers", VERDICT_SUSPECT, "clocks are kept alive in sleep (DBGMCU_CR 0x%08x)", dbgmcu);
}

void rtb_check_build_id(struct rtb_run *r)
{
	const char *elf = rtb_run_get(r, PROV_BUILD_ID), *board = rtb_run_get(r, PROV_BUILD_ID_BOARD);
	if (elf && board && strcmp(elf, board) != 0)
		FOUND(r, "build_id", VERDICT_REJECTED, "built %s, but %s ran", elf, board);
}

void rtb_check_identity(struct rtb_run *r)
{
	/* the user may call a kernel's tree as he likes; its port has a name of its own */
	const char *port = rtb_run_get(r, PROV_PORT);
	const struct { enum rtb_prov_key key; const char *asked; } said[] = {
		{PROV_KERNEL, port ? port : r->cell.kernel}, {PROV_OPT, r->cell.opt},
		{PROV_INSTRUMENTED, r->cell.instrumented ? "yes" : "no"},
	};
	for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
		const char *value = rtb_run_get(r, said[i].key);
		if (value && said[i].asked && strcmp(value, said[i].asked) != 0)
			FOUND(r, "identity", VERDICT_REJECTED, "%s: asked for %s, the board says %s",
			      rtb_prov_info(said[i].key)->name, said[i].asked, value);
	}
}

/* The last optimisation level in a line of flags, as "O2". A bare -O is O1; GCC's level when
 * none is given is O0. */
static void last_level(const char *flags, size_t length, char level[8])
{
	const char *end = flags + length;
	strcpy(level, "O0");
	while (flags < end) {
		size_t n = 0;
		while (flags + n < end && flags[n] != ' ' && flags[n] != '\t')
			n++;
		if (n == 2 && memcmp(flags, "-O", 2) == 0) {
			strcpy(level, "O1");
		} else if (n > 2 && n < 8 && memcmp(flags, "-O", 2) == 0) {
			memcpy(level, flags + 1, n - 1);
			level[n - 1] = '\0';
		}
		flags += n + (flags + n < end);
	}
}

/* One line for each distinct way in which an object of the ELF was compiled. Assembly has no level. */
void rtb_check_opt_level(struct rtb_run *r)
{
	const char *flags = rtb_run_get(r, PROV_CC_ELF_FLAGS);
	char level[8];
	if (!r->cell.opt)
		return;
	while (flags && *flags) {
		size_t n = strcspn(flags, "\n");
		last_level(flags, n, level);
		if (strcmp(level, r->cell.opt) != 0 && strncmp(flags, "GNU AS", 6) != 0) {
			FOUND(r, "opt_level", VERDICT_REJECTED, "asked for -%s, the ELF records -%s (%.*s)", r->cell.opt,
			      level, n > 120 ? 120 : (int)n, flags);
			return;
		}
		flags += n + (flags[n] == '\n');
	}
}

void rtb_check_line(struct rtb_run *r)
{
	double errors;
	if (rtb_fact_number(r, PROV_LINE_ERRORS, &errors) && errors > 0)
		FOUND(r, "line", VERDICT_SUSPECT, "%.0f frames were damaged, repeated or missing", errors);
}

void rtb_check_stack(struct rtb_run *r)
{
	for (size_t i = 0; i < r->stack_count; i++)
		if (r->stacks[i].touched)
			FOUND(r, "stack", VERDICT_REJECTED, "stack of %s (%u bytes): the last word was overwritten",
			      r->stacks[i].task, r->stacks[i].bytes);
}
