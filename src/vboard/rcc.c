#include "vboard/rcc.h"

#include <stdlib.h>

#define RCC_BASE 0x40021000u

/* CR */
#define IRC_ON    (1u << 0)
#define IRC_RDY   (1u << 1)
#define HX_ON     (1u << 16)
#define HX_RDY    (1u << 17)
#define PLL_ON    (1u << 24)
#define PLL_RDY   (1u << 25)
#define CR_RDY    (IRC_RDY | HX_RDY | PLL_RDY)
#define CR_RESET  0x00004A83u /* calibration byte as one sample of the chip reads */
#define CR_WRITABLE 0x010D00F9u
/* CFGR */
#define CFG_SW      3u
#define CFG_PLLSRC  (1u << 16)
#define CFG_PREDV0  (1u << 17)
#define CFG_PLL_BITS (CFG_PLLSRC | CFG_PREDV0 | 0xFu << 18 | 1u << 27)
#define CFG_WRITABLE 0x9FFFFFF3u /* without SWS and reserved bits */
/* CSR */
#define CSR_LSION  (1u << 0)
#define CSR_LSIRDY (1u << 1)
#define CSR_RMVF   (1u << 24)
#define CSR_PIN    (1u << 26)
#define CSR_POR    (1u << 27)
#define CSR_SFT    (1u << 28)
#define CSR_FLAGS  0xFC000000u
/* BDCR */
#define BD_LXTAL_ON  (1u << 0)
#define BD_LXTAL_RDY (1u << 1)
#define BD_WRITABLE  0x00018305u

/* Start-up times (GD32F103xx data sheet, clock characteristics): typical figures. */
#define IRC_START_NS    1500.0
#define HX_START_NS  2000000.0
#define PLL_LOCK_NS   100000.0

unsigned vb_rcc_pll_mul(uint32_t cfgr)
{
	unsigned low = cfgr >> 18 & 0xF;

	if (cfgr & 1u << 27)
		return 17 + low;       /* 10000b is 17, 11111b is 32 */
	return low >= 14 ? 16 : low + 2; /* 01110b and 01111b are both 16 */
}

unsigned vb_rcc_ahb_div(uint32_t cfgr)
{
	static const uint16_t div[8] = { 2, 4, 8, 16, 64, 128, 256, 512 };
	unsigned field = cfgr >> 4 & 0xF;

	return field & 8 ? div[field & 7] : 1;
}

unsigned vb_rcc_apb_div(unsigned field)
{
	return field & 4 ? 2u << (field & 3) : 1;
}

static uint32_t source_hz(const struct vb_rcc *r, unsigned sw)
{
	if (sw == 0)
		return VB_IRC8M_HZ;
	if (sw == 1)
		return r->hxtal_hz;
	uint32_t in = VB_IRC8M_HZ / 2;
	if (r->cfgr & CFG_PLLSRC)
		in = r->cfgr & CFG_PREDV0 ? r->hxtal_hz / 2 : r->hxtal_hz;
	return in * vb_rcc_pll_mul(r->cfgr);
}

static bool source_ready(const struct vb_rcc *r, unsigned sw)
{
	static const uint32_t flag[3] = { IRC_RDY, HX_RDY, PLL_RDY };

	return sw < 3 && (r->cr & flag[sw]) && source_hz(r, sw) != 0;
}

double vb_rcc_real_hz(const struct vb_rcc *r)
{
	return r->hclk_hz * r->factor;
}

static void book_time(struct vb_rcc *r)
{
	uint64_t now = r->m->cpu.cycles;

	r->mark_ns = vb_rcc_ns_at(r, now);
	r->mark_cycle = now;
}

void vb_rcc_set_factor(struct vb_rcc *r, double factor)
{
	book_time(r);
	r->factor = factor;
}

double vb_rcc_ns_at(const struct vb_rcc *r, uint64_t cycle)
{
	return r->mark_ns + (double)(cycle - r->mark_cycle) * 1e9 / vb_rcc_real_hz(r);
}

uint64_t vb_rcc_cycles_of_ns(const struct vb_rcc *r, double ns)
{
	uint64_t n = (uint64_t)(ns * vb_rcc_real_hz(r) / 1e9 + 0.5);

	return n ? n : 1;
}

unsigned vb_rcc_apb2_ratio(const struct vb_rcc *r)
{
	return vb_rcc_apb_div(r->cfgr >> 11 & 7);
}

