/* report.c - what the bench says. See report.h. */
#include "core/report.h"
#include "core/boot.h"
#include "core/elapsed.h"
#include "core/frame_out.h"
#include "core/stack.h"

static struct frame_out out;

/* A mark on its way. Its longest form is 8 keys and 5 numbers: 133 bytes. */
#define MARK_MAX 160
static uint8_t mark_byte[MARK_MAX];
static unsigned mark_length, mark_sent;
static uint32_t mark_cycles;

/* A record takes the line longer than the time source needs to wrap. */
static void to_line(uint8_t byte)
{
	board_put(byte);
	elapsed_now();
}

static void to_mark(uint8_t byte)
{
	if (mark_length < MARK_MAX)
		mark_byte[mark_length++] = byte;
}

void report_init(void)
{
	frame_init(&out, to_line);
}

static void ready(void)
{
	frame_begin(&out, RTB_FRAME_READY);
	frame_int(&out, "proto", RTB_PROTO_VERSION);
	frame_bytes(&out, "build", board_build_id(), 20);
	frame_int(&out, "boot", rtb_boot.resets);
	frame_end(&out);
}

static void error(const char *nonce, const char *code, const char *text)
{
	frame_conversation(&out, nonce);
	frame_begin(&out, RTB_FRAME_ERROR);
	frame_str(&out, "code", code);
	frame_str(&out, "text", text);
	frame_end(&out);
}

static void one_register(const char *name, uint32_t value)
{
	frame_reg(&out, name, value);
}

static void hello(const struct rtb_command *cmd, const struct rtb_case *c)
{
	frame_conversation(&out, cmd->nonce);
	frame_begin(&out, RTB_FRAME_HELLO);
	frame_int(&out, "proto", RTB_PROTO_VERSION);
	frame_bytes(&out, "build", board_build_id(), 20);
	frame_int(&out, "boot", rtb_boot.resets);
	frame_str(&out, "reset", board_reset_cause());
	frame_str(&out, "case", c->name);
	frame_int(&out, "samples", cmd->samples);
	frame_int(&out, "raw", cmd->raw);
	frame_str(&out, "target", BOARD_NAME);
	frame_str(&out, "kernel", rtb_kernel_name);
	frame_str(&out, "kernel_version", rtb_kernel_version);
	frame_str(&out, "port_version", rtb_port_version);
	frame_str(&out, "opt", RTB_OPT);
	frame_bool(&out, "instrumented", RTB_INSTR);
	frame_reg(&out, "core", SCB_CPUID);
	frame_int(&out, "hclk", BOARD_HCLK);
	frame_str(&out, "clock_source", BOARD_CLOCK_SOURCE);
	frame_int(&out, "tick_hz", RTB_OFFERS(RTB_NEED_TICK) ? RTB_TICK_HZ : 0);
	frame_int(&out, "stack_bytes", RTB_STACK_BYTES);
	frame_list(&out, "selftest");
	frame_item(&out, rtb_boot.selftest.start);
	frame_item(&out, rtb_boot.selftest.end);
	frame_list_end(&out);
	frame_int(&out, "read_cost", rtb_boot.selftest.read_cost);
	frame_reg(&out, "dhcsr", DCB_DHCSR); /* now: a debugger may have come or gone since reset */
	frame_reg(&out, "demcr", rtb_boot.demcr);
	board_registers(one_register);
	frame_reg(&out, "systick_load", SYST_RVR);
	frame_end(&out);
}

/* The case that cmd asks for, or NULL after an error frame. Cuts cmd->raw to what fits. */
static const struct rtb_case *accept(struct rtb_command *cmd,
				     uint32_t (*raw_max)(const struct rtb_case *c))
{
	const struct rtb_case *c = case_find(cmd->case_name);
	if (c == NULL) {
		error(cmd->nonce, "case", "no such case");
		return NULL;
	}
	if (!case_supported(c)) {
		error(cmd->nonce, "unsupported", "this port or image cannot do the case");
		return NULL;
	}
	if (cmd->raw > cmd->samples)
		cmd->raw = cmd->samples;
	if (cmd->raw > raw_max(c))
		cmd->raw = raw_max(c);
	return c;
}

#if RTB_HANDSHAKE

static const struct rtb_case *converse(struct rtb_command *cmd,
				       uint32_t (*raw_max)(const struct rtb_case *c))
{
	static struct command_line line;
	for (;;) {
		ready();
		uint32_t since = cycles_now();
		while (cycles_now() - since < BOARD_HCLK / 2) {
			int byte = board_get();
			if (byte < 0 || !command_feed(&line, (char)byte))
				continue;
			if (!command_parse(line.text, cmd)) {
				error(cmd->nonce, "command", "not G<nonce> <case> <samples> <raw>");
				continue;
			}
			const struct rtb_case *c = accept(cmd, raw_max);
			if (c != NULL)
				return c;
			break; /* ready for the next at once, not in half a second */
		}
	}
}

#else

/* No receive line: the next case of the table at each boot, with the default samples, and
 * silence after the last. A case that cannot be done is passed over. */
static const struct rtb_case *converse(struct rtb_command *cmd,
				       uint32_t (*raw_max)(const struct rtb_case *c))
{
	*cmd = (struct rtb_command){ .nonce = "00000000", .samples = RTB_SAMPLES, .raw = 0 };
	(void)accept;
	(void)raw_max;
	(void)error;
	(void)ready;
	while (boot_case() < RTB_CASE_COUNT && !case_supported(&rtb_cases[boot_case()]))
		boot_next_case();
	while (boot_case() >= RTB_CASE_COUNT)
		;
	const struct rtb_case *c = &rtb_cases[boot_case()];
	boot_next_case();
	return c;
}

