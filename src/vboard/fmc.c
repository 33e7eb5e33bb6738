#include "vboard/fmc.h"

#include <string.h>

#define FMC_BASE 0x40022000u

#define KEY1 0x45670123u
#define KEY2 0xCDEF89ABu

/* SR */
#define SR_BSY      (1u << 0)
#define SR_PGERR    (1u << 2)
#define SR_WRPRTERR (1u << 4)
#define SR_EOP      (1u << 5)
/* CR */
#define CR_PG     (1u << 0)
#define CR_PER    (1u << 1)
#define CR_MER    (1u << 2)
#define CR_OPTPG  (1u << 4)
#define CR_OPTER  (1u << 5)
#define CR_STRT   (1u << 6)
#define CR_LOCK   (1u << 7)
#define CR_OPTWRE (1u << 9)
#define CR_ERRIE  (1u << 10)
#define CR_EOPIE  (1u << 12)
#define CR_WRITABLE (CR_PG | CR_PER | CR_MER | CR_OPTPG | CR_OPTER | CR_ERRIE | CR_EOPIE)
/* OBR */
#define OBR_OPTERR (1u << 0)
#define OBR_RDPRT  (1u << 1)

#define RDP_OPEN 0xA5u /* option byte value that means "not protected" */

#define IRQ_FMC 4

/* GD32F103xx data sheet, flash memory characteristics: typical times. */
#define PROGRAM_NS     50000.0
#define PAGE_ERASE_NS  25.0e6
#define MASS_ERASE_NS  40.0e6

static bool busy(const struct vb_fmc *f)
{
	return f->m->cpu.cycles < f->busy_until;
}

static void update_irq(struct vb_fmc *f)
{
	bool err = (f->cr & CR_ERRIE) && (f->sr & (SR_PGERR | SR_WRPRTERR));
	bool eop = (f->cr & CR_EOPIE) && (f->sr & SR_EOP);

	vb_irq_set(f->m, IRQ_FMC, err || eop);
}

static void done_fire(void *ctx, uint64_t at)
{
	struct vb_fmc *f = ctx;

	(void)at;
	f->sr |= f->done_flags;
	f->cr &= ~CR_STRT;
	update_irq(f);
}

/* An operation takes its time; one that is asked for while another runs waits its turn. */
static void occupy(struct vb_fmc *f, double ns, uint32_t flags)
{
	uint64_t start = busy(f) ? f->busy_until : f->m->cpu.cycles;

	f->busy_until = start + vb_rcc_cycles_of_ns(f->rcc, ns);
	f->done_flags = flags;
	vb_sched_at(&f->m->sched, &f->done, f->busy_until);
}

static void error(struct vb_fmc *f, uint32_t flag)
{
	f->sr |= flag;
	f->cr &= ~CR_STRT;
	update_irq(f);
}

/* One WRPR bit guards four pages (GD32F103xB; PM0075 on medium density). */
static bool write_protected(const struct vb_fmc *f, uint32_t offset)
{
	return !(f->wrpr >> (offset / (4 * VB_FLASH_PAGE)) & 1);
}

bool vb_fmc_read_protected(const struct vb_fmc *f)
{
	return f->obr & OBR_RDPRT;
}

static void erase(struct vb_fmc *f, uint32_t offset, uint32_t size, double ns)
{
	if (!f->ignore) {
		memset(f->array + offset, 0xFF, size);
		vb_bus_code_changed(&f->m->bus, VB_FLASH_BASE + offset, size);
	}
	occupy(f, ns, SR_EOP);
}

static void mass_erase(struct vb_fmc *f)
{
	if (f->wrpr != UINT32_MAX)
		error(f, SR_WRPRTERR);
	else
		erase(f, 0, VB_FLASH_SIZE, MASS_ERASE_NS);
}

static void page_erase(struct vb_fmc *f)
{
	uint32_t offset = (f->ar - VB_FLASH_BASE) & ~(VB_FLASH_PAGE - 1);

	if (f->ar < VB_FLASH_BASE || offset >= VB_FLASH_SIZE)
		error(f, SR_WRPRTERR);
	else if (write_protected(f, offset))
		error(f, SR_WRPRTERR);
	else
		erase(f, offset, VB_FLASH_PAGE, PAGE_ERASE_NS);
}

