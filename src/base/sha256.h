/* sha256.h - SHA-256 (FIPS 180-4), for identity: two things with one digest are the same. */
#ifndef RTB_BASE_SHA256_H
#define RTB_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct rtb_sha256 {
	uint32_t h[8];
	uint64_t bytes;
	uint8_t block[64];
};

#define RTB_SHA256_HEX 65 /* 64 lower-case digits and a NUL */

void rtb_sha256_init(struct rtb_sha256 *s);
void rtb_sha256_add(struct rtb_sha256 *s, const void *p, size_t n);
/* Adds a string with its NUL, so that ("ab", "c") and ("a", "bc") differ. */
void rtb_sha256_str(struct rtb_sha256 *s, const char *text);
/* Adds a file's bytes. 0, or -1 with errno; after a failure s is of no use. */
int rtb_sha256_file(struct rtb_sha256 *s, const char *path);
/* Ends the computation; s must be initialised again before further use. */
void rtb_sha256_hex(struct rtb_sha256 *s, char out[RTB_SHA256_HEX]);
/* Digest of one file. 0, or -1 with errno and out "". */
int rtb_sha256_of_file(const char *path, char out[RTB_SHA256_HEX]);

#endif