#endif

const struct rtb_case *report_conversation(struct rtb_command *cmd,
					   uint32_t (*raw_max)(const struct rtb_case *c))
{
	const struct rtb_case *c = converse(cmd, raw_max);
	hello(cmd, c);
	board_drain();
	return c;
}

static void mark(void)
{
	struct rtb_elapsed elapsed = elapsed_now();
	frame_begin(&out, RTB_FRAME_MARK);
	frame_int(&out, "cycles", (uint32_t)elapsed.cycles);
	frame_int(&out, "timer", (uint32_t)elapsed.timer);
	frame_int(&out, "ticks", rtb_ticks());
	frame_end(&out);
	mark_cycles = (uint32_t)elapsed.cycles;
}

void report_mark(void)
{
	report_heartbeat_flush();
	mark();
}

static void mark_to_buffer(void)
{
	mark_length = mark_sent = 0;
	out.sink = to_mark;
	mark();
	out.sink = to_line;
}

void report_heartbeat(void)
{
	if (mark_sent < mark_length) {
		if (board_try_put(mark_byte[mark_sent]))
			mark_sent++;
	} else if (cycles_now() - mark_cycles >= BOARD_HCLK) {
		stack_main_run(mark_to_buffer);
	}
}

void report_heartbeat_flush(void)
{
	while (mark_sent < mark_length)
		to_line(mark_byte[mark_sent++]);
}

static void histogram(const struct rtb_stat *s)
{
	frame_list(&out, "exact");
	for (unsigned i = 0; i < RTB_HIST_EXACT; i++) {
		uint32_t count = stat_exact(s, i);
		if (count == 0)
			continue;
		frame_item(&out, (int64_t)s->min + i);
		frame_item(&out, count);
	}
	frame_list_end(&out);
	frame_list(&out, "tail");
	for (unsigned i = 0; i < RTB_HIST_TAIL; i++) {
		uint32_t count = stat_tail(s, i);
		if (count == 0)
			continue;
		frame_item(&out, i);
		frame_item(&out, count);
	}
	frame_list_end(&out);
	frame_int(&out, "neg", s->neg);
	frame_int(&out, "over", s->over);
}

void report_record(const struct rtb_case *c, const struct rtb_series *series)
{
	const struct rtb_stat *s = &series->stat;
	report_heartbeat_flush();
	frame_begin(&out, RTB_FRAME_RECORD);
	frame_str(&out, "case", c->name);
	frame_int(&out, "ver", c->version);
	frame_word(&out, "series", series->name);
	frame_str(&out, "unit", c->unit);
	frame_int(&out, "div", c->divisor);
	frame_int(&out, "n", s->n);
	frame_int(&out, "min", s->min);
	frame_int(&out, "max", s->max);
	frame_big_signed(&out, "sum", s->sum);
	frame_big(&out, "sumsq", s->sumsq);
	frame_int(&out, "imax", s->imax);
	frame_int(&out, "cold", series->cold);
	frame_int(&out, "warmup", RTB_WARMUP);
	frame_int(&out, "ticks", series->ticks);
	frame_int(&out, "discarded", 0);
	frame_int(&out, "cycles", (int64_t)series->cycles);
	frame_int(&out, "timer", (int64_t)series->timer);
	frame_reg(&out, "check", series->check);
	histogram(s);
	frame_end(&out);
}

#define RAW_PER_FRAME 1000 /* of at most 12 bytes each: below RTB_FRAME_MAX */

void report_raw(const struct rtb_case *c, const struct rtb_series *series, const int32_t *sample,
		uint32_t count)
{
	for (uint32_t from = 0; from < count; from += RAW_PER_FRAME) {
		frame_begin(&out, RTB_FRAME_RAW);
		frame_str(&out, "case", c->name);
		frame_word(&out, "series", series->name);
		frame_int(&out, "from", from);
		frame_list(&out, "v");
		for (uint32_t i = from; i < count && i < from + RAW_PER_FRAME; i++)
			frame_item(&out, sample[i]);
		frame_list_end(&out);
		frame_end(&out);
	}
}

void report_stack(const char *task, size_t bytes, size_t used, bool touched)
{
	frame_begin(&out, RTB_FRAME_STACK);
	frame_str(&out, "task", task);
	frame_int(&out, "bytes", (int64_t)bytes);
	frame_int(&out, "used", (int64_t)used);
	frame_bool(&out, "touched", touched);
	frame_end(&out);
}

void report_done(void)
{
	frame_begin(&out, RTB_FRAME_DONE);
	frame_reg(&out, "systick_ctrl", SYST_CSR);
	frame_reg(&out, "systick_load", SYST_RVR);
	frame_int(&out, "frames", out.seq);
	frame_end(&out);
	board_drain();
}

void report_fault(const char *kind, const struct rtb_fault *fault)
{
	out.sink = to_line;
	frame_begin(&out, RTB_FRAME_FAULT);
	frame_str(&out, "kind", kind);
	frame_reg(&out, "pc", fault->pc);
	frame_reg(&out, "lr", fault->lr);
	frame_reg(&out, "xpsr", fault->xpsr);
	frame_reg(&out, "cfsr", SCB_CFSR);
	frame_reg(&out, "hfsr", SCB_HFSR);
	frame_reg(&out, "mmfar", SCB_MMFAR);
	frame_reg(&out, "bfar", SCB_BFAR);
	frame_end(&out);
	board_drain();
}
