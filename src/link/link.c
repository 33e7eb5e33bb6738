/* link.c - finds the kind, tries to open it until it works or the time is up, and passes on. */
#include "link/link.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/log.h"
#include "link/link_ops.h"

enum { RETRY_MS = 100 };

static const struct rtb_link_kind *const kinds[] = {
	&rtb_link_serial, &rtb_link_pty, &rtb_link_file, &rtb_link_unix, &rtb_link_tcp,
	&rtb_link_ftdi, &rtb_link_usb,
};

static const struct rtb_link_kind *guess(const char *path)
{
	struct stat st;
	if (strncmp(path, "/dev/pts/", 9) == 0)
		return &rtb_link_pty;
	if (stat(path, &st) == 0 && S_ISSOCK(st.st_mode))
		return &rtb_link_unix;
	return &rtb_link_serial;
}

/* The kind of a spec, and where its own part begins; NULL for a scheme that does not exist. */
static const struct rtb_link_kind *kind_of(const char *spec, const char **where)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t n = strlen(kinds[i]->scheme);
		if (strncmp(spec, kinds[i]->scheme, n) == 0) {
			*where = spec + n;
			return kinds[i];
		}
	}
	*where = spec;
	/* "tpc://" must not become a device name; a path may hold a colon behind a slash. */
	const char *colon = strchr(spec, ':'), *slash = strchr(spec, '/');
	if (colon && (!slash || colon < slash))
		return NULL;
	return guess(spec);
}

struct rtb_link *rtb_link_from_ops(const struct rtb_link_ops *ops, void *ctx, const struct rtb_clock *clock,
				   const char *name)
{
	struct rtb_link *l = rtb_alloc(sizeof *l);
	*l = (struct rtb_link){.ops = ops, .ctx = ctx, .clock = clock, .fd = -1, .latency_ms = -1,
			       .name = rtb_strdup(name)};
	return l;
}

static bool worth_waiting(enum rtb_status s)
{
	return s == RTB_LINK_ABSENT || s == RTB_LINK_BUSY;
}

enum rtb_status rtb_link_open(const struct rtb_link_options *o, struct rtb_link **out, struct rtb_error *e)
{
	*out = NULL;
	const char *where = NULL;
	const struct rtb_link_kind *kind = o->spec ? kind_of(o->spec, &where) : NULL;
	if (!kind || *where == '\0')
		return rtb_fail(e, RTB_CONFIG, "\"%s\" is no link: serial:/dev/..., usb:SERIAL, pty:PATH, unix:PATH, "
				"tcp://HOST:PORT, ftdi://SERIAL or file:PATH", o->spec ? o->spec : "");
	const struct rtb_clock *clock = o->clock ? o->clock : rtb_clock_system();
	struct rtb_link *l = rtb_link_from_ops(NULL, NULL, clock, NULL);
	uint64_t deadline = rtb_deadline_ms(clock, o->open_wait_ms);
	for (bool first = true;; first = false) {
		struct rtb_error tried = {0};
		enum rtb_status s = kind->open(l, o, where, &tried);
		if (s == RTB_OK)
			break;
		int left = rtb_ms_left(clock, deadline);
		bool cancelled = o->cancel && *o->cancel;
		if (cancelled || !worth_waiting(s) || left == 0) {
			free(l);
			return rtb_fail(e, cancelled ? RTB_INTERRUPTED : s, "%s", tried.text);
		}
		if (first)
			rtb_log(RTB_LOG_INFO, "link: %s; trying for %d ms", tried.text, left);
		poll(NULL, 0, left < RETRY_MS ? left : RETRY_MS);
	}
	if (!l->name)
		l->name = rtb_strdup(o->spec);
	*out = l;
	return RTB_OK;
}

void rtb_link_close(struct rtb_link *l)
{
	if (!l)
		return;
	l->ops->close(l);
	free(l->name);
	free(l);
}

enum rtb_status rtb_link_read(struct rtb_link *l, void *buf, size_t cap, int timeout_ms, size_t *got,
			      struct rtb_error *e)
{
	*got = 0;
	return l->ops->read(l, buf, cap, timeout_ms, got, e);
}

enum rtb_status rtb_link_write(struct rtb_link *l, const void *buf, size_t n, int timeout_ms,
			       struct rtb_error *e)
{
	return l->ops->write(l, buf, n, timeout_ms, e);
}

enum rtb_status rtb_link_drain(struct rtb_link *l, int quiet_ms, int limit_ms, size_t *dropped,
			       struct rtb_error *e)
{
	char waste[4096];
	*dropped = 0;
	uint64_t limit = rtb_deadline_ms(l->clock, (uint64_t)limit_ms);
	uint64_t quiet = rtb_deadline_ms(l->clock, (uint64_t)quiet_ms);
	int left;
	while ((left = rtb_ms_left(l->clock, quiet < limit ? quiet : limit)) > 0) {
		size_t got;
		enum rtb_status s = rtb_link_read(l, waste, sizeof waste, left, &got, e);
		if (s != RTB_OK)
			return s;
		if (got)
			quiet = rtb_deadline_ms(l->clock, (uint64_t)quiet_ms);
		*dropped += got;
	}
	return RTB_OK;
}

const char *rtb_link_name(const struct rtb_link *l)
{
	return l->name;
}

int rtb_link_latency_ms(const struct rtb_link *l)
{
	return l->latency_ms;
}
