/* model.h - what a run is, in memory: the one structure that sweep/ fills, check/ judges,
 * store/ keeps and report/ writes out. Plain data; every pointer is owned by the structure
 * that holds it and freed by the matching _free. Strings may be NULL where "not known".
 */
#ifndef RTB_STORE_MODEL_H
#define RTB_STORE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "stats/hist.h"
#include "rtbench/cases.h"
#include "stats/summary.h"

/* The five factors, plus what describes without being one of them. A difference in FACTOR_NOTE
 * never confounds a comparison (serial port name, probe serial, wall time, ...). */
enum rtb_factor { FACTOR_VERSION, FACTOR_CLOCK, FACTOR_COMPILER, FACTOR_CONFIG, FACTOR_METHOD,
		  FACTOR_IMAGE, FACTOR_NOTE, FACTOR_COUNT };
const char *rtb_factor_word(enum rtb_factor f); /* "version", ... "image", "note" */

/* Where a provenance value comes from. Declared means: somebody said so. */
enum rtb_origin { ORIGIN_READ, ORIGIN_MEASURED, ORIGIN_DECLARED, ORIGIN_COUNT };
const char *rtb_origin_word(enum rtb_origin o);

/* One fact about a run. Keys are those of store/provenance.def and no others. */
struct rtb_fact {
	int key;             /* enum rtb_prov_key */
	enum rtb_origin origin;
	char *value;
};

enum rtb_prov_key {
#define X(sym, factor, name, unit, text) PROV_##sym,
#include "store/provenance.def"
#undef X
	PROV_COUNT
};
struct rtb_prov_info {
	const char *name;    /* "kernel_version": the stored key and the exported column */
	enum rtb_factor factor;
	const char *unit;    /* "" when it has none; "text": many lines, too long for a column */
	const char *text;    /* one line for people */
};
const struct rtb_prov_info *rtb_prov_info(enum rtb_prov_key k);
/* Whether it is a column of exports: long texts are not, nor are those that repeat a
 * coordinate of the cell (check "identity" holds the two against each other). */
bool rtb_prov_exported(enum rtb_prov_key k);
/* Key of a stored name, PROV_COUNT when there is none such. */
enum rtb_prov_key rtb_prov_from_name(const char *name);

/* A series of a case as the board reported it. Samples are raw: figure = sample / div. */
struct rtb_record {
	char *case_name, *series;  /* series is "" when the case has one record */
	unsigned case_version;
	char *unit;                /* "cycles" */
	unsigned div;              /* >= 1 */
	uint64_t n;                /* samples counted */
	int64_t min, max, sum;
	uint64_t sumsq;            /* UINT64_MAX: overflowed on the device */
	uint64_t imax;             /* index of the first largest sample */
	int64_t cold;              /* first warm-up sample */
	uint64_t warmup, ticks, discarded, check;
	uint64_t cycles, timer;    /* the stretch by CYCCNT and by the second timer, HCLK cycles */
	struct rtb_hist hist;
	int32_t *raw;              /* first samples in order; NULL when not asked for */
	size_t raw_count;
	bool supported;            /* false: the port cannot do this case; all figures void */
};

struct rtb_stack_mark {
	char *task;
	unsigned bytes, used;
	bool touched;
};

/* Bytes of the image: kind is "total", "kernel", "port", "bench", "libc", "stacks", ... */
struct rtb_footprint {
	char *part;
	uint32_t flash, ram;
};

enum rtb_verdict { VERDICT_TRUSTED, VERDICT_SUSPECT, VERDICT_REJECTED, VERDICT_COUNT };
const char *rtb_verdict_word(enum rtb_verdict v);

/* A check that had something to say. case_name NULL: about the whole run. */
struct rtb_finding {
	char *check;         /* name from check/check.def */
	enum rtb_verdict severity;
	char *case_name, *series;
	char *reason;
};

/* A cell's coordinates. */
struct rtb_cell {
	char *target, *kernel, *opt; /* opt: "O0" ... "Og" */
	bool instrumented;
};

/* Where the time of one repeat went, in ms. */
struct rtb_phases {
	unsigned build_ms, flash_ms, boot_ms, measure_ms, store_ms, wait_ms;
};

struct rtb_run {
	int64_t id, sweep_id;      /* 0 until stored */
	struct rtb_cell cell;
	unsigned repeat;           /* 1-based */
	unsigned attempt;          /* 1-based */
	unsigned standing;         /* of several attempts the one with the highest counts, among equals the
				    * last; set when read */
	uint64_t started_ns, ended_ns; /* wall clock */
	enum rtb_status status;    /* RTB_OK: complete */
	char *error;               /* first cause, one line; NULL when ok */
	enum rtb_verdict verdict;  /* worst finding; stored as rejected when status is not RTB_OK */
	struct rtb_phases phases;
	struct rtb_fact *facts;
	size_t fact_count;
	struct rtb_record *records;
	size_t record_count;
	struct rtb_stack_mark *stacks;
	size_t stack_count;
	struct rtb_footprint *footprint;
	size_t footprint_count;
	struct rtb_finding *findings;
	size_t finding_count;
	char *openocd_log, *serial_log, *build_log;
	size_t serial_log_len;     /* may hold any bytes; the other two are text, NUL-terminated */
};

struct rtb_sweep {
	int64_t id;
	uint64_t started_ns, ended_ns;
	char *command;             /* as typed */
	char *host;                /* uname nodename */
	char *rtbench_version;
	char *config_text;         /* rtbench.toml as read */
	unsigned planned;          /* runs planned */
	char *uid;                 /* its name in every database; "key:..." when it was given one */
	unsigned parts;            /* in how many it was done; set when read */
	char *part;                /* uid of the part being done; set by the store */
	enum rtb_status status;    /* RTB_OK, or the worst way a run ended, or INTERRUPTED */
};

/* Figures of a record: percentiles, spread, how exactly each is known. */
void rtb_record_summary(const struct rtb_record *r, struct rtb_summary *out);
/* What a sample of this case is the reading of; false for a case that this program does not know (a
 * database of a newer one). */
bool rtb_case_timing(const char *case_name, enum rtb_timing *out);
/* Cycles of each figure that are the reading of the counter and not the work: the run's read cost,
 * divided as the figures are, where a sample is the difference of two reads; else 0. */
double rtb_record_overhead(const struct rtb_run *run, const struct rtb_record *r);
/* rtb_record_summary() less the overhead: what people are shown and comparisons compare. */
void rtb_record_net(const struct rtb_run *run, const struct rtb_record *r, struct rtb_summary *out);

/* Frees what it owns and zeroes it; not the structure itself. */
void rtb_run_free(struct rtb_run *r);
void rtb_sweep_free(struct rtb_sweep *s);
/* Adds (or replaces) a fact; value is copied; NULL is not stored. */
void rtb_run_fact(struct rtb_run *r, enum rtb_prov_key k, enum rtb_origin o, const char *value);
void rtb_run_factf(struct rtb_run *r, enum rtb_prov_key k, enum rtb_origin o, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Borrowed; NULL when absent. */
const char *rtb_run_get(const struct rtb_run *r, enum rtb_prov_key k);
/* Appends a zeroed element and returns it; valid until the next append. */
struct rtb_record *rtb_run_add_record(struct rtb_run *r);
struct rtb_stack_mark *rtb_run_add_stack(struct rtb_run *r);
struct rtb_footprint *rtb_run_add_footprint(struct rtb_run *r);
void rtb_run_find(struct rtb_run *r, const char *check, enum rtb_verdict severity,
		  const char *case_name, const char *series, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

#endif
