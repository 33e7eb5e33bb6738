#include "sweep/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/rcc.h"

#define READ ORIGIN_READ
#define MARKS_MIN_NS 100000000u /* below, the jitter of a USB adapter is all that one would see */

static const char *yes_no(bool b)
{
	return b ? "yes" : "no";
}

static void fact_if(struct rtb_run *run, enum rtb_prov_key k, enum rtb_origin o, const char *value)
{
	if (value && *value)
		rtb_run_fact(run, k, o, value);
}

static void facts_of_compiler(struct rtb_run *run, const struct rtb_toolchain *tools, const struct rtb_firmware *f)
{
	rtb_run_fact(run, PROV_CC_PATH, READ, tools->path);
	rtb_run_fact(run, PROV_CC_VERSION, READ, tools->version);
	rtb_run_fact(run, PROV_CC_HASH, READ, tools->hash);
	char *flags = rtb_strdup(f->flags ? f->flags : "");
	for (char *p = flags; (p = strchr(p, '\n'));)
		*p = ' ';
	fact_if(run, PROV_CC_FLAGS, READ, flags);
	free(flags);
	fact_if(run, PROV_CC_ELF_FLAGS, READ, f->image.flags);
	fact_if(run, PROV_CC_ELF_COMMENT, READ, f->image.comment);
}

static void footprint(struct rtb_run *run, const char *part, uint32_t flash, uint32_t ram)
{
	struct rtb_footprint *f = rtb_run_add_footprint(run);
	f->part = rtb_strdup(part);
	f->flash = flash;
	f->ram = ram;
}

/* What switches tickless idle on in the configuration headers of the kernels that have it. */
static const char *const tickless_switch[] = {
	"configUSE_TICKLESS_IDLE", "TX_LOW_POWER", "LOSCFG_KERNEL_LOWPOWER", "CH_CFG_ST_TIMEDELTA", "RT_USING_PM",
};

/* Value of the last `#define name value` in text, with its length; NULL when there is none. */
static const char *define_of(const char *text, const char *name, size_t *len)
{
	const char *found = NULL;
	size_t n = strlen(name);
	for (const char *p = text; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
		const char *w = p + strspn(p, " \t");
		if (*w != '#')
			continue;
		w += 1 + strspn(w + 1, " \t");
		if (strncmp(w, "define", 6) != 0)
			continue;
		w += 6 + strspn(w + 6, " \t");
		if (strncmp(w, name, n) != 0 || !strchr(" \t\r\n", w[n]))
			continue;
		found = w + n + strspn(w + n, " \t(");
		*len = strcspn(found, " \t\r\n)");
	}
	return found;
}

static void fact_of_tickless(struct rtb_run *run, const char *config)
{
	for (size_t i = 0; config && i < sizeof tickless_switch / sizeof *tickless_switch; i++) {
		size_t len;
		const char *value = define_of(config, tickless_switch[i], &len);
		if (value)
			rtb_run_fact(run, PROV_TICKLESS, READ, yes_no(!(len == 1 && *value == '0')));
	}
}

/* Of the whole image; which of its cases were run is the check's business. */
static void facts_of_measured(struct rtb_run *run, const struct rtb_measured_list *l)
{
	struct rtb_buf faults = {0}, layout = {0};
	for (size_t i = 0; i < l->n; i++) {
		const struct rtb_measured *m = &l->v[i];
		rtb_buf_fmt(&layout, "%s 0x%08x %u: %s\n", m->name, m->addr, m->align, m->calls);
		if (m->fault)
			rtb_buf_fmt(&faults, "%s%s: %s", faults.len ? "; " : "", m->name, m->fault);
	}
	fact_if(run, PROV_CODE_LAYOUT, READ, layout.data);
	if (l->n)
		rtb_run_fact(run, PROV_MEASURED_CALLS, READ, faults.len ? faults.data : "ok");
	rtb_buf_free(&faults);
	rtb_buf_free(&layout);
}

