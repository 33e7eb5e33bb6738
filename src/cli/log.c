#include "cli/log.h"

#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/clock.h"

static const char *const words[] = {"error", "warning", "note", "debug"};

void rtb_log_as_text(void *ctx, enum rtb_log_level level, const char *line)
{
	(void)ctx;
	fprintf(stderr, "rtbench: %s: %s\n", words[level], line);
}

/* Written with one call, so that lines of several threads do not mix. */
void rtb_log_object(enum rtb_log_level level, const char *room, const char *message, struct cJSON *more)
{
	const struct rtb_clock *clock = rtb_clock_system();
	char stamp[32];
	cJSON *o = cJSON_CreateObject();
	rtb_iso8601(clock->wall_ns(clock->ctx), stamp);
	cJSON_AddStringToObject(o, "time", stamp);
	cJSON_AddStringToObject(o, "level", words[level]);
	cJSON_AddStringToObject(o, "room", room);
	cJSON_AddStringToObject(o, "message", message);
	for (cJSON *m; more && (m = more->child);) {
		cJSON_DetachItemViaPointer(more, m);
		cJSON_AddItemToObject(o, m->string, m);
	}
	cJSON_Delete(more);
	char *text = cJSON_PrintUnformatted(o);
	if (text)
		fprintf(stderr, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(o);
}

void rtb_log_as_json(void *ctx, enum rtb_log_level level, const char *line)
{
	(void)ctx;
	cJSON *more = rtb_log_about() ? cJSON_CreateObject() : NULL;
	if (more)
		cJSON_AddStringToObject(more, "cell", rtb_log_about());
	rtb_log_object(level, rtb_log_room(), line, more);
}

void rtb_log_error(const char *name, enum rtb_status st, const char *text)
{
	cJSON *more = cJSON_CreateObject();
	cJSON_AddStringToObject(more, "command", name);
	cJSON_AddStringToObject(more, "status", rtb_status_word(st));
	cJSON_AddNumberToObject(more, "exit", rtb_status_exit(st));
	if (*rtb_status_advice(st))
		cJSON_AddStringToObject(more, "advice", rtb_status_advice(st));
	rtb_log_object(RTB_LOG_ERROR, "cli", text, more);
}
