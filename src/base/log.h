/* log.h - diagnostics for whoever runs the program. Rooms below cli/ log; only cli/ prints. */
#ifndef RTB_BASE_LOG_H
#define RTB_BASE_LOG_H

enum rtb_log_level { RTB_LOG_ERROR, RTB_LOG_WARN, RTB_LOG_INFO, RTB_LOG_DEBUG };

typedef void rtb_log_sink(void *ctx, enum rtb_log_level level, const char *line);

/* The sink gets each line without a newline, at or above the level. NULL silences. The sink
 * may be called from the build thread; it must be thread-safe. */
void rtb_log_to(rtb_log_sink *sink, void *ctx, enum rtb_log_level level);
#define rtb_log(level, ...) rtb_log_at(__FILE__, level, __VA_ARGS__)
void rtb_log_at(const char *file, enum rtb_log_level level, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* What the calling thread is busy with, for lines that do not say it themselves; borrowed until it
 * is set anew. NULL: nothing. */
void rtb_log_set_about(const char *text);
/* For the sink, during a call: the above, and the room that the line comes from ("sweep"). */
const char *rtb_log_about(void);
const char *rtb_log_room(void);

#endif