void rtb_facts_of_build(struct rtb_run *run, const struct rtb_plan *plan, const struct rtb_plan_cell *c,
			const struct rtb_kernel_state *kernel, const struct rtb_toolchain *tools,
			const struct rtb_built *built)
{
	const struct rtb_target *t = &plan->target[c->target];
	const struct rtb_firmware *f = &built->firmware;
	const struct rtb_kernel *k = &plan->kernel[c->kernel];
	rtb_run_fact(run, PROV_KERNEL, ORIGIN_DECLARED, k->entry ? k->entry->port : k->name);
	rtb_run_fact(run, PROV_PORT, ORIGIN_DECLARED, k->entry ? k->entry->port : k->name);
	fact_if(run, PROV_KERNEL_COMMIT, READ, kernel->git.commit);
	if (kernel->git.commit[0])
		rtb_run_fact(run, PROV_KERNEL_DIRTY, READ, yes_no(kernel->git.dirty));
	rtb_run_fact(run, PROV_KERNEL_HASH, READ, kernel->kernel_hash);
	rtb_run_fact(run, PROV_PORT_HASH, READ, kernel->port_hash);
	fact_if(run, PROV_CONFIG_TEXT, READ, kernel->config_text);
	fact_of_tickless(run, kernel->config_text);
	if (kernel->config_text)
		rtb_run_fact(run, PROV_CONFIG_HASH, READ, kernel->config_hash);
	rtb_run_fact(run, PROV_OPT, ORIGIN_DECLARED, c->opt);
	rtb_run_fact(run, PROV_INSTRUMENTED, ORIGIN_DECLARED, yes_no(c->instrumented));
	rtb_run_fact(run, PROV_TARGET, ORIGIN_DECLARED, t->name);
	rtb_run_factf(run, PROV_CLOCK_DECLARED, ORIGIN_DECLARED, "%u", t->mcu.hclk_hz);
	rtb_run_fact(run, PROV_TIME_BASE, ORIGIN_DECLARED, strcmp(t->time_base, "virtual") == 0 ? "virtual time" : "real time");
	rtb_run_factf(run, PROV_SAMPLES, ORIGIN_DECLARED, "%u", plan->samples);
	char host[256] = "";
	gethostname(host, sizeof host - 1);
	fact_if(run, PROV_HOST, READ, host);
	facts_of_compiler(run, tools, f);
	if (built->status)
		return;
	fact_if(run, PROV_BUILD_ID, READ, f->image.build_id);
	fact_if(run, PROV_IMAGE_HASH, READ, f->image.sha256);
	facts_of_measured(run, &f->measured);
	footprint(run, "total", f->flash_bytes, f->ram_bytes);
	for (size_t i = 0; i < f->parts.n; i++)
		footprint(run, f->parts.v[i].name, f->parts.v[i].flash, f->parts.v[i].ram);
	footprint(run, "measured image", f->image.flash_bytes, f->image.ram_bytes);
}

void rtb_facts_of_board(struct rtb_run *run, const struct rtb_board *b, const struct rtb_flash_result *f)
{
	fact_if(run, PROV_OPENOCD_VERSION, READ, b->tool.version);
	if (f->probe[0])
		rtb_run_fact(run, PROV_PROBE, READ, f->probe);
	else
		fact_if(run, PROV_PROBE, ORIGIN_DECLARED, b->target->openocd.probe_serial);
	rtb_run_fact(run, PROV_BOARD, ORIGIN_DECLARED, b->target->name);
	fact_if(run, PROV_DP_ID, READ, f->dp_id);
	fact_if(run, PROV_BOARD_UID, READ, f->uid);
	if (f->flash_kib_known)
		rtb_run_factf(run, PROV_FLASH_KIB, READ, "%u", f->flash_kib);
	if (b->link)
		rtb_run_fact(run, PROV_LINK, READ, rtb_link_name(b->link));
}

static void facts_of_hello(struct rtb_run *run, const struct rtb_target *t, const struct rtb_hello *h)
{
	rtb_run_fact(run, PROV_KERNEL, READ, h->kernel);
	fact_if(run, PROV_KERNEL_VERSION, READ, h->kernel_version);
	fact_if(run, PROV_PORT_VERSION, READ, h->port_version);
	fact_if(run, PROV_OPT, READ, h->opt);
	rtb_run_fact(run, PROV_INSTRUMENTED, READ, yes_no(h->instrumented));
	rtb_run_fact(run, PROV_BUILD_ID_BOARD, READ, h->build);
	uint32_t hclk = rtb_rcc_hclk(t->mcu.family, h->rcc_cfgr, t->mcu.hxtal_hz);
	if (hclk)
		rtb_run_factf(run, PROV_CLOCK_SET, READ, "%u", hclk);
	fact_if(run, PROV_CLOCK_SOURCE, READ, h->clock_source);
	rtb_run_factf(run, PROV_CLOCK_REGS, READ, "0x%08x 0x%08x", h->rcc_cr, h->rcc_cfgr);
	rtb_run_factf(run, PROV_FLASH_ACR, READ, "0x%08x", h->flash_acr);
	rtb_run_factf(run, PROV_TICK_HZ, READ, "%u", h->tick_hz);
	rtb_run_factf(run, PROV_STACK_BYTES, READ, "%u", h->stack_bytes);
	rtb_run_fact(run, PROV_COUNTER, READ, "DWT CYCCNT");
	rtb_run_factf(run, PROV_READ_COST, READ, "%u", h->read_cost);
	rtb_run_factf(run, PROV_SAMPLES, READ, "%u", h->samples);
	rtb_run_fact(run, PROV_DEBUGGER, READ, yes_no(h->dhcsr & 1));
	rtb_run_factf(run, PROV_DEBUG_REGS, READ, "0x%08x 0x%08x 0x%08x", h->dhcsr, h->demcr, h->dbgmcu_cr);
	rtb_run_factf(run, PROV_PROTO, READ, "%u", h->proto);
	rtb_run_factf(run, PROV_CORE_ID, READ, "0x%08x", h->core);
	fact_if(run, PROV_RESET_CAUSE, READ, h->reset);
	/* The worst case of the run: a counter that stood still once is enough. */
	const char *before = rtb_run_get(run, PROV_SELFTEST);
	if (!before || h->selftest_start == h->selftest_end)
		rtb_run_factf(run, PROV_SELFTEST, READ, "%u %u", h->selftest_start, h->selftest_end);
}

