/* report.h - what the bench says: every frame of docs/wire-format.md that is not a case's. */
#ifndef RTB_REPORT_H
#define RTB_REPORT_H

#include "core/case_table.h"
#include "core/command.h"
#include "core/stat.h"

/* One measured series, as the record frame carries it. */
struct rtb_series {
	const char *name; /* in cases.def's list, up to the next space */
	int32_t cold;
	uint32_t ticks;
	uint64_t cycles, timer; /* core cycles by the DWT, and by the board's time source */
	uint32_t check;
	struct rtb_stat stat;
};

void report_init(void);
/* Ready twice a second until a command comes that can be done; says so in a hello. raw_max:
 * raw samples there is room for, by case. Returns the case. */
const struct rtb_case *report_conversation(struct rtb_command *cmd,
					   uint32_t (*raw_max)(const struct rtb_case *c));
void report_mark(void);
void report_record(const struct rtb_case *c, const struct rtb_series *series);
void report_raw(const struct rtb_case *c, const struct rtb_series *series, const int32_t *sample,
		uint32_t count);
void report_stack(const char *task, size_t bytes, size_t used, bool touched);
/* The last frame; returns when its last bit is out. */
void report_done(void);

/* Registers of a fault, as stacked. */
struct rtb_fault {
	uint32_t pc, lr, xpsr;
};
/* Comes at any moment, in the middle of another frame too. Returns when its last bit is out. */
void report_fault(const char *kind, const struct rtb_fault *fault);

/* A sign of life between samples: at most once a second a mark, whose bytes leave one by one
 * as calls find room for them. Costs a few loads when there is nothing to do. */
void report_heartbeat(void);
/* Waits until a mark on its way has left. Other frames may follow only then. */
void report_heartbeat_flush(void);

#endif
