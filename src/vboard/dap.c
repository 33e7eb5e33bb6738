#include "vboard/dap.h"

/* CTRL/STAT (ADIv5, DP register descriptions) */
#define STICKYORUN   (1u << 1)
#define STICKYCMP    (1u << 4)
#define STICKYERR    (1u << 5)
#define WDATAERR     (1u << 7)
#define STICKY_ALL   (STICKYORUN | STICKYCMP | STICKYERR | WDATAERR)
#define CDBGRSTREQ   (1u << 26)
#define CDBGPWRUPREQ (1u << 28)
#define CSYSPWRUPREQ (1u << 30)
#define REQUESTS     (CDBGRSTREQ | CDBGPWRUPREQ | CSYSPWRUPREQ)
#define CTRL_WRITABLE (REQUESTS | 0x00FFFF0Du) /* TRNCNT, MASKLANE, TRNMODE, ORUNDETECT */

/* CSW of the Cortex-M3 AHB-AP (DDI 0337, AHB-AP) */
#define CSW_SIZE      7u
#define CSW_INC       (3u << 4)
#define CSW_INC_ONE   (1u << 4)
#define CSW_INC_PACK  (2u << 4)
#define CSW_DEVICE_EN (1u << 6)
#define CSW_FIXED     ((1u << 30) | CSW_DEVICE_EN)
#define CSW_WRITABLE  (0x3F000000u | CSW_INC | CSW_SIZE)
#define CSW_RESET     (0x03000002u | CSW_FIXED)

#define ACK_OK_FAULT 2u /* JTAG-DP: OK and FAULT are one code; CTRL/STAT tells them apart */

void vb_dap_init(struct vb_dap *d, struct vb_bus *bus)
{
	*d = (struct vb_dap){ .bus = bus };
	vb_dap_reset(d);
}

void vb_dap_reset(struct vb_dap *d)
{
	d->select = 0;
	d->ctrl_stat = 0;
	d->result = 0;
	d->csw = CSW_RESET;
	d->tar = 0;
}

uint64_t vb_dap_capture(const struct vb_dap *d)
{
	return (uint64_t)d->result << 3 | ACK_OK_FAULT;
}

static unsigned access_size(const struct vb_dap *d)
{
	switch (d->csw & CSW_SIZE) {
	case 0: return 1;
	case 1: return 2;
	default: return 4;
	}
}

/* The Cortex-M3's AHB-AP increments the low twelve bits of the address (ADIv5 guarantees ten). */
static void tar_advance(struct vb_dap *d, unsigned size)
{
	d->tar = (d->tar & ~0xFFFu) | ((d->tar + size) & 0xFFFu);
}

static bool bus_access(struct vb_dap *d, uint32_t addr, unsigned size, bool read, uint32_t *value)
{
	if ((addr & (size - 1)) || (d->denied && d->denied(d->denied_ctx, addr)))
		return false;
	return read ? vb_bus_read(d->bus, addr, size, value) : vb_bus_write(d->bus, addr, size, *value);
}

/* One bus access at TAR; data sits in the byte lanes that the address selects. */
static bool lane_access(struct vb_dap *d, unsigned size, bool read, uint32_t *word)
{
	unsigned shift = 8 * (d->tar & 3);
	uint32_t mask = size == 4 ? UINT32_MAX : ((1u << 8 * size) - 1);
	uint32_t value = size == 4 ? *word : *word >> shift & mask;

	if (!bus_access(d, d->tar, size, read, &value)) {
		d->ctrl_stat |= STICKYERR;
		return false;
	}
	if (read)
		*word = size == 4 ? value : (*word & ~(mask << shift)) | (value & mask) << shift;
	return true;
}

