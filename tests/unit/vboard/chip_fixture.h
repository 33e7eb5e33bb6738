/* chip_fixture.h - a chip with empty flash, for tests of its devices: the core locks up at
 * once and only time passes. Included by those tests. */
#ifndef TEST_CHIP_FIXTURE_H
#define TEST_CHIP_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/buf.h"
#include "vboard/chip.h"

static struct vb_chip *chip;

static int chip_setup(void **state)
{
	(void)state;
	chip = rtb_alloc(sizeof *chip);
	vb_chip_init(chip);
	vb_chip_reset(chip, VB_CAUSE_POWER);
	return 0;
}

static int chip_teardown(void **state)
{
	(void)state;
	vb_chip_free(chip);
	free(chip);
	return 0;
}

static inline uint32_t rd(uint32_t addr)
{
	uint32_t v;
	assert_true(vb_bus_read(&chip->m.bus, addr, 4, &v));
	return v;
}

static inline void wr(uint32_t addr, uint32_t value)
{
	assert_true(vb_bus_write(&chip->m.bus, addr, 4, value));
}

static inline void wr16(uint32_t addr, uint32_t value)
{
	assert_true(vb_bus_write(&chip->m.bus, addr, 2, value));
}

static inline void pass_until(uint64_t cycle)
{
	while (chip->m.cpu.cycles < cycle)
		vb_machine_run(&chip->m, cycle);
}

static inline void pass(uint64_t cycles)
{
	pass_until(chip->m.cpu.cycles + cycles);
}

/* Whether an interrupt is pending in the NVIC. */
static inline bool pending(unsigned irq)
{
	return rd(0xE000E200 + 4 * (irq / 32)) >> (irq % 32) & 1;
}

/* Takes a pending interrupt back. */
static inline void unpend(unsigned irq)
{
	wr(0xE000E280 + 4 * (irq / 32), 1u << (irq % 32));
}

#endif
