#include "vboard/chip.h"

#include <string.h>

#define PWR_BASE    0x40007000u
#define BKP_BASE    0x40006C00u
#define DMA_BASE    0x40020000u
#define DBGMCU_BASE 0xE0042000u

#define UID_OFFSET  0x7E8u /* electronic signature, RM0008 section 30 */
#define SIZE_OFFSET 0x7E0u

#define DBG_SLEEP 1u

static const struct vb_gate pwr_gate = { 0x1C, 1u << 28 };
static const struct vb_gate bkp_gate = { 0x1C, 1u << 27 };

static uint32_t lane(uint32_t word, uint32_t offset, unsigned size)
{
	word >>= 8 * (offset & 3);
	return size == 4 ? word : word & ((1u << 8 * size) - 1);
}

/* ---- PWR and BKP ---- */

static uint32_t pwr_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_backup *b = ctx;
	uint32_t at = offset & ~3u;

	if (!vb_rcc_gate_on(&b->chip->rcc, pwr_gate))
		return 0;
	return lane(at == 0 ? b->pwr_cr : at == 4 ? b->pwr_csr : 0, offset, size);
}

static void pwr_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_backup *b = ctx;

	(void)size;
	if (!vb_rcc_gate_on(&b->chip->rcc, pwr_gate))
		return;
	if (offset == 0)
		b->pwr_cr = value & 0x1F3;
	else if (offset == 4)
		b->pwr_csr = value & 0x100;
}

static uint32_t bkp_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_backup *b = ctx;

	if (offset >= sizeof b->reg || !vb_rcc_gate_on(&b->chip->rcc, bkp_gate))
		return 0;
	return lane(b->reg[offset / 4], offset, size);
}

/* The backup registers are written only after PWR_CR.DBP has opened them. */
static void bkp_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_backup *b = ctx;

	(void)size;
	if (offset < sizeof b->reg && vb_rcc_gate_on(&b->chip->rcc, bkp_gate) && (b->pwr_cr & 0x100))
		b->reg[offset / 4] = value & 0xFFFF;
}

static void pwr_reset(void *ctx)
{
	struct vb_backup *b = ctx;

	b->pwr_cr = b->pwr_csr = 0;
}

/* ---- DMA: not modelled, reads as an idle controller ---- */

static uint32_t zero_read(void *ctx, uint32_t offset, unsigned size)
{
	(void)ctx;
	(void)offset;
	(void)size;
	return 0;
}

static void no_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	(void)ctx;
	(void)offset;
	(void)size;
	(void)value;
}

/* ---- DBGMCU (RM0008 section 31.16) ---- */

static uint32_t dbgmcu_read(void *ctx, uint32_t offset, unsigned size)
{
	struct vb_chip *c = ctx;
	uint32_t at = offset & ~3u;

	return lane(at == 0 ? VB_DBGMCU_IDCODE : at == 4 ? c->dbgmcu_cr : 0, offset, size);
}

static void dbgmcu_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_chip *c = ctx;

	(void)size;
	if (offset != 4)
		return;
	c->dbgmcu_cr = value;
	vb_cpu_clock_in_sleep(&c->m.cpu, value & DBG_SLEEP);
}

/* ---- resets ---- */

/* Software holds single devices in reset through RCC. */
static void device_reset(void *ctx, unsigned reg, uint32_t bits)
{
	struct vb_chip *c = ctx;
	static const char *const apb2[16] = {
		[0] = "afio", [2] = "gpioa", [3] = "gpiob", [4] = "gpioc", [5] = "gpiod",
		[14] = "usart1",
	};

	for (unsigned bit = 0; bit < 32; bit++) {
		const char *name = reg == 0x10 ? (bit == 0 ? "tim2" : bit == 1 ? "tim3" : bit == 28 ? "pwr" : NULL)
					       : bit < 16 ? apb2[bit] : NULL;
		if (!(bits >> bit & 1) || !name)
			continue;
		for (unsigned i = 0; i < c->m.device_count; i++)
			if (!strcmp(c->m.devices[i].name, name))
				c->m.devices[i].reset(c->m.devices[i].ctx);
	}
}

