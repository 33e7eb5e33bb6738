/* The build room against the real cross compiler and linker, with a firmware tree of a few
 * lines: what is read from a good image, and how each bad one is told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "build/firmware.h"

static char *home;
static struct rtb_toolchain tools;

static const struct rtb_memory memory[] = {
	{"FLASH", true, 0x08000000, 16384},
	{"SRAM", false, 0x20000000, 4096},
};

static void put(const char *name, const char *text)
{
	char *path = rtb_sprintf("%s/%s", home, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

static const char makefile[] =
	"FLAGS = -mcpu=cortex-m3 -mthumb -ffunction-sections -fdata-sections -frecord-gcc-switches -g -$(OPT) $(EXTRA)\n"
	"-include extra.mk\n"
	"OBJ = $(OUT)/obj/core/main.o $(OUT)/kernel.a\n"
	"all: $(OUT)/rtbench.elf\n"
	"$(OUT)/rtbench.elf: $(OBJ) link.ld\n"
	"\t$(CROSS)gcc $(FLAGS) -nostdlib -Wl,--build-id -Wl,-Map=$(OUT)/rtbench.map -T link.ld -o $@ $(OBJ) -lgcc\n"
	"\t@echo '$(FLAGS)' > $(OUT)/flags.txt\n"
	"$(OUT)/kernel.a: $(OUT)/obj/kernels/k.o\n"
	"\t$(CROSS)gcc-ar rcs $@ $<\n"
	"$(OUT)/obj/%.o: %.c\n"
	"\t@mkdir -p $(@D)\n"
	"\t$(CROSS)gcc $(FLAGS) -c -o $@ $<\n";
static const char linker[] =
	"MEMORY { FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 16K\n SRAM (rwx) : ORIGIN = 0x20000000, LENGTH = 4K\n"
	"WILD (rwx) : ORIGIN = 0x30000000, LENGTH = 4K }\n"
	"ENTRY(start)\nSECTIONS {\n.text : { KEEP(*(.text*)) *(.rodata*) } > FLASH\n"
	".note.gnu.build-id : { *(.note.gnu.build-id) } > FLASH\n"
	".data : { *(.data*) } > SRAM AT > FLASH\n.bss (NOLOAD) : { *(.bss*) *(COMMON) } > SRAM\n"
	".wild : { *(.wild) } > WILD\n"
	".stacks (NOLOAD) : { . += 256; } > SRAM\n}\n";
static const char good_main[] =
	"extern int kernel_work(int); int start_value = 7; static char pool[100]; void start(void);\n"
	"void start(void) { for (;;) pool[kernel_work(start_value) & 63]++; }\n";

static void restore(void)
{
	put("firmware/Makefile", makefile);
	put("firmware/link.ld", linker);
	put("firmware/extra.mk", "");
	put("firmware/core/main.c", good_main);
	put("firmware/kernels/k.c", "int kernel_work(int); int kernel_work(int x) { return x * 3 + 1; }\n");
}

static int set_up(void **state)
{
	(void)state;
	char template[] = "/tmp/rtb-build-XXXXXX";
	home = rtb_strdup(mkdtemp(template));
	char *cmd = rtb_sprintf("mkdir -p %s/firmware/core %s/firmware/kernels %s/include/rtbench %s/targets/t",
				home, home, home, home);
	assert_int_equal(system(cmd), 0);
	free(cmd);
	restore();
	struct rtb_error e = {0};
	if (rtb_toolchain_find("arm-none-eabi-", rtb_clock_system(), &tools, &e) != RTB_OK)
		fail_msg("%s", e.text);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	char *cmd = rtb_sprintf("rm -rf %s", home);
	int rc = system(cmd);
	free(cmd);
	free(home);
	rtb_toolchain_free(&tools);
	return rc;
}

static enum rtb_status build(const char *opt, struct rtb_firmware *f, struct rtb_error *e)
{
	char inputs[RTB_SHA256_HEX];
	char *cells = rtb_sprintf("%s/cells", home), *target = rtb_sprintf("%s/targets/t", home);
	*e = (struct rtb_error){0};
	assert_int_equal(rtb_firmware_inputs(home, target, inputs, e), RTB_OK);
	struct rtb_firmware_spec s = {
		.home = home, .cells_dir = cells, .target = "t", .target_dir = target, .kernel = "k", .opt = opt, .handshake = true, .baud = 115200,
		.inputs = inputs, .tools = &tools, .memory = memory, .memories = 2, .timeout_ms = 60000,
		.jobs = 1, .clock = rtb_clock_system()};
	enum rtb_status st = rtb_firmware_build(&s, f, e);
	free(cells);
	free(target);
	return st;
}

static const struct rtb_part *part(const struct rtb_firmware *f, const char *name)
{
	for (size_t i = 0; i < f->parts.n; i++)
		if (strcmp(f->parts.v[i].name, name) == 0)
			return &f->parts.v[i];
	fail_msg("no part %s", name);
	return NULL;
}

static void the_compiler_is_identified(void **state)
{
	(void)state;
	assert_non_null(strstr(tools.version, "arm-none-eabi-gcc"));
	assert_int_equal(strlen(tools.hash), 64);
	struct rtb_toolchain none;
	struct rtb_error e = {0};
	assert_int_equal(rtb_toolchain_find("no-such-", rtb_clock_system(), &none, &e), RTB_NO_TOOL);
	assert_non_null(strstr(e.text, "no-such-gcc is not installed"));
	rtb_toolchain_free(&none);
}

static void an_old_compiler_is_refused(void **state)
{
	(void)state;
	put("old-gcc", "#!/bin/sh\ncase $1 in --version) echo 'old-gcc 4.9.3';; *) echo 4.9.3;; esac\n");
	char *gcc = rtb_sprintf("%s/old-gcc", home), *cross = rtb_sprintf("%s/old-", home);
	chmod(gcc, 0755);
	struct rtb_toolchain t;
	struct rtb_error e = {0};
	assert_int_equal(rtb_toolchain_find(cross, rtb_clock_system(), &t, &e), RTB_TOOL_OLD);
	assert_non_null(strstr(e.text, "is version 4.9.3; 11 or newer is needed"));
	rtb_toolchain_free(&t);
	free(gcc);
	free(cross);
}

static void a_good_image_tells_all(void **state)
{
	(void)state;
	restore();
	struct rtb_firmware f;
	struct rtb_error e;
	if (build("O2", &f, &e) != RTB_OK)
		fail_msg("%s\n%s", e.text, f.log);
	assert_int_equal(strlen(f.image.build_id), 40);
	assert_int_equal(strlen(f.image.sha256), 64);
	assert_non_null(strstr(f.image.comment, "GCC: ("));
	assert_non_null(strstr(f.image.flags, "-O2"));
	assert_non_null(strstr(f.flags, "-mcpu=cortex-m3"));
	uint32_t flash = 0, ram = 0;
	for (size_t i = 0; i < f.parts.n; i++) {
		flash += f.parts.v[i].flash;
		ram += f.parts.v[i].ram;
	}
	assert_int_equal(flash, f.image.flash_bytes);
	assert_int_equal(ram, f.image.ram_bytes);
	assert_true(part(&f, "kernel")->flash >= 4);
	assert_int_equal(part(&f, "kernel")->ram, 0);
	assert_true(part(&f, "bench")->ram >= 104); /* pool and start_value */
	assert_int_equal(part(&f, "stacks")->ram, 256);
	assert_true(part(&f, "unattributed")->flash >= 36); /* the build-id note */
	bool found = false;
	for (size_t i = 0; i < f.image.symbol_count; i++)
		found |= strcmp(f.image.symbol[i].name, "kernel_work") == 0 && (f.image.symbol[i].addr & 1) == 0;
	assert_true(found);
	rtb_firmware_free(&f);
}

