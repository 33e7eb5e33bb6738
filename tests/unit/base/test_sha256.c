/* The digests are the examples of FIPS 180-2 appendix B, and every length around a block's
 * border against the same bytes added one at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sha256.h"

static void digest(const char *p, size_t n, size_t step, char out[RTB_SHA256_HEX])
{
	struct rtb_sha256 s;
	rtb_sha256_init(&s);
	for (size_t at = 0; at < n; at += step)
		rtb_sha256_add(&s, p + at, step < n - at ? step : n - at);
	rtb_sha256_hex(&s, out);
}

static void published(void **state)
{
	(void)state;
	char out[RTB_SHA256_HEX];
	digest("abc", 3, 3, out);
	assert_string_equal(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	digest("", 0, 1, out);
	assert_string_equal(out, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	digest(two, strlen(two), 7, out);
	assert_string_equal(out, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	char million[10000];
	memset(million, 'a', sizeof million);
	struct rtb_sha256 s;
	rtb_sha256_init(&s);
	for (int i = 0; i < 100; i++)
		rtb_sha256_add(&s, million, sizeof million);
	rtb_sha256_hex(&s, out);
	assert_string_equal(out, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void pieces_do_not_matter(void **state)
{
	(void)state;
	char text[200], whole[RTB_SHA256_HEX], split[RTB_SHA256_HEX];
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)(i * 7);
	for (size_t n = 50; n < 140; n++) {
		digest(text, n, n, whole);
		digest(text, n, 1, split);
		assert_string_equal(whole, split);
	}
}

static void file(void **state)
{
	(void)state;
	char path[] = "/tmp/rtb-sha-XXXXXX", out[RTB_SHA256_HEX];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "abc", 3), 3);
	close(fd);
	assert_int_equal(rtb_sha256_of_file(path, out), 0);
	assert_string_equal(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	unlink(path);
	assert_int_equal(rtb_sha256_of_file(path, out), -1);
	assert_string_equal(out, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published),
		cmocka_unit_test(pieces_do_not_matter),
		cmocka_unit_test(file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
