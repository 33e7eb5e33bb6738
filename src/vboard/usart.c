#include "vboard/usart.h"

#define USART1_BASE 0x40013800u
#define IRQ_USART1  37

/* SR */
#define SR_PE   (1u << 0)
#define SR_FE   (1u << 1)
#define SR_NE   (1u << 2)
#define SR_ORE  (1u << 3)
#define SR_IDLE (1u << 4)
#define SR_RXNE (1u << 5)
#define SR_TC   (1u << 6)
#define SR_TXE  (1u << 7)
#define SR_RESET (SR_TC | SR_TXE)
#define SR_READ_CLEARED (SR_PE | SR_FE | SR_NE | SR_ORE | SR_IDLE)
/* CR1 */
#define CR1_RE     (1u << 2)
#define CR1_TE     (1u << 3)
#define CR1_IDLEIE (1u << 4)
#define CR1_RXNEIE (1u << 5)
#define CR1_TCIE   (1u << 6)
#define CR1_TXEIE  (1u << 7)
#define CR1_M      (1u << 12)
#define CR1_UE     (1u << 13)

/* Links are specified for less than the arithmetic allows: what lies between the two is
 * treated as the worse one. */
#define BAUD_TOLERANCE 0.04
#define BAUD_CERTAIN   0.06 /* from here on the last data bit is read from its neighbour */

static bool on(const struct vb_usart *u, uint32_t direction)
{
	return vb_rcc_gate_on(u->rcc, u->gate) && (u->cr1 & CR1_UE) && (u->cr1 & direction);
}

static void update_irq(struct vb_usart *u)
{
	bool level = ((u->cr1 & CR1_TXEIE) && (u->sr & SR_TXE)) ||
		     ((u->cr1 & CR1_TCIE) && (u->sr & SR_TC)) ||
		     ((u->cr1 & CR1_RXNEIE) && (u->sr & (SR_RXNE | SR_ORE))) ||
		     ((u->cr1 & CR1_IDLEIE) && (u->sr & SR_IDLE));

	vb_irq_set(u->m, IRQ_USART1, level && (u->cr1 & CR1_UE));
}

static void activity(struct vb_usart *u)
{
	u->last_activity = u->m->cpu.cycles;
	u->idle_polls = 0;
}

static unsigned char_bits(const struct vb_usart *u)
{
	return 1 + (u->cr1 & CR1_M ? 9 : 8) + ((u->cr2 >> 12 & 3) == 2 ? 2 : 1);
}

/* HCLK cycles in one bit: BRR counts sixteenths of sixteen, that is, APB2 cycles. */
static uint64_t bit_cycles(const struct vb_usart *u)
{
	return (uint64_t)(u->brr < 16 ? 16 : u->brr) * vb_rcc_apb2_ratio(u->rcc);
}

static double board_baud(const struct vb_usart *u)
{
	return vb_rcc_real_hz(u->rcc) / (double)bit_cycles(u);
}

uint8_t vb_usart_resample(uint8_t byte, double tx_baud, double rx_baud)
{
	double off = tx_baud / rx_baud - 1;

	if (off <= BAUD_TOLERANCE && off >= -BAUD_TOLERANCE)
		return byte;
	if (off > 0 && off < BAUD_CERTAIN)
		off = BAUD_CERTAIN;
	if (off < 0 && off > -BAUD_CERTAIN)
		off = -BAUD_CERTAIN;
	/* Start bit 0, eight data bits, then the line rests at 1. */
	uint32_t line = (uint32_t)byte << 1 | ~0x1FFu;
	uint8_t seen = 0;
	for (unsigned bit = 0; bit < 8; bit++) {
		double at = (bit + 1.5) * (1 + off);
		if (at >= 31 || (line >> (unsigned)at & 1))
			seen |= (uint8_t)(1u << bit);
	}
	return seen;
}

static void tx_start(struct vb_usart *u)
{
	if (u->shifting || !u->tdr_full || !on(u, CR1_TE))
		return;
	u->shift = u->tdr;
	u->tdr_full = false;
	u->shifting = true;
	u->sr |= SR_TXE;
	u->sr &= ~SR_TC;
	vb_sched_at(&u->m->sched, &u->tx_done,
		    u->m->cpu.cycles + char_bits(u) * bit_cycles(u));
}

static void tx_fire(void *ctx, uint64_t at)
{
	struct vb_usart *u = ctx;
	uint8_t byte = (uint8_t)u->shift;

	u->shifting = false;
	u->sent++;
	activity(u);
	if (u->host_baud)
		byte = vb_usart_resample(byte, board_baud(u), u->host_baud);
	if (u->sink)
		u->sink(u->sink_ctx, byte);
	if (u->tdr_full) {
		/* back to back: the next character starts where this one ended */
		tx_start(u);
		vb_sched_at(&u->m->sched, &u->tx_done, at + char_bits(u) * bit_cycles(u));
	} else {
		u->sr |= SR_TC;
	}
	update_irq(u);
}

/* Characters towards the board last as long as the other end makes them. */
static uint64_t wire_cycles(const struct vb_usart *u)
{
	if (u->host_baud)
		return vb_rcc_cycles_of_ns(u->rcc, 10e9 / u->host_baud);
	if (u->brr)
		return char_bits(u) * bit_cycles(u);
	return vb_rcc_cycles_of_ns(u->rcc, 10e9 / 115200);
}

static void rx_start(struct vb_usart *u, uint64_t at)
{
	if (u->receiving || !u->wire_len)
		return;
	u->receiving = true;
	vb_sched_at(&u->m->sched, &u->rx_done, at + wire_cycles(u));
}

