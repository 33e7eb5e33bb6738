/* lockstep.c - our core against QEMU's Cortex-M3 (machine mps2-an385): the same code, the same
 * registers and memory before, the same afterwards?
 *
 *   lockstep [--seed N] [--instructions N] [--block N]   generated blocks
 *   lockstep --program FILE.bin ...                      compiled programs (tests/vboard/programs)
 *
 * A block that differs is run again instruction by instruction on both sides, and the first
 * instruction after which they differ is shown. Exit code 0: equal; 1: different; 2: QEMU lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gdbremote.h"
#include "generate.h"
#include "vboard/cpu_decode.h"

enum { LOW_SIZE = 0x10000, SRAM_SIZE = 0x10000, PROGRAM_BASE = 0x1000 };

struct pair {
	struct gdb gdb;
	struct vb_machine m;
	uint8_t low[LOW_SIZE], sram[SRAM_SIZE];
	pid_t qemu;
	char dir[64];
};

static struct pair pair;

/* Vectors and handlers, at 0 on both sides. SVC returns at once; HardFault steps over the
 * instruction that caused it. */
static void low_image(uint8_t *low)
{
	static const uint16_t handlers[] = {
		0xE7FE,                 /* 0x40 reset and everything else: B . */
		0xBF00,
		0x4770,                 /* 0x44 SVC: BX LR */
		0xBF00,
		0xF01E, 0x0F04,         /* 0x48 HardFault: TST LR, #4 */
		0xBF0C,                 /* ITE EQ */
		0xF3EF, 0x8008,         /* MRSEQ R0, MSP */
		0xF3EF, 0x8009,         /* MRSNE R0, PSP */
		0x6981,                 /* LDR R1, [R0, #24] */
		0x880A,                 /* LDRH R2, [R1] */
		0x3102,                 /* ADDS R1, #2 */
		0x0AD2,                 /* LSRS R2, R2, #11 */
		0x2A1D,                 /* CMP R2, #0x1D */
		0xBF28,                 /* IT CS */
		0x3102,                 /* ADDCS R1, #2 */
		0x6181,                 /* STR R1, [R0, #24] */
		0x4770,                 /* BX LR */
	};
	for (unsigned i = 0; i < 16; i++)
		vb_put(low + 4 * i, 4, 0x41);
	vb_put(low, 4, STACK_BASE + STACK_SIZE);
	vb_put(low + 4 * VB_EXC_HARD, 4, 0x49);
	vb_put(low + 4 * VB_EXC_SVC, 4, 0x45);
	for (unsigned i = 0; i < sizeof(handlers) / 2; i++)
		vb_put(low + 0x40 + 2 * i, 2, handlers[i]);
}

static void start_qemu(struct pair *p)
{
	char image[128], socket[128], gdb[160];
	snprintf(p->dir, sizeof(p->dir), "%s/lockstep.XXXXXX", "/tmp");
	if (!mkdtemp(p->dir)) {
		perror("lockstep: mkdtemp");
		exit(2);
	}
	snprintf(image, sizeof(image), "%s/low.bin", p->dir);
	snprintf(socket, sizeof(socket), "%s/gdb", p->dir);
	snprintf(gdb, sizeof(gdb), "unix:%s,server=on,wait=off", socket);
	FILE *f = fopen(image, "wb");
	if (!f || fwrite(p->low, 1, 0x100, f) != 0x100 || fclose(f)) {
		perror(image);
		exit(2);
	}
	p->qemu = fork();
	if (p->qemu == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execlp("qemu-system-arm", "qemu-system-arm", "-M", "mps2-an385", "-S", "-display",
		       "none", "-monitor", "none", "-serial", "none", "-kernel", image, "-gdb", gdb,
		       (char *)NULL);
		fprintf(stderr, "lockstep: qemu-system-arm: %s\n", strerror(errno));
		_exit(127);
	}
	gdb_connect(&p->gdb, socket);
	unlink(image);
	unlink(socket);
	rmdir(p->dir);
}

static void start(struct pair *p)
{
	low_image(p->low);
	vb_machine_init(&p->m);
	vb_bus_map_memory(&p->m.bus, 0, LOW_SIZE, p->low, true);
	vb_bus_map_memory(&p->m.bus, VB_SRAM_BASE, SRAM_SIZE, p->sram, true);
	vb_machine_reset(&p->m, VB_RESET_SYSTEM);
	start_qemu(p);
}

static void stop(struct pair *p)
{
	kill(p->qemu, SIGKILL);
	waitpid(p->qemu, NULL, 0);
	vb_machine_free(&p->m);
}