static uint32_t drw(struct vb_dap *d, bool read, uint32_t word)
{
	unsigned size = access_size(d);
	unsigned inc = d->csw & CSW_INC;
	unsigned count = inc == CSW_INC_PACK ? 4 / size : 1;

	if (read)
		word = 0;
	for (unsigned i = 0; i < count; i++) {
		if (!lane_access(d, size, read, &word))
			return 0;
		if (inc == CSW_INC_ONE || inc == CSW_INC_PACK)
			tar_advance(d, size);
	}
	return word;
}

static uint32_t banked(struct vb_dap *d, unsigned reg, bool read, uint32_t word)
{
	uint32_t addr = (d->tar & ~0xFu) | (reg & 0xC);

	if (!bus_access(d, addr, 4, read, &word)) {
		d->ctrl_stat |= STICKYERR;
		return 0;
	}
	return word;
}

static uint32_t ap_read(struct vb_dap *d, unsigned reg)
{
	switch (reg) {
	case 0x00: return d->csw;
	case 0x04: return d->tar;
	case 0x0C: return drw(d, true, 0);
	case 0x10: case 0x14: case 0x18: case 0x1C: return banked(d, reg, true, 0);
	case 0xF8: return VB_ROM_TABLE;
	case 0xFC: return VB_AHB_AP_IDR;
	default:   return 0; /* CFG (little-endian, no large data) and reserved */
	}
}

static void ap_write(struct vb_dap *d, unsigned reg, uint32_t value)
{
	switch (reg) {
	case 0x00:
		d->csw = (value & CSW_WRITABLE) | CSW_FIXED;
		break;
	case 0x04:
		d->tar = value;
		break;
	case 0x0C:
		drw(d, false, value);
		break;
	case 0x10: case 0x14: case 0x18: case 0x1C:
		banked(d, reg, false, value);
		break;
	default:
		break;
	}
}

static void ap_access(struct vb_dap *d, unsigned a, bool read, uint32_t value)
{
	unsigned reg = (d->select & 0xF0) | a;

	/* Powered down or after an unacknowledged error the AP ignores transactions. */
	if ((d->ctrl_stat & STICKY_ALL) || !(d->ctrl_stat & CDBGPWRUPREQ)) {
		d->result = 0;
		return;
	}
	d->accesses++;
	if (d->select >> 24) { /* only AP 0 exists; others read as zero */
		d->result = 0;
		return;
	}
	if (read)
		d->result = ap_read(d, reg);
	else
		ap_write(d, reg, value);
}

static void ctrl_stat_write(struct vb_dap *d, uint32_t value)
{
	/* In a JTAG-DP a one clears each sticky flag (ADIv5, CTRL/STAT). */
	uint32_t sticky = d->ctrl_stat & STICKY_ALL & ~value;

	d->ctrl_stat = (value & CTRL_WRITABLE) | sticky;
}

static uint32_t ctrl_stat_read(const struct vb_dap *d)
{
	/* Every request is granted at once: the acknowledge sits one bit above it. */
	return d->ctrl_stat | (d->ctrl_stat & REQUESTS) << 1;
}

static void dp_access(struct vb_dap *d, unsigned a, bool read, uint32_t value)
{
	switch (a) {
	case 0x4:
		if (read)
			d->result = ctrl_stat_read(d);
		else
			ctrl_stat_write(d, value);
		break;
	case 0x8:
		if (read)
			d->result = d->select;
		else
			d->select = value & 0xFF0000FFu;
		break;
	case 0xC: /* RDBUFF: the result of the last AP read, which is still in place */
		break;
	default:
		if (read)
			d->result = 0;
		break;
	}
}

void vb_dap_update(struct vb_dap *d, bool ap, uint64_t dr)
{
	unsigned a = (unsigned)(dr >> 1 & 3) << 2;
	bool read = dr & 1;
	uint32_t value = (uint32_t)(dr >> 3);

	if (ap)
		ap_access(d, a, read, value);
	else
		dp_access(d, a, read, value);
}

void vb_dap_abort(struct vb_dap *d, uint64_t dr)
{
	/* DAPABORT gives up a transaction that waits; here none ever does. */
	(void)d;
	(void)dr;
}
