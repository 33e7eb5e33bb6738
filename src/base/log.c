#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static rtb_log_sink *the_sink;
static void *the_ctx;
static enum rtb_log_level the_level = RTB_LOG_WARN;

void rtb_log_to(rtb_log_sink *sink, void *ctx, enum rtb_log_level level)
{
	the_sink = sink;
	the_ctx = ctx;
	the_level = level;
}

static _Thread_local const char *about;
static _Thread_local char room[32];

void rtb_log_set_about(const char *text)
{
	about = text;
}

const char *rtb_log_about(void)
{
	return about;
}

const char *rtb_log_room(void)
{
	return room;
}

/* The directory of "src/sweep/step.c". */
static void find_room(const char *file)
{
	const char *end = strrchr(file, '/'), *begin = end;
	while (begin && begin > file && begin[-1] != '/')
		begin--;
	snprintf(room, sizeof room, "%.*s", begin ? (int)(end - begin) : 0, begin ? begin : "");
}

void rtb_log_at(const char *file, enum rtb_log_level level, const char *fmt, ...)
{
	if (!the_sink || level > the_level)
		return;
	find_room(file);
	char line[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	rtb_text_line(line);
	the_sink(the_ctx, level, line);
}
