#include "config/target.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE ((size_t)1 << 20)
#define COUNT(a) (sizeof(a) / sizeof *(a))
#define AT(member) offsetof(struct rtb_target, member)

static const struct rtb_key top_keys[] = {
	{"base", KEY_STRING, AT(base), 0, 0, NULL, "\"\"",
	 "Another target that this one is a variant of: its keys hold where this file has none, and the firmware is built for it."},
	{"title", KEY_STRING, AT(title), 0, 0, NULL, "\"\"", "One line for people."},
	{"flash", KEY_STRING, AT(flash), 0, 0, "openocd null", "\"openocd\"",
	 "How the image gets into the board; `null`: it is in there already."},
	{"time_base", KEY_STRING, AT(time_base), 0, 0, "real virtual", "\"real\"",
	 "`virtual` when the board's seconds are not the host's; the clock is then not measured against the host's."},
};
static const struct rtb_key mcu_keys[] = {
	{"name", KEY_STRING, AT(mcu.name), 0, 0, NULL, NULL, "The part."},
	{"family", KEY_STRING, AT(mcu.family), 0, 0, "gd32f10x stm32f1 other", "\"other\"",
	 "Decides how the clock registers are read."},
	{"hclk_hz", KEY_UINT, AT(mcu.hclk_hz), 1, 4000000000, NULL, NULL, "Core clock the image sets, Hz."},
	{"hxtal_hz", KEY_UINT, AT(mcu.hxtal_hz), 0, 100000000, NULL, "8000000",
	 "Crystal, Hz; matters only when the clock registers select it."},
	{"uid_addr", KEY_UINT, AT(mcu.uid_addr), 0, UINT32_MAX, NULL, "0", "Address of the unique id; 0: none."},
	{"uid_words", KEY_UINT, AT(mcu.uid_words), 0, 8, NULL, "0", "Its length in 32-bit words."},
	{"flash_size_addr", KEY_UINT, AT(mcu.flash_size_addr), 0, UINT32_MAX, NULL, "0",
	 "Address of the half-word that holds the flash size in KiB; 0: none."},
	{"dbgmcu_cr_addr", KEY_UINT, AT(mcu.dbgmcu_cr_addr), 0, UINT32_MAX, NULL, "0",
	 "Address of the debug control register that is cleared before measuring; 0: none."},
};
static const struct rtb_key openocd_keys[] = {
	{"program", KEY_STRING, AT(openocd.program), 1, 4000, NULL, "\"openocd\"", "OpenOCD, in PATH or with a path."},
	{"config", KEY_STRINGS, AT(openocd.config), 0, 32, NULL, "[\"openocd.cfg\"]",
	 "Files given with -f. A name without a slash is looked for beside target.toml, then beside the base's."},
	{"before", KEY_STRINGS, AT(openocd.before), 0, 64, NULL, "[]", "OpenOCD commands before these files."},
	{"after", KEY_STRINGS, AT(openocd.after), 0, 64, NULL, "[]", "OpenOCD commands after them, before `init`."},
	{"probe_usb", KEY_STRING, AT(openocd.probe_usb), 0, 0, NULL, "\"\"",
	 "`vid:pid` of the probe in hex, or `any` for whatever looks like one. When given, the probes attached are counted first: none or several are an error."},
	{"probe_serial", KEY_STRING, AT(openocd.probe_serial), 0, 0, NULL, "\"\"", "The probe's serial number."},
	{"probe_location", KEY_STRING, AT(openocd.probe_location), 0, 0, NULL, "\"\"",
	 "USB bus and port path (`1-4.2`), for probes without a usable serial."},
	{"uid", KEY_STRING, AT(openocd.uid), 0, 64, NULL, "\"\"",
	 "Unique id of the one chip that may be programmed (hex, as `rtbench show` prints it); empty: any."},
	{"cpu_tap_id", KEY_UINT, AT(openocd.cpu_tap_id), 0, UINT32_MAX, NULL, "0",
	 "Debug port id of this board when it is not the stock one; 0: as OpenOCD's target file says."},
	{"reset_wired", KEY_BOOL, AT(openocd.reset_wired), 0, 0, NULL, "false",
	 "The probe's reset line reaches NRST: it resets the board, and holds it to connect when the chip does not answer otherwise."},
	{"flash_timeout_ms", KEY_UINT, AT(openocd.flash_timeout_ms), 100, 3600000, NULL, "60000",
	 "Limit for program, verify and reset together."},
};
#define PIN_TEXT " Its number, `+` before it when a high level does it, else a low one: `\"3\"`, `\"+2\"`; empty: not wired."
static const struct rtb_key adapter_keys[] = {
	{"kind", KEY_STRING, AT(adapter.kind), 0, 0, "null ftdi", "\"null\"", "`null`: nothing is wired."},
	{"device", KEY_STRING, AT(adapter.device), 0, 4000, NULL, "\"\"",
	 "The FTDI chip: `SERIAL[/A..D]` or `VID:PID[/A..D]`, such as `A50285BI` or `FT1ABC/B`."},
	{"mode", KEY_STRING, AT(adapter.mode), 0, 0, "bitbang cbus", "\"bitbang\"",
	 "`bitbang`: pins D0 to D7 of a channel that carries no serial line; `cbus`: CBUS0 to CBUS3 of an FT232R or FT-X, beside its serial line."},
	{"reset", KEY_STRING, AT(adapter.reset), 0, 8, NULL, "\"\"", "Pin that resets the board." PIN_TEXT},
	{"power", KEY_STRING, AT(adapter.power), 0, 8, NULL, "\"\"", "Pin that cuts its power." PIN_TEXT},
	{"boot", KEY_STRING, AT(adapter.boot), 0, 8, NULL, "\"\"", "Pin that selects the boot loader." PIN_TEXT},
	{"reset_ms", KEY_UINT, AT(adapter.reset_ms), 1, 10000, NULL, "50", "How long reset is held."},
	{"power_ms", KEY_UINT, AT(adapter.power_ms), 1, 60000, NULL, "500", "How long the power is off."},
	{"settle_ms", KEY_UINT, AT(adapter.settle_ms), 0, 60000, NULL, "200", "What the board is given after that."},
};
static const struct rtb_key link_keys[] = {
	{"spec", KEY_STRING, AT(link.spec), 1, 4000, NULL, NULL,
	 "`usb:SERIAL[:IF]`, `usb:VID:PID`, `serial:/dev/serial/by-id/...`, `pty:PATH`, `unix:PATH`, `tcp://HOST:PORT`, `ftdi://SERIAL[/A..D]`, `ftdi://VID:PID[/A..D]` or `file:PATH`."},
	{"baud", KEY_UINT, AT(link.baud), 300, 4000000, NULL, "115200", "Bits a second."},
	{"dtr", KEY_STRING, AT(link.dtr), 0, 0, "leave off on", "\"leave\"", "Level of the DTR line."},
	{"rts", KEY_STRING, AT(link.rts), 0, 0, "leave off on", "\"leave\"", "Level of the RTS line."},
	{"usb", KEY_STRING, AT(link.usb), 0, 0, NULL, "\"\"", "`vid:pid` that the opened port must have."},
	{"usb_serial", KEY_STRING, AT(link.usb_serial), 0, 0, NULL, "\"\"", "Serial number that the opened port must have."},
	{"open_wait_ms", KEY_UINT, AT(link.open_wait_ms), 0, 600000, NULL, "10000",
	 "How long a busy or absent port is tried again."},
	{"handshake", KEY_BOOL, AT(link.handshake), 0, 0, NULL, "true",
	 "The board can hear the host; false: it walks through the cases by itself."},
};
static const struct rtb_key limit_keys[] = {
	{"ready_ms", KEY_UINT, AT(limits.ready_ms), 1, 3600000, NULL, "5000", "Reset to the first `ready` frame."},
	{"hello_ms", KEY_UINT, AT(limits.hello_ms), 1, 3600000, NULL, "2000", "Start command to `hello`."},
	{"heartbeat_ms", KEY_UINT, AT(limits.heartbeat_ms), 1, 3600000, NULL, "5000", "Longest silence inside a case."},
	{"case_ms", KEY_UINT, AT(limits.case_ms), 0, 86400000, NULL, "600000", "A whole case; 0: no limit."},
};
static const struct rtb_key service_keys[] = {
	{"command", KEY_STRINGS, AT(service.command), 0, 64, NULL, "[]",
	 "Program and arguments. `{run_dir}`, `{serial}` and `{debug}` stand for a fresh directory and two paths in it for sockets or ptys, `{board}` for the board's name, here, in `[openocd]` and in `[link] spec`."},
	{"ready", KEY_STRING, AT(service.ready), 0, 0, NULL, "\"ready\"",
	 "How the line begins by which it says that it can be used."},
	{"start_timeout_ms", KEY_UINT, AT(service.start_timeout_ms), 1, 600000, NULL, "10000", "Limit for that line."},
};
#undef AT
#define AT(member) offsetof(struct rtb_region, member)
static const struct rtb_key memory_keys[] = {
	{"name", KEY_STRING, AT(name), 0, 0, NULL, NULL, "As in the linker script."},
	{"kind", KEY_STRING, AT(kind), 0, 0, "flash ram", NULL, "`flash` or `ram`."},
	{"base", KEY_UINT, AT(base), 0, UINT32_MAX, NULL, NULL, "First address."},
	{"size", KEY_UINT, AT(size), 1, UINT32_MAX, NULL, NULL, "Bytes."},
};
#undef AT

