/* log.h - what goes to standard error besides results: lines for people, or one JSON object a line
 * (time, level, room, message; cell, status, exit where there are any). */
#ifndef RTB_CLI_LOG_H
#define RTB_CLI_LOG_H

#include "base/log.h"
#include "base/status.h"

struct cJSON;

/* Sinks for rtb_log_to. */
void rtb_log_as_text(void *ctx, enum rtb_log_level level, const char *line);
void rtb_log_as_json(void *ctx, enum rtb_log_level level, const char *line);
/* How the command `name` failed, as JSON. */
void rtb_log_error(const char *name, enum rtb_status st, const char *text);
/* A line of its own; takes `more`, which has further members and may be NULL. */
void rtb_log_object(enum rtb_log_level level, const char *room, const char *message, struct cJSON *more);

#endif
