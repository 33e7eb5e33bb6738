/* compare.h - two sets of runs, held against each other: first the factors, which say what may
 * be concluded at all, then the figures. docs/compare.md explains it to people.
 *
 * A set is filled run by run (rtb_side_add, an rtb_run_row), so nothing but summaries stays in
 * memory. Runs of one cell on a side are its repeats; cells are paired by their coordinates. */
#ifndef RTB_REPORT_COMPARE_H
#define RTB_REPORT_COMPARE_H

#include "report/report.h"

enum rtb_coord { COORD_TARGET, COORD_KERNEL, COORD_OPT, COORD_INSTRUMENTED, COORD_COUNT };
const char *rtb_coord_word(enum rtb_coord c);  /* "target", "kernel", "opt", "instrumented" */
enum rtb_coord rtb_coord_from_word(const char *word); /* COORD_COUNT: none such */

/* One series of one case in one run. */
struct rtb_side_record {
	char *case_name, *series, *unit;
	unsigned version;
	struct rtb_summary summary;
};

struct rtb_side_run {
	int64_t id;
	char *repeat;                    /* which repeat of which cell of which sweep: its attempts share it */
	unsigned standing;               /* among its attempts */
	char *coord[COORD_COUNT];
	enum rtb_verdict verdict;
	char *fact[PROV_COUNT];          /* NULL: not known */
	struct rtb_side_record *records;
	size_t record_count;
};

struct rtb_side {
	const char *name;                /* "A", "s3 opt=O2"; borrowed */
	bool as_measured;                /* figures with the counter's read cost in them; else net */
	struct rtb_side_run *runs;
	size_t count, cap;
	unsigned failed, rejected;       /* left out, and how many */
	unsigned replaced;               /* left out for another attempt at the same repeat */
	struct rtb_left_out *left_out;   /* failed + rejected of them */
};
struct rtb_left_out { char *repeat; unsigned standing; bool failed; };
/* ctx is the struct rtb_side; keeps complete runs that are not rejected, and of several attempts at
 * one repeat the one that stands highest, among equals the last, whatever came of it: a resumed
 * sweep does again what would be another image now, and keeps an older one that is wanted again.
 * Runs come in the order of their ids. */
enum rtb_status rtb_side_add(void *ctx, struct rtb_run *run, struct rtb_error *e);
void rtb_side_free(struct rtb_side *s);
/* A line: "s3, 12 runs, left out: 1 failed, 0 rejected, 2 replaced by other attempts"; or only how
 * many runs there are. */
void rtb_side_say(const struct rtb_side *s, struct rtb_buf *out);
/* "net of ..." or "as measured, ...": what its figures are. */
const char *rtb_side_basis(const struct rtb_side *s);

struct rtb_compare_options {
	double alpha;            /* largest p that counts as a difference; 0.05 */
	double threshold;        /* smallest relative difference that counts, as a fraction */
	bool only_changed;
	const char *case_name;   /* NULL: all */
	bool config_texts;       /* books differing configuration headers of different kernels too */
	int by;                  /* enum rtb_coord left out of the pairing, or -1: whatever has one
	                          * value on each side and these differ */
};

/* What may be said of a pair of figures. */
enum rtb_judgement {
	JUDGE_EQUAL,        /* the same, or a difference that the repeats do not bear out */
	JUDGE_DIFFERENT,    /* borne out by the ranks of the repeats: p <= alpha */
	JUDGE_EXACT,        /* every repeat on each side the same to the last digit, the two not */
	JUDGE_SMALL,        /* real, but below the threshold */
	JUDGE_BUCKET,       /* no larger than the buckets in which the two are known */
	JUDGE_SPREAD,       /* one image on both sides: the board's own spread, whatever it is */
	JUDGE_FEW,          /* too few repeats to say */
	JUDGE_NOT_COMPARABLE, /* other unit or other version of the case */
};

struct rtb_compare_row {
	const char *coord[COORD_COUNT];  /* of the pair; NULL where the sides differ on purpose */
	const char *case_name, *series, *unit;
	enum rtb_stat stat;
	size_t na, nb;                   /* repeats */
	double a, b;                     /* medians over the repeats */
	double p;                        /* NAN where no test was made */
	enum rtb_judgement judgement;
	bool balance;                    /* middle of a deviation: about 0 by construction, so that no
	                                  * percentage of it means anything and growing is no loss */
	bool suspect;                    /* of either side */
	bool lo_res;                     /* a figure known to a bucket only is among them */
	const char *layout[2];           /* of A and B where what is measured begins at another
	                                  * alignment; NULL: it does not */
	char why[80];                    /* of JUDGE_NOT_COMPARABLE and JUDGE_FEW */
};

enum rtb_factor_state { STATE_EQUAL, STATE_DIFFERENT, STATE_MISSING };
/* A key on which the paired cells differ, or which one side lacks. */
struct rtb_key_difference {
	enum rtb_prov_key key;
	enum rtb_factor_state state;
	char *a, *b;                     /* NULL: not known */
	size_t pairs;                    /* how many pairs of cells */
};

struct rtb_comparison {
	const struct rtb_side *a, *b;
	size_t pairs, only_a, only_b;    /* cells */
	enum rtb_factor_state factor[FACTOR_COUNT];
	struct rtb_key_difference *keys;
	size_t key_count;
	unsigned different;              /* of the five factors */
	unsigned missing;
	bool clocks_differ;
	bool config_texts;               /* as in the options */
	struct rtb_compare_row *rows;
	size_t row_count;
	size_t changed;                  /* rows JUDGE_EXACT or JUDGE_DIFFERENT */
	size_t few, incomparable;
};

/* Pairs, holds the factors against each other and judges every figure. RTB_NOT_FOUND when a
 * side is empty; RTB_NOT_COMPARABLE when no cell or no case is on both. */
enum rtb_status rtb_compare(const struct rtb_side *a, const struct rtb_side *b,
			    const struct rtb_compare_options *o, struct rtb_comparison *out,
			    struct rtb_error *e);
void rtb_comparison_free(struct rtb_comparison *c);

/* One line: "repeat", "experiment on config (opt)", "confounded by ...", "noise: ... missing". */
void rtb_compare_headline(const struct rtb_comparison *c, struct rtb_buf *out);
/* The factors, as the opening of a report. */
void rtb_compare_factors(const struct rtb_comparison *c, bool color, struct rtb_buf *out);
/* Opening, figures and what they come to, in any format. with_rows false: the opening alone. */
void rtb_compare_write(const struct rtb_comparison *c, const struct rtb_compare_options *o,
		       enum rtb_table_format format, bool color, bool with_rows, struct rtb_buf *out);

/* compare_factors.c and compare_judge.c, for rtb_compare. */
struct rtb_pair { const struct rtb_side_run **a, **b; size_t na, nb; };
void rtb_compare_keys(struct rtb_comparison *c, const struct rtb_pair *pair);
void rtb_compare_count_factors(struct rtb_comparison *c);
/* Whether a measured function of the case begins at another alignment in layout b than in a (fact
 * code_layout; NULL: not known, and then false). With moved, appends each such function:
 * "sem_pair_give 0x08001000 (16) -> 0x08001008 (8)", joined by "; ". */
bool rtb_compare_layout(const char *a, const char *b, const char *case_name, const char *series,
			struct rtb_buf *moved);
/* Whether the case is a signed deviation from a schedule. */
bool rtb_compare_signed(const char *case_name);
void rtb_compare_figures(struct rtb_comparison *c, const struct rtb_pair *pair,
			 const bool shared[COORD_COUNT], const struct rtb_compare_options *o);

#endif