static const struct rtb_section sections[] = {
	{"", false, 0, 0, top_keys, COUNT(top_keys), "What kind of target this is."},
	{"mcu", false, 0, 0, mcu_keys, COUNT(mcu_keys), "The chip."},
	{"memory", true, offsetof(struct rtb_target, memory), sizeof(struct rtb_region), memory_keys,
	 COUNT(memory_keys), "Where the bytes of an image may lie. These sizes decide, not what the chip says of itself."},
	{"openocd", false, 0, 0, openocd_keys, COUNT(openocd_keys), "Programming."},
	{"adapter", false, 0, 0, adapter_keys, COUNT(adapter_keys),
	 "Reset and power of the board, apart from its probe. At rest all pins are inputs: resistors on the board release reset and switch the power on."},
	{"link", false, 0, 0, link_keys, COUNT(link_keys), "The way to the board's serial port."},
	{"limits", false, 0, 0, limit_keys, COUNT(limit_keys), "Longest waits, ms."},
	{"service", false, 0, 0, service_keys, COUNT(service_keys),
	 "A program that rtbench starts before the first cell of this target and stops after the last."},
};
_Static_assert(offsetof(struct rtb_target, memory_count) ==
	       offsetof(struct rtb_target, memory) + sizeof(void *), "count follows its pointer");

