#include "vboard/semihost.h"

#include <unistd.h>

#include "vboard/cpu.h"

enum {
	SYS_OPEN = 0x01, SYS_CLOSE = 0x02, SYS_WRITEC = 0x03, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05,
	SYS_ISTTY = 0x09, SYS_ERRNO = 0x13, SYS_EXIT = 0x18, SYS_EXIT_EXTENDED = 0x20,
};
#define STOPPED_APPLICATION_EXIT 0x20026u
#define MAX_TEXT (1u << 16) /* a runaway string ends here */

static uint32_t word(struct vb_machine *m, uint32_t addr)
{
	uint32_t v;

	vb_bus_read(&m->bus, addr, 4, &v);
	return v;
}

/* The program's text has nowhere else to go; a closed stdout is not its fault. */
static void put(struct vb_semihost *s, uint32_t addr, uint32_t n, bool until_nul)
{
	char text[256];
	uint32_t len = 0;

	for (uint32_t i = 0; i < n && i < MAX_TEXT; i++) {
		uint32_t c;
		if (!vb_bus_read(&s->m->bus, addr + i, 1, &c) || (until_nul && !c))
			break;
		text[len++] = (char)c;
		if (len == sizeof text) {
			if (write(s->fd, text, len) < 0)
				return;
			len = 0;
		}
	}
	if (len && write(s->fd, text, len) < 0)
		return;
}

static void leave(struct vb_semihost *s, uint32_t reason, int code)
{
	s->exited = true;
	s->exit_code = reason == STOPPED_APPLICATION_EXIT ? code : 1;
	vb_cpu_stop(&s->m->cpu);
}

static bool call(void *ctx, struct vb_cpu *c)
{
	struct vb_semihost *s = ctx;
	uint32_t arg = c->r[1];

	switch (c->r[0]) {
	case SYS_WRITEC:
		put(s, arg, 1, false);
		return true;
	case SYS_WRITE0:
		put(s, arg, MAX_TEXT, true);
		return true;
	case SYS_WRITE: /* handle, address, length; answers what was not written */
		put(s, word(s->m, arg + 4), word(s->m, arg + 8), false);
		c->r[0] = 0;
		return true;
	case SYS_OPEN: /* the console is all there is */
		c->r[0] = 1;
		return true;
	case SYS_CLOSE:
	case SYS_ERRNO:
		c->r[0] = 0;
		return true;
	case SYS_ISTTY:
		c->r[0] = 1;
		return true;
	case SYS_EXIT:
		leave(s, arg, 0);
		return true;
	case SYS_EXIT_EXTENDED:
		leave(s, word(s->m, arg), (int)(word(s->m, arg + 4) & 0xFF));
		return true;
	default:
		c->r[0] = UINT32_MAX;
		return true;
	}
}

void vb_semihost_init(struct vb_semihost *s, struct vb_machine *m, int fd)
{
	*s = (struct vb_semihost){ .m = m, .fd = fd };
	vb_cpu_semihost(&m->cpu, call, s);
}
