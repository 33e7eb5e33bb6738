/* rtbench.toml and target.toml: what is read, and that every wrong thing is named with file,
 * line and column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cjson/cJSON.h>
#include <cmocka.h>

#include "config/target.h"

static char *scratch;

static char *write_file(const char *name, const char *text)
{
	char *path = rtb_sprintf("%s/%s", scratch, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

static void make_dir(const char *name)
{
	char *path = rtb_sprintf("%s/%s", scratch, name);
	assert_int_equal(mkdir(path, 0755), 0);
	free(path);
}

static int set_up(void **state)
{
	(void)state;
	char template[] = "/tmp/rtb-config-XXXXXX";
	scratch = rtb_strdup(mkdtemp(template));
	make_dir("targets");
	make_dir("targets/one");
	make_dir("targets/two");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	char *cmd = rtb_sprintf("rm -rf %s", scratch);
	int rc = system(cmd);
	free(cmd);
	free(scratch);
	return rc;
}

/* Loads text as rtbench.toml; the error text without the directory, or "" when it loads. */
static const char *load_error(const char *text, struct rtb_error *e)
{
	char *path = write_file("rtbench.toml", text);
	struct rtb_project p;
	*e = (struct rtb_error){0};
	enum rtb_status st = rtb_project_load(path, &p, e);
	rtb_project_free(&p);
	free(path);
	if (st == RTB_OK)
		return "";
	assert_int_equal(st, RTB_CONFIG);
	assert_memory_equal(e->text, scratch, strlen(scratch));
	return e->text + strlen(scratch) + 1;
}

static void reads_a_project(void **state)
{
	(void)state;
	char *path = write_file("rtbench.toml",
		"[matrix]\n"
		"target = [\"one\"]\n"
		"kernel = [\"bare\",\n  \"mini\"]\n"
		"opt = ['O0', 'Os']\n"
		"instrumented = \"both\"\n"
		"samples = 1_000\n"
		"[[exclude]]\nkernel = \"bare\"\nopt = \"Os\"\n"
		"[store]\ndb = \"x/y.db\"\n");
	struct rtb_project p;
	struct rtb_error e = {0};
	assert_int_equal(rtb_project_load(path, &p, &e), RTB_OK);
	assert_string_equal(p.root, scratch);
	assert_int_equal(p.kernel.n, 2);
	assert_string_equal(p.kernel.v[1].text, "mini");
	assert_int_equal(p.kernel.v[1].line, 4);
	assert_int_equal(p.kernel.v[1].column, 3);
	assert_int_equal(p.opt.n, 2);
	assert_int_equal(p.samples, 1000);
	assert_int_equal(p.repeat, 1);
	assert_int_equal(p.limit, 2000);
	assert_int_equal(p.matrix_line, 1);
	assert_int_equal(p.exclude_count, 1);
	assert_int_equal(p.exclude[0].line, 8);
	assert_string_equal(p.exclude[0].opt, "Os");
	assert_string_equal(p.exclude[0].target, "");
	assert_string_equal(p.cross, "arm-none-eabi-");
	char *db = NULL;
	assert_int_equal(rtb_project_db(path, NULL, &db, &e), RTB_OK);
	assert_non_null(strstr(db, "/x/y.db"));
	assert_memory_equal(db, scratch, strlen(scratch));
	free(db);
	rtb_project_free(&p);
	free(path);
}

