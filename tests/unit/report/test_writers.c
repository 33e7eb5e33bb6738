/* Numbers, CSV and JSON text, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/csv.h"
#include "report/json.h"
#include "report/number.h"
#include "report/table.h"

static void assert_exact(double v, const char *want)
{
	struct rtb_buf b = {0};
	rtb_num_exact(&b, v);
	assert_string_equal(rtb_buf_cstr(&b), want);
	if (*want)
		assert_true(strtod(want, NULL) == v);
	rtb_buf_free(&b);
}

static void numbers_read_back_as_they_were(void **state)
{
	(void)state;
	assert_exact(0, "0");
	assert_exact(-0.0, "0");
	assert_exact(412.5, "412.5");
	assert_exact(-3.25, "-3.25");
	assert_exact(281.79, "281.79");
	assert_exact(0.00001, "0.00001");
	assert_exact(-0.1, "-0.1");
	assert_exact(1e300, "1e+300");
	assert_exact(NAN, "");
	assert_exact(INFINITY, "");
	assert_exact(9007199254740992.0, "9007199254740992");
	assert_exact(sqrt(2), "1.4142135623730951");
	struct rtb_buf b = {0};
	uint64_t seed = 1;
	for (int i = 0; i < 20000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		double v = (double)(int64_t)seed / (double)(1 + (seed >> 40)) / 1000;
		rtb_buf_clear(&b);
		rtb_num_exact(&b, v);
		assert_true(strtod(b.data, NULL) == v);
	}
	rtb_buf_clear(&b);
	rtb_num_int(&b, INT64_MIN);
	assert_string_equal(b.data, "-9223372036854775808");
	rtb_buf_clear(&b);
	rtb_num_fixed(&b, -0.004, 2);
	assert_string_equal(b.data, "0.00");
	rtb_buf_free(&b);
}

/* Where such a locale is installed the point stays a point; it always is where it is not. */
static void numbers_do_not_follow_the_locale(void **state)
{
	(void)state;
	static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "da_DK.UTF-8"};
	bool set = false;
	for (size_t i = 0; i < 4 && !set; i++)
		set = setlocale(LC_NUMERIC, comma[i]) != NULL;
	if (!set)
		print_message("no locale with a decimal comma is installed; the C locale alone was tried\n");
	struct rtb_buf b = {0};
	double v;
	rtb_num_fixed(&b, 3.25, 2);
	assert_string_equal(b.data, "3.25");
	rtb_buf_clear(&b);
	rtb_num_exact(&b, sqrt(2));
	assert_string_equal(b.data, "1.4142135623730951");
	assert_true(rtb_num_parse("3.25", &v) && v == 3.25);
	setlocale(LC_NUMERIC, "C");
	rtb_buf_free(&b);
}

