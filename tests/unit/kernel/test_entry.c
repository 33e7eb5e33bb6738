/* Entries: written and read back, made into a makefile fragment, digested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "config/entry.h"

static char dir[] = "/tmp/rtb-entry-XXXXXX";

static char *at(const char *rel)
{
	return rtb_sprintf("%s/%s", dir, rel);
}

static void put(const char *rel, const char *text)
{
	char *path = at(rel);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

static struct rtb_entry example(void)
{
	struct rtb_entry n = {
		.name = rtb_strdup("toy"), .port = rtb_strdup("toy"), .version = rtb_strdup("V1 \"a\\b\"\t\x01"),
		.licence = rtb_strdup("MIT"), .complete = true,
	};
	char *tree = at("a tree");
	struct rtb_entry_tree *t = rtb_entry_add_tree(&n, tree);
	free(tree);
	rtb_strings_add(&n.define, "X=1");
	rtb_strings_add(&t->include, ".");
	rtb_strings_add(&t->source, "a.c");
	rtb_strings_add(&t->source, "b.asm");
	rtb_strings_add(&t->used, "a.c");
	rtb_strings_add(&t->used, "b.asm");
	rtb_strings_add(&t->used, "a.h");
	return n;
}

static int tree(void **state)
{
	(void)state;
	char *path = at("a tree");
	mkdir(path, 0777);
	free(path);
	put("a tree/a.c", "int a;\n");
	put("a tree/b.asm", "\n");
	put("a tree/a.h", "\n");
	put("a tree/unrelated.h", "\n");
	return 0;
}

static void round_trip(void **state)
{
	(void)state;
	struct rtb_entry n = example(), back;
	struct rtb_error e = {0};
	char *deep = at("k/deep");
	assert_int_equal(rtb_entry_save(&n, deep, &e), RTB_OK);
	assert_int_equal(rtb_entry_load(deep, "toy", &back, &e), RTB_OK);
	assert_string_equal(back.port, n.port);
	assert_string_equal(back.version, n.version);
	assert_true(back.complete);
	assert_int_equal(back.tree_count, 1);
	assert_string_equal(back.tree[0].path, n.tree[0].path);
	assert_int_equal(back.tree[0].source.n, 2);
	assert_string_equal(back.tree[0].source.v[1], "b.asm");
	assert_int_equal(back.tree[0].used.n, 3);
	rtb_entry_free(&back);
	assert_int_equal(rtb_entry_load(deep, "other", &back, &e), RTB_NOT_FOUND);
	free(deep);
	rtb_entry_free(&n);
}

static enum rtb_status load_text(const char *text, struct rtb_error *e)
{
	struct rtb_entry n;
	put("bad.toml", text);
	enum rtb_status s = rtb_entry_load(dir, "bad", &n, e);
	if (s == RTB_OK)
		rtb_entry_free(&n);
	return s;
}

static void bad_entries(void **state)
{
	(void)state;
	static const struct {
		const char *text, *place;
	} bad[] = {
		{"format = 2\nport = \"x\"\n[[tree]]\npath = \"/x\"\n", "bad.toml:1:1"},
		{"format = 1\nport = \"x\"\nsauce = 1\n[[tree]]\npath = \"/x\"\n", "bad.toml:3:1"},
		{"format = 1\n[[tree]]\npath = \"/x\"\n", "port"},
		{"format = 1\nport = \"x\"\n", "no [[tree]]"},
		{"format = 1\nport = \"x\"\n[[tree]]\npath = \"x\"\n", "bad.toml:3:1: path \"x\" is not absolute"},
		{"format = 1\nport = \"x\"\n[[tree]]\npath = \"/x\"\nsource = \"a.c\"\n", "bad.toml:5:"},
		{"format = ", "bad.toml:1:"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct rtb_error e = {0};
		assert_int_equal(load_text(bad[i].text, &e), RTB_CONFIG);
		if (!strstr(e.text, bad[i].place))
			fail_msg("\"%s\" should name %s", e.text, bad[i].place);
	}
}

static void names(void **state)
{
	(void)state;
	assert_true(rtb_entry_name_ok("a"));
	assert_true(rtb_entry_name_ok("FreeRTOS-11.1_x"));
	assert_false(rtb_entry_name_ok(""));
	assert_false(rtb_entry_name_ok("../a"));
	assert_false(rtb_entry_name_ok(".a"));
	assert_false(rtb_entry_name_ok("a b"));
	setenv("RTBENCH_KERNEL_DIR", "/one", 1);
	char *d = rtb_entry_dir(NULL);
	assert_string_equal(d, "/one");
	free(d);
	unsetenv("RTBENCH_KERNEL_DIR");
	setenv("XDG_DATA_HOME", "/two", 1);
	d = rtb_entry_dir(NULL);
	assert_string_equal(d, "/two/rtbench/kernels");
	free(d);
	setenv("XDG_DATA_HOME", "relative", 1);
	setenv("HOME", "/three", 1);
	d = rtb_entry_dir(NULL);
	assert_string_equal(d, "/three/.local/share/rtbench/kernels");
	free(d);
	d = rtb_entry_dir("/given");
	assert_string_equal(d, "/given");
	free(d);
}

static void digest(const struct rtb_entry *n, char out[RTB_SHA256_HEX])
{
	struct rtb_error e = {0};
	assert_int_equal(rtb_entry_digest(n, out, &e), RTB_OK);
}

static void what_counts(void **state)
{
	(void)state;
	struct rtb_entry n = example();
	struct rtb_error e = {0};
	char before[RTB_SHA256_HEX], after[RTB_SHA256_HEX];
	digest(&n, before);
	put("a tree/unrelated.h", "int changed;\n");
	digest(&n, after);
	assert_string_equal(before, after);
	put("a tree/a.h", "int changed;\n");
	digest(&n, after);
	assert_string_not_equal(before, after);
	put("a tree/a.h", "\n");
	digest(&n, after);
	assert_string_equal(before, after);
	rtb_strings_add(&n.define, "Y");
	digest(&n, after);
	assert_string_not_equal(before, after);
	char *header = at("a tree/a.h");
	unlink(header);
	assert_int_equal(rtb_entry_digest(&n, after, &e), RTB_CONFIG);
	assert_non_null(strstr(e.text, header));
	free(header);
	rtb_entry_free(&n);
}

/* Corrected by hand, the entry no longer knows what is read: then every header counts. */
static void after_a_correction(void **state)
{
	(void)state;
	struct rtb_entry n = example();
	char before[RTB_SHA256_HEX], after[RTB_SHA256_HEX];
	put("a tree/new.c", "\n");
	rtb_strings_add(&n.tree[0].source, "new.c");
	digest(&n, before);
	put("a tree/unrelated.h", "int again;\n");
	digest(&n, after);
	assert_string_not_equal(before, after);
	rtb_entry_free(&n);
}

