/* rcc.h - reset and clock control of the GD32F103 (GD32F10x user manual, RCU; RM0008 section 7).
 *
 * The time line counts HCLK cycles, so everything that lasts a real time (oscillator start-up,
 * flash programming) and everything clocked by APB asks here how many HCLK cycles that is.
 */
#ifndef VB_RCC_H
#define VB_RCC_H

#include <stdbool.h>
#include <stdint.h>

#include "vboard/machine.h"

#define VB_IRC8M_HZ 8000000u

/* Why the chip is about to be reset: the flags of RCC_CSR (RM0008 section 7.3.10). */
enum vb_reset_cause { VB_CAUSE_SOFTWARE, VB_CAUSE_PIN, VB_CAUSE_POWER };

/* Enable bits: register offset and mask. */
struct vb_gate {
	uint8_t reg; /* 0x14 AHBENR, 0x18 APB2ENR, 0x1C APB1ENR; 0 is always on */
	uint32_t mask;
};

#define VB_RCC_LISTENERS 8

struct vb_rcc {
	struct vb_machine *m;
	uint32_t hxtal_hz;     /* the board's crystal; 0: none fitted, never becomes ready */
	double factor;         /* real clock / what the registers say; 1.0 on a sound board */
	enum vb_reset_cause cause; /* of the next reset; falls back to software */

	uint32_t cr, cfgr, cir, apb2rstr, apb1rstr, ahbenr, apb2enr, apb1enr, bdcr, csr;
	unsigned sw_now;       /* what SWS reports: 0 IRC8M, 1 HXTAL, 2 PLL */
	uint32_t hclk_hz;      /* nominal */
	struct vb_event irc_ready, hxtal_ready, pll_ready;

	/* Real time so far: ns at cycle `mark`, which moves on at every change of clock. */
	uint64_t mark_cycle;
	double mark_ns;

	/* Told before (new false) and after a change of HCLK or of a prescaler. */
	struct { void (*fn)(void *ctx, bool after); void *ctx; } listener[VB_RCC_LISTENERS];
	unsigned listeners;
	/* Told which devices the software holds in reset; offset 0x0C or 0x10, newly set bits. */
	void (*on_device_reset)(void *ctx, unsigned reg, uint32_t bits);
	void *reset_ctx;
};

/* Maps the registers and registers for reset. m stays the caller's. */
void vb_rcc_init(struct vb_rcc *r, struct vb_machine *m);
/* At most VB_RCC_LISTENERS; more is a programming error (abort). */
void vb_rcc_listen(struct vb_rcc *r, void (*fn)(void *ctx, bool after), void *ctx);

bool vb_rcc_gate_on(const struct vb_rcc *r, struct vb_gate g);
/* HCLK cycles in one cycle of the APB2 clock, and of TIM2's (APB1 doubled when divided). */
unsigned vb_rcc_apb2_ratio(const struct vb_rcc *r);
unsigned vb_rcc_tim2_ratio(const struct vb_rcc *r);
/* HCLK as it really is, in Hz (with factor). */
double vb_rcc_real_hz(const struct vb_rcc *r);
/* Makes the chip's clock differ from what its registers say from now on. */
void vb_rcc_set_factor(struct vb_rcc *r, double factor);
/* HCLK cycles in a real time at the present clock, at least 1. */
uint64_t vb_rcc_cycles_of_ns(const struct vb_rcc *r, double ns);
/* Real ns since power-on at a cycle not before the last change of clock. */
double vb_rcc_ns_at(const struct vb_rcc *r, uint64_t cycle);

/* Pure arithmetic, for tests: the multiplier in CFGR (2..32; bit 27 is GD32's fifth bit), the
 * AHB divider (1..512) and an APB divider (1..16) from their fields. */
unsigned vb_rcc_pll_mul(uint32_t cfgr);
unsigned vb_rcc_ahb_div(uint32_t cfgr);
unsigned vb_rcc_apb_div(unsigned field);

#endif
