#include "vboard/board.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "vboard/bitbang.h"

/* Cycles at a stretch between two looks at the sockets. While a debugger talks the looks must
 * be frequent, for every transaction of it waits for one, be it a word or a Bus Pirate's batch of
 * them; when it has fallen silent the stretches grow again, twice as long after every so many. */
#define SLICE_FREE  1000000u
#define SLICE_WORD     2000u
#define SLICE_BATCH   16000u
#define SLICE_PATIENCE  128u
#define SLICE_REAL_NS   1e6

/* OpenOCD asks for a word or a batch and waits for its answer. After one stretch of execution
 * for it the board listens this long before it runs on by itself, and so wakes at once for
 * the next, where on a busy machine it would have used up its share of the processor. */
#define FLOOR_NS        300000l

/* While the core stands still nothing counts time, yet flash operations and characters under
 * way have to end: each word from the debugger lets this much pass, and so does the stop. */
#define PASSIVE_NS 10e6

/* Nobody needs a core at full speed that waits for a character, or that has been silent for
 * long: it goes on in real time, so that a forgotten board does not use up a processor. */
#define IDLE_POLLS     2000u
#define IDLE_POLL_NS   0.25e9
#define SILENT_NS      300e9
#define LAG_LIMIT_NS   50e6

#define PTY_LOOK_NS    50000000l

#define EXIT_NOT_DECLARED 124

static double chip_ns(const struct vb_board *b)
{
	return vb_rcc_ns_at(&b->chip->rcc, b->chip->m.cpu.cycles);
}

static void anchor(struct vb_board *b)
{
	b->wall_anchor = rtb_now_ns(b->clock);
	b->chip_anchor = chip_ns(b);
}

/* How far the chip's time is ahead of the wall's since the anchor; negative when behind. */
static double ahead_ns(const struct vb_board *b)
{
	return (chip_ns(b) - b->chip_anchor) - (double)(rtb_now_ns(b->clock) - b->wall_anchor);
}

/* ---- resets ---- */

static void after_reset(void *ctx)
{
	struct vb_board *b = ctx;

	if (!b->in_reset)
		rtb_log(RTB_LOG_DEBUG, "reset %u at cycle %llu", b->chip->resets,
			(unsigned long long)b->chip->m.cpu.cycles);
	vb_faults_after_reset(&b->faults, b->in_reset);
}

/* The core is held while the line is low and starts when it is let go; only that counts as a
 * reset of the chip. */
static void srst(void *ctx, bool asserted)
{
	struct vb_board *b = ctx;

	b->in_reset = asserted;
	vb_chip_reset(b->chip, VB_CAUSE_PIN);
	if (asserted)
		b->chip->resets--;
}

static void due_resets(struct vb_board *b)
{
	struct vb_faults *f = &b->faults;

	if (f->brownout_due) {
		f->brownout_due = f->reset_due = false;
		vb_dap_reset(&b->dap);
		vb_chip_reset(b->chip, VB_CAUSE_POWER);
	} else if (f->reset_due) {
		f->reset_due = false;
		vb_chip_reset(b->chip, VB_CAUSE_SOFTWARE);
	}
}

/* ---- the debug port ---- */

static bool read_denied(void *ctx, uint32_t addr)
{
	const struct vb_chip *c = ctx;

	return vb_fmc_read_protected(&c->fmc) && addr - VB_FLASH_BASE < VB_FLASH_SIZE;
}

static void debugger_left(struct vb_board *b)
{
	vb_lines_released(&b->lines);
	vb_buspirate_released(&b->pirate);
	vb_faults_debugger(&b->faults, false);
	rtb_buf_clear(&b->reply);
	rtb_log(RTB_LOG_INFO, "debugger left");
}

static void debug_flush(struct vb_board *b)
{
	while (b->reply.len) {
		long n = vb_endpoint_write(&b->debug_ep, b->reply.data, b->reply.len);
		if (n < 0)
			debugger_left(b);
		if (n <= 0)
			return;
		rtb_buf_drop(&b->reply, (size_t)n);
	}
}

