/* core_fixture.h - a bare core with flash and SRAM for the core's tests.
 *
 * Flash holds the vector table and, at CODE, what the test puts there; every exception has a
 * handler of 16 half-words at HANDLER(n). BKPT 0xAB notes the cycle at which it was reached and
 * stops the machine; the test reads it from `stamp`.
 */
#ifndef VB_CORE_FIXTURE_H
#define VB_CORE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vboard/cpu_core.h"

#define CODE       0x08000400u
#define HANDLER(n) (0x08001000u + 0x20u * (n))
#define DATA       0x20000100u
#define STACK_TOP  0x20005000u
#define BKPT_STAMP 0xBEAB
#define BX_LR      0x4770
#define NOP        0xBF00

struct board {
	struct vb_machine m;
	struct vb_cpu *c;
	uint8_t flash[0x10000], sram[0x5000];
	uint64_t stamp;     /* cycle of the last BKPT 0xAB */
	unsigned stamps;
};

static inline uint32_t fixture_flash_read(void *ctx, uint32_t offset, unsigned size)
{
	(void)ctx;
	(void)offset;
	(void)size;
	return 0;
}

static inline void fixture_flash_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	(void)ctx;
	(void)offset;
	(void)size;
	(void)value;
}

static inline bool fixture_stamp(void *ctx, struct vb_cpu *c)
{
	struct board *b = ctx;
	b->stamp = c->cycles;
	b->stamps++;
	vb_cpu_stop(c);
	return true;
}

/* Half-words at an address, whichever memory it lies in. */
static inline void put_code(struct board *b, uint32_t addr, const uint16_t *op, unsigned n)
{
	uint8_t *to = addr >= VB_SRAM_BASE ? b->sram + (addr - VB_SRAM_BASE)
					   : b->flash + (addr - VB_FLASH_BASE);
	for (unsigned i = 0; i < n; i++)
		vb_put(to + 2 * i, 2, op[i]);
	vb_bus_code_changed(&b->m.bus, addr, 2 * n);
}
#define CODE_AT(b, addr, ...) \
	put_code(b, addr, (const uint16_t[]){ __VA_ARGS__ }, \
		 sizeof((const uint16_t[]){ __VA_ARGS__ }) / 2)

static inline void vector(struct board *b, unsigned exc, uint32_t value)
{
	vb_put(b->flash + 4 * exc, 4, value);
}

static inline struct board *board_new(void)
{
	static const struct vb_device_ops ops = { fixture_flash_read, fixture_flash_write };
	struct board *b = test_calloc(1, sizeof(*b));
	b->c = &b->m.cpu;
	vb_machine_init(&b->m);
	vb_bus_map_flash(&b->m.bus, VB_FLASH_BASE, sizeof(b->flash), b->flash, &ops, b);
	vb_bus_map_memory(&b->m.bus, VB_SRAM_BASE, sizeof(b->sram), b->sram, true);
	vb_cpu_semihost(b->c, fixture_stamp, b);
	vector(b, 0, STACK_TOP);
	vector(b, 1, CODE | 1);
	for (unsigned n = 2; n < VB_EXC_COUNT; n++) {
		vector(b, n, HANDLER(n) | 1);
		CODE_AT(b, HANDLER(n), BKPT_STAMP, BX_LR);
	}
	CODE_AT(b, CODE, BKPT_STAMP);
	vb_machine_reset(&b->m, VB_RESET_POWER_ON);
	memset(b->sram, 0, sizeof(b->sram));
	return b;
}

static inline void board_free(struct board *b)
{
	vb_machine_free(&b->m);
	test_free(b);
}

/* Runs to the next BKPT 0xAB and gives its cycle. */
static inline uint64_t run_to_stamp(struct board *b)
{
	unsigned before = b->stamps;
	assert_int_equal(vb_machine_run(&b->m, b->c->cycles + 1000000), VB_STOP_ASKED);
	assert_int_equal(b->stamps, before + 1);
	return b->stamp;
}

static inline uint32_t peek(struct board *b, uint32_t addr)
{
	uint32_t v;
	assert_true(vb_bus_read(&b->m.bus, addr, 4, &v));
	return v;
}

static inline void poke(struct board *b, uint32_t addr, uint32_t v)
{
	assert_true(vb_bus_write(&b->m.bus, addr, 4, v));
}

/* Registers of the private peripheral bus that the tests use. */
enum {
	R_CYCCNT = 0xE0001004, R_DWT_CTRL = 0xE0001000, R_CSR = 0xE000E010, R_RVR = 0xE000E014,
	R_CVR = 0xE000E018, R_ISER = 0xE000E100, R_ICER = 0xE000E180, R_ISPR = 0xE000E200,
	R_ICPR = 0xE000E280, R_IABR = 0xE000E300, R_IPR = 0xE000E400, R_CPUID = 0xE000ED00,
	R_ICSR = 0xE000ED04, R_VTOR = 0xE000ED08, R_AIRCR = 0xE000ED0C, R_SCR = 0xE000ED10,
	R_CCR = 0xE000ED14, R_SHPR1 = 0xE000ED18, R_SHPR2 = 0xE000ED1C, R_SHPR3 = 0xE000ED20,
	R_SHCSR = 0xE000ED24, R_CFSR = 0xE000ED28, R_HFSR = 0xE000ED2C, R_DFSR = 0xE000ED30,
	R_BFAR = 0xE000ED38, R_DHCSR = 0xE000EDF0, R_DCRSR = 0xE000EDF4, R_DCRDR = 0xE000EDF8,
	R_DEMCR = 0xE000EDFC, R_STIR = 0xE000EF00,
};

#endif
