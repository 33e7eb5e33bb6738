#include "link/message.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "link/fields.h"
#include "link/record.h"

/* A message is an object whose members are scalars or flat lists. cJSON recurses up to its own
 * limit of 1000, far more than a frame has any use for. */
enum { MAX_DEPTH = 4 };

static const char *const words[RTB_FRAME_TYPE_COUNT] = {
#define WORD(sym, word, text) word,
	RTB_FRAME_TYPES(WORD)
#undef WORD
};

const char *rtb_message_word(enum rtb_frame_type t)
{
	return (unsigned)t < RTB_FRAME_TYPE_COUNT ? words[t] : "unknown";
}

/* Brackets nest at most MAX_DEPTH deep, and no string holds an escaped NUL, which cJSON would
 * take as the string's end. */
static bool shape_ok(const char *json, size_t n)
{
	unsigned depth = 0;
	bool string = false;
	for (size_t i = 0; i < n; i++) {
		char c = json[i];
		if (string && c == '\\') {
			if (n - i >= 6 && memcmp(json + i, "\\u0000", 6) == 0)
				return false;
			i++;
		} else if (c == '"') {
			string = !string;
		} else if (!string && (c == '{' || c == '[')) {
			if (++depth > MAX_DEPTH)
				return false;
		} else if (!string && (c == '}' || c == ']')) {
			depth -= depth > 0;
		}
	}
	return true;
}

static unsigned proto(struct rtb_fields *f)
{
	uint64_t v = rtb_field_u64(f, "proto", 0, UINT32_MAX);
	if (f->status == RTB_OK && v != RTB_PROTO_VERSION)
		f->status = rtb_fail(f->e, RTB_PROTOCOL, "%s: the image speaks frame version %llu, "
				     "this program %d", f->what, (unsigned long long)v, RTB_PROTO_VERSION);
	return (unsigned)v;
}

static void build(struct rtb_fields *f, char *out, size_t cap)
{
	rtb_field_text(f, "build", false, out, cap);
	if (f->status == RTB_OK && out[strspn(out, "0123456789abcdef")] != '\0')
		rtb_fields_bad(f, "field \"build\" is not in lower-case hex");
}

static void selftest(struct rtb_fields *f, struct rtb_hello *h)
{
	const cJSON *list = rtb_field(f, "selftest");
	uint64_t v[2];
	if (!list)
		return;
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 2 || !rtb_json_u64(list->child, &v[0]) ||
	    !rtb_json_u64(list->child->next, &v[1]) || v[0] > UINT32_MAX || v[1] > UINT32_MAX) {
		rtb_fields_bad(f, "field \"selftest\" is not [start, end] of a 32-bit counter");
		return;
	}
	h->selftest_start = (uint32_t)v[0];
	h->selftest_end = (uint32_t)v[1];
}

static void hello(struct rtb_fields *f, struct rtb_hello *h)
{
	h->proto = proto(f); /* first: the other fields are those of this version */
	build(f, h->build, sizeof h->build);
	h->boot = (unsigned)rtb_field_u64(f, "boot", 0, UINT32_MAX);
	rtb_field_text(f, "reset", true, h->reset, sizeof h->reset);
	rtb_field_text(f, "case", false, h->case_name, sizeof h->case_name);
	h->samples = (unsigned)rtb_field_u64(f, "samples", 0, UINT32_MAX);
	h->raw = (unsigned)rtb_field_u64(f, "raw", 0, UINT32_MAX);
	rtb_field_text(f, "target", false, h->target, sizeof h->target);
	rtb_field_text(f, "kernel", false, h->kernel, sizeof h->kernel);
	rtb_field_text(f, "kernel_version", true, h->kernel_version, sizeof h->kernel_version);
	rtb_field_text(f, "port_version", true, h->port_version, sizeof h->port_version);
	rtb_field_text(f, "opt", false, h->opt, sizeof h->opt);
	h->instrumented = rtb_field_bool(f, "instrumented");
	rtb_field_text(f, "clock_source", true, h->clock_source, sizeof h->clock_source);
	h->core = rtb_field_reg(f, "core");
	h->hclk = (uint32_t)rtb_field_u64(f, "hclk", 1, UINT32_MAX);
	h->tick_hz = (uint32_t)rtb_field_u64(f, "tick_hz", 0, UINT32_MAX);
	h->stack_bytes = (uint32_t)rtb_field_u64(f, "stack_bytes", 0, UINT32_MAX);
	selftest(f, h);
	h->read_cost = (uint32_t)rtb_field_u64(f, "read_cost", 0, UINT32_MAX);
	h->dhcsr = rtb_field_reg(f, "dhcsr");
	h->demcr = rtb_field_reg(f, "demcr");
	h->dbgmcu_cr = rtb_field_reg(f, "dbgmcu_cr");
	h->rcc_cr = rtb_field_reg(f, "rcc_cr");
	h->rcc_cfgr = rtb_field_reg(f, "rcc_cfgr");
	h->flash_acr = rtb_field_reg(f, "flash_acr");
	h->systick_load = rtb_field_reg(f, "systick_load");
}