static void start(struct vb_fmc *f)
{
	f->cr |= CR_STRT;
	if (f->cr & CR_MER) {
		mass_erase(f);
	} else if (f->cr & CR_PER) {
		page_erase(f);
	} else if ((f->cr & CR_OPTER) && (f->cr & CR_OPTWRE)) {
		memset(f->option, 0xFF, sizeof f->option);
		occupy(f, PAGE_ERASE_NS, SR_EOP);
	} else {
		f->cr &= ~CR_STRT;
	}
}

static void program_half_word(struct vb_fmc *f, uint32_t offset, uint16_t value)
{
	uint8_t *cell = f->array + offset;

	if (write_protected(f, offset)) {
		error(f, SR_WRPRTERR);
		return;
	}
	/* Only an erased cell takes a value; 0x0000 over anything is allowed (PM0075). */
	if ((cell[0] != 0xFF || cell[1] != 0xFF) && value != 0) {
		error(f, SR_PGERR);
		return;
	}
	if (f->worn && (f->worn_addr & ~1u) == VB_FLASH_BASE + offset)
		value &= 0xFFFE;
	if (!f->ignore) {
		cell[0] = (uint8_t)value;
		cell[1] = (uint8_t)(value >> 8);
		vb_bus_code_changed(&f->m->bus, VB_FLASH_BASE + offset, 2);
	}
	f->programmed++;
	occupy(f, PROGRAM_NS, SR_EOP);
	if (f->on_program)
		f->on_program(f->program_ctx, f->programmed);
}

/* A store into the array: half-words, and words as this chip allows beyond the STM32. */
static void array_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_fmc *f = ctx;

	if (!(f->cr & CR_PG) || (f->cr & CR_LOCK) || size == 1 || offset >= VB_FLASH_SIZE) {
		error(f, SR_PGERR);
		return;
	}
	program_half_word(f, offset, (uint16_t)value);
	if (size == 4 && !(f->sr & (SR_PGERR | SR_WRPRTERR)))
		program_half_word(f, offset + 2, (uint16_t)(value >> 16));
}

static uint32_t option_read(void *ctx, uint32_t offset, unsigned size)
{
	const struct vb_fmc *f = ctx;
	uint32_t v = 0;

	memcpy(&v, f->option + offset, size);
	return v;
}

/* An option byte is stored with its complement beside it, made by the controller. */
static void option_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_fmc *f = ctx;
	uint8_t *cell = f->option + (offset & ~1u);

	if (!(f->cr & CR_OPTPG) || !(f->cr & CR_OPTWRE) || (f->cr & CR_LOCK) || size != 2) {
		error(f, SR_PGERR);
		return;
	}
	if (cell[0] != 0xFF || cell[1] != 0xFF) {
		error(f, SR_PGERR);
		return;
	}
	cell[0] = (uint8_t)value;
	cell[1] = (uint8_t)~value;
	/* Taking read-out protection away costs the whole array. */
	if (offset == 0 && cell[0] == RDP_OPEN && vb_fmc_read_protected(f))
		erase(f, 0, VB_FLASH_SIZE, MASS_ERASE_NS);
	else
		occupy(f, PROGRAM_NS, SR_EOP);
}

static void key_write(struct vb_fmc *f, uint32_t value)
{
	static const uint32_t key[2] = { KEY1, KEY2 };

	if (f->key_dead || !(f->cr & CR_LOCK))
		return;
	if (value != key[f->key_step]) {
		f->key_dead = true;
		return;
	}
	if (++f->key_step == 2) {
		f->key_step = 0;
		f->cr &= ~CR_LOCK;
	}
}

static void optkey_write(struct vb_fmc *f, uint32_t value)
{
	static const uint32_t key[2] = { KEY1, KEY2 };

	if (value != key[f->optkey_step]) {
		f->optkey_step = 0;
		return;
	}
	if (++f->optkey_step == 2) {
		f->optkey_step = 0;
		if (!(f->cr & CR_LOCK))
			f->cr |= CR_OPTWRE;
	}
}

static void cr_write(struct vb_fmc *f, uint32_t value)
{
	if (f->cr & CR_LOCK)
		return;
	uint32_t keep = f->cr & CR_OPTWRE & value; /* software can only clear it */
	f->cr = (f->cr & CR_STRT) | keep | (value & CR_WRITABLE);
	if (value & CR_STRT)
		start(f);
	if (value & CR_LOCK) {
		f->cr |= CR_LOCK;
		f->cr &= ~CR_OPTWRE;
		f->key_step = 0;
	}
	update_irq(f);
}

