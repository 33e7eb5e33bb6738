/* faults.h - things that go wrong on purpose: NAME[:ARG][@CYCLE][,boot=N][,session=N]
 * [,restart=N][,once]. The board does not know what its bytes mean, so a fault is aimed by
 * counting: resets since the program began (boot), debugger connections (session), resets
 * since the last debugger left (restart), cycles since the last reset.
 */
#ifndef VB_FAULTS_H
#define VB_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "vboard/lines.h"
#include "vboard/chip.h"

enum vb_fault_kind {
#define X(sym, name, arg, text) VB_FAULT_##sym,
#include "vboard/faults.def"
#undef X
	VB_FAULT_KINDS
};

struct vb_faults;

struct vb_fault {
	enum vb_fault_kind kind;
	uint64_t number;   /* count, cycle, id or address */
	double factor;
	unsigned boot, session, restart; /* 0: any */
	bool once;
	uint64_t hits;
	struct vb_event due; /* hang and reset */
	struct vb_faults *owner;
};

#define VB_MAX_FAULTS 16

struct vb_faults {
	struct vb_fault list[VB_MAX_FAULTS];
	unsigned count;
	struct vb_chip *chip;
	struct vb_lines *debug;
	unsigned session, restart;
	bool connected;
	uint64_t chars;    /* sent since the last reset */
	bool hung;         /* the core does not fetch until the next reset */
	bool reset_due;    /* to be done by the board between instructions */
	bool brownout_due;
};

/* Reads one specification. RTB_USAGE says what is wrong with it. */
enum rtb_status vb_fault_parse(const char *text, struct vb_fault *out, struct rtb_error *e);
/* Name and text of a kind, for help. */
const char *vb_fault_name(enum vb_fault_kind kind);
const char *vb_fault_text(enum vb_fault_kind kind);
/* Its argument as it is written: "", ":N", "@CYCLE" ... */
const char *vb_fault_argument(enum vb_fault_kind kind);

/* Joins the list to a chip before its power-on. chip and debug must outlive it. */
void vb_faults_attach(struct vb_faults *f, struct vb_chip *chip, struct vb_lines *debug);
/* To be called by the board after every reset of the chip (held: the reset line is still
 * down, nothing is armed yet), and when a debugger comes or goes. */
void vb_faults_after_reset(struct vb_faults *f, bool held);
void vb_faults_debugger(struct vb_faults *f, bool connected);
/* A character on its way out. False: it is lost. */
bool vb_faults_character(struct vb_faults *f, uint8_t *byte);

#endif
