/* boot.c - what outlives a reset. See boot.h. */
#include "core/boot.h"
#include "core/board.h"
#include "core/mem.h"

/* RAM that start-up does not clear. It holds noise after power-on, and another image's state
 * after programming: believed only under its magic word and this image's build-id. */
#define MAGIC 0x72746221u

static struct {
	uint32_t magic;
	uint8_t build_id[20];
	uint32_t resets;
	uint32_t case_index;
	uint32_t by_us; /* MAGIC from boot_again() to the boot that follows */
} kept __attribute__((section(".noinit")));

struct rtb_boot rtb_boot;

static void kept_init(void)
{
	const uint8_t *build_id = board_build_id();
	bool valid = !board_reset_was_power() && kept.magic == MAGIC &&
		     memcmp(kept.build_id, build_id, sizeof(kept.build_id)) == 0;
	kept.magic = MAGIC;
	memcpy(kept.build_id, build_id, sizeof(kept.build_id));
	kept.resets = valid ? kept.resets + 1 : 0;
	if (!valid || kept.by_us != MAGIC)
		kept.case_index = 0;
	kept.by_us = 0;
}

void boot_init(void)
{
	rtb_boot.demcr = DCB_DEMCR;
	board_init();
	cycles_init(&rtb_boot.selftest);
	kept_init();
	rtb_boot.resets = kept.resets;
}

void boot_again(void)
{
	kept.by_us = MAGIC;
	board_reset();
}

unsigned boot_case(void)
{
	return kept.case_index;
}

void boot_next_case(void)
{
	kept.case_index++;
}
