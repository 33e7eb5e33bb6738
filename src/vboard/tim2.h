/* tim2.h - general-purpose timers 2 and 3 (GD32: TIMER1, TIMER2; RM0008 section 15), each an
 * up-counter with update and compare events. Capture, PWM outputs, slave modes, down-counting and DMA are not
 * modelled; their registers keep what is written.
 */
#ifndef VB_TIM2_H
#define VB_TIM2_H

#include <stdbool.h>
#include <stdint.h>

#include "vboard/rcc.h"

struct vb_tim2 {
	struct vb_machine *m;
	struct vb_rcc *rcc;
	struct vb_gate gate;
	unsigned irq;
	uint32_t cr1, cr2, smcr, dier, sr, ccmr[2], ccer, ccr[4], dcr;
	uint32_t psc, psc_now; /* written, and in force since the last update */
	uint32_t arr, arr_now;
	uint32_t cnt;          /* at cycle `base`, which lies on a count */
	uint64_t base;
	struct vb_event tick;  /* the next update or compare */
};

/* number: 2 or 3. */
void vb_tim2_init(struct vb_tim2 *t, struct vb_machine *m, struct vb_rcc *rcc, unsigned number);

#endif
