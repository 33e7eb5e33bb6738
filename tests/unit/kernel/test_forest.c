/* Made-up trees in a scratch directory: what is found in them, and which of several is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "kernel/index.h"

static char scratch[] = "/tmp/rtb-tree-XXXXXX";
static char root[64];
static unsigned made;

static void put(const char *rel, const char *text)
{
	char *path = rtb_sprintf("%s/%s", root, rel);
	for (char *p = path + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		mkdir(path, 0777);
		*p = '/';
	}
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

static void link_to(const char *target, const char *rel)
{
	char *path = rtb_sprintf("%s/%s", root, rel);
	assert_int_equal(symlink(target, path), 0);
	free(path);
}

static int fresh(void **state)
{
	(void)state;
	snprintf(root, sizeof root, "%s/%u", scratch, made++);
	return mkdir(root, 0777);
}

static struct rtb_forest scan(const char *const *use, const char *const *skip)
{
	struct rtb_forest f;
	struct rtb_error e = {0};
	const char *const trees[] = {root, NULL};
	assert_int_equal(rtb_forest_scan(trees, use, skip, &f, &e), RTB_OK);
	return f;
}

/* The choice among files named so, "" when none, "?" when open. */
static const char *chosen(const char *name, const char *const *use, const char *const *skip, const char *near)
{
	static char out[200];
	struct rtb_forest f = scan(use, skip);
	struct rtb_index x;
	const struct rtb_tree_file **files, *anchor = NULL;
	rtb_index_init(&x, &f);
	if (near) {
		char *path = rtb_sprintf("%s/%s", root, near);
		anchor = rtb_forest_file(&f, path);
		assert_non_null(anchor);
		free(path);
	}
	size_t n = rtb_index_named(&x, name, &files);
	struct rtb_choice c = rtb_choose(files, n, &anchor, anchor ? 1 : 0);
	snprintf(out, sizeof out, "%s", c.file ? c.file->rel : c.verdict == RTB_CHOICE_OPEN ? "?" : "");
	rtb_choice_free(&c);
	free(files);
	rtb_index_free(&x);
	rtb_forest_free(&f);
	return out;
}

static void side_by_side(void **state)
{
	(void)state;
	put("port/gcc/cm3/port.h", "a");
	put("port/gcc/cm4/port.h", "b");
	put("port/iar/cm3/port.h", "c");
	put("port/gcc/cm3/mpu/port.h", "d");
	put("test/port.h", "e");
	assert_string_equal(chosen("port.h", NULL, NULL, NULL), "port/gcc/cm3/port.h");
	const char *const skip[] = {"*/cm3/*", NULL}, *const use[] = {"port/gcc/cm4/*", NULL};
	assert_string_equal(chosen("port.h", NULL, skip, NULL), "test/port.h");
	assert_string_equal(chosen("port.h", use, NULL, NULL), "port/gcc/cm4/port.h");
	assert_string_equal(chosen("cm3/port.h", NULL, NULL, NULL), "port/gcc/cm3/port.h");
	assert_string_equal(chosen("nothing.h", NULL, NULL, NULL), "");
}

static void only_for_others(void **state)
{
	(void)state;
	put("port/iar/cm3/port.h", "a");
	put("port/gcc/cm0/port.h", "b");
	assert_string_equal(chosen("port.h", NULL, NULL, NULL), "");
}

static void ties(void **state)
{
	(void)state;
	put("one/include/k.h", "a");
	put("two/include/k.h", "b");
	put("two/src/k.c", "c");
	assert_string_equal(chosen("k.h", NULL, NULL, NULL), "?");
	assert_string_equal(chosen("k.h", NULL, NULL, "two/src/k.c"), "two/include/k.h");
	put("two/include/k.h", "a");
	assert_string_equal(chosen("k.h", NULL, NULL, NULL), "one/include/k.h");
}