static void moved(void **state)
{
	(void)state;
	struct rtb_entry n = example();
	char before[RTB_SHA256_HEX], after[RTB_SHA256_HEX], *from = at("a tree"), *to = at("elsewhere");
	digest(&n, before);
	assert_int_equal(rename(from, to), 0);
	free(n.tree[0].path);
	n.tree[0].path = rtb_strdup(to);
	digest(&n, after);
	assert_string_equal(before, after);
	assert_int_equal(rename(to, from), 0);
	free(from);
	free(to);
	rtb_entry_free(&n);
}

static void fragment(void **state)
{
	(void)state;
	struct rtb_entry n = example();
	struct rtb_error e = {0};
	struct rtb_buf mk = {0}, wrapper = {0};
	char *work = at("work"), *path = at("work/kernel.mk"), *wrap = at("work/wrap0.S"), *odd = at("an odd place");
	assert_int_equal(rtb_entry_prepare(&n, work, &e), RTB_OK);
	assert_int_equal(rtb_buf_read_file(&mk, path, 100000), 0);
	assert_non_null(strstr(mk.data, "PORT := toy\n"));
	assert_non_null(strstr(mk.data, "KERNEL_DEFS += 'X=1'\n"));
	assert_null(strstr(mk.data, "a tree")); /* its space would part it */
	assert_non_null(strstr(mk.data, "/work/link0/a.c\n"));
	assert_int_equal(rtb_buf_read_file(&wrapper, wrap, 1000), 0);
	assert_non_null(strstr(wrapper.data, "/a tree/b.asm\""));
	struct stat first, second;
	assert_int_equal(stat(wrap, &first), 0);
	assert_int_equal(rtb_entry_prepare(&n, work, &e), RTB_OK);
	assert_int_equal(stat(wrap, &second), 0);
	assert_int_equal(first.st_mtim.tv_nsec, second.st_mtim.tv_nsec);
	assert_int_equal(rtb_entry_prepare(&n, odd, &e), RTB_CONFIG);
	rtb_buf_free(&mk);
	rtb_buf_free(&wrapper);
	free(work);
	free(path);
	free(wrap);
	free(odd);
	rtb_entry_free(&n);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(round_trip, tree), cmocka_unit_test(bad_entries),
		cmocka_unit_test(names), cmocka_unit_test_setup(what_counts, tree),
		cmocka_unit_test_setup(after_a_correction, tree), cmocka_unit_test_setup(moved, tree),
		cmocka_unit_test_setup(fragment, tree),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	char *rm = rtb_sprintf("rm -rf %s", dir);
	failed += system(rm) != 0;
	free(rm);
	return failed;
}