static uint32_t reg_read(void *ctx, uint32_t offset, unsigned size)
{
	const struct vb_fmc *f = ctx;
	uint32_t word = 0;

	switch (offset & ~3u) {
	case 0x00: word = f->acr; break;
	case 0x0C: word = f->sr | (busy(f) ? SR_BSY : 0); break;
	case 0x10: word = f->cr; break;
	case 0x14: word = f->ar; break;
	case 0x1C: word = f->obr; break;
	case 0x20: word = f->wrpr; break;
	default: break; /* the key registers read as zero */
	}
	word >>= 8 * (offset & 3);
	return size == 4 ? word : word & ((1u << 8 * size) - 1);
}

static void reg_write(void *ctx, uint32_t offset, unsigned size, uint32_t value)
{
	struct vb_fmc *f = ctx;

	if (size != 4 && (offset & 3)) /* the upper lanes of these registers hold nothing writable */
		return;
	switch (offset & ~3u) {
	case 0x00: f->acr = (value & 0x1F) | 0x20; break; /* prefetch status follows its enable */
	case 0x04: key_write(f, value); break;
	case 0x08: optkey_write(f, value); break;
	case 0x0C:
		f->sr &= ~(value & (SR_PGERR | SR_WRPRTERR | SR_EOP));
		update_irq(f);
		break;
	case 0x10: cr_write(f, value); break;
	case 0x14: f->ar = value; break;
	default: break;
	}
}

/* OBR and WRPR as the option bytes say; a byte that does not match its complement counts as
 * erased and is reported. */
static void load_options(struct vb_fmc *f)
{
	uint8_t byte[8];
	bool bad = false;

	for (unsigned i = 0; i < 8; i++) {
		byte[i] = f->option[2 * i];
		if ((byte[i] ^ f->option[2 * i + 1]) != 0xFF) {
			bad |= byte[i] != 0xFF || f->option[2 * i + 1] != 0xFF;
			byte[i] = 0xFF;
		}
	}
	f->obr = (bad ? OBR_OPTERR : 0) | (byte[0] == RDP_OPEN ? 0 : OBR_RDPRT) |
		 (byte[1] & 7u) << 2 | 3u << 5 | 7u << 7 |
		 (uint32_t)byte[2] << 10 | (uint32_t)byte[3] << 18;
	f->wrpr = byte[4] | (uint32_t)byte[5] << 8 | (uint32_t)byte[6] << 16 | (uint32_t)byte[7] << 24;
}

void vb_fmc_options(struct vb_fmc *f, bool protect)
{
	for (unsigned i = 0; i < 8; i++) {
		uint8_t v = i == 0 ? (protect ? 0 : RDP_OPEN) : i >= 4 && protect ? 0 : 0xFF;
		f->option[2 * i] = v;
		f->option[2 * i + 1] = (uint8_t)~v;
	}
	load_options(f);
}

static void fmc_reset(void *ctx)
{
	struct vb_fmc *f = ctx;

	vb_sched_cancel(&f->m->sched, &f->done);
	f->busy_until = 0;
	f->acr = 0x30; /* prefetch on */
	f->sr = 0;
	f->cr = CR_LOCK;
	f->ar = 0;
	f->key_step = f->optkey_step = 0;
	f->key_dead = false;
	load_options(f);
	update_irq(f);
}

static const struct vb_device_ops reg_ops = { reg_read, reg_write };
static const struct vb_device_ops array_ops = { NULL, array_write };
static const struct vb_device_ops option_ops = { option_read, option_write };

void vb_fmc_init(struct vb_fmc *f, struct vb_machine *m, struct vb_rcc *rcc, uint8_t *array)
{
	*f = (struct vb_fmc){ .m = m, .rcc = rcc, .array = array, .cr = CR_LOCK };
	f->done = (struct vb_event){ .fire = done_fire, .ctx = f };
	memset(array, 0xFF, VB_FLASH_SIZE);
	vb_fmc_options(f, false);
	vb_bus_map_device(&m->bus, FMC_BASE, 0x400, &reg_ops, f);
	vb_bus_map_flash(&m->bus, VB_FLASH_BASE, VB_FLASH_SIZE, array, &array_ops, f);
	/* BOOT0 low: the array also stands at address 0. */
	vb_bus_map_flash(&m->bus, 0, VB_FLASH_SIZE, array, &array_ops, f);
	vb_bus_map_device(&m->bus, VB_OPTION_BASE, VB_OPTION_BYTES, &option_ops, f);
	vb_machine_add(m, (struct vb_device){ "fmc", f, fmc_reset });
}
