/* target.h - targets/<board>/target.toml: what a board is, how it is reached, how long it may
 * take. A target with `base = "other"` is that board with some keys replaced; its firmware is
 * built for the base, so that both run the same image. */
#ifndef RTB_CONFIG_TARGET_H
#define RTB_CONFIG_TARGET_H

#include "adapter/adapter.h"
#include "config/project.h"

/* Where loadable bytes may lie. */
struct rtb_region {
	unsigned line;
	char *name;
	char *kind;      /* "flash" or "ram" */
	uint32_t base, size; /* bytes */
};

/* Addresses in the chip that are read while programming; 0: the chip has none such. */
struct rtb_mcu {
	char *name, *family;
	uint32_t hclk_hz, hxtal_hz; /* hxtal: the crystal; used only when the clock registers select it */
	uint32_t uid_addr, uid_words, flash_size_addr, dbgmcu_cr_addr;
};

struct rtb_openocd_conf {
	char *program;
	struct rtb_list config;   /* -f files; relative ones are in the target's directory */
	struct rtb_list before;   /* commands before them */
	struct rtb_list after;    /* commands after them, before init */
	char *probe_usb, *probe_serial, *probe_location;
	char *uid;                /* "" or the chip's unique id in hex: refuse any other */
	uint32_t cpu_tap_id, flash_timeout_ms;
	bool reset_wired;
};

struct rtb_link_conf {
	char *spec;
	uint32_t baud;
	char *dtr, *rts;          /* "leave", "off", "on" */
	char *usb, *usb_serial;
	uint32_t open_wait_ms;
	bool handshake;
};

/* Reset and power apart from the probe; pins: "", or a number, "+" before it for active high. */
struct rtb_adapter_section {
	char *kind, *device, *mode; /* mode: "bitbang", "cbus" */
	char *reset, *power, *boot;
	uint32_t reset_ms, power_ms, settle_ms;
};

struct rtb_limits_conf {
	uint32_t ready_ms, hello_ms, heartbeat_ms, case_ms;
};

/* A program that is the board or gives access to it; started and stopped with the sweep. */
struct rtb_service_conf {
	struct rtb_list command;
	char *ready;              /* beginning of the line that says it is ready */
	uint32_t start_timeout_ms;
};

struct rtb_target {
	char *name;      /* as on the command line */
	char *firmware;  /* TARGET of firmware/Makefile: the base's name, or the name */
	char *dir;       /* of its target.toml, absolute */
	char *base_dir;  /* of the base's, or the same */
	char *path;      /* target.toml, for messages */
	char *base, *title, *flash, *time_base; /* flash: "openocd", "null" */
	struct rtb_mcu mcu;
	struct rtb_region *memory;
	size_t memory_count; /* next to its pointer */
	struct rtb_openocd_conf openocd;
	struct rtb_link_conf link;
	struct rtb_adapter_section adapter;
	struct rtb_limits_conf limits;
	struct rtb_service_conf service;
};

/* RTB_NOT_FOUND when there is no such target (the text lists those there are); RTB_CONFIG. */
enum rtb_status rtb_target_load(const struct rtb_project *p, const char *name, struct rtb_target *out,
				struct rtb_error *e);
/* The target of a [[board]], named as the board, with what that says of itself. RTB_CONFIG, with its line. */
enum rtb_status rtb_target_load_board(const struct rtb_project *p, const struct rtb_board_conf *c,
				      struct rtb_target *out, struct rtb_error *e);
/* One board, by the name of a [[board]], or (board NULL) by its target: the only [[board]] of that, or, where
 * none is named, the target itself. RTB_NOT_FOUND; RTB_USAGE when there are several, which it lists. */
enum rtb_status rtb_target_choose(const struct rtb_project *p, const char *target, const char *board,
				  struct rtb_target *out, struct rtb_error *e);
void rtb_target_free(struct rtb_target *t);
/* Its [adapter], checked; what it points to is the target's. RTB_CONFIG. */
enum rtb_status rtb_target_adapter(const struct rtb_target *t, struct rtb_adapter_conf *out, struct rtb_error *e);
/* Names of all targets, sorted; ends with NULL. Free with rtb_names_free. */
char **rtb_target_names(const struct rtb_project *p);
void rtb_names_free(char **names);
/* A file named in target.toml: absolute, in the target's directory, or in its base's. */
char *rtb_target_file(const struct rtb_target *t, const char *name);
const struct rtb_section *rtb_target_sections(size_t *count);

#endif