static void rx_fire(void *ctx, uint64_t at)
{
	struct vb_usart *u = ctx;
	uint8_t byte = u->wire[u->wire_head];

	u->wire_head = (u->wire_head + 1) % VB_USART_WIRE;
	u->wire_len--;
	u->receiving = false;
	activity(u);
	if (on(u, CR1_RE)) {
		if (u->host_baud)
			byte = vb_usart_resample(byte, u->host_baud, board_baud(u));
		if (u->sr & SR_RXNE) {
			u->sr |= SR_ORE; /* the old character stays, the new one is lost */
			u->overruns++;
		} else {
			u->rdr = byte;
			u->sr |= SR_RXNE;
			u->received++;
		}
		if (!u->wire_len)
			u->sr |= SR_IDLE;
	}
	rx_start(u, at);
	update_irq(u);
}

unsigned vb_usart_wire_free(const struct vb_usart *u)
{
	return VB_USART_WIRE - u->wire_len;
}

unsigned vb_usart_wire(struct vb_usart *u, const uint8_t *p, unsigned n)
{
	unsigned done = 0;

	while (done < n && u->wire_len < VB_USART_WIRE) {
		u->wire[(u->wire_head + u->wire_len) % VB_USART_WIRE] = p[done++];
		u->wire_len++;
	}
	if (done)
		activity(u);
	rx_start(u, u->m->cpu.cycles);
	return done;
}

bool vb_usart_busy(const struct vb_usart *u)
{
	return u->shifting || u->receiving;
}

/* Reading DR ends RXNE, and the error flags if SR was read before (RM0008 section 27.6.1). */
static uint32_t dr_read(struct vb_usart *u)
{
	u->sr &= ~SR_RXNE;
	if (u->rx_flags_armed)
		u->sr &= ~SR_READ_CLEARED;
	u->rx_flags_armed = false;
	update_irq(u);
	return u->rdr;
}

static void dr_write(struct vb_usart *u, uint32_t value)
{
	if (u->tc_armed)
		u->sr &= ~SR_TC;
	u->tc_armed = false;
	u->tdr = value & 0x1FF;
	u->tdr_full = true;
	u->sr &= ~SR_TXE;
	tx_start(u);
	update_irq(u);
}

static uint32_t sr_read(struct vb_usart *u)
{
	u->tc_armed = true;
	u->rx_flags_armed = u->sr & SR_READ_CLEARED;
	if (!(u->sr & SR_RXNE))
		u->idle_polls++;
	return u->sr;
}

static uint32_t usart_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_usart *u = ctx;
	uint32_t word = 0;

	if (!vb_rcc_gate_on(u->rcc, u->gate))
		return 0;
	switch (offset & ~3u) {
	case 0x00: word = sr_read(u); break;
	case 0x04: word = dr_read(u); break;
	case 0x08: word = u->brr; break;
	case 0x0C: word = u->cr1; break;
	case 0x10: word = u->cr2; break;
	case 0x14: word = u->cr3; break;
	case 0x18: word = u->gtpr; break;
	default: break;
	}
	word >>= 8 * (offset & 3);
	return size == 4 ? word : word & ((1u << 8 * size) - 1);
}

static void cr1_write(struct vb_usart *u, uint32_t value)
{
	u->cr1 = value & 0x3FFF;
	if (!(u->cr1 & CR1_UE))
		u->sr |= SR_TXE;
	tx_start(u);
	update_irq(u);
}

static void usart_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_usart *u = ctx;

	if (!vb_rcc_gate_on(u->rcc, u->gate) || (size != 4 && (offset & 3)))
		return;
	switch (offset) {
	case 0x00: /* RXNE and TC are cleared by writing zero */
		u->sr &= value | ~(SR_RXNE | SR_TC);
		update_irq(u);
		break;
	case 0x04: dr_write(u, value); break;
	case 0x08: u->brr = value & 0xFFFF; break;
	case 0x0C: cr1_write(u, value); break;
	case 0x10: u->cr2 = value & 0x7F6F; break;
	case 0x14: u->cr3 = value & 0x07FF; break;
	case 0x18: u->gtpr = value & 0xFFFF; break;
	default: break;
	}
}

/* A character being sent is cut off; what is on the wire towards the board keeps coming. */
static void usart_reset(void *ctx)
{
	struct vb_usart *u = ctx;

	vb_sched_cancel(&u->m->sched, &u->tx_done);
	u->sr = SR_RESET;
	u->brr = u->cr1 = u->cr2 = u->cr3 = u->gtpr = 0;
	u->rdr = u->tdr = 0;
	u->tdr_full = u->shifting = u->tc_armed = u->rx_flags_armed = false;
	u->idle_polls = 0;
	update_irq(u);
}

static const struct vb_device_ops usart_ops = { usart_read, usart_write };

void vb_usart_init(struct vb_usart *u, struct vb_machine *m, struct vb_rcc *rcc)
{
	*u = (struct vb_usart){ .m = m, .rcc = rcc, .gate = { 0x18, 1u << 14 }, .sr = SR_RESET };
	u->tx_done = (struct vb_event){ .fire = tx_fire, .ctx = u };
	u->rx_done = (struct vb_event){ .fire = rx_fire, .ctx = u };
	vb_bus_map_device(&m->bus, USART1_BASE, 0x400, &usart_ops, u);
	vb_machine_add(m, (struct vb_device){ "usart1", u, usart_reset });
}
