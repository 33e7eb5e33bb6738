/* log.h - diagnostics for whoever runs the program. Rooms below cli/ log; only cli/ prints. */
#ifndef RTB_BASE_LOG_H
#define RTB_BASE_LOG_H

enum rtb_log_level { RTB_LOG_ERROR, RTB_LOG_WARN, RTB_LOG_INFO, RTB_LOG_DEBUG };

typedef void rtb_log_sink(void *ctx, enum rtb_log_level level, const char *line);

/* The sink gets each line without a newline, at or above the level. NULL silences. The sink
 * may be called from the build thread; it must be thread-safe. */
void rtb_log_to(rtb_log_sink *sink, void *ctx, enum rtb_log_level level);
void rtb_log(enum rtb_log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