static void raw_part(struct rtb_fields *f, struct rtb_raw_part *r)
{
	rtb_field_text(f, "case", false, r->case_name, sizeof r->case_name);
	rtb_field_text(f, "series", true, r->series, sizeof r->series);
	r->from = (unsigned)rtb_field_u64(f, "from", 0, UINT32_MAX);
	const cJSON *list = rtb_field(f, "v"), *v;
	if (!list)
		return;
	if (!cJSON_IsArray(list) || !list->child) {
		rtb_fields_bad(f, "field \"v\" is not a list of samples");
		return;
	}
	r->v = rtb_alloc((size_t)cJSON_GetArraySize(list) * sizeof *r->v);
	cJSON_ArrayForEach(v, list) {
		int64_t sample;
		if (!rtb_json_i64(v, &sample) || sample < INT32_MIN || sample > INT32_MAX) {
			rtb_fields_bad(f, "field \"v\" holds what is no 32-bit sample");
			return;
		}
		r->v[r->count++] = (int32_t)sample;
	}
}

static void stack(struct rtb_fields *f, struct rtb_stack_mark *s)
{
	char task[32];
	rtb_field_text(f, "task", false, task, sizeof task);
	s->bytes = (unsigned)rtb_field_u64(f, "bytes", 1, UINT32_MAX);
	s->used = (unsigned)rtb_field_u64(f, "used", 0, s->bytes);
	s->touched = rtb_field_bool(f, "touched");
	if (f->status == RTB_OK)
		s->task = rtb_strdup(task);
}

static void fault(struct rtb_fields *f, struct rtb_fault *x)
{
	rtb_field_text(f, "kind", false, x->kind, sizeof x->kind);
	x->pc = rtb_field_reg(f, "pc");
	x->lr = rtb_field_reg(f, "lr");
	x->xpsr = rtb_field_reg(f, "xpsr");
	x->cfsr = rtb_field_reg(f, "cfsr");
	x->hfsr = rtb_field_reg(f, "hfsr");
	x->mmfar = rtb_field_reg(f, "mmfar");
	x->bfar = rtb_field_reg(f, "bfar");
}

static void body(struct rtb_fields *f, struct rtb_message *m)
{
	switch (m->type) {
	case RTB_FRAME_READY:
		m->u.ready.proto = proto(f);
		build(f, m->u.ready.build, sizeof m->u.ready.build);
		m->u.ready.boot = (unsigned)rtb_field_u64(f, "boot", 0, UINT32_MAX);
		break;
	case RTB_FRAME_HELLO:
		hello(f, &m->u.hello);
		break;
	case RTB_FRAME_MARK:
		m->u.mark.cycles = (uint32_t)rtb_field_u64(f, "cycles", 0, UINT32_MAX);
		m->u.mark.timer = (uint32_t)rtb_field_u64(f, "timer", 0, UINT32_MAX);
		m->u.mark.ticks = (uint32_t)rtb_field_u64(f, "ticks", 0, UINT32_MAX);
		break;
	case RTB_FRAME_RECORD:
		rtb_record_parse(f, &m->u.record);
		break;
	case RTB_FRAME_RAW:
		raw_part(f, &m->u.raw);
		break;
	case RTB_FRAME_STACK:
		stack(f, &m->u.stack);
		break;
	case RTB_FRAME_DONE:
		m->u.done.frames = (uint32_t)rtb_field_u64(f, "frames", 1, UINT32_MAX);
		m->u.done.systick_ctrl = rtb_field_reg(f, "systick_ctrl");
		m->u.done.systick_load = rtb_field_reg(f, "systick_load");
		break;
	case RTB_FRAME_ERROR:
		rtb_field_text(f, "code", false, m->u.error.code, sizeof m->u.error.code);
		rtb_field_text(f, "text", true, m->u.error.text, sizeof m->u.error.text);
		break;
	case RTB_FRAME_FAULT:
		fault(f, &m->u.fault);
		break;
	case RTB_FRAME_TYPE_COUNT:
		break;
	}
}