static void debug_service(struct vb_board *b)
{
	static const size_t chunk_size = 65536;
	uint8_t chunk[chunk_size];

	if (vb_endpoint_accept(&b->debug_ep)) {
		rtb_log(RTB_LOG_INFO, "debugger %llu came", (unsigned long long)b->debug_ep.connections);
		vb_faults_debugger(&b->faults, true);
	}
	if (b->debug_ep.fd < 0)
		return;
	long n = vb_endpoint_read(&b->debug_ep, chunk, sizeof chunk);
	if (n < 0) {
		debugger_left(b);
		return;
	}
	if (n > 0) {
		b->quiet_slices = 0;
		b->passive = vb_rcc_cycles_of_ns(&b->chip->rcc, PASSIVE_NS);
		if (b->options->adapter == VB_ADAPTER_BUSPIRATE)
			vb_buspirate_feed(&b->pirate, chunk, (size_t)n, &b->reply);
		else
			vb_bitbang_feed(&b->lines, chunk, (size_t)n, &b->reply);
	}
	debug_flush(b);
}

/* ---- execution ---- */

static bool core_stands(const struct vb_board *b)
{
	const struct vb_cpu *c = &b->chip->m.cpu;

	return b->in_reset || b->faults.hung || c->debug.halted || c->lockup;
}

static bool asleep_for_good(const struct vb_board *b)
{
	const struct vb_machine *m = &b->chip->m;

	return m->cpu.sleeping && vb_sched_next(&m->sched) == UINT64_MAX;
}

static bool waits_for_character(const struct vb_board *b)
{
	const struct vb_usart *u = &b->chip->usart;
	uint64_t quiet = b->chip->m.cpu.cycles - u->last_activity;

	return u->idle_polls > IDLE_POLLS &&
	       quiet > vb_rcc_cycles_of_ns(&b->chip->rcc, IDLE_POLL_NS);
}

static bool long_silent(const struct vb_board *b)
{
	const struct vb_usart *u = &b->chip->usart;

	return b->chip->m.cpu.cycles - u->last_activity > vb_rcc_cycles_of_ns(&b->chip->rcc, SILENT_NS);
}

static void choose_pace(struct vb_board *b)
{
	bool listening = b->debug_ep.kind != VB_EP_NONE || b->serial.ep.kind != VB_EP_NONE;
	bool idle = listening && !b->options->cycles && (waits_for_character(b) || long_silent(b));
	enum vb_pace pace = b->options->realtime || idle ? VB_PACE_REAL : VB_PACE_FREE;

	if (pace != b->pace)
		anchor(b);
	b->pace = pace;
}

/* Time passes, the core does not. The machine lets it for a halted or locked core; a hung one,
 * or one held in reset, is led from event to event here, so that it gets no time to execute. */
static void pass_time(struct vb_board *b, uint64_t cycles)
{
	struct vb_machine *m = &b->chip->m;
	uint64_t until = m->cpu.cycles + cycles;

	do {
		if (b->faults.hung || b->in_reset) {
			uint64_t next = vb_sched_next(&m->sched);
			next = next < until ? next : until;
			if (next > m->cpu.cycles)
				m->cpu.cycles = next;
			vb_machine_run(m, m->cpu.cycles); /* events and resets alone */
		} else {
			vb_machine_run(m, until);
		}
	} while (m->cpu.cycles < until && core_stands(b));
}

static uint64_t slice(const struct vb_board *b)
{
	const struct vb_chip *c = b->chip;
	uint64_t n = SLICE_FREE;

	if (b->debug_ep.fd >= 0 && b->quiet_slices < 6 * SLICE_PATIENCE)
		n = (uint64_t)(b->options->adapter == VB_ADAPTER_BUSPIRATE ? SLICE_BATCH : SLICE_WORD)
		    << b->quiet_slices / SLICE_PATIENCE;
	if (b->pace == VB_PACE_REAL) {
		uint64_t real = vb_rcc_cycles_of_ns(&c->rcc, SLICE_REAL_NS);
		n = real < n ? real : n;
	}
	if (b->options->cycles && b->options->cycles - c->m.cpu.cycles < n)
		n = b->options->cycles - c->m.cpu.cycles;
	return n;
}

