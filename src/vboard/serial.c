#include "vboard/serial.h"

#define OUT_LIMIT (64u * 1024)

static void sink(void *ctx, uint8_t byte)
{
	struct vb_serial *s = ctx;

	if (!vb_faults_character(s->faults, &byte))
		return;
	if (s->ep.fd < 0)
		s->unheard++;
	else if (s->realtime && s->out.len >= OUT_LIMIT)
		s->dropped++;
	else
		rtb_buf_add(&s->out, &byte, 1);
	if (vb_serial_blocked(s))
		vb_cpu_stop(&s->usart->m->cpu);
}

void vb_serial_init(struct vb_serial *s, struct vb_usart *usart, struct vb_faults *faults,
		    const struct vb_endpoint *ep, bool realtime)
{
	*s = (struct vb_serial){ .ep = *ep, .usart = usart, .faults = faults, .realtime = realtime };
	usart->sink = sink;
	usart->sink_ctx = s;
}

void vb_serial_free(struct vb_serial *s)
{
	vb_endpoint_close(&s->ep);
	rtb_buf_free(&s->out);
}

bool vb_serial_blocked(const struct vb_serial *s)
{
	return !s->realtime && s->ep.fd >= 0 && s->out.len >= OUT_LIMIT;
}

unsigned vb_serial_poll(const struct vb_serial *s, struct pollfd *p)
{
	return vb_endpoint_poll(&s->ep, vb_usart_wire_free(s->usart) > 0, s->out.len > 0, p);
}

static void send_out(struct vb_serial *s)
{
	while (s->out.len) {
		long n = vb_endpoint_write(&s->ep, s->out.data, s->out.len);
		if (n < 0)
			rtb_buf_clear(&s->out);
		if (n <= 0)
			return;
		rtb_buf_drop(&s->out, (size_t)n);
	}
}

static void take_in(struct vb_serial *s)
{
	uint8_t chunk[512];
	unsigned room;

	while ((room = vb_usart_wire_free(s->usart)) > 0) {
		long n = vb_endpoint_read(&s->ep, chunk, room < sizeof chunk ? room : sizeof chunk);
		if (n < 0)
			rtb_buf_clear(&s->out);
		if (n <= 0)
			return;
		vb_usart_wire(s->usart, chunk, (unsigned)n);
	}
}

void vb_serial_service(struct vb_serial *s)
{
	vb_endpoint_accept(&s->ep);
	send_out(s);
	take_in(s);
}