static enum rtb_frame_type type_of(struct rtb_fields *f)
{
	const cJSON *t = rtb_field(f, "t");
	if (t && cJSON_IsString(t)) {
		for (int i = 0; i < RTB_FRAME_TYPE_COUNT; i++)
			if (strcmp(t->valuestring, words[i]) == 0)
				return (enum rtb_frame_type)i;
		f->status = rtb_fail(f->e, RTB_PROTOCOL, "frame: type \"%.32s\" is unknown to this program",
				     t->valuestring);
	} else if (t) {
		rtb_fields_bad(f, "field \"t\" is not a string");
	}
	return RTB_FRAME_TYPE_COUNT;
}

static enum rtb_status parse_object(const cJSON *object, struct rtb_message *out, struct rtb_error *e)
{
	struct rtb_fields f = {.object = object, .what = "frame", .e = e};
	if (!cJSON_IsObject(object)) {
		rtb_fields_bad(&f, "not a JSON object");
		return f.status;
	}
	out->type = type_of(&f);
	if (f.status != RTB_OK)
		return f.status;
	f.what = words[out->type];
	/* ready, error and fault may be said outside a case: they are not counted. */
	out->has_seq = out->type != RTB_FRAME_READY && out->type != RTB_FRAME_ERROR &&
		       out->type != RTB_FRAME_FAULT;
	if (out->type != RTB_FRAME_READY)
		out->nonce = rtb_field_nonce(&f, "nonce");
	if (out->has_seq)
		out->seq = (uint32_t)rtb_field_u64(&f, "seq", 0, UINT32_MAX);
	body(&f, out);
	return f.status;
}

enum rtb_status rtb_message_parse(const char *json, size_t n, struct rtb_message *out, struct rtb_error *e)
{
	*out = (struct rtb_message){.type = RTB_FRAME_TYPE_COUNT};
	if (!shape_ok(json, n))
		return rtb_fail(e, RTB_INCOMPLETE, "frame: nested too deep, or a NUL inside a string");
	const char *end = NULL;
	cJSON *object = cJSON_ParseWithLengthOpts(json, n, &end, 0);
	if (!object)
		return rtb_fail(e, RTB_INCOMPLETE, "frame: not JSON at byte %td of %zu",
				end ? end - json : (ptrdiff_t)0, n);
	enum rtb_status s;
	if (end != json + n)
		s = rtb_fail(e, RTB_INCOMPLETE, "frame: %td bytes after its JSON", json + n - end);
	else
		s = parse_object(object, out, e);
	cJSON_Delete(object);
	if (s != RTB_OK)
		rtb_message_free(out);
	return s;
}

void rtb_message_free(struct rtb_message *m)
{
	switch (m->type) {
	case RTB_FRAME_RECORD:
		rtb_record_free(&m->u.record);
		break;
	case RTB_FRAME_RAW:
		free(m->u.raw.v);
		m->u.raw.v = NULL;
		m->u.raw.count = 0;
		break;
	case RTB_FRAME_STACK:
		free(m->u.stack.task);
		m->u.stack.task = NULL;
		break;
	default:
		break;
	}
}

void rtb_message_list_free(struct rtb_message_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		rtb_message_free(&l->m[i]);
	free(l->m);
	*l = (struct rtb_message_list){0};
}