unsigned vb_rcc_tim2_ratio(const struct vb_rcc *r)
{
	unsigned div = vb_rcc_apb_div(r->cfgr >> 8 & 7);

	return div == 1 ? 1 : div / 2; /* RM0008 figure 8: TIMxCLK is twice PCLK1 when divided */
}

bool vb_rcc_gate_on(const struct vb_rcc *r, struct vb_gate g)
{
	switch (g.reg) {
	case 0x14: return r->ahbenr & g.mask;
	case 0x18: return r->apb2enr & g.mask;
	case 0x1C: return r->apb1enr & g.mask;
	default:   return true;
	}
}

void vb_rcc_listen(struct vb_rcc *r, void (*fn)(void *ctx, bool after), void *ctx)
{
	if (r->listeners == VB_RCC_LISTENERS)
		abort();
	r->listener[r->listeners].fn = fn;
	r->listener[r->listeners++].ctx = ctx;
}

static void tell(struct vb_rcc *r, bool after)
{
	for (unsigned i = 0; i < r->listeners; i++)
		r->listener[i].fn(r->listener[i].ctx, after);
}

/* Lets the clock follow cfgr and the ready flags; the real time so far is booked first. */
static void set_clock(struct vb_rcc *r, uint32_t cfgr)
{
	tell(r, false);
	book_time(r);
	r->cfgr = cfgr;
	/* The switch waits until the wanted source is ready (RM0008 section 7.3.2). */
	if (source_ready(r, cfgr & CFG_SW))
		r->sw_now = cfgr & CFG_SW;
	r->hclk_hz = source_hz(r, r->sw_now) / vb_rcc_ahb_div(cfgr);
	if (r->hclk_hz == 0)
		r->hclk_hz = 1;
	tell(r, true);
}

static void ready(struct vb_rcc *r, uint32_t flag)
{
	r->cr |= flag;
	set_clock(r, r->cfgr);
}

static void irc_fire(void *ctx, uint64_t at) { (void)at; ready(ctx, IRC_RDY); }
static void hxtal_fire(void *ctx, uint64_t at) { (void)at; ready(ctx, HX_RDY); }
static void pll_fire(void *ctx, uint64_t at) { (void)at; ready(ctx, PLL_RDY); }

/* An oscillator switched on becomes ready after its time, one switched off stops at once. */
static void oscillator(struct vb_rcc *r, uint32_t old, uint32_t on, uint32_t flag,
		       struct vb_event *ev, double ns)
{
	if ((r->cr & on) && !(old & on)) {
		vb_sched_at(&r->m->sched, ev, r->m->cpu.cycles + vb_rcc_cycles_of_ns(r, ns));
	} else if (!(r->cr & on)) {
		vb_sched_cancel(&r->m->sched, ev);
		r->cr &= ~flag;
	}
}

/* What the system clock stands on cannot be switched off (RM0008 section 7.3.1). */
static uint32_t in_use(const struct vb_rcc *r)
{
	bool pll_on_hx = r->cfgr & CFG_PLLSRC;

	switch (r->sw_now) {
	case 0:  return IRC_ON;
	case 1:  return HX_ON;
	default: return PLL_ON | (pll_on_hx ? HX_ON : IRC_ON);
	}
}

static void cr_write(struct vb_rcc *r, uint32_t value)
{
	uint32_t old = r->cr;

	r->cr = (old & ~CR_WRITABLE) | (value & CR_WRITABLE) | in_use(r);
	oscillator(r, old, IRC_ON, IRC_RDY, &r->irc_ready, IRC_START_NS);
	if (r->hxtal_hz)
		oscillator(r, old, HX_ON, HX_RDY, &r->hxtal_ready, HX_START_NS);
	oscillator(r, old, PLL_ON, PLL_RDY, &r->pll_ready, PLL_LOCK_NS);
}

static void cfgr_write(struct vb_rcc *r, uint32_t value)
{
	uint32_t may = CFG_WRITABLE;

	if (r->cr & PLL_ON) /* source and factor are only writable while the PLL is off */
		may &= ~CFG_PLL_BITS;
	set_clock(r, (r->cfgr & ~may) | (value & may));
}