static void chip_was_reset(void *ctx)
{
	struct vb_chip *c = ctx;

	c->reset_cycle = c->m.cpu.cycles;
	c->resets++;
	if (c->on_reset && !c->powering_on)
		c->on_reset(c->reset_ctx);
}

void vb_chip_reset(struct vb_chip *c, enum vb_reset_cause cause)
{
	c->rcc.cause = cause;
	if (cause == VB_CAUSE_POWER) {
		c->dbgmcu_cr = 0;
		c->fmc.programmed = 0;
		memset(c->backup.reg, 0, sizeof c->backup.reg);
		vb_cpu_clock_in_sleep(&c->m.cpu, false);
	}
	c->powering_on = cause == VB_CAUSE_POWER;
	vb_machine_reset(&c->m, c->powering_on ? VB_RESET_POWER_ON : VB_RESET_SYSTEM);
	/* Devices are reset before the core, whose debug part forgets everything at power-on:
	 * what a listener does to it must come after that. */
	if (c->powering_on && c->on_reset)
		c->on_reset(c->reset_ctx);
	c->powering_on = false;
}

/* ---- putting it together ---- */

void vb_chip_set_uid(struct vb_chip *c, const uint8_t uid[VB_UID_BYTES])
{
	memcpy(c->sysmem + UID_OFFSET, uid, VB_UID_BYTES);
}

static void fill_system_memory(struct vb_chip *c)
{
	static const uint8_t uid[VB_UID_BYTES] = {
		'v', 'b', 'o', 'a', 'r', 'd', 0, 0, 0, 0, 0, 1,
	};

	/* The boot loader's place: a vector table that leads nowhere. */
	memset(c->sysmem, 0, sizeof c->sysmem);
	c->sysmem[SIZE_OFFSET] = VB_FLASH_SIZE / 1024;
	vb_chip_set_uid(c, uid);
}

void vb_chip_init(struct vb_chip *c)
{
	static const struct vb_device_ops pwr_ops = { pwr_read, pwr_write };
	static const struct vb_device_ops bkp_ops = { bkp_read, bkp_write };
	static const struct vb_device_ops dma_ops = { zero_read, no_write };
	static const struct vb_device_ops dbgmcu_ops = { dbgmcu_read, dbgmcu_write };
	struct vb_bus *bus = &c->m.bus;

	memset(c, 0, sizeof *c);
	vb_machine_init(&c->m);
	vb_bus_map_memory(bus, VB_SRAM_BASE, VB_SRAM_SIZE, c->sram, true);
	vb_rcc_init(&c->rcc, &c->m); /* first: the others ask it for the clock when reset */
	c->rcc.on_device_reset = device_reset;
	c->rcc.reset_ctx = c;
	vb_fmc_init(&c->fmc, &c->m, &c->rcc, c->flash);
	vb_usart_init(&c->usart, &c->m, &c->rcc);
	vb_tim2_init(&c->tim2, &c->m, &c->rcc, 2);
	vb_tim2_init(&c->tim3, &c->m, &c->rcc, 3);
	vb_ports_init(&c->ports, &c->m, &c->rcc);

	c->backup.chip = c;
	vb_bus_map_device(bus, PWR_BASE, 0x400, &pwr_ops, &c->backup);
	vb_bus_map_device(bus, BKP_BASE, 0x400, &bkp_ops, &c->backup);
	vb_bus_map_device(bus, DMA_BASE, 0x400, &dma_ops, c);
	vb_bus_map_device(bus, DBGMCU_BASE, 0x400, &dbgmcu_ops, c);
	vb_bus_map_memory(bus, VB_SYSMEM_BASE, VB_SYSMEM_SIZE, c->sysmem, false);
	fill_system_memory(c);
	vb_machine_add(&c->m, (struct vb_device){ "pwr", &c->backup, pwr_reset });
	vb_machine_add(&c->m, (struct vb_device){ "chip", c, chip_was_reset });
}

void vb_chip_free(struct vb_chip *c)
{
	vb_machine_free(&c->m);
}
