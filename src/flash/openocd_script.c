/* The Tcl that OpenOCD runs. It says which step it is in, so that a failure without a known
 * message still has a place. */
#include "flash/openocd.h"

#include <ctype.h>
#include <string.h>

void rtb_tcl_quote(const char *s, struct rtb_buf *out)
{
	rtb_buf_str(out, "\"");
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (strchr("\\\"$[]{}", c))
			rtb_buf_fmt(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			rtb_buf_fmt(out, "\\x%02x", c);
		else
			rtb_buf_add(out, s, 1);
	}
	rtb_buf_str(out, "\"");
}

/* Facts are read in `catch`: a chip or adapter that cannot tell must not stop programming. */
static void add_facts(const struct rtb_flash_board *b, struct rtb_buf *out)
{
	rtb_buf_str(out,
		"catch {\n"
		"	if {[using_jtag]} { rtb dp_id [format 0x%08x [jtag cget [lindex [jtag names] 0] -idcode]] } else {\n"
		"		rtb dp_id [string trim [[lindex [dap names] 0] dpreg 0]] }\n"
		"}\n");
	if (b->flash_size_addr)
		rtb_buf_fmt(out, "catch { rtb flash_kib [expr {[read_memory 0x%08x 16 1]}] }\n", b->flash_size_addr);
	if (b->uid_addr && b->uid_words)
		rtb_buf_fmt(out,
			"set uid \"\"\n"
			"catch { foreach w [read_memory 0x%08x 32 %u] { append uid [format %%08x $w] } ; rtb uid $uid }\n",
			b->uid_addr, b->uid_words);
	if (*b->uid) {
		rtb_buf_str(out, "set wanted [string tolower ");
		rtb_tcl_quote(b->uid, out);
		rtb_buf_str(out, "]\nif {![info exists uid] || $uid ne $wanted} { rtb step other-chip ; shutdown error }\n");
	}
}

/* The core is caught at its reset vector, then every debug bit that outlives OpenOCD is taken
 * back: vector catch and trace enable (DEMCR), clocks kept alive in sleep (DBGMCU_CR, which only
 * a power cycle would clear), and last halting debug itself, which lets the core run. Register
 * addresses: ARMv7-M Architecture Reference Manual, C1.6 (DHCSR 0xE000EDF0, DEMCR 0xE000EDFC). */
static void add_release(const struct rtb_flash_board *b, struct rtb_buf *out)
{
	rtb_buf_str(out, "rtb step release\nreset halt\npoll off\n");
	if (b->dbgmcu_cr_addr)
		rtb_buf_fmt(out, "mww 0x%08x 0\n", b->dbgmcu_cr_addr);
	rtb_buf_str(out, "mww 0xe000edfc 0\nmww 0xe000edf0 0xa05f0000\nrtb step done\nshutdown\n");
}

void rtb_openocd_script(const struct rtb_flash_board *b, const char *elf, const char *mark,
			struct rtb_buf *out)
{
	rtb_buf_str(out, "proc rtb {name value} { echo \"RTB:$name=$value\" }\n");
	rtb_buf_str(out, "rtb step connect\ninit\nrtb step halt\nreset halt\n");
	add_facts(b, out);
	if (elf) {
		rtb_buf_str(out, "set image ");
		rtb_tcl_quote(elf, out);
		/* What these two say is their result, which only echo shows ("wrote N bytes ..."). */
		rtb_buf_str(out, "\nrtb step write\necho [flash write_image erase $image]\n"
				 "rtb step verify\necho [verify_image $image]\n");
	}
	rtb_buf_fmt(out, "echo \"%s\"\n", mark);
	add_release(b, out);
}
