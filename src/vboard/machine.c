/* machine.c - the chip as one object. */
#include "vboard/machine.h"

#include <stdlib.h>
#include <string.h>

void vb_machine_init(struct vb_machine *m)
{
	memset(m, 0, sizeof(*m));
	vb_cpu_init(&m->cpu, m);
}

void vb_machine_free(struct vb_machine *m)
{
	vb_cpu_free(&m->cpu);
}

void vb_machine_add(struct vb_machine *m, struct vb_device d)
{
	if (m->device_count == VB_MAX_DEVICES)
		abort();
	m->devices[m->device_count++] = d;
}

/* Fixed, so that runs repeat; odd, so that nobody mistakes it for cleared memory. */
static void fill_sram(struct vb_bus *b)
{
	uint32_t x = 0x6D2B79F5u;
	for (uint32_t i = 0; i < b->sram_size; i++) {
		x = x * 1664525u + 1013904223u;
		b->sram[i] = (uint8_t)(x >> 24);
	}
}

void vb_machine_reset(struct vb_machine *m, enum vb_reset kind)
{
	if (kind == VB_RESET_POWER_ON)
		fill_sram(&m->bus);
	for (unsigned i = 0; i < m->device_count; i++)
		if (m->devices[i].reset)
			m->devices[i].reset(m->devices[i].ctx);
	vb_cpu_reset(&m->cpu, kind == VB_RESET_POWER_ON);
}
