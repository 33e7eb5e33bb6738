/* bench_vboard.c - runs a flat image at 0x08000000 on the bare core and says how fast:
 *   bench_vboard IMAGE [CYCLES]
 * One line: emulated cycles, seconds of processor time, peak resident KiB. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "vboard/machine.h"

static struct vb_machine machine;
static uint8_t flash[128 * 1024], sram[20 * 1024];

static uint32_t no_read(void *ctx, uint32_t offset, unsigned size)
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

static bool ends(void *ctx, struct vb_cpu *c)
{
	(void)ctx;
	vb_cpu_stop(c);
	return true;
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	static const struct vb_device_ops ops = { no_read, no_write };
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
	if (!f || fread(flash, 1, sizeof(flash), f) < 64) {
		fprintf(stderr, "bench_vboard: no image\n");
		return 2;
	}
	fclose(f);
	vb_machine_init(&machine);
	vb_bus_map_flash(&machine.bus, VB_FLASH_BASE, sizeof(flash), flash, &ops, NULL);
	vb_bus_map_memory(&machine.bus, VB_SRAM_BASE, sizeof(sram), sram, true);
	vb_cpu_semihost(&machine.cpu, ends, NULL);
	vb_machine_reset(&machine, VB_RESET_POWER_ON);
	uint64_t limit = argc > 2 ? strtoull(argv[2], NULL, 0) : UINT64_MAX;
	double before = seconds();
	enum vb_stop stop = vb_machine_run(&machine, limit);
	double took = seconds() - before;
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	printf("%llu %.4f %ld\n", (unsigned long long)machine.cpu.cycles, took, use.ru_maxrss);
	vb_machine_free(&machine);
	return stop == VB_STOP_ASKED ? 0 : 1;
}
