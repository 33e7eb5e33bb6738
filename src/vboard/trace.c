#include "vboard/trace.h"

#include <errno.h>
#include <string.h>

#define XPSR 16

static void snapshot(struct vb_cpu *c, uint32_t reg[17])
{
	memcpy(reg, c->r, 15 * sizeof reg[0]);
	reg[15] = 0; /* the next line's address says where it went */
	reg[XPSR] = vb_cpu_reg_read(c, XPSR);
}

/* Ends the line of the instruction before with what it did. */
static void finish(struct vb_trace *t, struct vb_cpu *c)
{
	uint32_t now[17];

	snapshot(c, now);
	if (t->any) {
		for (unsigned i = 0; i < 15; i++)
			if (now[i] != t->before[i])
				fprintf(t->out, " r%u=%08x", i, now[i]);
		if (now[XPSR] != t->before[XPSR])
			fprintf(t->out, " xpsr=%08x", now[XPSR]);
		fputc('\n', t->out);
	}
	memcpy(t->before, now, sizeof now);
}

static void hook(void *ctx, struct vb_cpu *c, uint32_t pc)
{
	struct vb_trace *t = ctx;
	uint32_t op, low;

	finish(t, c);
	vb_bus_read(&t->m->bus, pc, 2, &op);
	if (op >= 0xE800) { /* the first half of a 32-bit encoding (ARMv7-M ARM A5.1) */
		vb_bus_read(&t->m->bus, pc + 2, 2, &low);
		fprintf(t->out, "%10llu %08x %04x%04x", (unsigned long long)c->cycles, pc, op, low);
	} else {
		fprintf(t->out, "%10llu %08x %04x    ", (unsigned long long)c->cycles, pc, op);
	}
	t->any = true;
}

enum rtb_status vb_trace_open(struct vb_trace *t, struct vb_machine *m, const char *path,
			      struct rtb_error *e)
{
	*t = (struct vb_trace){ .m = m, .out = fopen(path, "we") };
	if (!t->out)
		return rtb_fail(e, RTB_STORE, "%s: %s", path, strerror(errno));
	vb_cpu_trace(&m->cpu, hook, t);
	return RTB_OK;
}

enum rtb_status vb_trace_close(struct vb_trace *t, struct rtb_error *e)
{
	if (!t->out)
		return RTB_OK;
	finish(t, &t->m->cpu);
	vb_cpu_trace(&t->m->cpu, NULL, NULL);
	bool bad = ferror(t->out);
	bad |= fclose(t->out) != 0;
	t->out = NULL;
	return bad ? rtb_fail(e, RTB_STORE, "trace: %s", strerror(errno)) : RTB_OK;
}
