/* libFuzzer entry for what comes into the virtual board from outside: the first byte chooses
 * between an ELF file for the loader and a byte stream for the debug port. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vboard/bitbang.h"
#include "vboard/buspirate.h"
#include "vboard/chip.h"
#include "vboard/elf_load.h"
#include "vboard/faults.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_elf(const uint8_t *data, size_t size)
{
	static uint8_t flash[VB_FLASH_SIZE], sram[VB_SRAM_SIZE];
	const struct vb_region region[] = {
		{ "flash", VB_FLASH_BASE, sizeof flash, flash },
		{ "sram", VB_SRAM_BASE, sizeof sram, sram },
	};
	struct rtb_error e = { 0 };

	if (vb_elf_load(data, size, "fuzz", region, 2, &e) != RTB_OK && !e.text[0])
		abort(); /* a refusal says why */
}

/* Whatever the debugger writes, also into the core's registers: the chip goes on. */
static void fuzz_debug(const uint8_t *data, size_t size, bool pirate)
{
	struct vb_chip *c = rtb_alloc(sizeof *c);
	struct vb_dap dap;
	struct vb_lines lines;
	struct vb_buspirate bp;
	struct rtb_buf out = { 0 };

	vb_chip_init(c);
	vb_chip_reset(c, VB_CAUSE_POWER);
	vb_dap_init(&dap, &c->m.bus);
	vb_lines_init(&lines, &dap);
	vb_buspirate_init(&bp, &lines);
	bp.mode = VB_BP_OPENOCD; /* twenty zeros are hard to guess */
	for (size_t at = 0; at < size; at += 64) {
		size_t n = size - at < 64 ? size - at : 64;
		if (pirate)
			vb_buspirate_feed(&bp, data + at, n, &out);
		else if (!vb_bitbang_feed(&lines, data + at, n, &out))
			break;
		vb_machine_run(&c->m, c->m.cpu.cycles + 200);
	}
	rtb_buf_free(&out);
	vb_buspirate_free(&bp);
	vb_chip_free(c);
	free(c);
}

/* Debug transactions instead of single bits: the fuzzer gets further that way. */
static void fuzz_transactions(const uint8_t *data, size_t size)
{
	struct vb_chip *c = rtb_alloc(sizeof *c);
	struct vb_dap dap;

	vb_chip_init(c);
	vb_chip_reset(c, VB_CAUSE_POWER);
	vb_dap_init(&dap, &c->m.bus);
	vb_dap_update(&dap, false, (uint64_t)0x50000000 << 3 | 2);
	for (size_t at = 0; at + 5 <= size; at += 5) {
		uint32_t value;
		memcpy(&value, data + at + 1, 4);
		vb_dap_update(&dap, data[at] & 8, (uint64_t)value << 3 | (data[at] & 7));
		if (data[at] & 16)
			vb_machine_run(&c->m, c->m.cpu.cycles + 50);
		if (data[at] & 32) /* acknowledge errors, keep the power */
			vb_dap_update(&dap, false, (uint64_t)0x50000020 << 3 | 2);
	}
	vb_chip_free(c);
	free(c);
}

static void fuzz_fault(const uint8_t *data, size_t size)
{
	char *text = rtb_alloc(size + 1);
	struct vb_fault f;
	struct rtb_error e = { 0 };

	memcpy(text, data, size);
	if (vb_fault_parse(text, &f, &e) != RTB_OK && !e.text[0])
		abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	switch (data[0] & 3) {
	case 0: fuzz_elf(data + 1, size - 1); break;
	case 1: fuzz_debug(data + 1, size - 1, data[0] & 4); break;
	case 2: fuzz_transactions(data + 1, size - 1); break;
	default: fuzz_fault(data + 1, size - 1); break;
	}
	return 0;
}
