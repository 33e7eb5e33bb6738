/* report.h - what people and programs get to read of runs. Writers only: they add to a buffer
 * or hand pieces to a sink and never print. */
#ifndef RTB_REPORT_REPORT_H
#define RTB_REPORT_REPORT_H

#include "report/table.h"
#include "store/model.h"

/* Takes the buffer's content away (to a file, a pipe) and may clear it; non-RTB_OK ends. */
typedef enum rtb_status rtb_sink(void *ctx, struct rtb_buf *b, struct rtb_error *e);

/* Cycles per microsecond of a run: the measured clock where time was real, else the one that
 * the registers say, else the declared. 0: none is known. *what says which ("measured"). */
double rtb_run_mhz(const struct rtb_run *r, const char **what);

/* The table at the end of `rtbench run`: a line for each case of each cell with min, median,
 * avg, p99 and max, in the record's unit and in us; repeats that agree to the last digit share
 * a line. Suspect and rejected figures carry a mark and a footnote; a failed run is a line that
 * says how it failed. */
void rtb_report_runs(struct rtb_run *const *runs, size_t n, bool color, struct rtb_buf *out);
/* The same in any format. */
void rtb_report_runs_as(struct rtb_run *const *runs, size_t n, enum rtb_table_format format,
			bool color, struct rtb_buf *out);

/* Everything known of a run (`rtbench show`): text for people, figures net or as measured, or one JSON
 * document, which has both. */
void rtb_report_run(const struct rtb_run *r, bool as_measured, bool color, struct rtb_buf *out);
void rtb_report_run_json(const struct rtb_run *r, struct rtb_buf *out);

#endif