static void bdcr_write(struct vb_rcc *r, uint32_t value)
{
	r->bdcr = value & BD_WRITABLE;
	if (value & 1u << 16)
		r->bdcr = 1u << 16;
	if (r->bdcr & BD_LXTAL_ON)
		r->bdcr |= BD_LXTAL_RDY;
}

static void csr_write(struct vb_rcc *r, uint32_t value)
{
	uint32_t flags = value & CSR_RMVF ? 0 : r->csr & CSR_FLAGS;

	r->csr = flags | (value & (CSR_LSION | CSR_RMVF));
	if (value & CSR_LSION)
		r->csr |= CSR_LSIRDY;
}

static uint32_t *plain(struct vb_rcc *r, uint32_t offset)
{
	switch (offset) {
	case 0x08: return &r->cir;
	case 0x0C: return &r->apb2rstr;
	case 0x10: return &r->apb1rstr;
	case 0x14: return &r->ahbenr;
	case 0x18: return &r->apb2enr;
	case 0x1C: return &r->apb1enr;
	default:   return NULL;
	}
}

static uint32_t rcc_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_rcc *r = ctx;
	uint32_t word, at = offset & ~3u;
	uint32_t *p = plain(r, at);

	switch (at) {
	case 0x00: word = r->cr; break;
	case 0x04: word = r->cfgr | r->sw_now << 2; break;
	case 0x20: word = r->bdcr; break;
	case 0x24: word = r->csr; break;
	default:   word = p ? *p : 0; break;
	}
	word >>= 8 * (offset & 3);
	return size == 4 ? word : word & ((1u << 8 * size) - 1);
}

static void rcc_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_rcc *r = ctx;
	uint32_t at = offset & ~3u;
	uint32_t *p = plain(r, at);

	if (size != 4) { /* byte and half-word writes keep the rest of the word */
		unsigned shift = 8 * (offset & 3);
		uint32_t mask = ((1u << 8 * size) - 1) << shift;
		value = (rcc_read(r, at, 4) & ~mask) | (value << shift & mask);
	}
	if (p && (at == 0x0C || at == 0x10) && r->on_device_reset)
		r->on_device_reset(r->reset_ctx, at, value & ~*p);
	if (p) {
		*p = value;
		return;
	}
	switch (at) {
	case 0x00: cr_write(r, value); break;
	case 0x04: cfgr_write(r, value); break;
	case 0x20: bdcr_write(r, value); break;
	case 0x24: csr_write(r, value); break;
	default: break;
	}
}

static void rcc_reset(void *ctx)
{
	struct vb_rcc *r = ctx;

	vb_sched_cancel(&r->m->sched, &r->irc_ready);
	vb_sched_cancel(&r->m->sched, &r->hxtal_ready);
	vb_sched_cancel(&r->m->sched, &r->pll_ready);
	r->cr = CR_RESET;
	r->cir = r->apb2rstr = r->apb1rstr = r->apb2enr = r->apb1enr = 0;
	r->ahbenr = 0x14; /* SRAM and flash interface */
	/* The backup domain outlives a system reset, and the flags add up until removed. Every
	 * reset pulls NRST, so the pin flag is always among them. */
	if (r->cause == VB_CAUSE_POWER) {
		r->bdcr = 0;
		r->csr = CSR_POR;
	} else if (r->cause == VB_CAUSE_SOFTWARE) {
		r->csr |= CSR_SFT;
	}
	r->csr = (r->csr & CSR_FLAGS) | CSR_PIN;
	r->cause = VB_CAUSE_SOFTWARE;
	set_clock(r, 0);
}

static const struct vb_device_ops rcc_ops = { rcc_read, rcc_write };

void vb_rcc_init(struct vb_rcc *r, struct vb_machine *m)
{
	*r = (struct vb_rcc){ .m = m, .hxtal_hz = 8000000, .factor = 1.0,
			      .cause = VB_CAUSE_POWER, .cr = CR_RESET,
			      .hclk_hz = VB_IRC8M_HZ, .ahbenr = 0x14 };
	r->irc_ready = (struct vb_event){ .fire = irc_fire, .ctx = r };
	r->hxtal_ready = (struct vb_event){ .fire = hxtal_fire, .ctx = r };
	r->pll_ready = (struct vb_event){ .fire = pll_fire, .ctx = r };
	vb_bus_map_device(&m->bus, RCC_BASE, 0x400, &rcc_ops, r);
	vb_machine_add(m, (struct vb_device){ "rcc", r, rcc_reset });
}