static void only_numbers_parse(void **state)
{
	(void)state;
	double v;
	assert_true(rtb_num_parse("-3.2e1", &v) && v == -32);
	static const char *const bad[] = {"", " 1", "1 ", "0x10", "nan", "inf", "1,5", "1e999", "-", "1.2.3"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(rtb_num_parse(bad[i], &v));
}

static void assert_field(const char *text, const char *want, const char *guarded)
{
	struct rtb_buf b = {0};
	rtb_csv_field(&b, text);
	assert_string_equal(rtb_buf_cstr(&b), want);
	rtb_buf_clear(&b);
	rtb_csv_guarded(&b, text);
	assert_string_equal(rtb_buf_cstr(&b), guarded);
	rtb_buf_free(&b);
}

static void fields_are_quoted_when_they_must_be(void **state)
{
	(void)state;
	assert_field("plain", "plain", "plain");
	assert_field(NULL, "", "");
	assert_field("", "", "");
	assert_field("-Wl,--gc-sections,-Map=x.map", "\"-Wl,--gc-sections,-Map=x.map\"", "\"'-Wl,--gc-sections,-Map=x.map\"");
	assert_field("say \"hi\"", "\"say \"\"hi\"\"\"", "\"say \"\"hi\"\"\"");
	assert_field("a\nb", "\"a\nb\"", "\"a\nb\"");
	assert_field(" a", "\" a\"", "\" a\"");
	assert_field("=1+1", "=1+1", "'=1+1");
	assert_field("@cmd", "@cmd", "'@cmd");
	assert_field("-cmd", "-cmd", "'-cmd");
	assert_field("-3.2", "-3.2", "-3.2");
	assert_field("+5", "+5", "+5");
}

static void what_was_written_reads_back(void **state)
{
	(void)state;
	static const char *const text[] = {"a,b", "", "say \"hi\";\nthere", "=1+1", " x ", "\r\n", "umlaut \xc3\xa4", "-3.2"};
	struct rtb_buf b = {0};
	struct rtb_error e = {0};
	struct rtb_csv c;
	rtb_buf_str(&b, RTB_CSV_BOM);
	for (int r = 0; r < 3; r++)
		for (size_t i = 0; i < 8; i++) {
			rtb_csv_field(&b, text[i]);
			rtb_buf_str(&b, i < 7 ? "," : r < 2 ? "\r\n" : "");
		}
	rtb_csv_begin(&c, b.data, b.len);
	unsigned rows = 0;
	while (rtb_csv_next(&c, &e)) {
		assert_int_equal(c.fields, 8);
		assert_int_equal(c.line, 1 + rows * 3);
		for (size_t i = 0; i < 8; i++)
			assert_string_equal(c.field[i], text[i]);
		rows++;
	}
	assert_int_equal(e.status, RTB_OK);
	assert_int_equal(rows, 3);
	rtb_csv_free(&c);
	rtb_buf_free(&b);
}

static void bad_csv_names_its_line(void **state)
{
	(void)state;
	struct rtb_csv c;
	struct rtb_error e = {0};
	static const char open[] = "a\n\"never closed\nb\n", after[] = "a\nb\n\"x\"y\n";
	rtb_csv_begin(&c, open, sizeof open - 1);
	while (rtb_csv_next(&c, &e))
		;
	assert_string_equal(e.text, "line 2: a quote is never closed");
	rtb_csv_free(&c);
	e = (struct rtb_error){0};
	rtb_csv_begin(&c, after, sizeof after - 1);
	while (rtb_csv_next(&c, &e))
		;
	assert_string_equal(e.text, "line 3: text after a closing quote");
	rtb_csv_free(&c);
}

static void assert_json(const char *text, size_t n, const char *want)
{
	struct rtb_buf b = {0};
	rtb_json_string_n(&b, text, n);
	assert_string_equal(b.data, want);
	rtb_buf_free(&b);
}

static void any_bytes_become_valid_json(void **state)
{
	(void)state;
	assert_json("a\"\\\n\x01\x7f", 6, "\"a\\\"\\\\\\n\\u0001\\u007f\"");
	assert_json("\0x", 2, "\"\\u0000x\"");
	assert_json("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
	assert_json("\xff\xc3", 2, "\"\\ufffd\\ufffd\"");
	assert_json("\xc0\x80", 2, "\"\\ufffd\\ufffd\"");             /* overlong */
	assert_json("\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\""); /* surrogate */
	assert_json("\xe2\x82", 2, "\"\\ufffd\\ufffd\"");
}

static void tables_in_every_format(void **state)
{
	(void)state;
	static const struct rtb_column columns[] = {{"name", "", false}, {"n", "us", true}};
	struct rtb_table t;
	struct rtb_buf b = {0};
	rtb_table_init(&t, columns, 2);
	rtb_table_row(&t, TONE_BAD);
	rtb_table_add(&t, "a|b,c");
	rtb_table_add(&t, "-1.50");
	rtb_table_row(&t, TONE_PLAIN);
	rtb_table_add(&t, "\xc3\xa4");
	rtb_table_write(&t, TABLE_TEXT, true, &b);
	assert_string_equal(b.data, "name       n\n          us\n\x1b[31ma|b,c  -1.50\x1b[0m\n\xc3\xa4\n");
	rtb_buf_clear(&b);
	rtb_table_write(&t, TABLE_MARKDOWN, true, &b);
	assert_string_equal(b.data, "| name | n [us] |\n|---|---:|\n| a\\|b,c | -1.50 |\n| \xc3\xa4 |  |\n");
	rtb_buf_clear(&b);
	rtb_table_write(&t, TABLE_CSV, true, &b);
	assert_string_equal(b.data, "name,n [us]\r\n\"a|b,c\",-1.50\r\n\xc3\xa4,\r\n");
	rtb_buf_clear(&b);
	rtb_table_write(&t, TABLE_JSON, true, &b);
	assert_string_equal(b.data, "[\n  {\"name\": \"a|b,c\", \"n\": -1.5},\n  {\"name\": \"\xc3\xa4\", \"n\": null}\n]\n");
	rtb_buf_free(&b);
	rtb_table_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_read_back_as_they_were), cmocka_unit_test(numbers_do_not_follow_the_locale),
		cmocka_unit_test(only_numbers_parse), cmocka_unit_test(fields_are_quoted_when_they_must_be),
		cmocka_unit_test(what_was_written_reads_back), cmocka_unit_test(bad_csv_names_its_line),
		cmocka_unit_test(any_bytes_become_valid_json), cmocka_unit_test(tables_in_every_format),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