static void unchanged_inputs_compile_nothing(void **state)
{
	(void)state;
	restore();
	struct rtb_firmware a, b, c;
	struct rtb_error e;
	assert_int_equal(build("Os", &a, &e), RTB_OK);
	assert_int_equal(build("Os", &b, &e), RTB_OK);
	assert_null(strstr(b.log, "-c -o"));
	assert_string_equal(a.dir, b.dir);
	assert_string_equal(a.image.build_id, b.image.build_id);
	put("firmware/kernels/k.c", "int kernel_work(int); int kernel_work(int x) { return x * 5 + 1; }\n");
	assert_int_equal(build("Os", &c, &e), RTB_OK);
	assert_string_not_equal(a.dir, c.dir);
	assert_string_not_equal(a.image.sha256, c.image.sha256);
	rtb_firmware_free(&a);
	rtb_firmware_free(&b);
	rtb_firmware_free(&c);
}

/* What a compiler leaves that is killed: half an object, which is newer than its source. */
static void a_killed_build_is_made_anew(void **state)
{
	(void)state;
	restore();
	static const char *const cut[] = {"obj/core/main.o", "kernel.a", "rtbench.elf"};
	struct rtb_firmware a, b;
	struct rtb_error e;
	assert_int_equal(build("Os", &a, &e), RTB_OK);
	char *mark = rtb_sprintf("%s/.building", a.dir);
	assert_int_not_equal(access(mark, F_OK), 0);
	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
		char *path = rtb_sprintf("%s/%s", a.dir, cut[i]);
		assert_int_equal(truncate(path, 0), 0);
		free(path);
	}
	fclose(fopen(mark, "w"));
	if (build("Os", &b, &e) != RTB_OK)
		fail_msg("%s\n%s", e.text, b.log);
	assert_non_null(strstr(b.log, "core/main.c"));
	assert_string_equal(a.image.build_id, b.image.build_id);
	assert_int_not_equal(access(mark, F_OK), 0);
	free(mark);
	rtb_firmware_free(&a);
	rtb_firmware_free(&b);
	/* one that fails has ended all the same; one that is killed has not */
	static const struct { const char *makefile; bool marked; } how[] = {
		{"all:\n\t@false\n", false}, {"all:\n\t@kill -9 $$PPID\n", true}};
	for (size_t i = 0; i < 2; i++) {
		put("firmware/Makefile", how[i].makefile);
		assert_int_equal(build("Os", &b, &e), RTB_BUILD);
		mark = rtb_sprintf("%s/.building", b.dir);
		assert_int_equal(access(mark, F_OK) == 0, how[i].marked);
		free(mark);
		rtb_firmware_free(&b);
	}
}

