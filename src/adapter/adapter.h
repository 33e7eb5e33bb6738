/* adapter.h - reset, power and boot pins of a board, apart from its debug probe. At rest every pin is
 * an input, so what the board does without us is decided by resistors on it: reset released, power
 * on. An action makes pins outputs for as long as it takes; a program that dies leaves the board
 * running. */
#ifndef RTB_ADAPTER_ADAPTER_H
#define RTB_ADAPTER_ADAPTER_H

#include "base/clock.h"
#include "base/status.h"

/* A pin of the adapter. */
struct rtb_adapter_pin {
	int number;       /* 0..7 (bit-bang: D0..D7), 0..3 (CBUS); -1: not wired */
	bool active_high; /* the level that resets, cuts the power, or selects the boot loader */
};

struct rtb_adapter_conf {
	const char *kind;   /* "null", "ftdi" */
	const char *device; /* "SERIAL[/A..D]" or "VID:PID[/A..D]" */
	bool cbus;          /* CBUS pins, which leave the UART alone; else bit-bang on D0..D7 */
	struct rtb_adapter_pin reset, power, boot;
	unsigned reset_ms;  /* how long reset is held, 1..10000 */
	unsigned power_ms;  /* how long the power is off, 1..60000 */
	unsigned settle_ms; /* how long the board is given after the power came back */
};

struct rtb_adapter;

/* RTB_CONFIG (no such kind, a pin the chip does not have, CBUS on a chip without), RTB_LINK_ABSENT,
 * _BUSY, _DENIED. conf and clock are borrowed. "null" opens and has no pins. */
enum rtb_status rtb_adapter_open(const struct rtb_adapter_conf *conf, const struct rtb_clock *clock,
				 struct rtb_adapter **out, struct rtb_error *e);
/* Lets go of all pins. */
void rtb_adapter_close(struct rtb_adapter *a);
/* A pulse on the reset pin. RTB_CONFIG where it is not wired; RTB_LINK_LOST. */
enum rtb_status rtb_adapter_reset(struct rtb_adapter *a, struct rtb_error *e);
/* Holds the board in reset, or lets it go: so that a probe can connect to one that does not listen. */
enum rtb_status rtb_adapter_hold(struct rtb_adapter *a, bool held, struct rtb_error *e);
/* Power off and on again. */
enum rtb_status rtb_adapter_power_cycle(struct rtb_adapter *a, struct rtb_error *e);
/* Resets with the boot pin at its active level, so that the chip's boot loader starts. */
enum rtb_status rtb_adapter_boot_loader(struct rtb_adapter *a, struct rtb_error *e);
bool rtb_adapter_can_reset(const struct rtb_adapter_conf *conf);
bool rtb_adapter_can_power(const struct rtb_adapter_conf *conf);

#endif
