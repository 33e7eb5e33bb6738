#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static rtb_log_sink *the_sink;
static void *the_ctx;
static enum rtb_log_level the_level = RTB_LOG_WARN;

void rtb_log_to(rtb_log_sink *sink, void *ctx, enum rtb_log_level level)
{
	the_sink = sink;
	the_ctx = ctx;
	the_level = level;
}

void rtb_log(enum rtb_log_level level, const char *fmt, ...)
{
	if (!the_sink || level > the_level)
		return;
	char line[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	the_sink(the_ctx, level, line);
}
