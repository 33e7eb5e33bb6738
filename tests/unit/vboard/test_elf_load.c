/* The ELF loader: one sound file, and every way in which a file can be unsound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <string.h>

#include "vboard/elf_load.h"

static uint8_t flash[4096], sram[1024];
static const struct vb_region region[] = {
	{ "flash", 0x08000000, sizeof flash, flash },
	{ "sram", 0x20000000, sizeof sram, sram },
};

/* A file of two segments: 16 bytes for flash, 8 for RAM. */
static struct {
	Elf32_Ehdr h;
	Elf32_Phdr p[3];
	uint8_t bytes[24];
} file;

static int setup(void **state)
{
	(void)state;
	memset(&file, 0, sizeof file);
	memset(flash, 0xFF, sizeof flash);
	memset(sram, 0xEE, sizeof sram);
	memcpy(file.h.e_ident, ELFMAG, SELFMAG);
	file.h.e_ident[EI_CLASS] = ELFCLASS32;
	file.h.e_ident[EI_DATA] = ELFDATA2LSB;
	file.h.e_type = ET_EXEC;
	file.h.e_machine = EM_ARM;
	file.h.e_phoff = sizeof file.h;
	file.h.e_phentsize = sizeof file.p[0];
	file.h.e_phnum = 3;
	uint32_t at = offsetof(typeof(file), bytes);
	file.p[0] = (Elf32_Phdr){ .p_type = PT_LOAD, .p_offset = at, .p_vaddr = 0x08000100,
				  .p_paddr = 0x08000100, .p_filesz = 16, .p_memsz = 16 };
	file.p[1] = (Elf32_Phdr){ .p_type = PT_LOAD, .p_offset = at + 16, .p_vaddr = 0x20000000,
				  .p_paddr = 0x08000110, .p_filesz = 8, .p_memsz = 8 };
	file.p[2] = (Elf32_Phdr){ .p_type = PT_LOAD, .p_vaddr = 0x20000008,
				  .p_paddr = 0x20000008, .p_filesz = 0, .p_memsz = 64 };
	for (unsigned i = 0; i < sizeof file.bytes; i++)
		file.bytes[i] = (uint8_t)(i + 1);
	return 0;
}

static enum rtb_status load(size_t size, struct rtb_error *e)
{
	*e = (struct rtb_error){ 0 };
	return vb_elf_load((const uint8_t *)&file, size, "x.elf", region, 2, e);
}

static void refused(const char *why)
{
	struct rtb_error e;
	assert_int_equal(load(sizeof file, &e), RTB_IMAGE);
	if (!strstr(e.text, why))
		fail_msg("'%s' does not say '%s'", e.text, why);
	assert_non_null(strstr(e.text, "x.elf"));
	for (unsigned i = 0; i < sizeof flash; i++)
		assert_int_equal(flash[i], 0xFF);
	for (unsigned i = 0; i < sizeof sram; i++)
		assert_int_equal(sram[i], 0xEE);
}

static void test_loads_to_physical_addresses(void **state)
{
	struct rtb_error e;
	(void)state;
	assert_int_equal(load(sizeof file, &e), RTB_OK);
	assert_memory_equal(flash + 0x100, file.bytes, 24);
	assert_int_equal(flash[0xFF], 0xFF);
	assert_int_equal(flash[0x118], 0xFF);
	assert_int_equal(sram[8], 0xEE); /* .bss is the start-up code's business */
}

static void test_every_cut_is_refused(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof file; n++) {
		struct rtb_error e;
		uint8_t *copy = test_malloc(n ? n : 1); /* of this very size: reading past it is seen */
		memcpy(copy, &file, n);
		e = (struct rtb_error){ 0 };
		assert_int_equal(vb_elf_load(copy, n, "cut", region, 2, &e), RTB_IMAGE);
		assert_true(e.text[0]);
		test_free(copy);
	}
}

static void test_foreign_files(void **state)
{
	(void)state;
	file.h.e_ident[0] = 'M';
	refused("not an ELF");
	setup(NULL);
	file.h.e_ident[EI_CLASS] = ELFCLASS64;
	refused("32-bit");
	setup(NULL);
	file.h.e_ident[EI_DATA] = ELFDATA2MSB;
	refused("little-endian");
	setup(NULL);
	file.h.e_machine = EM_X86_64;
	refused("machine 62");
	setup(NULL);
	file.h.e_type = ET_REL;
	refused("not a linked executable");
}

static void test_headers_outside(void **state)
{
	(void)state;
	file.h.e_phoff = 0xFFFFFFF0;
	refused("program headers");
	setup(NULL);
	file.h.e_phnum = 0xFFFF;
	refused("program headers");
	setup(NULL);
	file.h.e_phnum = 0;
	refused("program headers");
	setup(NULL);
	file.h.e_phentsize = 16;
	refused("program headers");
}

static void test_segments_outside(void **state)
{
	(void)state;
	file.p[0].p_offset = 0xFFFFFFFF;
	refused("end of the file");
	setup(NULL);
	file.p[0].p_filesz = file.p[0].p_memsz = 0xFFFFFFFF;
	refused("end of the file");
	setup(NULL);
	file.p[0].p_paddr = 0;
	refused("no memory of this chip");
	setup(NULL);
	file.p[1].p_paddr = 0x08000FF9; /* one byte too many */
	refused("no memory of this chip");
	setup(NULL);
	file.p[1].p_paddr = 0xFFFFFFFC; /* would wrap */
	refused("no memory of this chip");
	setup(NULL);
	file.p[0].p_memsz = 8;
	refused("larger in the file");
}

static void test_overlap(void **state)
{
	(void)state;
	file.p[1].p_paddr = 0x0800010F;
	refused("overlap at 0x0800010f");
}

static void test_nothing_to_load(void **state)
{
	(void)state;
	file.p[0].p_type = file.p[1].p_type = PT_NOTE;
	refused("nothing to load");
}

static void test_missing_file(void **state)
{
	struct rtb_error e = { 0 };
	(void)state;
	assert_int_equal(vb_elf_load_file("/nonexistent/a.elf", region, 2, &e), RTB_NOT_FOUND);
	assert_non_null(strstr(e.text, "/nonexistent/a.elf"));
}

#define T(f) cmocka_unit_test_setup(f, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_loads_to_physical_addresses), T(test_every_cut_is_refused), T(test_foreign_files),
		T(test_headers_outside), T(test_segments_outside), T(test_overlap),
		T(test_nothing_to_load), T(test_missing_file),
	};
	return cmocka_run_group_tests_name("vboard elf loader", tests, NULL, NULL);
}