/* SYST_CSR, SYST_RVR: ARMv7-M manual B3.3. CLKSOURCE 0 is the external reference, which is
 * HCLK / 8 on these chips. */
static void facts_of_tick(struct rtb_run *run, uint32_t ctrl, uint32_t load)
{
	const char *set = rtb_run_get(run, PROV_CLOCK_SET);
	uint32_t hclk = set ? (uint32_t)strtoul(set, NULL, 10) : 0;
	if (!(ctrl & 1)) { /* off: a kernel without a tick */
		rtb_run_fact(run, PROV_TICK_SET, READ, "0");
		return;
	}
	if (!hclk || load == 0)
		return;
	uint64_t input = ctrl & 4 ? hclk : hclk / 8;
	rtb_run_factf(run, PROV_TICK_SET, READ, "%llu", (unsigned long long)((input + (load + 1) / 2) / (load + 1)));
}

static void add_raw(struct rtb_run *run, const struct rtb_raw_part *p)
{
	for (size_t i = 0; i < run->record_count; i++) {
		struct rtb_record *r = &run->records[i];
		if (strcmp(r->case_name, p->case_name) != 0 || strcmp(r->series, p->series) != 0 || p->from != r->raw_count)
			continue;
		r->raw = rtb_realloc(r->raw, (r->raw_count + p->count) * sizeof *r->raw);
		memcpy(r->raw + r->raw_count, p->v, p->count * sizeof *r->raw);
		r->raw_count += p->count;
		return;
	}
}

static void add_stack(struct rtb_run *run, const struct rtb_stack_mark *m)
{
	struct rtb_stack_mark *have = NULL;
	for (size_t i = 0; i < run->stack_count && !have; i++)
		if (strcmp(run->stacks[i].task, m->task) == 0 && run->stacks[i].bytes == m->bytes)
			have = &run->stacks[i];
	if (!have) {
		have = rtb_run_add_stack(run);
		have->task = rtb_strdup(m->task);
		have->bytes = m->bytes;
	}
	if (m->used > have->used)
		have->used = m->used;
	have->touched |= m->touched;
}

/* Distance between the first and the last mark; marks come at least once a second, so 32 bits
 * of cycles do not wrap twice between two of them. */
static void add_marks(const struct rtb_message_list *l, struct rtb_clock_marks *marks)
{
	const struct rtb_message *last = NULL;
	for (size_t i = 0; i < l->count; i++) {
		const struct rtb_message *m = &l->m[i];
		if (m->type != RTB_FRAME_MARK)
			continue;
		if (last) {
			marks->cycles += (uint32_t)(m->u.mark.cycles - last->u.mark.cycles);
			marks->ns += m->at_ns - last->at_ns;
		}
		last = m;
	}
}

void rtb_facts_of_case(struct rtb_run *run, const struct rtb_target *t, struct rtb_message_list *list,
		       struct rtb_clock_marks *marks)
{
	for (size_t i = 0; i < list->count; i++) {
		struct rtb_message *m = &list->m[i];
		switch (m->type) {
		case RTB_FRAME_HELLO:
			facts_of_hello(run, t, &m->u.hello);
			break;
		case RTB_FRAME_RECORD: {
			struct rtb_record *r = rtb_run_add_record(run);
			*r = m->u.record;
			r->supported = true;
			m->u.record = (struct rtb_record){0};
			break;
		}
		case RTB_FRAME_RAW:
			add_raw(run, &m->u.raw);
			break;
		case RTB_FRAME_STACK:
			add_stack(run, &m->u.stack);
			break;
		case RTB_FRAME_DONE:
			facts_of_tick(run, m->u.done.systick_ctrl, m->u.done.systick_load);
			break;
		default:
			break;
		}
	}
	add_marks(list, marks);
}

void rtb_facts_unsupported(struct rtb_run *run, const char *case_name)
{
	size_t n;
	const struct rtb_case_info *c = rtb_case_table(&n);
	struct rtb_record *r = rtb_run_add_record(run);
	r->case_name = rtb_strdup(case_name);
	r->series = rtb_strdup("");
	r->unit = rtb_strdup("cycles");
	r->div = 1;
	for (size_t i = 0; i < n; i++)
		if (strcmp(c[i].name, case_name) == 0)
			r->case_version = c[i].version;
}

void rtb_facts_of_clock(struct rtb_run *run, const struct rtb_target *t, const struct rtb_clock_marks *marks)
{
	if (strcmp(t->time_base, "virtual") == 0 || marks->ns < MARKS_MIN_NS)
		return;
	double hz = (double)marks->cycles * 1e9 / (double)marks->ns;
	rtb_run_factf(run, PROV_CLOCK_MEASURED, ORIGIN_MEASURED, "%.0f", hz);
	rtb_run_factf(run, PROV_CLOCK_DEVIATION, ORIGIN_MEASURED, "%.0f", (hz / t->mcu.hclk_hz - 1) * 1e6);
}