/* Debug data differs, the bytes in the board do not: one image, two build-ids. */
static void the_hash_is_of_what_is_loaded(void **state)
{
	(void)state;
	restore();
	struct rtb_firmware a, b;
	struct rtb_error e;
	assert_int_equal(build("O1", &a, &e), RTB_OK);
	put("firmware/extra.mk", "FLAGS += -g3\n");
	assert_int_equal(build("O1", &b, &e), RTB_OK);
	assert_string_not_equal(a.image.build_id, b.image.build_id);
	assert_string_equal(a.image.sha256, b.image.sha256);
	rtb_firmware_free(&a);
	rtb_firmware_free(&b);
}

static void failures_are_told_apart(void **state)
{
	(void)state;
	static const struct { const char *file, *text; enum rtb_status st; const char *want; } bad[] = {
		{"firmware/core/main.c", "void start(void);\nvoid start(void) { return wrong; }\n", RTB_BUILD,
		 "core/main.c:2:27: error: 'wrong' undeclared"},
		{"firmware/core/main.c", "extern int nowhere(void); void start(void);\nvoid start(void) { nowhere(); }\n",
		 RTB_BUILD, "undefined reference to `nowhere'"},
		{"firmware/core/main.c", "char big[5000]; char small[10]; void start(void);\nvoid start(void) { big[0] = small[0]; }\n",
		 RTB_NO_FIT, "bytes too large for SRAM; largest: big 5000 B"},
		{"firmware/core/main.c", "const char table[20000] = {1}; const char *start_at; void start(void);\nvoid start(void) { start_at = table; }\n",
		 RTB_NO_FIT, "bytes too large for FLASH; largest: table 20000 B"},
		{"firmware/core/main.c",
		 "__attribute__((section(\".wild\"))) int lost = 3; void start(void);\nvoid start(void) { lost++; }\n",
		 RTB_IMAGE, "at 0x30000000, where the target has no memory"},
		{"firmware/Makefile", "all:\n\t@false\n", RTB_BUILD, "make: *** [Makefile:2: all] Error 1"},
		{"firmware/Makefile", "all:\n\t@true\n", RTB_IMAGE, "rtbench.elf: No such file"},
		{"firmware/Makefile", "all:\n\t@kill -9 $$PPID\n", RTB_BUILD, "ended by signal 9"},
		{"firmware/Makefile", "all:\n\t@echo hello > $(OUT)/rtbench.elf\n", RTB_IMAGE, "not an ELF file"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		restore();
		put(bad[i].file, bad[i].text);
		struct rtb_firmware f;
		struct rtb_error e;
		enum rtb_status st = build("O0", &f, &e);
		if (st != bad[i].st || !strstr(e.text, bad[i].want))
			fail_msg("%zu: %s: %s\n wanted %s\n%s", i, rtb_status_word(st), e.text, bad[i].want, f.log ? f.log : "");
		rtb_firmware_free(&f);
	}
}

static void lto_is_not_attributed(void **state)
{
	(void)state;
	restore();
	put("firmware/extra.mk", "FLAGS += -flto\n");
	struct rtb_firmware f;
	struct rtb_error e;
	if (build("O3", &f, &e) != RTB_OK)
		fail_msg("%s\n%s", e.text, f.log);
	assert_true(f.parts.lto);
	assert_int_equal(f.parts.n, 1);
	assert_string_equal(f.parts.v[0].name, "unattributed");
	assert_int_equal(f.parts.v[0].flash, f.image.flash_bytes);
	rtb_firmware_free(&f);
}

/* Every prefix of a real image and 20 000 images with damaged bytes: no crash, no error without
 * a text. Run under the sanitizers this is the proof of the bounds. */
static void broken_images_are_refused(void **state)
{
	(void)state;
	restore();
	struct rtb_firmware f;
	struct rtb_error e;
	assert_int_equal(build("Og", &f, &e), RTB_OK);
	struct rtb_buf elf = {0};
	assert_int_equal(rtb_buf_read_file(&elf, f.elf, 1 << 24), 0);
	size_t refused = 0;
	for (size_t n = 0; n < elf.len; n += n < 512 ? 1 : 97) {
		struct rtb_image i;
		e = (struct rtb_error){0};
		if (rtb_image_parse(elf.data, n, "cut", &i, &e) != RTB_OK) {
			refused++;
			assert_int_equal(e.status, RTB_IMAGE);
			assert_true(e.text[0]);
		}
		rtb_image_free(&i);
	}
	assert_true(refused > 500);
	uint32_t seed = 12345;
	char *copy = rtb_alloc(elf.len);
	for (int k = 0; k < 20000; k++) {
		memcpy(copy, elf.data, elf.len);
		for (int d = 0; d < 4; d++) {
			seed = seed * 1664525 + 1013904223;
			/* half of the damage where it hurts: header and section tables */
			size_t at = seed & 1 ? (seed >> 8) % 256 : elf.len - 1 - (seed >> 8) % 1024;
			copy[at] = (char)(seed >> 16);
		}
		struct rtb_image i;
		e = (struct rtb_error){0};
		enum rtb_status st = rtb_image_parse(copy, elf.len, "damaged", &i, &e);
		if (st == RTB_OK)
			st = rtb_image_check(&i, "damaged", memory, 2, &e);
		assert_int_equal(st != RTB_OK, e.text[0] != 0);
		rtb_image_free(&i);
	}
	free(copy);
	rtb_buf_free(&elf);
	rtb_firmware_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_compiler_is_identified),
		cmocka_unit_test(an_old_compiler_is_refused),
		cmocka_unit_test(a_good_image_tells_all),
		cmocka_unit_test(unchanged_inputs_compile_nothing),
		cmocka_unit_test(a_killed_build_is_made_anew),
		cmocka_unit_test(the_hash_is_of_what_is_loaded),
		cmocka_unit_test(failures_are_told_apart),
		cmocka_unit_test(lto_is_not_attributed),
		cmocka_unit_test(broken_images_are_refused),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