static void links(void **state)
{
	(void)state;
	put("real/a.h", "a");
	link_to(".", "loop");
	link_to("real", "again");
	link_to("/usr", "outside");
	link_to("nowhere", "broken");
	link_to("a.h", "real/b.h");
	struct rtb_forest f = scan(NULL, NULL);
	assert_int_equal(f.file_count, 2);
	assert_string_equal(f.files[0].rel, "real/a.h");
	assert_string_equal(f.files[1].rel, "real/b.h");
	assert_int_equal(f.outside_count, 1);
	rtb_forest_free(&f);
}

static void bad_roots(void **state)
{
	(void)state;
	struct rtb_forest f;
	struct rtb_error e = {0};
	put("sub/file", "x");
	char *sub = rtb_sprintf("%s/sub", root), *file = rtb_sprintf("%s/sub/file", root);
	const char *const twice[] = {root, root, NULL}, *const nested[] = {sub, root, NULL};
	const char *const plain[] = {file, NULL}, *const none[] = {"/nonexistent", NULL};
	assert_int_equal(rtb_forest_scan(twice, NULL, NULL, &f, &e), RTB_USAGE);
	rtb_forest_free(&f);
	assert_int_equal(rtb_forest_scan(nested, NULL, NULL, &f, &e), RTB_USAGE);
	rtb_forest_free(&f);
	assert_int_equal(rtb_forest_scan(plain, NULL, NULL, &f, &e), RTB_NOT_FOUND);
	rtb_forest_free(&f);
	assert_int_equal(rtb_forest_scan(none, NULL, NULL, &f, &e), RTB_NOT_FOUND);
	rtb_forest_free(&f);
	free(sub);
	free(file);
}

static void hidden_is_left_alone(void **state)
{
	(void)state;
	put(".git/config.h", "x");
	put("a b/.hidden.h", "x");
	put("a b/c.h", "x");
	struct rtb_forest f = scan(NULL, NULL);
	assert_int_equal(f.file_count, 1);
	assert_string_equal(f.files[0].rel, "a b/c.h");
	rtb_forest_free(&f);
}

static void symbols(void **state)
{
	(void)state;
	put("a.c", "int f(void) { return 0; }\n");
	put("b.S", ".global f\nf:\n");
	put("c.h", "int f(void) { return 0; }\n");
	struct rtb_forest f = scan(NULL, NULL);
	struct rtb_index x;
	const struct rtb_tree_file **files;
	rtb_index_init(&x, &f);
	rtb_index_symbols(&x);
	assert_int_equal(x.sources_read, 2);
	assert_int_equal(rtb_index_defining(&x, "f", &files), 2);
	assert_string_equal(files[0]->rel, "a.c");
	assert_string_equal(files[1]->rel, "b.S");
	free(files);
	assert_int_equal(rtb_index_defining(&x, "g", &files), 0);
	free(files);
	rtb_index_free(&x);
	rtb_forest_free(&f);
}

static void distance(void **state)
{
	(void)state;
	put("a/b/x.c", "");
	put("a/c/y.h", "");
	put("a/b/z.h", "");
	struct rtb_forest f = scan(NULL, NULL);
	assert_int_equal(rtb_file_distance(&f.files[0], &f.files[1]), 0);
	assert_int_equal(rtb_file_distance(&f.files[0], &f.files[2]), 2);
	rtb_forest_free(&f);
}

int main(void)
{
	if (!mkdtemp(scratch))
		return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(side_by_side, fresh), cmocka_unit_test_setup(only_for_others, fresh),
		cmocka_unit_test_setup(ties, fresh), cmocka_unit_test_setup(links, fresh),
		cmocka_unit_test_setup(bad_roots, fresh), cmocka_unit_test_setup(hidden_is_left_alone, fresh),
		cmocka_unit_test_setup(symbols, fresh), cmocka_unit_test_setup(distance, fresh),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	char *rm = rtb_sprintf("rm -rf %s", scratch);
	failed += system(rm) != 0;
	free(rm);
	return failed;
}