static void names_what_is_wrong(void **state)
{
	(void)state;
	static const struct { const char *text, *want; } bad[] = {
		{"[matrix]\nkernels = [\"a\"]\n", "rtbench.toml:2:1: unknown key \"kernels\" in [matrix]; known are: target, kernel,"},
		{"\n[matrx]\n", "rtbench.toml:2:2: unknown section \"matrx\"; known are: matrix, exclude, board, store, build"},
		{"loose = 1\n", "rtbench.toml:1:1: unknown key \"loose\""},
		{"[matrix]\nkernel = \"a\"\n", "rtbench.toml:2:1: kernel must be an array of strings, not a string"},
		{"[matrix]\nkernel = [\"a\", 3]\n", "rtbench.toml:2:16: kernel must be an array of strings, not an integer"},
		{"[matrix]\nopt = [\"O0\",\n\"O4\"]\n", "rtbench.toml:3:1: opt cannot be \"O4\"; it is one of: O0 O1 O2 O3 Os Og"},
		{"[matrix]\nopt = [\"O\"]\n", "rtbench.toml:2:8: opt cannot be \"O\""},
		{"[matrix]\nsamples = 0\n", "rtbench.toml:2:1: samples must be 1 to 10000000, not 0"},
		{"[matrix]\nsamples = 1.5\n", "rtbench.toml:2:1: samples must be an integer, not a float"},
		{"[matrix]\nsamples = true\n", "rtbench.toml:2:1: samples must be an integer, not a boolean"},
		{"[matrix]\ninstrumented = true\n", "rtbench.toml:2:1: instrumented must be a string, not a boolean"},
		{"[matrix]\ninstrumented = \"maybe\"\n", "rtbench.toml:2:1: instrumented cannot be \"maybe\"; it is one of: no yes both"},
		{"[matrix\n", "rtbench.toml:1:"},
		{"[matrix]\nsamples = \n", "rtbench.toml:2:"},
		{"[matrix]\nsamples = 1\nsamples = 2\n", "rtbench.toml:3:"},
		{"matrix = 3\n", "rtbench.toml:1:1: matrix is a section: write [matrix]"},
		{"[exclude]\nopt=\"O0\"\n", "rtbench.toml:1:2: write [[exclude]], with two brackets"},
		{"\n[[exclude]]\n", "rtbench.toml:2:1: this [[exclude]] names nothing"},
		{"[[exclude]]\ninstrumented=\"both\"\n", "rtbench.toml:1:1: instrumented in [[exclude]] is"},
		{"[store]\ndb = \"\"\n", "rtbench.toml:2:1: db must be 1 to 4000 characters long, not 0"},
		{"[store]\ndb = 2026-01-01\n", "rtbench.toml:2:1: db must be a string, not a date or time"},
		{"[matrix]\nsamples = {a = 1}\n", "rtbench.toml:2:1: samples must be an integer, not a table"},
		{"[matrix]\nsamples = 99999999999999999999\n", "rtbench.toml:2:"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct rtb_error e;
		const char *got = load_error(bad[i].text, &e);
		if (strncmp(got, bad[i].want, strlen(bad[i].want)) != 0)
			fail_msg("%s\n  wanted %s\n  got    %s", bad[i].text, bad[i].want, got);
	}
}

static void a_named_file_must_exist(void **state)
{
	(void)state;
	struct rtb_project p;
	struct rtb_error e = {0};
	assert_int_equal(rtb_project_load("/nonexistent/rtbench.toml", &p, &e), RTB_CONFIG);
	assert_non_null(strstr(e.text, "/nonexistent/rtbench.toml: No such file"));
	rtb_project_free(&p);
}

#define MEMORY \
	"[[memory]]\nname=\"FLASH\"\nkind=\"flash\"\nbase=0x08000000\nsize=131072\n" \
	"[[memory]]\nname=\"RAM\"\nkind=\"ram\"\nbase=0x20000000\nsize=20480\n"
#define MCU "[mcu]\nname=\"X\"\nhclk_hz=108000000\n"
#define LINK "[link]\nspec=\"serial:/dev/null\"\n"

static enum rtb_status load_target(const char *one, const char *two, const char *name,
				   struct rtb_target *t, struct rtb_error *e)
{
	free(write_file("targets/one/target.toml", one));
	free(write_file("targets/two/target.toml", two));
	char *path = write_file("rtbench.toml", "");
	struct rtb_project p;
	*e = (struct rtb_error){0};
	assert_int_equal(rtb_project_load(path, &p, e), RTB_OK);
	enum rtb_status st = rtb_target_load(&p, name, t, e);
	rtb_project_free(&p);
	free(path);
	return st;
}

static void a_variant_takes_what_it_does_not_say_from_its_base(void **state)
{
	(void)state;
	struct rtb_target t;
	struct rtb_error e;
	assert_int_equal(load_target(MCU MEMORY LINK "baud = 9600\n[openocd]\nbefore=[\"a\",\"b\"]\n",
				     "base=\"one\"\n[link]\nspec=\"unix:{serial}\"\n[openocd]\nbefore=[\"c\"]\n",
				     "two", &t, &e), RTB_OK);
	assert_string_equal(t.name, "two");
	assert_string_equal(t.firmware, "one");
	assert_string_equal(t.link.spec, "unix:{serial}");
	assert_int_equal(t.link.baud, 9600);
	assert_int_equal(t.openocd.before.n, 1);
	assert_string_equal(t.openocd.before.v[0].text, "c");
	assert_int_equal(t.memory_count, 2);
	assert_int_equal(t.mcu.hclk_hz, 108000000);
	free(write_file("targets/one/openocd.cfg", ""));
	char *f = rtb_target_file(&t, "openocd.cfg");
	assert_non_null(strstr(f, "/targets/one/openocd.cfg"));
	free(f);
	rtb_target_free(&t);
}

static void target_errors(void **state)
{
	(void)state;
	static const struct { const char *one, *two, *name; enum rtb_status st; const char *want; } bad[] = {
		{"", "", "three", RTB_NOT_FOUND, "no target \"three\""},
		{"", "", "../one", RTB_NOT_FOUND, "no target \"../one\""},
		{MEMORY LINK, "", "one", RTB_CONFIG, "/targets/one/target.toml:1:1: the key \"name\" is missing in [mcu]"},
		{MCU LINK, "", "one", RTB_CONFIG, "/target.toml:1:1: there must be a [[memory]] of kind"},
		{MCU MEMORY, "", "one", RTB_CONFIG, "the key \"spec\" is missing in [link]"},
		{MCU MEMORY LINK "[[memory]]\nname=\"R2\"\nkind=\"ram\"\nbase=0x20001000\nsize=16\n", "", "one", RTB_CONFIG,
		 "/targets/one/target.toml:16:1: memory \"R2\" overlaps \"RAM\""},
		{MCU MEMORY LINK "[[memory]]\nname=\"R2\"\nkind=\"ram\"\nbase=0xfffffff0\nsize=17\n", "", "one", RTB_CONFIG,
		 "reaches beyond 32 bits"},
		{MCU MEMORY LINK "[[memory]]\nname=\"R2\"\nkind=\"ram\"\nbase=0x30000000\n", "", "one", RTB_CONFIG,
		 "target.toml:16:1: [[memory]] lacks the key \"size\""},
		{"", "\nbase=\"nine\"\n", "two", RTB_CONFIG, "/targets/two/target.toml:2:1: base target \"nine\" does not exist"},
		{"base=\"two\"\n", "base=\"one\"\n", "two", RTB_CONFIG, "/targets/one/target.toml:1:1: a base must not have a base"},
		{MCU MEMORY LINK "[limits]\nready_ms=-1\n", "", "one", RTB_CONFIG, "ready_ms must be 1 to 3600000, not -1"},
		{MCU MEMORY LINK "[openocd]\ncpu_tap_id=0x1ffffffff\n", "", "one", RTB_CONFIG, "cpu_tap_id must be 0 to 4294967295"},
		{MCU MEMORY LINK "[adapter]\nkind=\"ftdi\"\n", "", "one", RTB_CONFIG, "[adapter] device = \"\" is not SERIAL[/A..D]"},
		{MCU MEMORY LINK "[adapter]\nkind=\"ftdi\"\ndevice=\"A5\"\nreset=\"9\"\n", "", "one", RTB_CONFIG,
		 "/targets/one/target.toml: [adapter] reset = \"9\": a pin is a number from 0 to 7"},
		{MCU MEMORY LINK "[adapter]\nkind=\"ftdi\"\ndevice=\"A5\"\npower=\"-1\"\n", "", "one", RTB_CONFIG, "a pin is a number"},
		{MCU MEMORY LINK "[adapter]\nkind=\"gpio\"\n", "", "one", RTB_CONFIG, "kind cannot be \"gpio\"; it is one of: null ftdi"},
		/* bit-bang on the channel that carries the link, by two of its names */
		{MCU MEMORY "[link]\nspec=\"ftdi://A5\"\n[adapter]\nkind=\"ftdi\"\ndevice=\"A5/A\"\n", "", "one", RTB_CONFIG,
		 "are one channel, and bit-bang stops its UART"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct rtb_target t;
		struct rtb_error e;
		assert_int_equal(load_target(bad[i].one, bad[i].two, bad[i].name, &t, &e), bad[i].st);
		if (!strstr(e.text, bad[i].want))
			fail_msg("wanted %s\n   got %s", bad[i].want, e.text);
		rtb_target_free(&t);
	}
}

static void every_committed_target_loads(void **state)
{
	(void)state;
	const char *src = getenv("RTB_SRCDIR");
	char *path = rtb_sprintf("%s/rtbench.toml", src ? src : ".");
	struct rtb_project p;
	struct rtb_error e = {0};
	if (rtb_project_load(path, &p, &e) != RTB_OK)
		fail_msg("%s", e.text);
	char **names = rtb_target_names(&p);
	size_t n = 0;
	for (; names[n]; n++) {
		struct rtb_target t;
		if (rtb_target_load(&p, names[n], &t, &e) != RTB_OK)
			fail_msg("%s", e.text);
		rtb_target_free(&t);
	}
	assert_true(n >= 2);
	rtb_names_free(names);
	rtb_project_free(&p);
	free(path);
}

/* A committed file that the tables generate. RTB_UPDATE=1 writes it anew. */
static void same_as_committed(const char *path, const struct rtb_buf *want)
{
	if (getenv("RTB_UPDATE")) {
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fputs(want->data, f);
		fclose(f);
		return;
	}
	struct rtb_buf have = {0};
	assert_int_equal(rtb_buf_read_file(&have, path, 1 << 20), 0);
	assert_string_equal(have.data, want->data);
	rtb_buf_free(&have);
}

static char *source(const char *name)
{
	const char *src = getenv("RTB_SRCDIR");
	return rtb_sprintf("%s/%s", src ? src : ".", name);
}

/* docs/configuration.md: everything after the mark. */
static void the_documentation_is_what_the_tables_say(void **state)
{
	(void)state;
	static const char begin[] = "<!-- generated from src/config; RTB_UPDATE=1 make unit -->\n";
	char *path = source("docs/configuration.md");
	struct rtb_buf want = {0}, have = {0};
	size_t n;
	assert_int_equal(rtb_buf_read_file(&have, path, 1 << 20), 0);
	const char *mark = strstr(rtb_buf_cstr(&have), begin);
	assert_non_null(mark);
	rtb_buf_add(&want, have.data, (size_t)(mark - have.data) + strlen(begin));
	rtb_buf_str(&want, "\n## rtbench.toml\n");
	const struct rtb_section *s = rtb_project_sections(&n);
	rtb_config_document(s, n, &want);
	rtb_buf_str(&want, "\n## target.toml\n");
	s = rtb_target_sections(&n);
	rtb_config_document(s, n, &want);
	same_as_committed(path, &want);
	rtb_buf_free(&want);
	rtb_buf_free(&have);
	free(path);
}

static void the_schemas_are_json_and_what_the_tables_say(void **state)
{
	(void)state;
	size_t n[2];
	const struct rtb_section *s[2] = {rtb_project_sections(&n[0]), rtb_target_sections(&n[1])};
	static const char *const names[2] = {"rtbench.toml", "target.toml"};
	for (int i = 0; i < 2; i++) {
		struct rtb_buf want = {0};
		rtb_config_schema(s[i], n[i], names[i], &want);
		cJSON *j = cJSON_Parse(want.data);
		assert_non_null(j);
		const cJSON *sections = cJSON_GetObjectItemCaseSensitive(j, "properties");
		assert_non_null(cJSON_GetObjectItemCaseSensitive(sections, i ? "memory" : "matrix"));
		cJSON_Delete(j);
		char *name = rtb_sprintf("schemas/%s.schema.json", names[i]), *path = source(name);
		same_as_committed(path, &want);
		free(name);
		free(path);
		rtb_buf_free(&want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_project),
		cmocka_unit_test(names_what_is_wrong),
		cmocka_unit_test(a_named_file_must_exist),
		cmocka_unit_test(a_variant_takes_what_it_does_not_say_from_its_base),
		cmocka_unit_test(target_errors),
		cmocka_unit_test(every_committed_target_loads),
		cmocka_unit_test(the_documentation_is_what_the_tables_say),
		cmocka_unit_test(the_schemas_are_json_and_what_the_tables_say),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