/* One stretch of execution, or of standing still. */
static void execute(struct vb_board *b)
{
	struct vb_machine *m = &b->chip->m;

	if (core_stands(b)) {
		if (!b->stood_still)
			b->passive = vb_rcc_cycles_of_ns(&b->chip->rcc, PASSIVE_NS);
		b->stood_still = true;
		uint64_t n = b->options->cycles ? slice(b) : b->passive;
		b->passive = 0;
		if (n)
			pass_time(b, n);
	} else if (!vb_serial_blocked(&b->serial)) {
		if (b->stood_still) /* what passed for the debugger's sake the wall need not catch up with */
			anchor(b);
		b->stood_still = false;
		vb_machine_run(m, m->cpu.cycles + slice(b));
		b->quiet_slices++;
	}
	due_resets(b);
}

static bool finished(const struct vb_board *b)
{
	return b->semihost.exited ||
	       (b->options->cycles && b->chip->m.cpu.cycles >= b->options->cycles);
}

/* ---- waiting ---- */

/* Until the wall has caught up with the chip. */
static long pace_ns(struct vb_board *b)
{
	double ahead = ahead_ns(b);

	if (ahead < -LAG_LIMIT_NS) { /* too slow: do not run after it for ever */
		b->late++;
		anchor(b);
	}
	return ahead > 0 ? (long)ahead : 0;
}

/* How long to wait for the sockets: 0 when there is something to run, -1 for ever. */
static long wait_ns(struct vb_board *b)
{
	bool look = vb_endpoint_needs_look(&b->serial.ep) || vb_endpoint_needs_look(&b->debug_ep);
	long forever = look ? PTY_LOOK_NS : -1;

	if (!b->options->cycles) {
		if (core_stands(b))
			return b->passive || !b->stood_still ? 0 : forever;
		if (vb_serial_blocked(&b->serial))
			return forever;
		if (asleep_for_good(b) && !b->options->realtime)
			return forever;
		if (b->debug_ep.fd >= 0 && b->quiet_slices == 1)
			return FLOOR_NS;
	}
	return b->pace == VB_PACE_REAL ? pace_ns(b) : 0;
}

static void wait_and_serve(struct vb_board *b, const sigset_t *signals)
{
	struct pollfd p[4];
	long ns = wait_ns(b);
	struct timespec t = { ns > 0 ? ns / 1000000000l : 0, ns > 0 ? ns % 1000000000l : 0 };
	unsigned n = vb_endpoint_poll(&b->debug_ep, true, b->reply.len > 0, p);

	n += vb_serial_poll(&b->serial, p + n);
	if (ppoll(p, n, ns < 0 ? NULL : &t, signals) < 0)
		return; /* a signal; the caller looks at its flag */
	debug_service(b);
	vb_serial_service(&b->serial);
}

void vb_board_run(struct vb_board *b, const volatile sig_atomic_t *stop, const sigset_t *signals)
{
	while (!*stop && !finished(b)) {
		wait_and_serve(b, signals);
		if (*stop)
			break;
		choose_pace(b);
		execute(b);
	}
}

int vb_board_exit_code(const struct vb_board *b)
{
	if (b->semihost.exited)
		return b->semihost.exit_code;
	return b->options->semihosting && b->options->cycles ? EXIT_NOT_DECLARED : 0;
}

/* ---- beginning and end ---- */

static enum rtb_status load(struct vb_board *b, struct rtb_error *e)
{
	struct vb_chip *c = b->chip;
	const struct vb_region region[] = {
		{ "flash", VB_FLASH_BASE, VB_FLASH_SIZE, c->flash },
		{ "sram", VB_SRAM_BASE, VB_SRAM_SIZE, c->sram },
	};

