/* openocd.h - the parts of the OpenOCD back end that tests look at one by one. */
#ifndef RTB_FLASH_OPENOCD_H
#define RTB_FLASH_OPENOCD_H

#include "base/buf.h"
#include "base/process.h"
#include "flash/flash.h"

/* Last digits are random: no old log can hold it. */
#define RTB_MARK_LEN 48

/* "Open On-Chip Debugger 0.12.0..." anywhere in text to 12; 0 when there is no version. */
unsigned rtb_openocd_number(const char *text);

/* The Tcl that programs: facts, write, verify, the mark, release. elf NULL: nothing is written
 * nor verified. */
void rtb_openocd_script(const struct rtb_flash_board *b, const char *elf, const char *mark,
			struct rtb_buf *out);
/* A word as Tcl reads it back unchanged. */
void rtb_tcl_quote(const char *s, struct rtb_buf *out);

/* What a finished run means. out->dp_id and the other facts are filled from its output first.
 * RTB_OK only with exit code 0, the mark, and bytes written unless the image was loaded before. */
enum rtb_status rtb_openocd_judge(const struct rtb_process_result *r, const struct rtb_flash_board *b,
				  const char *mark, bool loaded, struct rtb_flash_result *out, struct rtb_error *e);

/* Which probe is meant, counted on the bus. Fills out->probe. RTB_PROBE_ABSENT, _MANY, _DENIED. */
enum rtb_status rtb_openocd_probe(const struct rtb_flash_board *b, struct rtb_flash_result *out,
				  struct rtb_error *e);

/* Who listens on a TCP port of this machine: "pid 123 (openocd)", or "a process that cannot be
 * seen from here". Free it. */
char *rtb_port_owner(unsigned port);

#endif