const struct rtb_section *rtb_target_sections(size_t *count)
{
	*count = COUNT(sections);
	return sections;
}

static bool plain_name(const char *s)
{
	return *s && *s != '.' && !strchr(s, '/');
}

/* Directory that holds <name>/target.toml; NULL when there is none. */
static char *find_dir(const struct rtb_project *p, const char *name)
{
	const char *const places[] = {p->root, p->home};
	for (size_t i = 0; i < COUNT(places) && plain_name(name); i++) {
		char *dir = rtb_sprintf("%s/targets/%s", places[i], name);
		char *toml = rtb_sprintf("%s/target.toml", dir);
		bool found = access(toml, F_OK) == 0;
		free(toml);
		if (found)
			return dir;
		free(dir);
	}
	return NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **rtb_target_names(const struct rtb_project *p)
{
	char **names = rtb_alloc(sizeof *names);
	size_t n = 0;
	const char *const places[] = {p->root, p->home};
	for (size_t i = 0; i < COUNT(places) && (i == 0 || strcmp(p->root, p->home)); i++) {
		char *path = rtb_sprintf("%s/targets", places[i]);
		DIR *d = opendir(path);
		for (struct dirent *de; d && (de = readdir(d));) {
			char *dir = find_dir(p, de->d_name);
			bool known = dir == NULL;
			for (size_t k = 0; k < n; k++)
				known |= strcmp(names[k], de->d_name) == 0;
			free(dir);
			if (known)
				continue;
			names = rtb_realloc(names, (n + 2) * sizeof *names);
			names[n++] = rtb_strdup(de->d_name);
			names[n] = NULL;
		}
		if (d)
			closedir(d);
		free(path);
	}
	qsort(names, n, sizeof *names, by_name);
	return names;
}

void rtb_names_free(char **names)
{
	for (char **s = names; s && *s; s++)
		free(*s);
	free(names);
}

static enum rtb_status no_such_target(const struct rtb_project *p, const char *name, struct rtb_error *e)
{
	struct rtb_buf all = {0};
	char **names = rtb_target_names(p);
	for (char **s = names; *s; s++)
		rtb_buf_fmt(&all, "%s%s", s == names ? "" : ", ", *s);
	rtb_names_free(names);
	enum rtb_status st = rtb_fail(e, RTB_NOT_FOUND, "no target \"%s\" (%s/targets/%s/target.toml); there are: %s",
				      name, p->home, name, all.len ? all.data : "none");
	rtb_buf_free(&all);
	return st;
}

static enum rtb_status parse_file(const char *path, struct rtb_toml **out, struct rtb_error *e)
{
	struct rtb_buf text = {0};
	enum rtb_status st;
	if (rtb_buf_read_file(&text, path, MAX_FILE) < 0)
		st = rtb_fail(e, RTB_CONFIG, "%s: %s", path, strerror(errno));
	else
		st = rtb_toml_parse(rtb_buf_cstr(&text), text.len, path, out, e);
	rtb_buf_free(&text);
	return st;
}

static const struct rtb_toml *base_key(const struct rtb_toml *root)
{
	for (size_t i = 0; i < root->count; i++)
		if (strcmp(root->child[i].key, "base") == 0 && root->child[i].kind == RTB_TOML_STRING)
			return &root->child[i];
	return NULL;
}

/* What the table cannot say: values that must fit each other. */
static enum rtb_status check_target(const struct rtb_target *t, struct rtb_error *e)
{
	bool flash = false, ram = false;
	for (size_t i = 0; i < t->memory_count; i++) {
		const struct rtb_region *m = &t->memory[i];
		flash |= strcmp(m->kind, "flash") == 0;
		ram |= strcmp(m->kind, "ram") == 0;
		if ((uint64_t)m->base + m->size > (uint64_t)UINT32_MAX + 1)
			return rtb_fail(e, RTB_CONFIG, "%s:%u:1: memory \"%s\" reaches beyond 32 bits of address",
					t->path, m->line, m->name);
		for (size_t k = 0; k < i; k++)
			if (m->base < t->memory[k].base + (uint64_t)t->memory[k].size &&
			    t->memory[k].base < m->base + (uint64_t)m->size)
				return rtb_fail(e, RTB_CONFIG, "%s:%u:1: memory \"%s\" overlaps \"%s\"", t->path,
						m->line, m->name, t->memory[k].name);
	}
	if (!flash || !ram)
		return rtb_fail(e, RTB_CONFIG, "%s:1:1: there must be a [[memory]] of kind \"flash\" and one of kind \"ram\"",
				t->path);
	return RTB_OK;
}

static enum rtb_status read_docs(const struct rtb_project *p, struct rtb_target *t, struct rtb_toml **mine,
				 struct rtb_toml **theirs, char **base_path, struct rtb_error *e)
{
	enum rtb_status st = parse_file(t->path, mine, e);
	if (st)
		return st;
	const struct rtb_toml *b = base_key(*mine);
	t->firmware = rtb_strdup(b && *b->text ? b->text : t->name);
	if (!b || !*b->text) {
		t->base_dir = rtb_strdup(t->dir);
		return RTB_OK;
	}
	t->base_dir = find_dir(p, b->text);
	if (!t->base_dir)
		return rtb_fail(e, RTB_CONFIG, "%s:%u:%u: base target \"%s\" does not exist", t->path, b->line,
				b->column, b->text);
	*base_path = rtb_sprintf("%s/target.toml", t->base_dir);
	st = parse_file(*base_path, theirs, e);
	const struct rtb_toml *again = st ? NULL : base_key(*theirs);
	if (again && *again->text)
		return rtb_fail(e, RTB_CONFIG, "%s:%u:%u: a base must not have a base of its own", *base_path,
				again->line, again->column);
	return st;
}

enum rtb_status rtb_target_load(const struct rtb_project *p, const char *name, struct rtb_target *out,
				struct rtb_error *e)
{
	*out = (struct rtb_target){0};
	out->dir = find_dir(p, name);
	if (!out->dir)
		return no_such_target(p, name, e);
	out->name = rtb_strdup(name);
	out->path = rtb_sprintf("%s/target.toml", out->dir);
	struct rtb_toml *mine = NULL, *theirs = NULL;
	char *base_path = NULL;
	enum rtb_status st = read_docs(p, out, &mine, &theirs, &base_path, e);
	if (st == RTB_OK) {
		struct rtb_doc docs[2];
		size_t n = 0;
		if (theirs)
			docs[n++] = (struct rtb_doc){base_path, theirs};
		docs[n++] = (struct rtb_doc){out->path, mine};
		st = rtb_config_read(sections, COUNT(sections), docs, n, out, e);
	}
	if (st == RTB_OK)
		st = check_target(out, e);
	struct rtb_adapter_conf adapter;
	if (st == RTB_OK)
		st = rtb_target_adapter(out, &adapter, e);
	rtb_toml_free(mine);
	rtb_toml_free(theirs);
	free(base_path);
	return st;
}

void rtb_target_free(struct rtb_target *t)
{
	rtb_config_free(sections, COUNT(sections), t);
	free(t->name);
	free(t->firmware);
	free(t->dir);
	free(t->base_dir);
	free(t->path);
	*t = (struct rtb_target){0};
}

char *rtb_target_file(const struct rtb_target *t, const char *name)
{
	if (strchr(name, '/') == name)
		return rtb_strdup(name);
	char *mine = rtb_sprintf("%s/%s", t->dir, name);
	if (access(mine, F_OK) == 0)
		return mine;
	char *theirs = rtb_sprintf("%s/%s", t->base_dir, name);
	if (access(theirs, F_OK) == 0) {
		free(mine);
		return theirs;
	}
	free(theirs);
	return mine;
}