	if (!b->options->load)
		return RTB_OK;
	enum rtb_status s = vb_elf_load_file(b->options->load, region, 2, e);
	if (s == RTB_OK) {
		vb_bus_code_changed(&c->m.bus, VB_FLASH_BASE, VB_FLASH_SIZE);
		vb_bus_code_changed(&c->m.bus, VB_SRAM_BASE, VB_SRAM_SIZE);
	}
	return s;
}

static void wire_up(struct vb_board *b)
{
	const struct vb_options *o = b->options;
	struct vb_chip *c = b->chip;

	vb_dap_init(&b->dap, &c->m.bus);
	b->dap.denied = read_denied;
	b->dap.denied_ctx = c;
	vb_lines_init(&b->lines, &b->dap);
	vb_buspirate_init(&b->pirate, &b->lines);
	b->lines.on_srst = srst;
	b->lines.ctx = b;
	b->lines.cut_off = &c->ports.afio.debug_off;
	for (unsigned i = 0; i < o->faults; i++)
		b->faults.list[b->faults.count++] = o->fault[i];
	vb_faults_attach(&b->faults, c, &b->lines);
	vb_serial_init(&b->serial, &c->usart, &b->faults, &o->serial, o->realtime);
	c->on_reset = after_reset;
	c->reset_ctx = b;
	c->usart.host_baud = o->baud;
	c->rcc.hxtal_hz = o->hxtal_hz;
	if (o->has_uid)
		vb_chip_set_uid(c, o->uid);
	if (o->semihosting)
		vb_semihost_init(&b->semihost, &c->m, STDOUT_FILENO);
}

enum rtb_status vb_board_start(struct vb_board *b, const struct vb_options *options,
			       const struct rtb_clock *clock, struct rtb_error *e)
{
	*b = (struct vb_board){ .options = options, .clock = clock, .debug_ep = options->debug };
	b->chip = rtb_alloc(sizeof *b->chip);
	vb_chip_init(b->chip);
	wire_up(b);
	enum rtb_status s = vb_endpoint_open(&b->debug_ep, e);
	if (s == RTB_OK)
		s = vb_endpoint_open(&b->serial.ep, e);
	if (s == RTB_OK && options->trace)
		s = vb_trace_open(&b->trace, &b->chip->m, options->trace, e);
	if (s == RTB_OK) {
		vb_chip_reset(b->chip, VB_CAUSE_POWER);
		s = load(b, e);
	}
	if (s == RTB_OK && options->load) {
		/* Power-on has blurred the RAM before the load, and the vector table was not there
		 * yet: let the core fetch it now. */
		b->chip->resets = b->faults.restart = 0;
		b->chip->rcc.cause = VB_CAUSE_POWER;
		vb_machine_reset(&b->chip->m, VB_RESET_SYSTEM);
	}
	anchor(b);
	if (s != RTB_OK)
		vb_board_stop(b, e);
	return s;
}

static void report(const struct vb_board *b)
{
	const struct vb_usart *u = &b->chip->usart;

	rtb_log(RTB_LOG_INFO, "%llu cycles, %u resets, %llu characters out, %llu in",
		(unsigned long long)b->chip->m.cpu.cycles, b->chip->resets,
		(unsigned long long)u->sent, (unsigned long long)u->received);
	rtb_log(RTB_LOG_INFO, "lost: %llu unheard, %llu dropped, %llu overrun; late %llu times",
		(unsigned long long)b->serial.unheard, (unsigned long long)b->serial.dropped,
		(unsigned long long)u->overruns, (unsigned long long)b->late);
}

enum rtb_status vb_board_stop(struct vb_board *b, struct rtb_error *e)
{
	enum rtb_status s = vb_trace_close(&b->trace, e);

	report(b);
	vb_endpoint_close(&b->debug_ep);
	vb_serial_free(&b->serial);
	rtb_buf_free(&b->reply);
	vb_buspirate_free(&b->pirate);
	vb_chip_free(b->chip);
	free(b->chip);
	b->chip = NULL;
	return s;
}
