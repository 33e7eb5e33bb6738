/* ports.h - GPIO A to D, AFIO and EXTI (RM0008 sections 9 and 10), which belong together: a
 * pin's level reaches EXTI through AFIO's choice of port. Nothing is wired to the pins; an
 * output is read back, a pull-up reads 1, everything else 0.
 */
#ifndef VB_PORTS_H
#define VB_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "vboard/rcc.h"

#define VB_GPIO_COUNT 4

struct vb_ports;

struct vb_gpio {
	struct vb_ports *ports;
	struct vb_gate gate;
	uint32_t crl, crh, odr, lckr;
	uint32_t idr; /* pin levels as last settled */
};

struct vb_afio {
	struct vb_ports *ports;
	struct vb_gate gate;
	uint32_t evcr, mapr, exticr[4], mapr2;
	bool debug_off; /* SWJ_CFG as last written takes the pins away from the debug port */
};

struct vb_exti {
	struct vb_ports *ports;
	uint32_t imr, emr, rtsr, ftsr, swier, pr;
};

struct vb_ports {
	struct vb_machine *m;
	struct vb_rcc *rcc;
	struct vb_gpio gpio[VB_GPIO_COUNT];
	struct vb_afio afio;
	struct vb_exti exti;
};

void vb_ports_init(struct vb_ports *p, struct vb_machine *m, struct vb_rcc *rcc);
/* Back to the reset values. */
void vb_gpio_reset(struct vb_gpio *g);
void vb_afio_reset(struct vb_afio *a);

#endif