/* --- both sides at once -------------------------------------------------------------------- */

static void put_mem(struct pair *p, uint32_t addr, const void *data, unsigned n)
{
	uint8_t *to = addr >= VB_SRAM_BASE ? p->sram + (addr - VB_SRAM_BASE) : p->low + addr;
	memcpy(to, data, n);
	vb_bus_code_changed(&p->m.bus, addr, n);
	gdb_write_mem(&p->gdb, addr, data, n);
}

static void put_regs(struct pair *p, const struct gdb_regs *regs)
{
	struct vb_cpu *c = &p->m.cpu;
	gdb_write_regs(&p->gdb, regs);
	for (unsigned i = 0; i < 16; i++)
		vb_cpu_reg_write(c, i, regs->r[i]);
	vb_cpu_reg_write(c, 16, regs->xpsr);
}

static void our_regs(struct pair *p, struct gdb_regs *regs)
{
	for (unsigned i = 0; i < 16; i++)
		regs->r[i] = vb_cpu_reg_read(&p->m.cpu, i);
	regs->xpsr = vb_cpu_reg_read(&p->m.cpu, 16);
}

static bool same_regs(const struct gdb_regs *a, const struct gdb_regs *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static void show_regs(const struct gdb_regs *ours, const struct gdb_regs *theirs)
{
	for (unsigned i = 0; i < 16; i++)
		if (ours->r[i] != theirs->r[i])
			printf("  r%-4u ours %08x  QEMU %08x\n", i, ours->r[i], theirs->r[i]);
	if (ours->xpsr != theirs->xpsr)
		printf("  xPSR  ours %08x  QEMU %08x\n", ours->xpsr, theirs->xpsr);
}

static bool same_mem(struct pair *p, uint32_t base, unsigned size)
{
	static uint8_t theirs[SRAM_SIZE];
	const uint8_t *ours = p->sram + (base - VB_SRAM_BASE);
	bool same = true;
	gdb_read_mem(&p->gdb, base, theirs, size);
	for (unsigned i = 0; i < size; i += 4) {
		if (memcmp(ours + i, theirs + i, 4) && same) {
			printf("  [%08x] ours %08x  QEMU %08x\n", base + i, vb_get(ours + i, 4),
			       vb_get(theirs + i, 4));
			same = false;
		}
	}
	return same;
}

/* Ours up to `end`; false when it does not get there. */
static bool run_ours(struct pair *p, uint32_t end, uint64_t cycles)
{
	struct vb_cpu *c = &p->m.cpu;
	uint64_t limit = c->cycles + cycles;
	while (c->r[15] != end) {
		if (c->cycles >= limit || vb_machine_run(&p->m, c->cycles + 500) != VB_STOP_CYCLES) {
			printf("  ours stands at %08x, exception %u, CFSR %08x\n", c->r[15], c->ipsr,
			       c->scb.cfsr);
			return false;
		}
	}
	return true;
}

/* --- generated blocks ---------------------------------------------------------------------- */

struct block {
	struct gen gen;
	uint32_t end;
	struct gdb_regs regs;
	uint8_t data[DATA_SIZE], stack[STACK_SIZE];
};

static uint32_t interesting(struct gen *g)
{
	static const uint32_t value[] = { 0, 1, 2, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF,
					  0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF };
	uint32_t n = sizeof(value) / sizeof(value[0]);
	switch (gen_below(g, 3)) {
	case 0: return value[gen_below(g, n)];
	case 1: return gen_rand(g) >> gen_below(g, 32);
	default: return gen_rand(g);
	}
}

static void make_block(struct block *b, uint64_t seed, unsigned instructions)
{
	struct gen *g = &b->gen;
	g->seed = seed;
	b->end = gen_block(g, instructions);
	for (unsigned i = 0; i < 15; i++)
		b->regs.r[i] = interesting(g);
	b->regs.r[13] = STACK_BASE + STACK_SIZE / 2;
	b->regs.r[15] = CODE_BASE;
	b->regs.xpsr = 0x01000000 | (gen_rand(g) & 0xF8000000);
	for (unsigned i = 0; i < DATA_SIZE; i += 4)
		vb_put(b->data + i, 4, interesting(g));
	for (unsigned i = 0; i < STACK_SIZE; i += 4)
		vb_put(b->stack + i, 4, gen_rand(g));
}

/* The state that blocks leave behind in special registers is brought back to that of reset. */
static void put_block(struct pair *p, const struct block *b)
{
	static const uint16_t clean[] = {
		0x2000,                                 /* MOVS R0, #0 */
		0xF380, 0x8814, 0xF3BF, 0x8F6F,         /* MSR CONTROL, R0; ISB */
		0xF380, 0x8810, 0xF380, 0x8811,         /* MSR PRIMASK, BASEPRI */
		0xF380, 0x8813, 0xF380, 0x8809,         /* MSR FAULTMASK, PSP */
		0xF3BF, 0x8F2F, 0xBF40, 0xBF20,         /* CLREX; SEV; WFE */
		0xE7FE,
	};
	struct gdb_regs regs = b->regs;
	uint32_t end = CODE_BASE + sizeof(clean) - 2;
	put_mem(p, CODE_BASE, clean, sizeof(clean));
	put_regs(p, &regs);
	gdb_breakpoint(&p->gdb, end, 1);
	gdb_continue(&p->gdb);
	gdb_breakpoint(&p->gdb, end, 0);
	if (!run_ours(p, end, 1000))
		exit(1);
	put_mem(p, CODE_BASE, b->gen.code, b->gen.n * 2);
	put_mem(p, DATA_BASE, b->data, DATA_SIZE);
	put_mem(p, STACK_BASE, b->stack, STACK_SIZE);
	put_regs(p, &regs);
}

/* QEMU steps over WFE together with the next instruction; a NOP in its place does as well. */
static void without_wfe(struct block *b)
{
	for (unsigned i = 0; i < b->gen.n; i++) {
		if (b->gen.code[i] == 0xBF20)
			b->gen.code[i] = 0xBF00;
		else if (b->gen.code[i] >= 0xE800)
			i++;
	}
}

/* Same block, one instruction at a time. QEMU's step includes taking an exception. */
static void bisect(struct pair *p, struct block *b)
{
	without_wfe(b);
	put_block(p, b);
	for (unsigned i = 0; i < 4 * b->gen.instructions; i++) {
		struct gdb_regs ours, theirs;
		uint32_t pc = p->m.cpu.r[15];
		if (pc == b->end)
			break;
		const uint8_t *at = pc >= VB_SRAM_BASE ? p->sram + (pc - VB_SRAM_BASE) : p->low + pc;
		gdb_step(&p->gdb);
		do
			vb_cpu_step(&p->m.cpu);
		while (vb_exc_ready(&p->m.cpu));
		our_regs(p, &ours);
		gdb_read_regs(&p->gdb, &theirs);
		bool memory = same_mem(p, DATA_BASE, DATA_SIZE) & same_mem(p, STACK_BASE, STACK_SIZE);
		if (memory && same_regs(&ours, &theirs))
			continue;
		printf("first difference after %08x: %04x %04x\n", pc, vb_get(at, 2), vb_get(at + 2, 2));
		show_regs(&ours, &theirs);
		return;
	}
	printf("no difference when stepped: the fast loop and the single step disagree\n");
}

static bool compare_block(struct pair *p, const struct block *b)
{
	struct gdb_regs ours, theirs;
	put_block(p, b);
	gdb_breakpoint(&p->gdb, b->end, 1);
	gdb_continue(&p->gdb);
	gdb_breakpoint(&p->gdb, b->end, 0);
	bool there = run_ours(p, b->end, 100000);
	our_regs(p, &ours);
	gdb_read_regs(&p->gdb, &theirs);
	bool same = there && same_regs(&ours, &theirs);
	if (!same)
		show_regs(&ours, &theirs);
	return (int)same & same_mem(p, DATA_BASE, DATA_SIZE) & same_mem(p, STACK_BASE, STACK_SIZE);
}

/* --- coverage: every row of the decoder's tables has been generated ------------------------- */

static unsigned long rows16[64], rows32[64];

static void count_rows(const struct block *b)
{
	for (unsigned i = 0; i < b->gen.n; i++) {
		uint32_t hw = b->gen.code[i];
		const struct vb_pattern *t = vb_patterns16;
		unsigned n = vb_patterns16_count;
		unsigned long *rows = rows16;
		if (hw >= 0xE800 && i + 1 < b->gen.n) {
			hw = hw << 16 | b->gen.code[++i];
			t = vb_patterns32;
			n = vb_patterns32_count;
			rows = rows32;
		}
		for (unsigned k = 0; k < n; k++) {
			if ((hw & t[k].mask) == t[k].match) {
				rows[k]++;
				break;
			}
		}
	}
}

/* Rows without a place in a block: BKPT ends a debugged run, coprocessors and the reserved
 * spaces fault in ways the handler here does not step over (unit tests hold those). */
static bool exempt16(uint32_t match)
{
	return match == 0xBE00;
}

static bool exempt32(uint32_t match)
{
	return match == 0xEC000000 || match == 0xE8C00000 || match == 0xF3808000;
}

static bool covered(void)
{
	bool ok = true;
	for (unsigned k = 0; k < vb_patterns16_count; k++) {
		if (!rows16[k] && !exempt16(vb_patterns16[k].match)) {
			printf("never generated: %04x/%04x\n", vb_patterns16[k].match, vb_patterns16[k].mask);
			ok = false;
		}
	}
	for (unsigned k = 0; k < vb_patterns32_count; k++) {
		if (!rows32[k] && !exempt32(vb_patterns32[k].match)) {
			printf("never generated: %08x/%08x\n", vb_patterns32[k].match, vb_patterns32[k].mask);
			ok = false;
		}
	}
	return ok;
}

static void show_classes(const struct gen_class *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		printf("  %-38s %8lu\n", c[i].name, c[i].count);
}

static int blocks(struct pair *p, uint64_t seed, unsigned long instructions, unsigned per_block)
{
	static struct block b;
	unsigned long done = 0, count = 0;
	while (done < instructions) {
		make_block(&b, seed + count, per_block);
		if (!compare_block(p, &b)) {
			printf("block of seed %llu differs\n", (unsigned long long)(seed + count));
			bisect(p, &b);
			return 1;
		}
		count_rows(&b);
		done += b.gen.instructions;
		count++;
	}
	show_classes(gen_alu_classes, gen_alu_count);
	show_classes(gen_mem_classes, gen_mem_count);
	show_classes(gen_flow_classes, gen_flow_count);
	printf("lockstep: seed %llu: %lu instructions in %lu blocks, no difference\n",
	       (unsigned long long)seed, done, count);
	return covered() ? 0 : 1;
}

/* --- compiled programs ---------------------------------------------------------------------- */

static int program(struct pair *p, const char *path)
{
	static uint8_t image[LOW_SIZE - PROGRAM_BASE], zero[SRAM_SIZE];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(image, 1, sizeof(image), f) : 0;
	if (n < 16 || fclose(f)) {
		printf("%s: cannot read\n", path);
		return 1;
	}
	/* The image begins with its stack pointer and the addresses of its entry and its end. */
	uint32_t entry = vb_get(image + 4, 4), end = vb_get(image + 8, 4) & ~1u;
	struct gdb_regs regs = { .xpsr = 0x01000000 }, ours, theirs;
	regs.r[13] = vb_get(image, 4);
	regs.r[15] = entry & ~1u;
	put_mem(p, PROGRAM_BASE, image, (unsigned)n);
	put_mem(p, VB_SRAM_BASE, zero, SRAM_SIZE);
	put_regs(p, &regs);
	gdb_breakpoint(&p->gdb, end, 1);
	gdb_continue(&p->gdb);
	gdb_breakpoint(&p->gdb, end, 0);
	uint64_t before = p->m.cpu.cycles;
	bool there = run_ours(p, end, 2000000000ull);
	our_regs(p, &ours);
	gdb_read_regs(&p->gdb, &theirs);
	bool same = there && same_regs(&ours, &theirs);
	if (!same)
		show_regs(&ours, &theirs);
	same &= same_mem(p, VB_SRAM_BASE, SRAM_SIZE);
	const char *name = strrchr(path, '/');
	printf("%s %-22s checksum %08x, %llu cycles\n", same ? "same     " : "DIFFERENT", name ? name + 1 : path,
	       ours.r[0], (unsigned long long)(p->m.cpu.cycles - before));
	return !same;
}

int main(int argc, char **argv)
{
	uint64_t seed = 1;
	unsigned long instructions = 200000;
	unsigned per_block = 300;
	int fail = 0, i = 1;
	for (; i + 1 < argc && strcmp(argv[i], "--program"); i += 2) {
		unsigned long long v = strtoull(argv[i + 1], NULL, 0);
		if (!strcmp(argv[i], "--seed")) {
			seed = v;
		} else if (!strcmp(argv[i], "--instructions")) {
			instructions = (unsigned long)v;
		} else if (!strcmp(argv[i], "--block")) {
			per_block = (unsigned)v;
		} else {
			fprintf(stderr, "lockstep: %s?\n", argv[i]);
			return 2;
		}
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	start(&pair);
	if (i < argc)
		for (i++; i < argc; i++)
			fail |= program(&pair, argv[i]);
	else
		fail = blocks(&pair, seed, instructions, per_block);
	stop(&pair);
	return fail;
}
